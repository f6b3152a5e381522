import SceneStoreSQLite
import SceneStoreValues

/// Payloads that wait until the app acknowledges them (L-65), and saved activities (L-85).
extension StoreCore {
    package func enqueue(
        _ payload: Payload, session: String?, dedupe: String?
    ) throws(SceneStoreError) -> Int64 {
        try check(session, path: "inbox")
        try check(dedupe, path: "inbox")
        if let dedupe, let known = try inboxItems(dedupe).first(where: isSame) {
            return known.id
        }
        let bytes = try ValueCodec.encode(try storable(payload), limits: limits)
        if let session, let row = try self.session(identifier: session),
            row.flags.contains(.ephemeral)
        {
            // Checked, and then let go: nothing of it reaches the disk, and no row has this number.
            return 0
        }
        return try write(.full) { () throws(SceneStoreError) in
            try insertInboxItem(bytes, session: session, dedupe: dedupe)
        }
    }

    /// Writes a payload that waits, within a transaction.
    package func insertInboxItem(
        _ bytes: [UInt8], session: String? = nil, dedupe: String?
    ) throws(SceneStoreError) -> Int64 {
        let row = InboxRow(
            id: nextID(), epoch: store.containerEpoch, sessionIdentifier: session,
            dedupeKey: dedupe, isDone: false, offeredLaunch: 0, offeredCount: 0,
            receivedLaunch: store.launchNumber, receivedAt: now,
            generation: store.generation, contentHash: Self.hash(bytes))
        try insert(row, Queries.insertInboxItem, payload: bytes)
        note(.inbox, session, "received")
        return row.id
    }

    /// Whether a payload of the same key is the same one: it waits, or was done in this launch.
    package func isSame(_ row: InboxRow) -> Bool {
        !row.isDone || row.receivedLaunch == store.launchNumber
    }

    package func inboxItems(_ dedupe: String) throws(SceneStoreError) -> [InboxRow] {
        let epoch = store.containerEpoch
        return try rows(Queries.inboxByKey, InboxRow.self) { statement throws(SQLiteError) in
            try statement.bind(1, epoch)
            try statement.bind(2, dedupe)
        } isAsked: {
            $0.epoch == epoch && $0.dedupeKey?.hasSameBytes(as: dedupe) == true
        }
    }

    /// The payloads that wait, as a launch finds them; nil is the current one.
    package func pendingInbox(launch: Int64? = nil) throws(SceneStoreError) -> [InboxItem] {
        let epoch = store.containerEpoch
        let launch = launch ?? store.launchNumber
        var result: [InboxItem] = []
        try each(Queries.waitingInbox, InboxRow.self) { statement throws(SQLiteError) in
            try statement.bind(1, epoch)
        } _: { row, statement throws(SceneStoreError) in
            guard isAsked(row.epoch == epoch && !row.isDone, .inbox, row.id) else {
                return true
            }
            let bytes = try withPayload(
                statement, of: .inbox, id: row.id, hash: row.contentHash
            ) { Array($0) }
            let payload = decoded(bytes, "payload", session: row.sessionIdentifier ?? "") {
                bytes throws(SceneStoreError) in try ValueCodec.decodePayload(bytes)
            }
            if let payload {
                let wasOffered =
                    row.offeredLaunch > 0 && row.offeredLaunch < launch
                var item = InboxItem(
                    id: row.id, payload: shown(payload, \.revealed),
                    sessionIdentifier: row.sessionIdentifier, wasOffered: wasOffered)
                item.deaths = row.deaths
                item.order = row.order
                result.append(item)
            }
            return true
        }
        return result
    }

    /// Offers or acknowledges payloads.
    func advanceInbox(_ ids: [Int64], isDone: Bool) throws(SceneStoreError) {
        guard !ids.isEmpty else {
            return
        }
        try write(.normal) { () throws(SceneStoreError) in
            try rewriteInbox(ids, isDone ? "acknowledged" : "offered") { row in
                if isDone {
                    row.isDone = true
                } else {
                    row.beginDelivery(launch: store.launchNumber, order: store.generation)
                }
            }
        }
    }

    /// Changes the rows of payloads that wait, within a transaction.
    func rewriteInbox(
        _ ids: [Int64], _ detail: String, _ change: (inout InboxRow) -> Void
    ) throws(SceneStoreError) {
        for id in ids {
            var found: (row: InboxRow, payload: [UInt8])?
            try each(Queries.inboxItem, InboxRow.self) { statement throws(SQLiteError) in
                try statement.bind(1, id)
            } _: { row, statement throws(SceneStoreError) in
                guard isAsked(row.id == id, .inbox, row.id) else {
                    return true
                }
                let bytes = try withPayload(
                    statement, of: .inbox, id: row.id, hash: row.contentHash
                ) { Array($0) }
                if let bytes, !row.isDone, row.epoch == store.containerEpoch {
                    found = (row, bytes)
                }
                return false
            }
            guard let (old, payload) = found else {
                continue
            }
            var row = old
            change(&row)
            // An acknowledged payload leaves its key alone.
            try update(row, from: old, payload: row.isDone ? [] : payload)
            note(.inbox, row.sessionIdentifier, detail)
        }
    }

