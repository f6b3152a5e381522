import SceneStoreSQLite
import SceneStoreValues

/// A migration that ran.
package struct MigrationRow: StoredRow {
    package static let description = TableDescription(.migration, "migration", of: Self())
    package static var blank: Self { Self() }

    package var id: Int64 { number }
    package var number: Int64 = 0
    package var name = ""
    package var textChecksum: Int64 = 0
    var appliedAt: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit(_ column: inout ColumnPass) {
        column("number", &number)
        column("name", &name)
        column("text_checksum", &textChecksum)
        column("applied_at", &appliedAt)
    }
}

/// A configuration that sessions remember.
package struct ConfigurationRow: StoredRow {
    package static let description = TableDescription(.configuration, "configuration", of: Self())
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

    package mutating func visit(_ column: inout ColumnPass) {
        column("id", &id)
        column("epoch", &epoch, .counter)
        column("role", &role)
        column("name", &name)
        column("scene_class", &sceneClass)
        column("delegate_class", &delegateClass)
        column("storyboard", &storyboard)
        column("immersion_style", &immersionStyle)
        column("resolution", &resolution)
        column("open_sessions", &openSessions, .counter)
    }
}

/// Activation conditions; the payload follows.
package struct ConditionsRow: PayloadRow {
    package static let description = TableDescription(.conditions, "conditions", of: Self())
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit(_ column: inout ColumnPass) {
        column("id", &id)
        column("epoch", &epoch, .counter)
        column("content_hash", &contentHash)
    }
}

/// What states were saved under, and what the last launch under it declared (S-43).
package struct SaveContextRow: StoredRow {
    package static let description = TableDescription(.saveContext, "save_context", of: Self())
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var appVersion: String?
    package var systemVersion: String?
    package var idiom: String?
    package var declared: String?
    package var checksum: Int64 = 0

    package mutating func visit(_ column: inout ColumnPass) {
        column("id", &id)
        column("epoch", &epoch, .counter)
        column("app_version", &appVersion)
        column("system_version", &systemVersion)
        column("idiom", &idiom)
        column("declared", &declared)
    }
}

/// A state; the payload follows.
package struct StateRow: PayloadRow {
    package static let description = TableDescription(.state, "state", of: Self())
    package static var blank: Self { Self() }
    package static let join: StaticString? = "JOIN session ON session.id = state.id >> 8"

    package var id: Int64 = 0
    package var generation: Int64 = 0
    package var savedAt: Int64 = 0
    package var contextID: Int64 = 0
    package var activityType = ""
    package var contentHash: Int64 = 0
    package var byteCount: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit(_ column: inout ColumnPass) {
        column("id", &id)
        column("generation", &generation, .counter)
        column("saved_at", &savedAt)
        column("context_id", &contextID, .counter)
        column("activity_type", &activityType)
        column("content_hash", &contentHash)
        column("byte_count", &byteCount)
    }

    /// What the history's policy judges.
    package var entry: HistoryPolicy.Entry {
        (Int(id & 255), savedAt, contentHash, Int(clamping: byteCount))
    }
}

/// A value of a session; the payload follows.
package struct SessionValueRow: PayloadRow {
    package static let description = TableDescription(.sessionValue, "session_value", of: Self())
    package static var blank: Self { Self() }
    package static let join: StaticString? = "JOIN session ON session.id = session_value.id >> 8"

    package var id: Int64 = 0
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit(_ column: inout ColumnPass) {
        column("id", &id)
        column("content_hash", &contentHash)
    }
}

/// A value of scene storage; the payload follows.
package struct StorageRow: PayloadRow {
    package static let description = TableDescription(.sceneStorage, "scene_storage", of: Self())
    package static var blank: Self { Self() }
    package static let join: StaticString? = "JOIN session ON session.id = scene_storage.session_id"

    package var id: Int64 = 0
    package var sessionID: Int64 = 0
    package var key = ""
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit(_ column: inout ColumnPass) {
        column("id", &id)
        column("session_id", &sessionID, [.fixed, .counter])
        column("key", &key, .fixed)
        column("content_hash", &contentHash)
    }
}

/// The tombstone of a session.
package struct DiscardRow: StoredRow {
    package static let description = TableDescription(.discard, "discard", of: Self())
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

    package mutating func visit(_ column: inout ColumnPass) {
        column("id", &id)
        column("epoch", &epoch, [.fixed, .counter])
        column("identifier", &identifier, .fixed)
        column("configuration_id", &configurationID, [.fixed, .counter])
        column("cause", &cause, .fixed)
        column("delivery", &delivery)
        column("offered_launch", &offeredLaunch, .counter)
        column("discarded_at", &discardedAt, .fixed)
        column("generation", &generation, [.fixed, .counter])
    }
}

