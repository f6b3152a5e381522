import SceneStoreSQLite
import SceneStoreValues

/// Sessions that are kept without a scene (L-18).
///
/// Why a session is parked is in its flags; since when is a value of its own, which goes when the
/// parking ends. How many stable launches there were since is counted from the launches themselves.
extension StoreReading where Self: ~Copyable {
    /// Those of some sessions that have been parked for 30 days and three stable launches.
    package func expired(
        _ parked: [SessionRecord], stablePeriod: Int64, previousWasStable: Bool
    ) throws(SceneStoreError) -> [SessionRecord] {
        let now = try launches.agingTime()
        var keys: Set<Int64> = []
        var stable: [Int64]?
        // In the order of the rows, so that many are read page by page.
        for record in parked.sorted(by: { $0.key < $1.key })
        where record.parkedCause?.expires == true && !record.flags.contains(.pinned) {
            guard let since = try parking(of: record.key),
                now.saturatingMinus(since.time) >= Parking.days
            else {
                continue
            }
            if stable == nil {
                stable = try launches.stable(
                    stablePeriod: stablePeriod, last: previousWasStable)
            }
            let launches = stable ?? []
            if launches.count(where: { $0 >= since.launch }) >= Parking.launches {
                keys.insert(record.key)
            }
        }
        return parked.filter { keys.contains($0.key) }
    }

    /// The open sessions that are parked.
    package func parkedRecords() throws(SceneStoreError) -> [SessionRecord] {
        try openRecords().filter { $0.parkedCause != nil }
    }

    /// Since when a session is parked; nil when it is not, or an earlier library parked it.
    func parking(of key: Int64) throws(SceneStoreError) -> Parking? {
        guard let bytes = try value(.parking, of: key) else {
            return nil
        }
        return Parking(bytes)
    }
}

extension StoreWriter {
    /// Parks a session, or ends its parking.
    func park(_ key: Int64, _ cause: ParkedCause?) throws(SceneStoreError) {
        let session = try knownSession(key)
        guard session.row.flags.parkedCause != cause else {
            return
        }
        let parking = Parking(time: now, launch: store.launchNumber)
        try updateRow(session) { $0.flags.parkedCause = cause }
        try put(.parking, cause == nil ? nil : parking.bytes, of: key)
        note(
            .change, session.row.identifier,
            cause.map { "parked: \($0.rawValue)" } ?? "no longer parked")
    }
}

/// Since when a session is parked.
struct Parking {
    /// Milliseconds since 1970.
    var time: Int64
    var launch: Int64

    static let days = 30 * HistoryPolicy.day
    static let launches = 3

    init(time: Int64, launch: Int64) {
        self.time = time
        self.launch = launch
    }

    init?(_ bytes: [UInt8]) {
        guard let numbers = NumberPair(bytes) else {
            return nil
        }
        self.init(time: numbers.first, launch: numbers.second)
    }

    var bytes: [UInt8] { NumberPair(time, launch).bytes }
}
