import SceneStoreSQLite
import SceneStoreValues

/// Sessions that are kept without a scene (L-18).
///
/// Why a session is parked is in its flags; since when is a value of its own, which goes when the
/// parking ends. How many stable launches there were since is counted from the launches themselves.
extension Database {
    /// Those of some sessions that have been parked for 30 days and three stable launches, and those
    /// that were left behind as long ago as closed sessions expire (S-50).
    package func expired(
        _ parked: [SessionRecord], stablePeriod: Int64, previousWasStable: Bool
    ) throws(SceneStoreError) -> [SessionRecord] {
        let now = try agingTime()
        var keys: Set<Int64> = []
        var stable: [Int64]?
        // In the order of the rows, so that many are read page by page.
        for record in parked.sorted(by: { $0.key < $1.key })
        where record.parkedCause != .leftBehind && !record.flags.contains(.pinned) {
            guard let since = try parking(of: record.key),
                now.saturatingMinus(since.time) >= Self.parkedTime
            else {
                continue
            }
            if stable == nil {
                stable = try stableLaunches(stablePeriod: stablePeriod, last: previousWasStable)
            }
            let launches = stable ?? []
            if launches.count(where: { $0 >= since.launch }) >= Self.parkedLaunches {
                keys.insert(record.key)
            }
        }
        keys.formUnion(try expiredOfLeft(parked.filter { $0.parkedCause == .leftBehind }))
        return parked.filter { keys.contains($0.key) }
    }

    /// Of sessions that were left behind those that expire: what one process left is a group.
    private func expiredOfLeft(_ left: [SessionRecord]) throws(SceneStoreError) -> [Int64] {
        var groups: [(key: Int64, parking: ParkedSince, isPinned: Bool)] = []
        for record in left {
            if let parking = try parking(of: record.key) {
                groups.append((record.key, parking, record.flags.contains(.pinned)))
            }
        }
        guard !groups.isEmpty else {
            return []
        }
        groups.sort { ($0.parking.launch, $0.key) > ($1.parking.launch, $1.key) }
        let reasons = try expiries(
            of: groups.map { ($0.parking.launch, $0.parking.time, $0.isPinned, true) },
            last: groups.first?.parking.launch)
        return zip(groups, reasons).filter { $1 != nil }.map(\.0.key)
    }

    /// The open sessions that are parked.
    package func parkedRecords() throws(SceneStoreError) -> [SessionRecord] {
        try openRecords().filter(\.isParked)
    }

    /// Since when a session is parked; nil when it is not, or an earlier library parked it.
    func parking(of key: Int64) throws(SceneStoreError) -> ParkedSince? {
        try value(.parking, of: key).flatMap(NumberPair.init).map {
            (time: $0.first, launch: $0.second)
        }
    }

    /// What a session is parked for before it expires.
    private static let parkedTime = 30 * HistoryPolicy.day
    private static let parkedLaunches = 3
}

extension Transaction {
    /// Parks a session, or ends its parking.
    func park(_ key: Int64, _ cause: ParkedCause?) throws(SceneStoreError) {
        let session = try db.knownSession(key)
        guard session.row.flags.parkedCause != cause else {
            return
        }
        let parking = NumberPair(db.now, store.launchNumber)
        try updateRow(session) { $0.flags.parkedCause = cause }
        try put(.parking, cause == nil ? nil : parking.bytes, of: key)
        note(
            .change, session.row.identifier,
            cause.map { "parked: \($0.rawValue)" } ?? "no longer parked")
    }

    // MARK: - Ending a parking (S-50, L-48)

    /// A parked session is the one that returns (L-18); what parks it may be judged anew.
    package func unpark(_ session: StoreCaches.Session) throws(SceneStoreError) {
        try park(session.row.id, nil)
        try updateRow(session) { $0.flags.insert(.reopened) }
        note(.reopen, session.row.identifier)
    }

    /// Sessions that gave their places up come back at the next launch that restores (L-16).
    func returnAtNextLaunch(_ keys: [Int64]) throws(SceneStoreError) {
        for key in keys {
            try updateRow(db.knownSession(key)) { $0.flags.insert(.reopened) }
        }
        try apply(db.effective(keys.map { MarkChange(key: $0, isFront: true) }))
    }
}

/// Since when a session is parked: milliseconds since 1970, and the launch.
package typealias ParkedSince = (time: Int64, launch: Int64)

/// The parked sessions.
extension StoredDiscards {
    /// The open sessions that are parked, most recently active first.
    package func parkedRecords() throws(SceneStoreError) -> [SessionRecord] {
        try store.read { db throws(SceneStoreError) in try db.parkedRecords() }
    }

    /// Since when a session is parked.
    package func parking(of key: Int64) throws(SceneStoreError) -> ParkedSince? {
        try store.read { db throws(SceneStoreError) in try db.parking(of: key) }
    }

    /// Discards parked sessions, durably; never held in memory (L-17).
    package func discardParked(_ keys: [Int64]) throws(SceneStoreError) {
        guard !keys.isEmpty else {
            return
        }
        try store.usingFile { db throws(SceneStoreError) in
            try db.write(.full) { transaction throws(SceneStoreError) in
                try transaction.discard(keys, cause: .cannotDisplay, deliveredNow: true)
            }
        }
    }
}