/// A launch and its ledger.
package struct LaunchRow: StoredRow {
    package static let description = TableDescription(.launch, "launch", of: Self())
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
    /// How many sessions had each outcome (S-40), in the order of the outcomes.
    package var counts = [Int64](repeating: 0, count: columnsOfOutcomes.count)
    var behind: String?
    package var checksum: Int64 = 0

    package mutating func visit(_ column: inout ColumnPass) {
        column("number", &number)
        column("epoch", &epoch, [.fixed, .counter])
        column("reason", &reason, .fixed)
        column("started_at", &startedAt, .fixed)
        column("ended_at", &endedAt)
        column("ended_how", &endedHow)
        column("context_id", &contextID, [.fixed, .counter])
        column("boot_identifier", &bootIdentifier, .fixed)
        column("process_identifier", &processIdentifier, .fixed)
        column("generation", &generation, [.fixed, .counter])
        column("expected", &expected)
        for index in counts.indices {
            column(Self.columnsOfOutcomes[index], &counts[index])
        }
        column("behind", &behind, .fixed)
    }

    /// In the order of ``LaunchOutcome``.
    private static let columnsOfOutcomes: [StaticString] = [
        "restored", "held", "withheld", "lost", "discarded", "evicted", "declined", "parked",
        "stale",
    ]
}

/// A session that a launch did not simply restore.
package struct LaunchExceptionRow: StoredRow {
    package static let description = TableDescription(
        .launchException, "launch_exception", of: Self())
    package static var blank: Self { Self() }
    package static let join: StaticString? =
        "JOIN launch ON launch.number = launch_exception.launch"

    package var id: Int64 = 0
    package var launch: Int64 = 0
    package var sessionIdentifier = ""
    package var outcome = ""
    package var reason = ""
    package var checksum: Int64 = 0

    package mutating func visit(_ column: inout ColumnPass) {
        column("id", &id)
        column("launch", &launch, [.fixed, .counter])
        column("session_identifier", &sessionIdentifier, .fixed)
        column("outcome", &outcome, .fixed)
        column("reason", &reason, .fixed)
    }
}

/// An entry of the journal.
package struct EventRow: StoredRow {
    package static let description = TableDescription(.event, "event", of: Self())
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

    package mutating func visit(_ column: inout ColumnPass) {
        column("id", &id)
        column("epoch", &epoch, .counter)
        column("serial", &serial, .counter)
        column("generation", &generation, .counter)
        column("launch", &launch, .counter)
        column("happened_at", &happenedAt)
        column("kind", &kind)
        column("session_identifier", &sessionIdentifier)
        column("detail", &detail)
    }
}

/// A payload of the inbox; the payload itself follows.
package struct InboxRow: PayloadRow {
    package static let description = TableDescription(.inbox, "inbox", of: Self())
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var dedupeKey: String?
    package var isDone = false
    package var offeredLaunch: Int64 = 0
    package var offeredCount: Int64 = 0
    package var receivedLaunch: Int64 = 0
    package var receivedAt: Int64 = 0
    package var generation: Int64 = 0
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit(_ column: inout ColumnPass) {
        column("id", &id)
        column("epoch", &epoch, [.fixed, .counter])
        column("dedupe_key", &dedupeKey, .fixed)
        column("is_done", &isDone)
        column("offered_launch", &offeredLaunch, .counter)
        column("offered_count", &offeredCount, .counter)
        column("received_launch", &receivedLaunch, [.fixed, .counter])
        column("received_at", &receivedAt, .fixed)
        column("generation", &generation, [.fixed, .counter])
        column("content_hash", &contentHash)
    }
}

/// A saved activity; the payload follows.
package struct SavedActivityRow: PayloadRow {
    package static let description = TableDescription(.savedActivity, "saved_activity", of: Self())
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var persistentIdentifier: String?
    package var activityType = ""
    package var savedAt: Int64 = 0
    package var generation: Int64 = 0
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit(_ column: inout ColumnPass) {
        column("id", &id)
        column("epoch", &epoch, [.fixed, .counter])
        column("persistent_identifier", &persistentIdentifier, .fixed)
        column("activity_type", &activityType, .fixed)
        column("saved_at", &savedAt)
        column("generation", &generation, .counter)
        column("content_hash", &contentHash)
    }
}

