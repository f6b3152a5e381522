import SceneStoreSQLite
import SceneStoreValues

/// Finding sessions without reading what they hold.
extension Database {
    /// A record of a row.
    package func record(_ row: SessionRow) throws(SceneStoreError) -> SessionRecord {
        row.record(try configuration(row.configurationID))
    }

    /// The records of a query that is bound to one number.
    package func records(
        _ query: RowQuery<SessionRow>, _ key: Int64, isAsked: (SessionRow) -> Bool
    ) throws(SceneStoreError) -> [SessionRecord] {
        try rows(query, binding(key), isAsked: isAsked).map { row throws(SceneStoreError) in
            try record(row)
        }
    }

    /// The records of the sessions in front. Those that were left behind are not, unless nothing took
    /// their place (L-11): no other is in front, or was used after them.
    ///
    /// An index whose last write was lost finds those of an earlier moment. Rows that changed since
    /// contradict it; where some only came to the front, the one that was active last is missing,
    /// which another index finds.
    package func frontRecords() throws(SceneStoreError) -> [SessionRecord] {
        let epoch = store.containerEpoch
        var front = try records(Queries.frontSessions, epoch) { $0.epoch == epoch && $0.isFront }
        let recent = try mostRecent(role: nil, Queries.openSessionsOfConfiguration)
        if let recent, recent.isFront, !front.contains(where: { $0.key == recent.key }) {
            noteMisplaced(.session, recent.key)
            front.append(recent)
        }
        front = front.filter(\.isOpen).sorted(by: SessionRecord.comesBefore)
        guard front.contains(where: { $0.parkedCause == .leftBehind }) else {
            return front
        }
        let others = front.filter { $0.parkedCause != .leftBehind }
        return try others.isEmpty && recent?.parkedCause == .leftBehind
            ? lastGroup(of: front) : others
    }

    /// The sessions that a process died restoring, those that are held or parked, and those not to be
    /// remembered.
    package func exceptionalSessions() throws(SceneStoreError) -> [SessionRow] {
        let epoch = store.containerEpoch
        return try rows(Queries.exceptionalSessions, binding(epoch)) {
            $0.epoch == epoch && ($0.crashCount > 0 || !$0.flags.isDisjoint(with: .exceptional))
        }
    }

    /// The whole skeleton, in the order in which sessions come back.
    ///
    /// One pass in the order of the rows, sorted here: that costs less than an ORDER BY. What the
    /// pass finds is held against the recorded count and digest (S-41).
    ///
    /// With `keepsRows` the rows are kept for what a launch does with them next, if they are not
    /// too many.
    package func openRecords(keepsRows: Bool) throws(SceneStoreError) -> SessionRecords {
        var records = SessionRecords(capacity: min(Int(clamping: store.openCount), limits.sessions))
        let keepsRows = keepsRows && StoreCaches.hasRoom(for: store.openCount)
        if keepsRows {
            caches.sessions.reserveCapacity(
                caches.sessions.count + Int(clamping: store.openCount))
        }
        try passOpen(keepsRows: keepsRows) {
            records.append($0)
        }
        records.sort()
        return records
    }

    /// Reads the open sessions in one pass. Inlined: a call for each row costs a fiftieth of it.
    @inline(__always)
    package func passOpen(
        keepsRows: Bool, _ body: (consuming SessionRecord) -> Void
    ) throws(SceneStoreError) {
        var count: Int64 = 0
        var digest: Int64 = 0
        var lastID: Int64 = 0
        var shared = SharedConfiguration(.lost(nil))
        let isHeard = work.isHeard
        let stage = WorkProgress("reading", .sessions, total: Int(clamping: store.openCount))
        try each(Queries.openSessions, binding(store.containerEpoch)) {
            row, _ throws(SceneStoreError) in
            count += 1
            if isHeard {
                try work.say(stage, done: Int(count), every: 256)
            }
            digest = digest &+ row.checksum
            // Neighbours mostly share their configuration.
            if row.configurationID != lastID {
                shared = try configuration(row.configurationID)
                lastID = row.configurationID
            }
            body(row.record(shared))
            if keepsRows, caches.sessions[row.id] == nil {
                caches.sessions[row.id] = StoreCaches.Session(row: row)
            }
            return true
        }
        noteShrinkage(found: count, digest: digest)
    }

    /// Says so when fewer sessions are there than were recorded, or other ones.
    fileprivate func noteShrinkage(found: Int64, digest: Int64) {
        guard found != store.openCount || digest != store.openDigest else {
            damage.isShrunk = false
            return
        }
        if !damage.isShrunk {
            damage.isShrunk = true
            noteMissing(open: found, "the open sessions are not those that were recorded")
        }
    }

    /// The most recently active open session of a role, or of all; found by index.
    package func mostRecent(
        role: SceneSessionRole?, _ query: RowQuery<SessionRow>,
        isAsked isWanted: (SessionRow) -> Bool = { _ in true }
    ) throws(SceneStoreError) -> SessionRecord? {
        var best: SessionRecord?
        for known in try allConfigurations()
        where known.row.openSessions > 0 && (role == nil || known.shared.value.role == role) {
            let id = known.row.id
            var top: SessionRow?
            try each(query, binding(id)) { row, _ in
                let isRight = row.configurationID == id && row.isOpen && isWanted(row)
                guard isAsked(isRight, .session, row.id) else {
                    return true
                }
                guard let found = top else {
                    top = row
                    return true
                }
                guard found.recency == row.recency else {
                    return false
                }
                if row.identifierText.precedes(found.identifierText) {
                    top = row
                }
                return true
            }
            if let top {
                let record = top.record(known.shared)
                if best.map({ SessionRecord.comesBefore(record, $0) }) ?? true {
                    best = record
                }
            }
        }
        return best
    }

