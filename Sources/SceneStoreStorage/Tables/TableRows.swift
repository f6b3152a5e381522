import SceneStoreSQLite
import SceneStoreValues

/// The one row of the store's own table (S-25).
package struct StoreRow: StoredRow {
    package static let table = StoreTable.store
    package static let description = TableDescription("store", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 = 1
    package var uuid: [UInt8] = []
    package var containerEpoch: Int64 = 0
    package var ownerEpoch: Int64 = 0
    package var generation: Int64 = 0
    package var lastID: Int64 = 0
    package var openCount: Int64 = 0
    package var openDigest: Int64 = 0
    package var rowDigest: Int64 = 0
    package var eventCount: Int64 = 0
    package var launchNumber: Int64 = 0
    package var launchState = LaunchState.never
    package var restoringSession: Int64?
    package var erasurePending = false
    package var featuresIgnorable: Int64 = 0
    package var featuresReadOnly: Int64 = 0
    package var featuresRequired: Int64 = 0
    package var appIdentifier: String?
    package var writtenBy = ""
    package var createdAt: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id, .unsealed)
        try column("uuid", &uuid, .fixed)
        try column("container_epoch", &containerEpoch, .counter)
        try column("owner_epoch", &ownerEpoch, .counter)
        try column("generation", &generation, .counter)
        try column("last_id", &lastID, .counter)
        try column("open_count", &openCount, .counter)
        try column("open_digest", &openDigest)
        try column("row_digest", &rowDigest)
        try column("event_count", &eventCount, .counter)
        try column("launch_number", &launchNumber, .counter)
        var state = launchState.rawValue
        try column("launch_state", &state)
        launchState = LaunchState(rawValue: state) ?? .running
        try column("restoring_session", &restoringSession)
        try column("erasure_pending", &erasurePending)
        try column("features_ignorable", &featuresIgnorable, .fixed)
        try column("features_read_only", &featuresReadOnly, .fixed)
        try column("features_required", &featuresRequired, .fixed)
        try column("app_identifier", &appIdentifier, .fixed)
        try column("written_by", &writtenBy)
        try column("created_at", &createdAt, .fixed)
    }
}

extension StoreRow {
    /// The fence of each transaction: it changes the row only while nobody else has.
    package static let exchange = description.update(if: "owner_epoch = ? AND generation = ?")

    /// Binds what `exchange` sets, and what it expects to find.
    mutating func bindExchange(
        _ statement: borrowing Statement, expecting old: StoreRow
    ) throws(SQLiteError) {
        let index = try bindUpdate(Self.exchange, statement)
        try statement.bind(index, id)
        try statement.bind(index + 1, old.ownerEpoch)
        try statement.bind(index + 2, old.generation)
    }

    /// Whether the counters are such as ordinary use can reach, so that counting on cannot
    /// overflow.
    package var isPlausible: Bool {
        let counters = [
            containerEpoch, ownerEpoch, generation, lastID, openCount, eventCount, launchNumber,
        ]
        return uuid.count == 16 && counters.allSatisfy { (0...(1 << 54)).contains($0) }
    }

    /// How the last process that began a launch ended.
    package enum LaunchState: Int64, Sendable {
        /// The container never saw a launch, or was reset since.
        case never = 0
        /// It said farewell.
        case ended = 1
        /// It runs, or died.
        case running = 2
        /// The user ended it.
        case forceQuit = 3
    }
}

/// A store's identity as text.
package struct StoreIdentity: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads 32 hexadecimal digits.
    package init?(_ text: String) {
        guard text.utf8.count == 32, let bytes = HexText.bytes(text) else {
            return nil
        }
        self.bytes = bytes
    }

    /// 32 hexadecimal digits.
    package var text: String { HexText.text(bytes) }
}

/// A migration that ran.
package struct MigrationRow: StoredRow {
    package static let table = StoreTable.migration
    package static let description = TableDescription("migration", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 { number }
    package var number: Int64 = 0
    package var name = ""
    package var textChecksum: Int64 = 0
    var appliedAt: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("number", &number)
        try column("name", &name)
        try column("text_checksum", &textChecksum)
        try column("applied_at", &appliedAt)
    }
}

