import SceneStoreSQLite
import SceneStoreValues

/// Reads the payloads that wait until the app acknowledges them (L-65).
package struct InboxReader: StoreReading {
    package let parts: StoreParts

    /// Payloads that are not done, with their bytes.
    func waiting(
        _ ids: [Int64]
    ) throws(SceneStoreError) -> [(row: InboxRow, payload: [UInt8])] {
        var result: [(row: InboxRow, payload: [UInt8])] = []
        for id in ids {
            try withRow(InboxRow.self, id) { row, bytes in
                if !row.isDone, row.epoch == store.containerEpoch {
                    result.append((row, Array(bytes)))
                }
            }
        }
        return result
    }

    /// Whether a payload of the same key is the same one: it waits, or was done in this launch.
    package func isSame(_ row: InboxRow) -> Bool {
        !row.isDone || row.receivedLaunch == store.launchNumber
    }

    package func items(_ dedupe: String) throws(SceneStoreError) -> [InboxRow] {
        let epoch = store.containerEpoch
        return try rows(Queries.inboxByKey) { statement throws(SQLiteError) in
            try statement.bind(1, epoch)
            try statement.bind(2, dedupe)
        } isAsked: {
            $0.epoch == epoch && $0.dedupeKey?.hasSameBytes(as: dedupe) == true
        }
    }

    /// The payloads that wait, as a launch finds them; nil is the current one.
    package func pending(launch: Int64? = nil) throws(SceneStoreError) -> [InboxItem] {
        let launch = launch ?? store.launchNumber
        let epoch = store.containerEpoch
        var result: [InboxItem] = []
        try eachWithPayload(
            Queries.waitingInbox, number(epoch), isAsked: { $0.epoch == epoch && !$0.isDone }
        ) { row, bytes in
            let payload = decoded(bytes, "payload", session: row.sessionIdentifier ?? "") {
                bytes throws(SceneStoreError) in try ValueCodec.decodePayload(bytes)
            }
            if let payload {
                let wasOffered =
                    row.offeredLaunch > 0 && row.offeredLaunch < launch
                var item = InboxItem(
                    id: row.id, payload: encoder.shown(payload, \.revealed),
                    sessionIdentifier: row.sessionIdentifier, wasOffered: wasOffered)
                item.deaths = row.deaths
                item.isHandoff = payload.isHandoff(named: row.dedupeKey)
                item.order = row.order
                result.append(item)
            }
            return true
        }
        return result
    }
}

extension StoreReading where Self: ~Copyable {
    package var inbox: InboxReader { InboxReader(parts: parts) }
}

/// How the delivery of a payload stands; the column `inbox.offered_count` holds both numbers, above a
/// bit that tells it from the plain count of earlier libraries.
extension InboxRow {
    private static let mark: Int64 = 1 << 8

    /// How many processes died while they were handing it over.
    var deaths: Int { offeredCount & Self.mark == 0 ? 0 : Int(offeredCount & 255) }
    /// The generation at which its delivery began, while it has not ended; else 0.
    var order: Int64 { offeredCount >> 9 }

    mutating func beginDelivery(launch: Int64, order: Int64) {
        offeredLaunch = offeredLaunch > 0 ? offeredLaunch : launch
        offeredCount = order << 9 | Self.mark | Int64(deaths)
    }

    mutating func endDelivery(isBlamed: Bool) {
        offeredCount = Self.mark | min(Int64(deaths) + (isBlamed ? 1 : 0), 255)
    }
}