    /// The row of an identifier.
    package func session(identifier: String) throws(SceneStoreError) -> SessionRow? {
        let epoch = store.containerEpoch
        let row = try first(Queries.sessionByIdentifier, binding(identifier, epoch)) {
            $0.epoch == epoch && $0.identifier.hasSameBytes(as: identifier)
        }
        if let row, caches.sessions[row.id] == nil {
            caches.sessions[row.id] = StoreCaches.Session(row: row)
        }
        return row
    }

    // MARK: - What the engine asks for besides

    package func openCount(role: SceneSessionRole?) throws(SceneStoreError) -> Int {
        guard let role else {
            return Int(clamping: store.openCount)
        }
        return try allConfigurations().reduce(0) {
            $0 + ($1.shared.value.role == role ? Int(clamping: $1.row.openSessions) : 0)
        }
    }

    package func configurationsInUse() throws(SceneStoreError) -> [ConfigurationUse] {
        try allConfigurations().filter { $0.row.openSessions > 0 }.map {
            (key: $0.row.id, configuration: $0.shared.value)
        }
    }

    package func records(configurationKey: Int64) throws(SceneStoreError) -> [SessionRecord] {
        try records(Queries.openSessionsOfConfiguration, configurationKey) {
            $0.configurationID == configurationKey && $0.isOpen
        }
        .sorted(by: SessionRecord.comesBefore)
    }

    package func recordsSavedLast(
        configurationKey: Int64
    ) throws(SceneStoreError) -> [SessionRecord] {
        guard let launch = try launch(store.launchNumber) else {
            return []
        }
        var saved: [SessionRecord] = []
        for record in try records(configurationKey: configurationKey) where record.hasState {
            let session = try knownSession(record.key)
            let current = session.row.stateID
            if session.row.generation > launch.generation,
                try states(of: session).contains(where: {
                    $0.id == current && $0.generation > launch.generation
                })
            {
                saved.append(record)
            }
        }
        return saved
    }

    package func exceptionalRecords() throws(SceneStoreError) -> [SessionRecord] {
        try exceptionalSessions().filter(\.isOpen).map { row throws(SceneStoreError) in
            try record(row)
        }
    }

    package func offeredVersion(of record: SessionRecord) throws(SceneStoreError) -> String? {
        try offeredVersion(of: record.key, record.flags)
    }

    package func mostRecentRecord(
        role: SceneSessionRole?
    ) throws(SceneStoreError) -> SessionRecord? {
        try mostRecent(role: role, Queries.openSessionsOfConfiguration)
    }

    package func openRecords() throws(SceneStoreError) -> SessionRecords {
        try openRecords(keepsRows: true)
    }

    package func record(key: Int64) throws(SceneStoreError) -> SessionRecord? {
        try session(key).map { session throws(SceneStoreError) in
            try record(session.row)
        }
    }

    package func openRecord(
        _ identifier: SceneSession.ID
    ) throws(SceneStoreError) -> SessionRecord? {
        guard let row = try session(identifier: identifier.rawValue), row.isOpen else {
            return nil
        }
        return try record(row)
    }

    package func noteNotFound(_ record: SessionRecord) {
        noteMisplaced(.session, record.key, "isn't found by its index")
    }

    package func record(of conditioned: ConditionedKey) throws(SceneStoreError) -> SessionRecord? {
        guard let row = try session(conditioned.key)?.row,
            isAsked(
                row.recency == conditioned.recency
                    && row.conditionsID == conditioned.conditionsID, .session, row.id)
        else {
            return nil
        }
        return try record(row)
    }

    package func mostRecentWithDefaultConditions() throws(SceneStoreError) -> SessionRecord? {
        try mostRecent(role: nil, Queries.defaultSessionsOfConfiguration) {
            $0.conditionsID == nil
        }
    }

    package func pendingDiscards() throws(SceneStoreError) -> [PendingDiscard] {
        // Whoever was being told is dead by the next launch.
        try undeliveredDiscards(launch: .min)
    }

    package func pendingInbox() throws(SceneStoreError) -> [InboxItem] {
        try waitingInbox(launch: store.launchNumber &+ 1)
    }
}

extension String {
    /// The order of UTF-8 bytes, which is also that of SQLite.
    package func precedes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}

extension SceneSessionStore {
    /// The session of an identifier, also when it was discarded and can be reopened.
    package func record(identifier: SceneSession.ID) throws(SceneStoreError) -> SessionRecord? {
        try record(identifier: identifier.rawValue)
    }

    /// The session of an identifier that somebody wrote.
    package func record(identifier: String) throws(SceneStoreError) -> SessionRecord? {
        try read { db throws(SceneStoreError) in
            try db.session(identifier: identifier).map { row throws(SceneStoreError) in
                try db.record(row)
            }
        }
    }

    /// The session of a key, also when it was discarded and can be reopened.
    package func record(key: Int64) throws(SceneStoreError) -> SessionRecord? {
        try read { db throws(SceneStoreError) in try db.record(key: key) }
    }

    /// All open sessions, most recently active first, then by identifier.
    package func openRecords() throws(SceneStoreError) -> SessionRecords {
        try read { db throws(SceneStoreError) in try db.openRecords(keepsRows: false) }
    }
}

extension SessionRow {
    /// The place of the current state in the session's history.
    package var stateSlot: Int? { stateID.map { Int($0 & 255) } }
}