/// A configuration that sessions remember.
package struct ConfigurationRow: StoredRow {
    package static let table = StoreTable.configuration
    package static let description = TableDescription("configuration", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var role = ""
    package var name: String?
    package var sceneClass: String?
    package var delegateClass: String?
    package var storyboard: String?
    package var immersionStyle: String?
    package var resolution: Int64 = 0
    package var openSessions: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, .counter)
        try column("role", &role)
        try column("name", &name)
        try column("scene_class", &sceneClass)
        try column("delegate_class", &delegateClass)
        try column("storyboard", &storyboard)
        try column("immersion_style", &immersionStyle)
        try column("resolution", &resolution)
        try column("open_sessions", &openSessions, .counter)
    }
}

/// Activation conditions; the payload follows.
package struct ConditionsRow: PayloadRow {
    package static let table = StoreTable.conditions
    package static let description = TableDescription("conditions", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, .counter)
        try column("content_hash", &contentHash)
    }
}

/// What states were saved under, and what the last launch under it declared (S-43).
package struct SaveContextRow: StoredRow {
    package static let table = StoreTable.saveContext
    package static let description = TableDescription("save_context", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var appVersion: String?
    package var systemVersion: String?
    package var idiom: String?
    package var declared: String?
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, .counter)
        try column("app_version", &appVersion)
        try column("system_version", &systemVersion)
        try column("idiom", &idiom)
        try column("declared", &declared)
    }
}

/// A row of the db.
package struct SessionRow: StoredRow {
    package static let table = StoreTable.session
    package static let description = TableDescription("session", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var identifierText = IdentifierText("")
    package var epoch: Int64 = 0
    package var configurationID: Int64 = 0
    package var isOpen = false
    package var isFront = false
    package var recency: Int64 = 0
    package var stateID: Int64?
    package var crashCount: Int64 = 0
    package var flags: SessionFlags = []
    package var conditionsID: Int64?
    package var valueHash: Int64?
    package var createdAt: Int64 = 0
    package var lastActiveAt: Int64 = 0
    package var savedAt: Int64?
    package var generation: Int64 = 0
    /// The checksum of the current state's row, which covers its generation too: an older version
    /// of that row is not what was saved last.
    package var stateChecksum: Int64?
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("identifier", &identifierText, .fixed)
        try column("epoch", &epoch, [.fixed, .counter])
        try column("configuration_id", &configurationID, .counter)
        try column("is_open", &isOpen)
        try column("is_front", &isFront)
        try column("recency", &recency, .counter)
        try column("state_id", &stateID)
        try column("crash_count", &crashCount)
        try column("is_stale", &flags[.stale])
        try column("is_held", &flags[.held])
        var isRemembered = !flags[.notRemembered]
        try column("is_remembered", &isRemembered)
        flags[.notRemembered] = !isRemembered
        try column("is_pinned", &flags[.pinned])
        try column("privacy", &flags.privacyCode)
        try column("is_withheld", &flags[.withheld])
        try column("withheld_reason", &flags.withheldCode)
        try column("is_offered", &flags[.offering])
        try column("was_offered", &flags[.offeredAgain])
        try column("is_suspect", &flags[.suspect])
        try column("parked", &flags.parkedCode)
        try column("is_reopened", &flags[.reopened])
        try column("has_children", &flags[.hasChildren])
        try column("is_child", &flags[.isChild])
        try column("conditions_id", &conditionsID, .counter)
        try column("value_hash", &valueHash)
        try column("created_at", &createdAt, .fixed)
        try column("last_active_at", &lastActiveAt)
        try column("saved_at", &savedAt)
        try column("generation", &generation, .counter)
        try column("state_checksum", &stateChecksum)
    }
}

extension SessionRow {
    /// What a save changes; no index has any of it.
    package static let stateUpdate = description.update([
        "state_id", "saved_at", "generation", "state_checksum",
    ])
    /// What a mark changes.
    package static let markUpdate = description.update([
        "is_front", "recency", "last_active_at", "generation",
    ])

    package var isOpenSession: Bool { isOpen }

    /// Makes a state the current one, as its row is stored now; nil for none.
    package mutating func point(at state: StateRow?) {
        stateID = state?.id
        savedAt = state?.savedAt
        stateChecksum = state?.checksum
    }

    /// Whether a row is the very state that was saved last.
    package func isBound(to state: StateRow) -> Bool {
        state.id == stateID && state.checksum == stateChecksum
    }