/// A row that was set aside; its columns follow as the payload.
package struct QuarantinedRow: PayloadRow {
    package static let description = TableDescription(
        .quarantinedRow, "quarantined_row", of: Self())
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

    package mutating func visit(_ column: inout ColumnPass) {
        column("id", &id)
        column("epoch", &epoch, [.fixed, .counter])
        column("table_name", &tableName, .fixed)
        column("row_id", &rowID, .fixed)
        column("reason", &reason, .fixed)
        column("found_at", &foundAt, .fixed)
        column("generation", &generation, [.fixed, .counter])
        column("content_hash", &contentHash)
    }
}

/// The kinds of values that a session may have beside its state; the low eight bits of a row of
/// `session_value`.
package enum SessionValueKind: Int64, CaseIterable {
    case userInfo = 1
    case title = 2
    case placement = 3
    case presentedValue = 4
    /// Since when the session is parked (L-18).
    case parking = 5
    /// When the current state was confirmed under another version (L-51).
    case confirmation = 6
    /// What the compositor knows the window by.
    case platformToken = 7
    /// The group that the session was closed with, and its place in it (L-48).
    case closing = 8
    /// The pinned states that the session's flags have no room for (S-51).
    case pins = 9
    /// The launch in which the session was connected without being in front, and whether it is gone
    /// (L-48).
    case behind = 10
    /// The version of the app under which a withheld state was offered again (L-52), as UTF-8.
    case offeredVersion = 11
    /// The names of configurations that the session had before its own (L-50), as an array.
    case formerNames = 12
}

/// The rows of each table.
extension StoreTable {
    /// What its rows are.
    package var rowType: any StoredRow.Type {
        switch self {
        case .store: StoreRow.self
        case .migration: MigrationRow.self
        case .configuration: ConfigurationRow.self
        case .conditions: ConditionsRow.self
        case .session: SessionRow.self
        case .saveContext: SaveContextRow.self
        case .state: StateRow.self
        case .sessionValue: SessionValueRow.self
        case .sceneStorage: StorageRow.self
        case .discard: DiscardRow.self
        case .launch: LaunchRow.self
        case .launchException: LaunchExceptionRow.self
        case .event: EventRow.self
        case .inbox: InboxRow.self
        case .savedActivity: SavedActivityRow.self
        case .quarantinedRow: QuarantinedRow.self
        }
    }

    package var description: TableDescription { Self.descriptions[Int(rawValue)] }

    /// By their numbers, so that each row of a salvage finds its table's at once.
    private static let descriptions = ([store] + allCases).map { $0.rowType.description }

    /// The name in SQL.
    package var name: String { "\(description.name)" }
}

/// The one row of the store's own table (S-25).
package struct StoreRow: StoredRow {
    package static let description = TableDescription(.store, "store", of: Self())
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
    /// How the last process that began a launch ended.
    package var launchState = PreviousProcess.End.never
    package var restoringSession: Int64?
    package var erasurePending = false
    package var featuresIgnorable: Int64 = 0
    package var featuresReadOnly: Int64 = 0
    package var featuresRequired: Int64 = 0
    package var appIdentifier: String?
    package var writtenBy = ""
    package var createdAt: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit(_ column: inout ColumnPass) {
        column("id", &id, .unsealed)
        column("uuid", &uuid, .fixed)
        column("container_epoch", &containerEpoch, .counter)
        column("owner_epoch", &ownerEpoch, .counter)
        column("generation", &generation, .counter)
        column("last_id", &lastID, .counter)
        column("open_count", &openCount, .counter)
        column("open_digest", &openDigest)
        column("row_digest", &rowDigest)
        column("event_count", &eventCount, .counter)
        column("launch_number", &launchNumber, .counter)
        var state = launchState.rawValue
        column("launch_state", &state)
        launchState = PreviousProcess.End(rawValue: state) ?? .running
        column("restoring_session", &restoringSession)
        column("erasure_pending", &erasurePending)
        column("features_ignorable", &featuresIgnorable, .fixed)
        column("features_read_only", &featuresReadOnly, .fixed)
        column("features_required", &featuresRequired, .fixed)
        column("app_identifier", &appIdentifier, .fixed)
        column("written_by", &writtenBy)
        column("created_at", &createdAt, .fixed)
    }

    /// The fence of each transaction: it changes the row only while nobody else has.
    package static let exchange = description.update(if: "owner_epoch = ? AND generation = ?")

    /// Seals the row and binds what `exchange` sets, and what it expects to find.
    mutating func writeExchange(
        to statement: borrowing Statement, _ sealer: RowSealer, expecting old: StoreRow
    ) throws(SQLiteError) {
        let index = try write(to: statement, sealer, mask: Self.exchange.mask)
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
}
