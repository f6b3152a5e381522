import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// Writes imported things as rows, within a transaction of a writer.
struct ImportWriter: ~Copyable {
    private let writer: StoreWriter
    /// The generation before all imported ones; a rank is added to it.
    private let base: Int64
    private(set) var lastGeneration: Int64
    private var conditions: [[UInt8]: Int64] = [:]

    init(_ writer: borrowing StoreWriter, base: Int64) {
        self.writer = writer.again()
        self.base = base
        lastGeneration = base
    }

    private mutating func generation(_ rank: Int64) -> Int64 {
        guard rank > 0 else {
            return 0
        }
        lastGeneration = max(lastGeneration, base + rank)
        return base + rank
    }

    private func put<Row: StoredRow>(
        _ row: Row, _ payload: [UInt8] = []
    ) throws(SceneStoreError) {
        let isWritten = try writer.isAllowed { () throws(SceneStoreError) in
            try writer.insert(row, payload: payload)
        }
        guard isWritten else {
            throw SceneStoreError(
                .importRefused, "the schema refuses a row of the import", path: Row.table.name)
        }
    }

    /// Removes a session whose place an imported one takes, with its tombstone.
    func remove(_ row: SessionRow) throws(SceneStoreError) {
        if let tombstone = try writer.discards.row(row.id) {
            try writer.delete(tombstone)
        }
        try writer.deleteSession(try writer.knownSession(row.id))
    }

    /// Removes tombstones of a session that comes back, as far as they are still there.
    func remove(_ tombstones: [DiscardRow]) throws(SceneStoreError) {
        for known in tombstones {
            if let row = try writer.discards.row(known.id) {
                try writer.delete(row)
            }
        }
    }

    // MARK: - Sessions

    mutating func insert(_ session: ImportedSession) throws(SceneStoreError) {
        let id = writer.nextID()
        let configuration = try writer.intern(session.configuration)
        let conditions = try session.conditions.map { bytes throws(SceneStoreError) in
            try intern(bytes)
        }
        var latest = base
        var rows: [StateRow] = []
        for (slot, state) in session.states.enumerated() {
            let generation = generation(state.rank)
            let row = StateRow(
                id: id << 8 | Int64(slot), generation: generation,
                savedAt: state.context.savedAt, contextID: try writer.intern(state.context),
                activityType: state.activityType, contentHash: StoreCore.hash(state.bytes),
                byteCount: Int64(state.bytes.count))
            rows.append(row.sealed(writer.sealer))
            latest = max(latest, generation)
        }
        let recency = generation(session.recency)
        latest = max(latest, recency)
        lastGeneration = max(lastGeneration, latest)
        let presented = session.values[.presentedValue].map { StoreCore.hash($0) }
        let current = session.current
        try put(
            SessionRow(
                id: id, identifierText: IdentifierText(session.identifier),
                epoch: writer.store.containerEpoch, configurationID: configuration,
                isOpen: session.isOpen, isFront: session.isFront, recency: recency,
                stateID: current.map { rows[$0].id }, crashCount: session.crashCount,
                flags: session.flags, conditionsID: conditions, valueHash: presented,
                createdAt: session.createdAt, lastActiveAt: session.lastActiveAt,
                savedAt: current.map { session.states[$0].context.savedAt },
                generation: latest,
                stateChecksum: current.map { rows[$0].checksum }))
        if session.isOpen {
            try writer.countOpen(1, configuration: configuration)
        }
        for (row, state) in zip(rows, session.states) {
            try put(row, state.bytes)
        }
        for (kind, bytes) in session.values {
            try put(
                SessionValueRow(
                    id: id << 8 | kind.rawValue, contentHash: StoreCore.hash(bytes)), bytes)
        }
        for value in session.storage {
            try put(
                StorageRow(
                    id: writer.nextID(), sessionID: id, key: value.key,
                    contentHash: StoreCore.hash(value.bytes)), value.bytes)
        }
        if let tombstone = session.tombstone {
            try insert(tombstone, session.identifier, configuration, id: id)
            if let place = tombstone.place {
                let closing = ClosedSession.Closing(
                    group: generation(of: tombstone), place: Int(clamping: place))
                let kind = SessionValueKind.closing.rawValue
                let row = SessionValueRow(
                    id: id << 8 | kind, contentHash: StoreCore.hash(closing.bytes))
                try put(row, closing.bytes)
            }
        }
        writer.note(.imported, session.identifier)
    }

    private mutating func intern(_ bytes: [UInt8]) throws(SceneStoreError) -> Int64 {
        if let id = conditions[bytes] {
            return id
        }
        let id = writer.nextID()
        try put(
            ConditionsRow(
                id: id, epoch: writer.store.containerEpoch, contentHash: StoreCore.hash(bytes)),
            bytes)
        conditions[bytes] = id
        return id
    }

    // MARK: - What belongs to no session

    mutating func insert(
        _ tombstone: ImportedTombstone, _ identifier: String, _ configuration: SceneConfiguration
    ) throws(SceneStoreError) {
        let id = writer.nextID()
        try insert(tombstone, identifier, try writer.intern(configuration), id: id)
    }

    private mutating func insert(
        _ tombstone: ImportedTombstone, _ identifier: String, _ configuration: Int64, id: Int64
    ) throws(SceneStoreError) {
        try put(
            DiscardRow(
                id: id, epoch: writer.store.containerEpoch, identifier: identifier,
                configurationID: configuration, cause: tombstone.cause.rawValue,
                delivery: tombstone.delivery, discardedAt: tombstone.at,
                generation: generation(of: tombstone)))
    }

    private mutating func generation(of tombstone: ImportedTombstone) -> Int64 {
        max(generation(tombstone.rank), base)
    }

    mutating func insert(_ payload: ImportedPayload) throws(SceneStoreError) {
        let launch = writer.store.launchNumber
        try put(
            InboxRow(
                id: writer.nextID(), epoch: writer.store.containerEpoch,
                sessionIdentifier: payload.session, dedupeKey: payload.dedupe,
                offeredLaunch: payload.isOffered ? max(launch, 1) : 0,
                offeredCount: payload.isOffered ? 1 : 0, receivedLaunch: launch,
                receivedAt: payload.receivedAt, generation: base,
                contentHash: StoreCore.hash(payload.bytes)), payload.bytes)
    }

    mutating func insertActivity(
        _ bytes: [UInt8], _ activity: UserActivity, _ time: Int64
    ) throws(SceneStoreError) {
        try put(
            SavedActivityRow(
                id: writer.nextID(), epoch: writer.store.containerEpoch,
                persistentIdentifier: activity.persistentIdentifier,
                activityType: activity.activityType, savedAt: time, generation: base,
                contentHash: StoreCore.hash(bytes)), bytes)
    }
}