    /// The persistent identifier.
    package var identifier: String { identifierText.text }
}

/// The skeleton is read whole at a launch: what `visit` says, by hand, in a third of the time. A
/// test holds the two against each other.
extension SessionRow {
    package init(_ row: borrowing Statement) throws(SQLiteError) {
        // All that can fail comes before the first property: a row that is made piece by piece is
        // copied once more, which costs a twentieth of a launch's db.
        let id = try row.integer(at: 0)
        let identifierText = try IdentifierText(row, at: 1)
        let (run, nulls) = try row.integers(
            from: 2, count: 29, nullable: 1 << 5 | 1 << 21 | 1 << 22 | 1 << 25 | 1 << 27,
            flags: 0b1_1101_1101_0111_1000_1100)
        var flags = run[7] | run[8] << 1 | (1 - run[9]) << 2 | run[10] << 3
        flags |= (run[11] & 3) << 4 | run[12] << 6 | (run[13] & 15) << 10 | run[14] << 7
        flags |= run[15] << 8 | run[16] << 9 | (run[17] & 7) << 14 | run[18] << 17
        flags |= run[19] << 18 | run[20] << 19
        self.init(
            id: id, identifierText: identifierText, epoch: run[0], configurationID: run[1],
            isOpen: run[2] != 0, isFront: run[3] != 0, recency: run[4],
            stateID: nulls & 1 << 5 == 0 ? run[5] : nil, crashCount: run[6],
            flags: SessionFlags(rawValue: flags),
            conditionsID: nulls & 1 << 21 == 0 ? run[21] : nil,
            valueHash: nulls & 1 << 22 == 0 ? run[22] : nil, createdAt: run[23],
            lastActiveAt: run[24], savedAt: nulls & 1 << 25 == 0 ? run[25] : nil,
            generation: run[26], stateChecksum: nulls & 1 << 27 == 0 ? run[27] : nil,
            checksum: run[28])
    }

    /// What a relaunch needs of it. A method, for an initialiser would be given a copy.
    package func record(_ configuration: SharedConfiguration) -> SessionRecord {
        SessionRecord(
            key: id, identifierText: identifierText, isOpen: isOpen, isFront: isFront,
            hasState: stateID != nil, hasConditions: conditionsID != nil,
            configurationKey: configurationID, sharedConfiguration: configuration,
            recency: recency, crashCount: Int(clamping: crashCount), flags: flags,
            createdAt: createdAt, lastActiveAt: lastActiveAt, savedAt: savedAt)
    }

    package func isWhole(_ sealer: RowSealer) -> Bool {
        sealer.begin()
        sealer.add(id)
        sealer.add(identifierText)
        sealer.add(epoch)
        sealer.add(configurationID)
        sealer.add(isOpen)
        sealer.add(isFront)
        sealer.add(recency)
        sealer.add(stateID)
        sealer.add(crashCount)
        let bits = flags.rawValue
        sealer.add(bits & 1)
        sealer.add(bits >> 1 & 1)
        sealer.add(~bits >> 2 & 1)
        sealer.add(bits >> 3 & 1)
        sealer.add(bits >> 4 & 3)
        sealer.add(bits >> 6 & 1)
        sealer.add(bits >> 10 & 15)
        sealer.add(bits >> 7 & 1)
        sealer.add(bits >> 8 & 1)
        sealer.add(bits >> 9 & 1)
        sealer.add(bits >> 14 & 7)
        sealer.add(bits >> 17 & 1)
        sealer.add(bits >> 18 & 1)
        sealer.add(bits >> 19 & 1)
        sealer.add(conditionsID)
        sealer.add(valueHash)
        sealer.add(createdAt)
        sealer.add(lastActiveAt)
        sealer.add(savedAt)
        sealer.add(generation)
        sealer.add(stateChecksum)
        return checksum == sealer.end(.session)
    }
}