    private func update(
        _ changed: InboxRow, from old: InboxRow, payload: [UInt8]
    ) throws(SceneStoreError) {
        var row = changed
        row.contentHash = Self.hash(payload)
        row.seal(sealer)
        let sealed = row
        try payload.lend { bytes throws(SceneStoreError) in
            try run(Queries.updateInboxItem) { statement throws(SQLiteError) in
                try statement.bind(1, sealed.isDone)
                try statement.bind(2, sealed.offeredLaunch)
                try statement.bind(3, sealed.offeredCount)
                try statement.bind(4, sealed.contentHash)
                try statement.bind(5, sealed.checksum)
                try statement.bind(6, bytes)
                try statement.bind(7, sealed.id)
            }
        }
        digest(from: old.checksum, to: row.checksum)
    }

    // MARK: - Saved activities

    package func savedRows(_ identifier: String?) throws(SceneStoreError) -> [SavedActivityRow] {
        let epoch = store.containerEpoch
        guard let identifier else {
            return try rows(Queries.savedActivities, SavedActivityRow.self) {
                statement throws(SQLiteError) in try statement.bind(1, epoch)
            }
        }
        return try rows(Queries.savedActivitiesByIdentifier, SavedActivityRow.self) {
            statement throws(SQLiteError) in
            try statement.bind(1, epoch)
            try statement.bind(2, identifier)
        } isAsked: {
            $0.epoch == epoch && $0.persistentIdentifier?.hasSameBytes(as: identifier) == true
        }
    }

    package func save(_ activity: UserActivity) throws(SceneStoreError) {
        let bytes = try ValueCodec.encode(try storable(activity), limits: limits)
        let replaced = try activity.persistentIdentifier.map {
            identifier throws(SceneStoreError) in try savedRows(identifier)
        }
        try write(.normal) { () throws(SceneStoreError) in
            try delete(replaced ?? [])
            let row = SavedActivityRow(
                id: nextID(), epoch: store.containerEpoch,
                persistentIdentifier: activity.persistentIdentifier,
                activityType: activity.activityType, savedAt: now,
                generation: store.generation, contentHash: Self.hash(bytes))
            try insert(row, Queries.insertSavedActivity, payload: bytes)
            note(.activity, nil, "saved")
        }
    }

    package func delete(_ rows: [SavedActivityRow]) throws(SceneStoreError) {
        for row in rows {
            try delete(row.id, checksum: row.checksum, Queries.deleteSavedActivity)
        }
    }

    package func savedActivities() throws(SceneStoreError) -> [UserActivity] {
        let epoch = store.containerEpoch
        var result: [UserActivity] = []
        try each(Queries.savedActivities, SavedActivityRow.self) {
            statement throws(SQLiteError) in
            try statement.bind(1, epoch)
        } _: { row, statement throws(SceneStoreError) in
            let bytes = try withPayload(
                statement, of: .savedActivity, id: row.id, hash: row.contentHash
            ) { Array($0) }
            let activity = decoded(bytes, "saved activity", session: "") {
                bytes throws(SceneStoreError) in try ValueCodec.decodeActivity(bytes)
            }
            if let activity {
                result.append(shown(activity, \.revealed))
            }
            return true
        }
        return result
    }

    /// Deletes saved activities by name; nil deletes all of them.
    package func deleteSavedActivities(_ identifiers: [String]?) throws(SceneStoreError) {
        var found: [SavedActivityRow] = []
        if let identifiers {
            for identifier in Set(identifiers) {
                found += try savedRows(identifier)
            }
        } else {
            found = try savedRows(nil)
        }
        guard !found.isEmpty else {
            return
        }
        try write(.full) { () throws(SceneStoreError) in
            try delete(found)
            note(.activity, nil, "\(found.count) deleted")
        }
    }
}

extension SceneSessionStore {
    /// Keeps a payload until it is acknowledged; answers its number. A payload whose `dedupe` key
    /// waits already, or was acknowledged in this launch, is the same one. Durable.
    package func enqueueInbox(
        _ payload: Payload, sessionIdentifier: String?, dedupe: String?
    ) throws(SceneStoreError) -> Int64 {
        try using { core throws(SceneStoreError) in
            try core.enqueue(payload, session: sessionIdentifier, dedupe: dedupe)
        }
    }

    /// The payloads that wait, oldest first.
    package func pendingInbox() throws(SceneStoreError) -> [InboxItem] {
        try reading { core throws(SceneStoreError) in try core.pendingInbox() }
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
        try reading { core throws(SceneStoreError) in try core.savedActivities() }
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
