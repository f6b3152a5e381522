import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// All rows of one session as one store holds them, so that another store of the same identity,
/// an earlier or a later one, can have the session so.
///
/// Numbers of rows are never used twice, so a row means the same in both stores.
package struct SessionRows: Sendable {
    let identifier: String
    fileprivate var session: SessionRow?
    fileprivate var configuration: ConfigurationRow?
    fileprivate var conditions: (row: ConditionsRow, bytes: [UInt8])?
    fileprivate var contexts: [SaveContextRow] = []
    fileprivate var states: [(row: StateRow, bytes: [UInt8])] = []
    fileprivate var values: [(row: SessionValueRow, bytes: [UInt8])] = []
    fileprivate var storage: [(row: StorageRow, bytes: [UInt8])] = []
    fileprivate var tombstones: [DiscardRow]

    /// Reads them; throws when one is damaged.
    fileprivate init(
        _ identifier: String, _ tombstones: [DiscardRow], _ db: Database
    ) throws(SceneStoreError) {
        self.identifier = identifier
        self.tombstones = tombstones
        guard let session = try db.session(identifier: identifier) else {
            return
        }
        self.session = session
        configuration = try db.row(ConfigurationRow.self, session.configurationID)
        if let id = session.conditionsID {
            conditions = try Self.payloads(db, ConditionsRow.byNumber, binding(id)).first
        }
        let range = Database.range(of: session.id)
        states = try Self.payloads(db, Self.statesWithPayload, range)
        values = try Self.payloads(db, Queries.sessionValues, range)
        storage = try Self.payloads(db, Queries.storageValues, binding(session.id))
        for id in Set(states.map(\.row.contextID)).sorted() {
            if let row = try db.row(SaveContextRow.self, id) {
                contexts.append(row)
            }
        }
    }

    private static let statesWithPayload = StateRow.query("WHERE id BETWEEN :first_id AND :last_id")

    private static func payloads<Row: PayloadRow>(
        _ db: Database, _ query: RowQuery<Row>,
        _ bind: (borrowing Statement) throws(SQLiteError) -> Void
    ) throws(SceneStoreError) -> [(row: Row, bytes: [UInt8])] {
        var result: [(row: Row, bytes: [UInt8])] = []
        var damaged: Int64?
        try db.eachWithPayload(query, bind) { row, bytes in
            if let bytes {
                result.append((row, bytes))
            } else {
                damaged = row.id
            }
            return true
        }
        if let damaged {
            throw SceneStoreError(
                .corrupt, "row \(damaged) of table \(Row.table.name) is damaged",
                path: Row.table.name)
        }
        return result
    }
}

extension Transaction {
    /// Makes sessions what rows say.
    fileprivate func put(
        _ sessions: [SessionRows], over tombstones: [[DiscardRow]]
    ) throws(SceneStoreError) {
        for (rows, present) in zip(sessions, tombstones) {
            for tombstone in present {
                try delete(tombstone)
            }
            if let known = try db.session(identifier: rows.identifier) {
                try deleteSession(try db.knownSession(known.id))
            }
            if let session = rows.session {
                try put(session, rows)
            }
            for tombstone in rows.tombstones {
                try insert(tombstone)
            }
            note(.change, rows.identifier, "put back")
        }
    }

    private func put(_ session: SessionRow, _ rows: SessionRows) throws(SceneStoreError) {
        guard !session.isOpen || store.openCount < Int64(db.limits.sessions) else {
            throw SceneStoreError(.limitExceeded, "\(db.limits.sessions) sessions are open")
        }
        var session = session
        session.generation = store.generation
        // Another one of the same content may have taken its place since.
        if let configuration = rows.configuration,
            try db.row(ConfigurationRow.self, configuration.id) == nil
        {
            session.configurationID = try intern(configuration.configuration)
        }
        if let conditions = rows.conditions,
            try db.row(ConditionsRow.self, conditions.row.id) == nil
        {
            try insert(conditions.row, payload: conditions.bytes)
        }
        for context in rows.contexts where try db.row(SaveContextRow.self, context.id) == nil {
            try insert(context)
        }
        try insert(session)
        if session.isOpen {
            try countOpen(1, configuration: session.configurationID)
        }
        for state in rows.states {
            try insert(state.row, payload: state.bytes)
        }
        for value in rows.values {
            try insert(value.row, payload: value.bytes)
        }
        for value in rows.storage {
            try insert(value.row, payload: value.bytes)
        }
    }
}

extension SessionRows {
    /// For each of some sessions a text that is the same as long as none of its rows changes, its
    /// tombstone among them. A session that the store doesn't know has one, too.
    package static func marks(
        of identifiers: [String], in store: SceneSessionStore
    ) throws(SceneStoreError) -> [String] {
        try store.read { db throws(SceneStoreError) in
            let tombstones = try Self.tombstones(of: identifiers, db)
            var marks: [String] = []
            for (identifier, own) in zip(identifiers, tombstones) {
                var sum = own.reduce(Int64(0)) { $0 &+ $1.checksum }
                if let session = try db.session(identifier: identifier) {
                    let range = Database.range(of: session.id)
                    sum = sum &+ session.checksum
                    sum = try db.rows(Queries.stateSlots, range).reduce(sum) { $0 &+ $1.checksum }
                    sum = try db.rows(Queries.sessionValues, range).reduce(sum) {
                        $0 &+ $1.checksum
                    }
                    sum = try db.storageRows(session.id).reduce(sum) { $0 &+ $1.checksum }
                }
                marks.append(String(UInt64(bitPattern: sum), radix: 16))
            }
            return marks
        }
    }

    /// The rows of some sessions. Throws ``SceneStoreError/Code/corrupt`` when one is damaged.
    package static func read(
        of identifiers: [String], from store: SceneSessionStore
    ) throws(SceneStoreError) -> [SessionRows] {
        try store.read { db throws(SceneStoreError) in
            let tombstones = try Self.tombstones(of: identifiers, db)
            var rows: [SessionRows] = []
            for (identifier, own) in zip(identifiers, tombstones) {
                rows.append(try SessionRows(identifier, own, db))
            }
            return rows
        }
    }

    /// Makes sessions what an earlier or later store of the same identity has, and leaves all
    /// others alone; in one durable transaction.
    package static func put(
        _ sessions: [SessionRows], into store: SceneSessionStore
    ) throws(SceneStoreError) {
        try store.usingFile { db throws(SceneStoreError) in
            let present = try Self.tombstones(of: sessions.map(\.identifier), db)
            try db.write(.full) { transaction throws(SceneStoreError) in
                try transaction.put(sessions, over: present)
            }
            // They do not know of the rows that went past them.
            db.caches = StoreCaches()
        }
    }

    private static func tombstones(
        of identifiers: [String], _ db: Database
    ) throws(SceneStoreError) -> [[DiscardRow]] {
        var all: [[UInt8]: [DiscardRow]] = [:]
        for row in try db.tombstones() {
            all[Array(row.identifier.utf8), default: []].append(row)
        }
        return identifiers.map { all[Array($0.utf8)] ?? [] }
    }
}

extension Database {
    /// All tombstones of this epoch, the oldest first.
    package func tombstones() throws(SceneStoreError) -> [DiscardRow] {
        let epoch = store.containerEpoch
        return try rows(Queries.discardsOldestFirst, binding(epoch)) { $0.epoch == epoch }
    }
}