/// A state; the payload follows.
package struct StateRow: PayloadRow {
    package static let table = StoreTable.state
    package static let description = TableDescription("state", of: Self.self)
    package static var blank: Self { Self() }
    package static let owner: RowOwner? = RowOwner(
        table: "session", condition: "session.id = state.id >> 8")

    package var id: Int64 = 0
    package var generation: Int64 = 0
    package var savedAt: Int64 = 0
    package var contextID: Int64 = 0
    package var activityType = ""
    package var contentHash: Int64 = 0
    package var byteCount: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("generation", &generation, .counter)
        try column("saved_at", &savedAt)
        try column("context_id", &contextID, .counter)
        try column("activity_type", &activityType)
        try column("content_hash", &contentHash)
        try column("byte_count", &byteCount)
    }

    /// What the history's policy judges.
    package var entry: HistoryPolicy.Entry {
        HistoryPolicy.Entry(
            slot: Int(id & 255), generation: generation, savedAt: savedAt,
            contentHash: contentHash, byteCount: Int(clamping: byteCount))
    }
}

/// A value of a session; the payload follows.
package struct SessionValueRow: PayloadRow {
    package static let table = StoreTable.sessionValue
    package static let description = TableDescription("session_value", of: Self.self)
    package static var blank: Self { Self() }
    package static let owner: RowOwner? = RowOwner(
        table: "session", condition: "session.id = session_value.id >> 8")

    package var id: Int64 = 0
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("content_hash", &contentHash)
    }
}

/// A value of scene storage; the payload follows.
package struct StorageRow: PayloadRow {
    package static let table = StoreTable.sceneStorage
    package static let description = TableDescription("scene_storage", of: Self.self)
    package static var blank: Self { Self() }
    package static let owner: RowOwner? = RowOwner(
        table: "session", condition: "session.id = scene_storage.session_id")

    package var id: Int64 = 0
    package var sessionID: Int64 = 0
    package var key = ""
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("session_id", &sessionID, [.fixed, .counter])
        try column("key", &key, .fixed)
        try column("content_hash", &contentHash)
    }
}

/// The tombstone of a session.
package struct DiscardRow: StoredRow {
    package static let table = StoreTable.discard
    package static let description = TableDescription("discard", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var identifier = ""
    package var configurationID: Int64 = 0
    package var cause = ""
    package var delivery: Int64 = 0
    package var offeredLaunch: Int64 = 0
    package var discardedAt: Int64 = 0
    package var generation: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, [.fixed, .counter])
        try column("identifier", &identifier, .fixed)
        try column("configuration_id", &configurationID, [.fixed, .counter])
        try column("cause", &cause, .fixed)
        try column("delivery", &delivery)
        try column("offered_launch", &offeredLaunch, .counter)
        try column("discarded_at", &discardedAt, .fixed)
        try column("generation", &generation, [.fixed, .counter])
    }
}

/// A launch and its ledger.
package struct LaunchRow: StoredRow {
    package static let table = StoreTable.launch
    package static let description = TableDescription("launch", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 { number }
    package var number: Int64 = 0
    package var epoch: Int64 = 0
    package var reason = ""
    package var startedAt: Int64 = 0
    package var endedAt: Int64?
    var endedHow: String?
    package var contextID: Int64 = 0
    package var bootIdentifier = ""
    package var processIdentifier: Int64 = 0
    package var generation: Int64 = 0
    package var expected: Int64 = 0
    package var restored: Int64 = 0
    package var held: Int64 = 0
    package var withheld: Int64 = 0
    package var lost: Int64 = 0
    package var discarded: Int64 = 0
    package var evicted: Int64 = 0
    package var declined: Int64 = 0
    package var parked: Int64 = 0
    package var stale: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("number", &number)
        try column("epoch", &epoch, [.fixed, .counter])
        try column("reason", &reason, .fixed)
        try column("started_at", &startedAt, .fixed)
        try column("ended_at", &endedAt)
        try column("ended_how", &endedHow)
        try column("context_id", &contextID, [.fixed, .counter])
        try column("boot_identifier", &bootIdentifier, .fixed)
        try column("process_identifier", &processIdentifier, .fixed)
        try column("generation", &generation, [.fixed, .counter])
        try column("expected", &expected)
        try column("restored", &restored)
        try column("held", &held)
        try column("withheld", &withheld)
        try column("lost", &lost)
        try column("discarded", &discarded)
        try column("evicted", &evicted)
        try column("declined", &declined)
        try column("parked", &parked)
        try column("stale", &stale)
    }
}

extension LaunchRow {
    /// How many sessions had an outcome (S-40).
    package subscript(outcome: LaunchOutcome) -> Int64 {
        get { self[keyPath: Self.column(of: outcome)] }
        set { self[keyPath: Self.column(of: outcome)] = newValue }
    }

