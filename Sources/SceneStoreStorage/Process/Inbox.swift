import SceneStoreSQLite
import SceneStoreValues

/// Payloads that wait until the app acknowledges them (L-65).
package struct StoredInbox: Sendable {
    let store: SceneSessionStore

    /// Keeps a payload until it is acknowledged; answers its number. A payload whose `dedupe` key
    /// waits already, or was acknowledged in this launch, is the same one. One transaction, durable.
    ///
    /// - Parameter isOffered: Whether it is being handed over now; else it waits for the next launch.
    package func keep(
        _ payload: Payload, dedupe: String?, isOffered: Bool = false
    ) throws(SceneStoreError) -> Int64 {
        try store.using { db throws(SceneStoreError) in
            try db.encoder.check(dedupe, path: "inbox")
            if let dedupe, let known = try db.inboxRows(dedupe).first(where: db.isSame) {
                if isOffered {
                    try db.write(.normal) { transaction throws(SceneStoreError) in
                        try transaction.advancePayloads([known.id], isDone: false)
                    }
                }
                return known.id
            }
            let bytes = try ValueCodec.encode(try db.encoder.storable(payload), limits: db.limits)
            return try db.write(.full) { transaction throws(SceneStoreError) in
                try transaction.insertPayload(bytes, dedupe: dedupe, isOffered: isOffered)
            }
        }
    }

    /// The number of the payload that came under a `dedupe` key, whether it waits or was dealt with.
    package func number(dedupe: String) throws(SceneStoreError) -> Int64? {
        try store.read { db throws(SceneStoreError) in
            try db.inboxRows(dedupe).first?.id
        }
    }

    /// The payloads that wait, oldest first.
    package func pending() throws(SceneStoreError) -> [InboxItem] {
        try store.read { db throws(SceneStoreError) in try db.waitingInbox() }
    }

    /// The app is about to be handed some payloads. Mode normal.
    package func markOffered(_ ids: [Int64]) throws(SceneStoreError) {
        try advance(ids, isDone: false)
    }

    /// The app has dealt with some payloads; they are erased. Mode normal.
    package func acknowledge(_ ids: [Int64]) throws(SceneStoreError) {
        try advance(ids, isDone: true)
    }

    /// Sets how the delivery of a payload stands: while the app is asked where it goes, a death counts
    /// against it, beside those before. That is no change, and not in the journal. Mode normal.
    ///
    /// - Parameter order: Nil for a delivery that begins now.
    package func setDelivery(
        of id: Int64, order: Int64? = nil, deaths: Int
    ) throws(SceneStoreError) {
        try store.write(.normal) { transaction throws(SceneStoreError) in
            let order = order ?? transaction.store.generation
            try transaction.rewritePayloads([id], nil) { $0.setDelivery(order, deaths: deaths) }
        }
    }

    /// What was handed over needs no watching any more: the process lives. Mode normal.
    package func endDeliveries(_ items: [Int64]) throws(SceneStoreError) {
        try store.write(.normal) { transaction throws(SceneStoreError) in
            try transaction.endDeliveries(items)
        }
    }

    /// A payload that was set aside is offered again by the next launch. Durable.
    package func release(_ item: Int64) throws(SceneStoreError) {
        try store.write(.full) { transaction throws(SceneStoreError) in
            try transaction.rewritePayloads([item], "released") { $0.offeredCount = 0 }
        }
    }

    private func advance(_ ids: [Int64], isDone: Bool) throws(SceneStoreError) {
        guard !ids.isEmpty else {
            return
        }
        try store.write(.normal) { transaction throws(SceneStoreError) in
            try transaction.advancePayloads(ids, isDone: isDone)
        }
    }
}

/// Reads the payloads that wait until the app acknowledges them (L-65).
extension Database {
    /// Whether a payload of the same key is the same one: it waits, or was done in this launch.
    package func isSame(_ row: InboxRow) -> Bool {
        !row.isDone || row.receivedLaunch == store.launchNumber
    }

    package func inboxRows(_ dedupe: String) throws(SceneStoreError) -> [InboxRow] {
        let epoch = store.containerEpoch
        return try rows(Queries.inboxByKey, binding(epoch, dedupe)) {
            $0.epoch == epoch && $0.dedupeKey?.hasSameBytes(as: dedupe) == true
        }
    }

    /// The payloads that wait, as a launch finds them; nil is the current one.
    package func waitingInbox(launch: Int64? = nil) throws(SceneStoreError) -> [InboxItem] {
        let launch = launch ?? store.launchNumber
        let epoch = store.containerEpoch
        var result: [InboxItem] = []
        try eachWithPayload(
            Queries.waitingInbox, binding(epoch), isAsked: { $0.epoch == epoch && !$0.isDone }
        ) { row, bytes in
            if let payload = decoded(bytes, "payload", session: "", ValueCodec.decodePayload) {
                let wasOffered = row.offeredLaunch > 0 && row.offeredLaunch < launch
                var item = InboxItem(
                    id: row.id, payload: encoder.shown(payload, \.revealed),
                    wasOffered: wasOffered)
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
        setDelivery(order, deaths: deaths)
    }

    mutating func setDelivery(_ order: Int64, deaths: Int) {
        offeredCount = order << 9 | Self.mark | min(Int64(deaths), 255)
    }

    mutating func endDelivery(isBlamed: Bool) {
        setDelivery(0, deaths: deaths + (isBlamed ? 1 : 0))
    }
}

/// Writes the payloads that wait, within a transaction.
extension Transaction {
    /// Writes a payload that waits.
    package func insertPayload(
        _ bytes: [UInt8], dedupe: String?, isOffered: Bool = false
    ) throws(SceneStoreError) -> Int64 {
        var row = InboxRow(
            id: nextID(), epoch: store.containerEpoch, dedupeKey: dedupe,
            receivedLaunch: store.launchNumber, receivedAt: db.now,
            generation: store.generation, contentHash: Database.hash(bytes))
        if isOffered {
            row.beginDelivery(launch: store.launchNumber, order: store.generation)
        }
        try insert(row, payload: bytes)
        note(.inbox, nil, "received")
        return row.id
    }

    /// Offers or acknowledges payloads.
    package func advancePayloads(_ ids: [Int64], isDone: Bool) throws(SceneStoreError) {
        try rewritePayloads(ids, isDone ? "acknowledged" : "offered") { row in
            if isDone {
                row.isDone = true
            } else {
                row.beginDelivery(launch: store.launchNumber, order: store.generation)
            }
        }
    }

    /// What was handed over needs no watching any more.
    func endDeliveries(_ ids: [Int64], blaming blamed: Int64? = nil) throws(SceneStoreError) {
        // An index that is damaged may name one twice.
        try rewritePayloads(Set(ids).sorted(), "delivery ended") {
            $0.endDelivery(isBlamed: $0.id == blamed)
        }
    }

    /// Changes the rows of payloads that wait, and notes the `detail` in the journal.
    func rewritePayloads(
        _ ids: [Int64], _ detail: String?, _ change: (inout InboxRow) -> Void
    ) throws(SceneStoreError) {
        for id in ids {
            let found = try db.withRow(InboxRow.self, id) { ($0, Array($1)) }
            guard let (old, payload) = found, !old.isDone, old.epoch == store.containerEpoch else {
                continue
            }
            var row = old
            change(&row)
            // An acknowledged payload leaves its key alone.
            let kept = row.isDone ? [] : payload
            row.contentHash = Database.hash(kept)
            try update(row, counted: old.checksum, payload: kept)
            if let detail {
                note(.inbox, nil, detail)
            }
        }
    }
}
