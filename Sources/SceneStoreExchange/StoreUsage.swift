import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// Who takes the space in a store. Bytes are those of what was stored, as it was encoded; what
/// SQLite adds to them (pages, indexes, free room) is the rest of the file.
package struct StoreUsage: Sendable {
    /// What one session takes.
    package struct Session: Sendable, Hashable {
        package var key: Int64
        package var identifier: String
        package var isOpen: Bool
        /// The encoded activity that it would be given.
        package var stateBytes: Int64 = 0
        /// States, the current one counted, and the bytes of all of them.
        package var states = 0
        package var historyBytes: Int64 = 0
        /// userInfo, title, placement and presented value.
        package var valueBytes: Int64 = 0
        package var storageKeys = 0
        package var storageBytes: Int64 = 0

        package var totalBytes: Int64 { historyBytes &+ valueBytes &+ storageBytes }
    }

    /// What one kind of thing takes.
    package struct Kind: Sendable, Hashable {
        package var name: String
        package var count: Int
        package var bytes: Int64
        /// How many there may be; nil without a bound.
        package var limit: Int?
    }

    /// What the values of one key take, in all sessions together.
    package struct Key: Sendable, Hashable {
        package var path: String
        package var count: Int
        package var bytes: Int64
        /// The largest single one.
        package var largest: Int64
    }

    /// The bounds that an app has unless it lowers them.
    package static let limits = Limits.standard
    package static let history = HistoryPolicy()
    /// Bytes of the file that are not in use.
    package var freeBytes: Int64 = 0
    /// Bytes of the file as the store's last transaction left it.
    package var fileBytes: Int64 = 0
    package var sessions: [Session] = []
    package var kinds: [Kind] = []

    package init(_ db: Database) throws(SceneStoreError) {
        var found: [Int64: Session] = [:]
        let records = try db.openRecords() + db.recentlyClosed().map(\.record)
        for record in records {
            found[record.key] = Session(
                key: record.key, identifier: record.identifier, isOpen: record.isOpen)
        }
        let epoch = db.store.containerEpoch
        try db.tellingPages(0...1) { () throws(SQLiteError) in
            try Self.each(db, Queries.stateUsage, epoch) { row throws(SQLiteError) in
                let key = try row.integer(at: 0)
                found[key]?.states = Int(clamping: try row.integer(at: 1))
                found[key]?.historyBytes = try row.integer(at: 2)
                found[key]?.stateBytes = try row.integer(at: 3)
            }
            try Self.each(db, Queries.valueUsage, epoch) { row throws(SQLiteError) in
                found[try row.integer(at: 0)]?.valueBytes = try row.integer(at: 2)
            }
            try Self.each(db, Queries.storageUsage, epoch) { row throws(SQLiteError) in
                let key = try row.integer(at: 0)
                found[key]?.storageKeys = Int(clamping: try row.integer(at: 1))
                found[key]?.storageBytes = try row.integer(at: 2)
            }
            try Self.each(db, Queries.otherUsage, epoch) { row throws(SQLiteError) in
                let name = try row.text(at: 0)
                kinds.append(
                    Kind(
                        name: name, count: Int(clamping: try row.integer(at: 1)),
                        bytes: try row.integer(at: 2), limit: Self.limit(of: name, db.options)))
            }
            let pages = try db.connection.pragma("PRAGMA page_count") ?? 0
            let free = try db.connection.pragma("PRAGMA freelist_count") ?? 0
            fileBytes = pages &* storePageSize
            freeBytes = free &* storePageSize
        }
        sessions = records.compactMap { found[$0.key] }
        addSessionKinds(db)
    }

    private static func each(
        _ db: Database, _ sql: StatementText, _ epoch: Int64,
        _ body: (borrowing Statement) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        try db.connection.withStatement(sql) { statement throws(SQLiteError) in
            try statement.bind(1, epoch)
            while try statement.step() {
                try body(statement)
            }
        }
    }

    private static func limit(
        of kind: String, _ options: SceneSessionStore.Options
    ) -> Int? {
        switch kind {
        case "journal": options.journalCapacity
        case "launches": options.launchCapacity
        case "tombstones": options.discardCapacity
        default: nil
        }
    }

    private mutating func addSessionKinds(_ db: Database) {
        func sum(_ value: (Session) -> Int64) -> Int64 {
            sessions.reduce(0) { $0 &+ value($1) }
        }
        let states = sessions.reduce(0) { $0 + $1.states }
        let current = sessions.count { $0.stateBytes > 0 }
        let storageKeys = sessions.reduce(0) { $0 + $1.storageKeys }
        let own = [
            Kind(
                name: "states", count: current, bytes: sum(\.stateBytes),
                limit: db.limits.sessions),
            Kind(
                name: "history", count: max(states - current, 0),
                bytes: sum { $0.historyBytes &- $0.stateBytes }, limit: nil),
            Kind(
                name: "sessionValues", count: sessions.count { $0.valueBytes > 0 },
                bytes: sum(\.valueBytes), limit: nil),
            Kind(
                name: "sceneStorage", count: storageKeys, bytes: sum(\.storageBytes), limit: nil),
        ]
        kinds = own + kinds
    }
}