    private static func column(of outcome: LaunchOutcome) -> WritableKeyPath<Self, Int64> {
        switch outcome {
        case .restored: \.restored
        case .held: \.held
        case .withheld: \.withheld
        case .lost: \.lost
        case .discarded: \.discarded
        case .evicted: \.evicted
        case .declined: \.declined
        case .parked: \.parked
        case .stale: \.stale
        }
    }
}

/// A session that a launch did not simply restore.
package struct LaunchExceptionRow: StoredRow {
    package static let table = StoreTable.launchException
    package static let description = TableDescription("launch_exception", of: Self.self)
    package static var blank: Self { Self() }
    package static let owner: RowOwner? = RowOwner(
        table: "launch", condition: "launch.number = launch_exception.launch")

    package var id: Int64 = 0
    package var launch: Int64 = 0
    package var sessionIdentifier = ""
    package var outcome = ""
    package var reason = ""
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("launch", &launch, [.fixed, .counter])
        try column("session_identifier", &sessionIdentifier, .fixed)
        try column("outcome", &outcome, .fixed)
        try column("reason", &reason, .fixed)
    }
}

/// An entry of the journal.
package struct EventRow: StoredRow {
    package static let table = StoreTable.event
    package static let description = TableDescription("event", of: Self.self)
    /// Inserts as many entries as ``batch`` says.
    static let insertBatch = description.insert(rows: batch)
    static let batch = 8
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var serial: Int64 = 0
    package var generation: Int64 = 0
    package var launch: Int64 = 0
    package var happenedAt: Int64 = 0
    package var kind = ""
    package var sessionIdentifier: String?
    package var detail: String?
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, .counter)
        try column("serial", &serial, .counter)
        try column("generation", &generation, .counter)
        try column("launch", &launch, .counter)
        try column("happened_at", &happenedAt)
        try column("kind", &kind)
        try column("session_identifier", &sessionIdentifier)
        try column("detail", &detail)
    }
}

/// A payload of the inbox; the payload itself follows.
package struct InboxRow: PayloadRow {
    package static let table = StoreTable.inbox
    package static let description = TableDescription("inbox", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var sessionIdentifier: String?
    package var dedupeKey: String?
    package var isDone = false
    package var offeredLaunch: Int64 = 0
    package var offeredCount: Int64 = 0
    package var receivedLaunch: Int64 = 0
    package var receivedAt: Int64 = 0
    package var generation: Int64 = 0
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, [.fixed, .counter])
        try column("session_identifier", &sessionIdentifier, .fixed)
        try column("dedupe_key", &dedupeKey, .fixed)
        try column("is_done", &isDone)
        try column("offered_launch", &offeredLaunch, .counter)
        try column("offered_count", &offeredCount, .counter)
        try column("received_launch", &receivedLaunch, [.fixed, .counter])
        try column("received_at", &receivedAt, .fixed)
        try column("generation", &generation, [.fixed, .counter])
        try column("content_hash", &contentHash)
    }
}

/// A saved activity; the payload follows.
package struct SavedActivityRow: PayloadRow {
    package static let table = StoreTable.savedActivity
    package static let description = TableDescription("saved_activity", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var persistentIdentifier: String?
    package var activityType = ""
    package var savedAt: Int64 = 0
    package var generation: Int64 = 0
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, [.fixed, .counter])
        try column("persistent_identifier", &persistentIdentifier, .fixed)
        try column("activity_type", &activityType, .fixed)
        try column("saved_at", &savedAt)
        try column("generation", &generation, .counter)
        try column("content_hash", &contentHash)
    }
}

/// A row that was set aside; its columns follow as the payload.
package struct QuarantinedRow: PayloadRow {
    package static let table = StoreTable.quarantinedRow
    package static let description = TableDescription("quarantined_row", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var tableName = ""
    package var rowID: Int64 = 0
    package var reason = ""
    package var foundAt: Int64 = 0
    package var generation: Int64 = 0
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, [.fixed, .counter])
        try column("table_name", &tableName, .fixed)
        try column("row_id", &rowID, .fixed)
        try column("reason", &reason, .fixed)
        try column("found_at", &foundAt, .fixed)
        try column("generation", &generation, [.fixed, .counter])
        try column("content_hash", &contentHash)
    }
}
