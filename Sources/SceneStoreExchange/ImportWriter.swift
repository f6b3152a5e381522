import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// Writes imported things as rows, within a transaction of a writer.
struct ImportWriter: ~Copyable {
    private let transaction: Transaction
    /// The generation before all imported ones; a rank is added to it.
    private let base: Int64
    private(set) var lastGeneration: Int64
    /// The rows of the conditions that came last, which several sessions may share.
    private var conditions: [[UInt8]: Int64] = [:]
    private var conditionBytes = 0
    private static let mostConditionBytes = 1 << 20

    init(_ transaction: borrowing Transaction, base: Int64) {
        self.transaction = transaction.again()
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
        let isWritten = try transaction.isAllowed { () throws(SceneStoreError) in
            try transaction.insert(row, payload: payload)
        }
        guard isWritten else {
            throw SceneStoreError(
                .importRefused, "the schema refuses a row of the import", path: Row.table.name)
        }
    }

    /// Removes a session whose place an imported one takes, with its tombstone.
    func remove(_ row: SessionRow) throws(SceneStoreError) {
        if let tombstone = try transaction.db.tombstone(row.id) {
            try transaction.delete(tombstone)
        }
        try transaction.deleteSession(try transaction.db.knownSession(row.id))
    }

    /// Removes tombstones of a session that comes back, as far as they are still there.
    func remove(_ tombstones: [DiscardRow]) throws(SceneStoreError) {
        for known in tombstones {
            if let row = try transaction.db.tombstone(known.id) {
                try transaction.delete(row)
            }
        }
    }

    // MARK: - Sessions

    mutating func insert(_ session: ImportedSession) throws(SceneStoreError) {
        let id = transaction.nextID()
        let configuration = try transaction.intern(session.configuration)
        let conditions = try session.conditions.map { bytes throws(SceneStoreError) in
            try intern(bytes)
        }
        var latest = base
        var rows: [StateRow] = []
        for (slot, state) in session.states.enumerated() {
            let generation = generation(state.rank)
            var row = StateRow.blank
            row.id = id << 8 | Int64(slot)
            row.generation = generation
            row.savedAt = state.context.savedAt
            row.contextID = try transaction.intern(state.context)
            row.activityType = state.activityType
            row.contentHash = Database.hash(state.bytes)
            row.byteCount = Int64(state.bytes.count)
            rows.append(row.sealed(transaction.db.sealer))
            latest = max(latest, generation)
        }
        let recency = generation(session.recency)
        latest = max(latest, recency)
        lastGeneration = max(lastGeneration, latest)
        let presented = session.values[.presentedValue].map { Database.hash($0) }
        let current = session.current
        try put(
            SessionRow {
                $0.id = id
                $0.identifierText = IdentifierText(session.identifier)
                $0.epoch = transaction.store.containerEpoch
                $0.configurationID = configuration
                $0.isOpen = session.isOpen
                $0.isFront = session.isFront
                $0.recency = recency
                $0.stateID = current.map { rows[$0].id }
                $0.crashCount = session.crashCount
                $0.flags = session.flags
                $0.conditionsID = conditions
                $0.valueHash = presented
                $0.createdAt = session.createdAt
                $0.lastActiveAt = session.lastActiveAt
                $0.savedAt = current.map { session.states[$0].context.savedAt }
                $0.generation = latest
                $0.stateChecksum = current.map { rows[$0].checksum }
            })
        if session.isOpen {
            try transaction.countOpen(1, configuration: configuration)
        }
        for (row, state) in zip(rows, session.states) {
            try put(row, state.bytes)
        }
        for (kind, bytes) in session.values {
            try putValue(kind, bytes, of: id)
        }
        for value in session.storage {
            try put(
                StorageRow {
                    $0.id = transaction.nextID()
                    $0.sessionID = id
                    $0.key = value.key
                    $0.contentHash = Database.hash(value.bytes)
                }, value.bytes)
        }
        if let tombstone = session.tombstone {
            try insert(tombstone, session.identifier, configuration, id: id)
            if let place = tombstone.place {
                let closing = NumberPair(generation(of: tombstone), place)
                try putValue(.closing, closing.bytes, of: id)
            }
        }
        transaction.note(.imported, session.identifier)
    }

    private func putValue(
        _ kind: SessionValueKind, _ bytes: [UInt8], of id: Int64
    ) throws(SceneStoreError) {
        try put(
            SessionValueRow {
                $0.id = id << 8 | kind.rawValue
                $0.contentHash = Database.hash(bytes)
            }, bytes)
    }

    private mutating func intern(_ bytes: [UInt8]) throws(SceneStoreError) -> Int64 {
        if let id = conditions[bytes] {
            return id
        }
        let id = transaction.nextID()
        try put(
            ConditionsRow {
                $0.id = id
                $0.epoch = transaction.store.containerEpoch
                $0.contentHash = Database.hash(bytes)
            }, bytes)
        conditionBytes += bytes.count
        if conditionBytes > Self.mostConditionBytes {
            conditions.removeAll()
            conditionBytes = bytes.count
        }
        conditions[bytes] = id
        return id
    }

    // MARK: - What belongs to no session

    mutating func insert(
        _ tombstone: ImportedTombstone, _ identifier: String, _ configuration: SceneConfiguration
    ) throws(SceneStoreError) {
        let id = transaction.nextID()
        try insert(tombstone, identifier, try transaction.intern(configuration), id: id)
    }

    private mutating func insert(
        _ tombstone: ImportedTombstone, _ identifier: String, _ configuration: Int64, id: Int64
    ) throws(SceneStoreError) {
        let generation = generation(of: tombstone)
        try put(
            DiscardRow {
                $0.id = id
                $0.epoch = transaction.store.containerEpoch
                $0.identifier = identifier
                $0.configurationID = configuration
                $0.cause = tombstone.cause.rawValue
                $0.delivery = tombstone.delivery
                $0.discardedAt = tombstone.at
                $0.generation = generation
            })
    }

    private mutating func generation(of tombstone: ImportedTombstone) -> Int64 {
        max(generation(tombstone.rank), base)
    }

    mutating func insert(_ payload: ImportedPayload) throws(SceneStoreError) {
        let launch = transaction.store.launchNumber
        try put(
            InboxRow {
                $0.id = transaction.nextID()
                $0.epoch = transaction.store.containerEpoch
                $0.dedupeKey = payload.dedupe
                $0.offeredLaunch = payload.isOffered ? max(launch, 1) : 0
                $0.offeredCount = payload.isOffered ? 1 : 0
                $0.receivedLaunch = launch
                $0.receivedAt = payload.receivedAt
                $0.generation = base
                $0.contentHash = Database.hash(payload.bytes)
            }, payload.bytes)
    }

    mutating func insertActivity(
        _ bytes: [UInt8], _ activity: UserActivity, _ time: Int64
    ) throws(SceneStoreError) {
        try put(
            SavedActivityRow {
                $0.id = transaction.nextID()
                $0.epoch = transaction.store.containerEpoch
                $0.persistentIdentifier = activity.persistentIdentifier
                $0.activityType = activity.activityType
                $0.savedAt = time
                $0.generation = base
                $0.contentHash = Database.hash(bytes)
            }, bytes)
    }
}
