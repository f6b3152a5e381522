import SceneStoreSQLite
import SceneStoreValues

/// Finding sessions without reading what they hold.
extension StoreReading where Self: ~Copyable {
    /// A record of a row.
    package func record(_ row: SessionRow) throws(SceneStoreError) -> SessionRecord {
        row.record(try configuration(row.configurationID))
    }

    /// The records of a query that is bound to one number.
    package func records(
        _ query: RowQuery<SessionRow>, _ key: Int64, isAsked: (SessionRow) -> Bool
    ) throws(SceneStoreError) -> [SessionRecord] {
        var result: [SessionRecord] = []
        for row in try rows(query, number(key), isAsked: isAsked) {
            result.append(try record(row))
        }
        return result
    }

    /// The records of the sessions in front.
    ///
    /// An index whose last write was lost finds those of an earlier moment. Rows that changed since
    /// contradict it; where some only came to the front, the one that was active last is missing,
    /// which another index finds.
    package func frontRecords() throws(SceneStoreError) -> [SessionRecord] {
        let epoch = store.containerEpoch
        var front = try records(Queries.frontSessions, epoch) { $0.epoch == epoch && $0.isFront }
        if let recent = try mostRecent(role: nil, Queries.openSessionsOfConfiguration),
            recent.isFront, !front.contains(where: { $0.key == recent.key })
        {
            noteMisplaced(.session, recent.key)
            front.append(recent)
        }
        return front
    }

    /// The sessions that a process died restoring, those that are held or parked, and those not to be
    /// remembered.
    package func exceptionalSessions() throws(SceneStoreError) -> [SessionRow] {
        let epoch = store.containerEpoch
        return try rows(Queries.exceptionalSessions, number(epoch)) {
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
    package func openRecords(keepsRows: Bool = false) throws(SceneStoreError) -> SessionRecords {
        var records = SessionRecords(
            capacity: min(Int(clamping: store.openCount), limits.sessions))
        let keepsRows = keepsRows && StoreCaches.hasRoom(for: store.openCount)
        if keepsRows {
            parts.caches.reserve(Int(clamping: store.openCount))
        }
        try passOpen(keepsRows: keepsRows) {
            records.append($0)
        }
        records.sort()
        return records
    }

    /// Those of the skeleton that are wanted, in the same order and by the same pass; the others are
    /// not kept.
    package func openRecords(
        where isWanted: (SessionRecord) -> Bool
    ) throws(SceneStoreError) -> [SessionRecord] {
        var records: [SessionRecord] = []
        try passOpen(keepsRows: false) { record in
            if isWanted(record) {
                records.append(record)
            }
        }
        return records.sorted(by: SessionRecord.comesBefore)
    }

    /// Reads the open sessions in one pass. Inlined: a call for each row costs a fiftieth of it.
    @inline(__always)
    private func passOpen(
        keepsRows: Bool, _ body: (consuming SessionRecord) -> Void
    ) throws(SceneStoreError) {
        let epoch = store.containerEpoch
        var count = 0
        var digest: Int64 = 0
        var lastID: Int64 = 0
        var shared = SharedConfiguration(.lost(nil))
        let isHeard = work.isHeard
        let stage = WorkProgress("reading", .sessions, total: Int(clamping: store.openCount))
        try each(Queries.openSessions) { statement throws(SQLiteError) in
            try statement.bind(1, epoch)
        } _: { row, _ throws(SceneStoreError) in
            count += 1
            if isHeard {
                try work.say(stage, done: count, every: 256)
            }
            digest = digest &+ row.checksum
            // Neighbours mostly share their configuration.
            if row.configurationID != lastID {
                shared = try configuration(row.configurationID)
                lastID = row.configurationID
            }
            body(row.record(shared))
            if keepsRows, parts.caches[row.id] == nil {
                parts.caches.insert(StoreCaches.Session(row: row))
            }
            return true
        }
        noteShrinkage(found: count, digest: digest)
    }

    /// Says so when fewer sessions are there than were recorded, or other ones.
    fileprivate func noteShrinkage(found: Int, digest: Int64) {
        let expected = Int(clamping: store.openCount)
        guard found != expected || digest != store.openDigest else {
            parts.damage.isShrunk = false
            return
        }
        guard !parts.damage.isShrunk else {
            return
        }
        parts.damage.isShrunk = true
        parts.damage.diagnostics.append(
            found < expected
                ? Diagnostic(
                    .lostSessions, .error,
                    "\(expected - found) of \(expected) open sessions are lost",
                    fix: "restore the last backup to get them back")
                : Diagnostic(
                    .digestMismatch, .error,
                    "the open sessions are not those that were recorded",
                    fix: "run scenestore verify"))
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
            try each(query, number(id)) { row, _ in
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
}

extension String {
    /// The order of UTF-8 bytes, which is also that of SQLite.
    package func precedes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}

extension SceneSessionStore {
    /// The sessions that were in front at the last transition, most recently active first. Costs
    /// nothing for the others.
    package func frontRecords() throws(SceneStoreError) -> [SessionRecord] {
        try asking { skeleton throws(SceneStoreError) in try skeleton.frontRecords() }
    }

    /// The most recently active open session, of a role or of all.
    package func mostRecentRecord(
        role: SceneSessionRole? = nil
    ) throws(SceneStoreError) -> SessionRecord? {
        try read { reader throws(SceneStoreError) in
            try reader.mostRecent(role: role, Queries.openSessionsOfConfiguration)
        }
    }

    /// The session of an identifier, also when it was discarded and can be reopened.
    package func record(
        identifier: SceneSession.ID
    ) throws(SceneStoreError) -> SessionRecord? {
        try record(identifier: identifier.rawValue)
    }

    /// The session of an identifier that somebody wrote.
    package func record(identifier: String) throws(SceneStoreError) -> SessionRecord? {
        try read { reader throws(SceneStoreError) in
            try reader.session(identifier: identifier).map { row throws(SceneStoreError) in
                try reader.record(row)
            }
        }
    }

    /// The session of a key, also when it was discarded and can be reopened.
    package func record(key: Int64) throws(SceneStoreError) -> SessionRecord? {
        try asking { skeleton throws(SceneStoreError) in try skeleton.record(key: key) }
    }

    /// All open sessions, most recently active first, then by identifier.
    package func openRecords() throws(SceneStoreError) -> SessionRecords {
        try read { reader throws(SceneStoreError) in try reader.openRecords() }
    }

    /// How many sessions are open, of a role or of all. Costs nothing per session.
    package func openCount(role: SceneSessionRole? = nil) throws(SceneStoreError) -> Int {
        try asking { skeleton throws(SceneStoreError) in try skeleton.openCount(role: role) }
    }
}

extension StoreReading where Self: ~Copyable {
    /// The row of an identifier.
    package func session(identifier: String) throws(SceneStoreError) -> SessionRow? {
        let epoch = store.containerEpoch
        let row = try first(Queries.sessionByIdentifier) {
            statement throws(SQLiteError) in
            try statement.bind(1, identifier)
            try statement.bind(2, epoch)
        } isAsked: {
            $0.epoch == epoch && $0.identifier.hasSameBytes(as: identifier)
        }
        if let row, parts.caches[row.id] == nil {
            parts.caches.insert(StoreCaches.Session(row: row))
        }
        return row
    }
}
