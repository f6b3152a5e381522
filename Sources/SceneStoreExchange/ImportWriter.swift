import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// Writes imported things as rows, within a transaction of a core.
struct ImportWriter {
    private let core: StoreCore
    private var writer: LooseRowWriter
    /// The generation before all imported ones; a rank is added to it.
    private let base: Int64
    private(set) var lastGeneration: Int64
    private var conditions: [[UInt8]: Int64] = [:]

    init(_ core: StoreCore, base: Int64) {
        self.core = core
        self.base = base
        lastGeneration = base
        writer = LooseRowWriter(core)
    }

    private mutating func generation(_ rank: Int64) -> Int64 {
        guard rank > 0 else {
            return 0
        }
        lastGeneration = max(lastGeneration, base + rank)
        return base + rank
    }

    private mutating func put(
        _ table: StoreTable, _ id: Int64, _ values: [ColumnValue], _ payload: [UInt8]? = nil
    ) throws(SceneStoreError) {
        guard try writer.insert(table, id: id, values, payload: payload) else {
            throw SceneStoreError(
                .importRefused, "the schema refuses a row of the import", path: table.name)
        }
    }

    private static func text(_ text: String?) -> ColumnValue {
        text.map { .text($0) } ?? .null
    }

    private static func flag(_ flag: Bool) -> ColumnValue {
        .integer(flag ? 1 : 0)
    }

    /// Removes a session whose place an imported one takes, with its tombstone.
    func remove(_ row: SessionRow) throws(SceneStoreError) {
        if let tombstone = try core.discardRow(row.id) {
            try core.delete(tombstone.id, checksum: tombstone.checksum, Queries.deleteDiscard)
        }
        try core.deleteSession(try core.knownSession(row.id))
    }

    /// Removes tombstones of a session that comes back, as far as they are still there.
    func remove(_ tombstones: [DiscardRow]) throws(SceneStoreError) {
        for known in tombstones {
            if let row = try core.discardRow(known.id) {
                try core.delete(row.id, checksum: row.checksum, Queries.deleteDiscard)
            }
        }
    }

    // MARK: - Sessions

    mutating func insert(_ session: ImportedSession) throws(SceneStoreError) {
        let id = core.nextID()
        let configuration = try core.intern(session.configuration)
        let conditions = try session.conditions.map { bytes throws(SceneStoreError) in
            try intern(bytes)
        }
        var latest = base
        var states: [(id: Int64, generation: Int64)] = []
        for (slot, state) in session.states.enumerated() {
            let generation = generation(state.rank)
            states.append((id << 8 | Int64(slot), generation))
            latest = max(latest, generation)
        }
        let recency = generation(session.recency)
        latest = max(latest, recency)
        lastGeneration = max(lastGeneration, latest)
        let presented = session.values[.presentedValue].map { StoreCore.hash($0) }
        try put(
            .session, id,
            [
                .text(session.identifier), .integer(core.store.containerEpoch),
                .integer(configuration), Self.flag(session.isOpen), Self.flag(session.isFront),
                .integer(recency), session.current.map { .integer(states[$0].id) } ?? .null,
                .integer(session.crashCount), .integer(session.flags.rawValue),
                conditions.map { .integer($0) } ?? .null,
                presented.map { .integer($0) } ?? .null, .integer(session.createdAt),
                .integer(session.lastActiveAt),
                session.current.map { .integer(session.states[$0].context.savedAt) } ?? .null,
                .integer(latest),
            ])
        if session.isOpen {
            try core.countOpen(1, configuration: configuration)
        }
        for (index, state) in session.states.enumerated() {
            let context = try core.intern(state.context)
            try put(
                .state, states[index].id,
                [
                    .integer(states[index].generation), .integer(state.context.savedAt),
                    .integer(context), .text(state.activityType),
                    .integer(StoreCore.hash(state.bytes)), .integer(Int64(state.bytes.count)),
                ], state.bytes)
        }
        for (kind, bytes) in session.values {
            try put(
                .sessionValue, id << 8 | kind.rawValue, [.integer(StoreCore.hash(bytes))], bytes)
        }
        for value in session.storage {
            try put(
                .sceneStorage, core.nextID(),
                [.integer(id), .text(value.key), .integer(StoreCore.hash(value.bytes))],
                value.bytes)
        }
        if let tombstone = session.tombstone {
            try insert(tombstone, session.identifier, configuration, id: id)
        }
        core.note(.imported, session.identifier)
    }

    private mutating func intern(_ bytes: [UInt8]) throws(SceneStoreError) -> Int64 {
        if let id = conditions[bytes] {
            return id
        }
        let id = core.nextID()
        try put(
            .conditions, id,
            [.integer(core.store.containerEpoch), .integer(StoreCore.hash(bytes))], bytes)
        conditions[bytes] = id
        return id
    }

    // MARK: - What belongs to no session

    mutating func insert(
        _ tombstone: ImportedTombstone, _ identifier: String, _ configuration: SceneConfiguration
    ) throws(SceneStoreError) {
        let id = core.nextID()
        try insert(tombstone, identifier, try core.intern(configuration), id: id)
    }

    private mutating func insert(
        _ tombstone: ImportedTombstone, _ identifier: String, _ configuration: Int64, id: Int64
    ) throws(SceneStoreError) {
        try put(
            .discard, id,
            [
                .integer(core.store.containerEpoch), .text(identifier), .integer(configuration),
                .text(tombstone.cause.rawValue), .integer(tombstone.delivery), .integer(0),
                .integer(tombstone.at), .integer(max(generation(tombstone.rank), base)),
            ])
    }

    mutating func insert(_ payload: ImportedPayload) throws(SceneStoreError) {
        let launch = core.store.launchNumber
        try put(
            .inbox, core.nextID(),
            [
                .integer(core.store.containerEpoch), Self.text(payload.session),
                Self.text(payload.dedupe), .integer(0),
                .integer(payload.isOffered ? max(launch, 1) : 0),
                .integer(payload.isOffered ? 1 : 0), .integer(launch),
                .integer(payload.receivedAt), .integer(base),
                .integer(StoreCore.hash(payload.bytes)),
            ], payload.bytes)
    }

    mutating func insertActivity(
        _ bytes: [UInt8], _ activity: UserActivity, _ time: Int64
    ) throws(SceneStoreError) {
        try put(
            .savedActivity, core.nextID(),
            [
                .integer(core.store.containerEpoch), Self.text(activity.persistentIdentifier),
                .text(activity.activityType), .integer(time), .integer(base),
                .integer(StoreCore.hash(bytes)),
            ], bytes)
    }
}
