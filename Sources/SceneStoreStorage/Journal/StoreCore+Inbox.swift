import SceneStoreSQLite
import SceneStoreValues

/// Payloads that wait until the app acknowledges them (L-65), and saved activities (L-85).
extension StoreReading where Self: ~Copyable {
    /// Payloads that are not done, with their bytes.
    fileprivate func waitingItems(
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

    package func inboxItems(_ dedupe: String) throws(SceneStoreError) -> [InboxRow] {
        let epoch = store.containerEpoch
        return try rows(Queries.inboxByKey) { statement throws(SQLiteError) in
            try statement.bind(1, epoch)
            try statement.bind(2, dedupe)
        } isAsked: {
            $0.epoch == epoch && $0.dedupeKey?.hasSameBytes(as: dedupe) == true
        }
    }

    /// The payloads that wait, as a launch finds them; nil is the current one.
    package func pendingInbox(launch: Int64? = nil) throws(SceneStoreError) -> [InboxItem] {
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

    package func savedRows(_ identifier: String?) throws(SceneStoreError) -> [SavedActivityRow] {
        let epoch = store.containerEpoch
        guard let identifier else {
            return try rows(Queries.savedActivities, number(epoch))
        }
        return try rows(Queries.savedActivitiesByIdentifier) {
            statement throws(SQLiteError) in
            try statement.bind(1, epoch)
            try statement.bind(2, identifier)
        } isAsked: {
            $0.epoch == epoch && $0.persistentIdentifier?.hasSameBytes(as: identifier) == true
        }
    }

    package func savedActivities() throws(SceneStoreError) -> [UserActivity] {
        var result: [UserActivity] = []
        try eachWithPayload(Queries.savedActivities, number(store.containerEpoch)) { _, bytes in
            let activity = decoded(bytes, "saved activity", session: "") {
                bytes throws(SceneStoreError) in try ValueCodec.decodeActivity(bytes)
            }
            if let activity {
                result.append(encoder.shown(activity, \.revealed))
            }
            return true
        }
        return result
    }
}

extension StoreWriter {
    /// Writes a payload that waits.
    package func insertInboxItem(
        _ bytes: [UInt8], session: String? = nil, dedupe: String?, isOffered: Bool = false
    ) throws(SceneStoreError) -> Int64 {
        var row = InboxRow(
            id: nextID(), epoch: store.containerEpoch, sessionIdentifier: session,
            dedupeKey: dedupe, receivedLaunch: store.launchNumber, receivedAt: now,
            generation: store.generation, contentHash: StoreCore.hash(bytes))
        if isOffered {
            row.beginDelivery(launch: store.launchNumber, order: store.generation)
        }
        try insert(row, payload: bytes)
        note(.inbox, session, "received")
        return row.id
    }

    /// Offers or acknowledges payloads.
    package func advanceInbox(_ ids: [Int64], isDone: Bool) throws(SceneStoreError) {
        try rewriteInbox(ids, isDone ? "acknowledged" : "offered") { row in
            if isDone {
                row.isDone = true
            } else {
                row.beginDelivery(launch: store.launchNumber, order: store.generation)
            }
        }
    }

    /// Changes the rows of payloads that wait.
    func rewriteInbox(
        _ ids: [Int64], _ detail: String, _ change: (inout InboxRow) -> Void
    ) throws(SceneStoreError) {
        for (old, payload) in try waitingItems(ids) {
            var row = old
            change(&row)
            // An acknowledged payload leaves its key alone.
            let kept = row.isDone ? [] : payload
            row.contentHash = StoreCore.hash(kept)
            try update(row, counted: old.checksum, payload: kept)
            note(.inbox, row.sessionIdentifier, detail)
        }
    }

    package func delete(_ rows: [SavedActivityRow]) throws(SceneStoreError) {
        for row in rows {
            try delete(row)
        }
    }
}

extension StoreCore {
    package func enqueue(
        _ payload: Payload, session: String?, dedupe: String?, isOffered: Bool = false
    ) throws(SceneStoreError) -> Int64? {
        try encoder.check(session, path: "inbox")
        try encoder.check(dedupe, path: "inbox")
        if let dedupe, let known = try inboxItems(dedupe).first(where: isSame) {
            if isOffered {
                try advanceInbox([known.id], isDone: false)
            }
            return known.id
        }
        let bytes = try ValueCodec.encode(try encoder.storable(payload), limits: limits)
        if let session, let row = try self.session(identifier: session),
            row.flags.contains(.ephemeral)
        {
            // Checked, and then let go: nothing of it reaches the disk.
            return nil
        }
        return try write(.full) { writer throws(SceneStoreError) in
            try writer.insertInboxItem(
                bytes, session: session, dedupe: dedupe, isOffered: isOffered)
        }
    }

    /// Offers or acknowledges payloads.
    func advanceInbox(_ ids: [Int64], isDone: Bool) throws(SceneStoreError) {
        guard try !waitingItems(ids).isEmpty else {
            return
        }
        try write(.normal) { writer throws(SceneStoreError) in
            try writer.advanceInbox(ids, isDone: isDone)
        }
    }

    package func save(_ activity: UserActivity) throws(SceneStoreError) {
        let bytes = try ValueCodec.encode(try encoder.storable(activity), limits: limits)
        let replaced = try activity.persistentIdentifier.map {
            identifier throws(SceneStoreError) in try savedRows(identifier)
        }
        try write(.normal) { writer throws(SceneStoreError) in
            try writer.delete(replaced ?? [])
            let row = SavedActivityRow(
                id: writer.nextID(), epoch: store.containerEpoch,
                persistentIdentifier: activity.persistentIdentifier,
                activityType: activity.activityType, savedAt: now,
                generation: store.generation, contentHash: Self.hash(bytes))
            try writer.insert(row, payload: bytes)
            writer.note(.activity, nil, "saved")
        }
    }

    /// Deletes saved activities by name; nil deletes all of them.
    package func deleteSavedActivities(_ identifiers: [String]?) throws(SceneStoreError) {
        var found: [SavedActivityRow] = []
        if let identifiers {
            for identifier in Set(identifiers.map(IdentifierText.init)) {
                found += try savedRows(identifier.text)
            }
        } else {
            found = try savedRows(nil)
        }
        guard !found.isEmpty else {
            return
        }
        try write(.full) { writer throws(SceneStoreError) in
            try writer.delete(found)
            writer.note(.activity, nil, "\(found.count) deleted")
        }
    }
}

extension SceneSessionStore {
    /// Keeps a payload until it is acknowledged; answers its number, or nil for one of an ephemeral
    /// session, which is not kept. A payload whose `dedupe` key waits already, or was acknowledged
    /// in this launch, is the same one. Durable.
    package func enqueueInbox(
        _ payload: Payload, sessionIdentifier: String?, dedupe: String?
    ) throws(SceneStoreError) -> Int64? {
        try using { core throws(SceneStoreError) in
            try core.enqueue(payload, session: sessionIdentifier, dedupe: dedupe)
        }
    }

    /// Keeps a payload that is being handed over; answers its number, or nil when it is not kept.
    /// One transaction, durable.
    package func receiveInbox(
        _ payload: Payload, dedupe: String?
    ) throws(SceneStoreError) -> Int64? {
        try using { core throws(SceneStoreError) in
            try core.enqueue(payload, session: nil, dedupe: dedupe, isOffered: true)
        }
    }

    /// The number of the payload that came under a `dedupe` key, whether it waits or was dealt with.
    package func inboxNumber(dedupe: String) throws(SceneStoreError) -> Int64? {
        try read { reader throws(SceneStoreError) in try reader.inboxItems(dedupe).first?.id }
    }

    /// Keeps a payload for the next launch; answers its number, or nil when it is not kept. Durable.
    package func keepInInbox(
        _ payload: Payload, dedupe: String?
    ) throws(SceneStoreError) -> Int64? {
        try using { core throws(SceneStoreError) in
            try core.enqueue(payload, session: nil, dedupe: dedupe, isOffered: false)
        }
    }

    /// The payloads that wait, oldest first.
    package func pendingInbox() throws(SceneStoreError) -> [InboxItem] {
        try read { reader throws(SceneStoreError) in try reader.pendingInbox() }
    }

    /// The app is about to be handed some payloads. Mode normal.
    package func markInboxOffered(_ ids: [Int64]) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.advanceInbox(ids, isDone: false)
        }
    }