extension StoreUsage {
    /// Who takes the space; reads no state.
    package init(of store: SceneSessionStore) throws(SceneStoreError) {
        self = try store.read { db throws(SceneStoreError) in try StoreUsage(db) }
    }

    /// Which keys take the space, the largest first; reads every open session's current state.
    ///
    /// - Parameter step: A key as it stands in a path behind another one.
    package static func keys(
        of store: SceneSessionStore, _ step: @Sendable (String) -> String
    ) throws(SceneStoreError) -> [Key] {
        try store.read { db throws(SceneStoreError) in try keys(db, step) }
    }

    /// What each key takes: of the current states' userInfo, of scene storage, of sessions' own
    /// userInfo. The names of keys only; nothing of what they hold, and no name of a private session.
    private static func keys(
        _ db: Database, _ step: (String) -> String
    ) throws(SceneStoreError) -> [Key] {
        var usage: [String: Key] = [:]
        func add(_ path: String, _ bytes: Int, of session: Int64) throws(SceneStoreError) {
            let isNamed = try db.session(session)?.row.flags.privacy == .standard
            let path = isNamed ? path : "private sessions"
            var key = usage[path] ?? Key(path: path, count: 0, bytes: 0, largest: 0)
            key.count += 1
            key.bytes &+= Int64(bytes)
            key.largest = max(key.largest, Int64(bytes))
            usage[path] = key
        }
        let epoch = db.store.containerEpoch
        let stage = WorkProgress(
            "measuring", .sessions, total: Int(clamping: db.store.openCount), share: 0...0.5)
        var seen = 0
        try db.each(Queries.currentStates, binding(epoch)) {
            row, statement throws(SceneStoreError) in
            seen += 1
            try db.work.say(stage, done: seen)
            _ = try db.withPayload(statement, row) {
                bytes throws(SceneStoreError) in
                guard
                    let activity = decodable({ () throws(SceneStoreError) in
                        try ValueCodec.decodeActivity(Array(bytes))
                    })
                else {
                    return
                }
                let session = row.id >> 8
                var inKeys = 0
                for pair in activity.userInfo {
                    let size = try ValueCodec.encode(pair.value).count
                    inKeys += size
                    try add("activity.userInfo" + step(pair.key), size, of: session)
                }
                try add("activity (the rest)", max(bytes.count - inKeys, 0), of: session)
            }
            return true
        }
        let records = try db.openRecords()
        let rest = WorkProgress(
            "measuring values", .sessions, total: records.count, share: 0.5...1)
        for (index, record) in records.enumerated() {
            try db.work.say(rest, done: index + 1)
            for row in try db.storageRows(record.key) {
                try add("storage" + step(row.key), storageBytes(row.id, db), of: record.key)
            }
            if let bytes = try db.value(.userInfo, of: record.key),
                let values = decodable({ () throws(SceneStoreError) in
                    try ValueCodec.decodeDictionary(bytes)
                })
            {
                for pair in values {
                    let size = try ValueCodec.encode(pair.value).count
                    try add("userInfo" + step(pair.key), size, of: record.key)
                }
            }
        }
        return usage.values.sorted { ($0.bytes, $1.path) > ($1.bytes, $0.path) }
    }

    private static func storageBytes(
        _ id: Int64, _ db: Database
    ) throws(SceneStoreError) -> Int {
        try db.ask(Queries.storageLength) { statement throws(SQLiteError) -> Int in
            try statement.bind(1, id)
            return try statement.step() ? Int(clamping: try statement.integer(at: 0)) : 0
        }
    }

    /// What a body reads, or nil when the bytes stand for nothing.
    private static func decodable<Result>(
        _ body: () throws(SceneStoreError) -> Result
    ) -> Result? {
        do {
            return try body()
        } catch {
            return nil
        }
    }
}

extension Queries {
    /// The bytes of one value of scene storage.
    static let storageLength: StatementText = """
        SELECT length(payload) FROM scene_storage WHERE id = :id
        """
}