    /// The app has dealt with some payloads; they are erased. Mode normal.
    package func acknowledgeInbox(_ ids: [Int64]) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in try core.advanceInbox(ids, isDone: true) }
    }

    /// Saves an activity beside the sessions; one of the same persistent identifier is replaced.
    /// Durable against the death of the process on return. Keeps all of its `userInfo` but for
    /// ``Options/ephemeralKeys``; throws ``SceneStoreError/Code/limitExceeded`` for one that
    /// ``Limits`` does not allow.
    public func saveActivity(_ activity: UserActivity) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in try core.save(activity) }
    }

    /// The saved activities, oldest first.
    public func savedActivities() throws(SceneStoreError) -> [UserActivity] {
        try read { reader throws(SceneStoreError) in try reader.savedActivities() }
    }

    /// Deletes saved activities by name. Durable; sessions are untouched (L-85).
    public func deleteSavedActivities(
        persistentIdentifiers: [String]
    ) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.deleteSavedActivities(persistentIdentifiers)
        }
    }

    /// Deletes all saved activities. Durable; sessions are untouched (L-85).
    public func deleteAllSavedActivities() throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in try core.deleteSavedActivities(nil) }
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
        offeredCount = order << 9 | Self.mark | Int64(deaths)
    }

    mutating func endDelivery(isBlamed: Bool) {
        offeredCount = Self.mark | min(Int64(deaths) + (isBlamed ? 1 : 0), 255)
    }
}
