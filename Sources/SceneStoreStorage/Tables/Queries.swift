import SceneStoreSQLite
import SceneStoreValues

/// The statements that are more than one row's read or write by its number; ``TableDescription``
/// makes those. Each text is made once, from constants.
package enum Queries {
    // MARK: - Sessions

    /// One session by its identifier.
    package static let sessionByIdentifier = SessionRow.query(
        "WHERE identifier = :identifier AND epoch = :epoch")

    /// The sessions that were in front.
    package static let frontSessions = SessionRow.query("WHERE epoch = :epoch AND is_front = 1")

    /// The whole skeleton: a scan in the order of the rows, sorted by the reader.
    package static let openSessions = SessionRow.query(
        "NOT INDEXED WHERE epoch = :epoch AND is_open = 1")

    /// The open sessions of a configuration, the most recently active first.
    package static let openSessionsOfConfiguration = SessionRow.query(
        "WHERE configuration_id = :configuration_id AND is_open = 1 ORDER BY recency DESC")

    /// Of those, the ones without activation conditions of their own.
    package static let defaultSessionsOfConfiguration = SessionRow.query(
        """
        WHERE configuration_id = :configuration_id AND is_open = 1 AND conditions_id IS
        NULL ORDER BY recency DESC
        """)

    /// The sessions that have activation conditions of their own.
    package static let sessionsWithConditions = SessionRow.query(
        "WHERE epoch = :epoch AND conditions_id IS NOT NULL")

    /// The open sessions of a configuration that have activation conditions of their own, the most
    /// recently active first: read from the index alone.
    package static let conditionedSessionsOfConfiguration: StatementText = """
        SELECT id, recency, conditions_id FROM session WHERE configuration_id = :configuration_id
        AND is_open = 1 AND conditions_id IS NOT NULL ORDER BY recency DESC
        """

    /// The sessions that present a value of a hash.
    package static let sessionsWithValueHash = SessionRow.query(
        "WHERE epoch = :epoch AND value_hash = :value_hash AND value_hash IS NOT NULL")

    /// The sessions that are kept back or not to be remembered.
    package static let exceptionalSessions = SessionRow.query(
        """
        WHERE epoch = :epoch
        AND (crash_count > 0 OR is_held = 1 OR is_remembered = 0 OR parked > 0)
        """)

    /// The discarded sessions whose rows are still there.
    package static let closedSessions = SessionRow.query("WHERE epoch = :epoch AND is_open = 0")

    /// The same by their tombstones, for what the index leaves out.
    package static let buriedSessions = SessionRow.query(
        """
        NOT INDEXED WHERE epoch = :epoch AND is_open = 0 AND id IN (SELECT id FROM discard NOT
        INDEXED)
        """)

    // MARK: - What sessions hold and share

    /// What is known of a session's states without their payloads.
    package static let stateSlots = StateRow.query(
        "WHERE id BETWEEN :first_id AND :last_id ORDER BY generation", payload: false)

    /// The same, with the payload of one state.
    package static let statesWithCurrent = StateRow.query(
        "WHERE id BETWEEN :first_id AND :last_id", payload: false,
        extra: "CASE id WHEN :current_id THEN payload END")

    /// The saves, newest first, with the sessions' identifiers: the journal's other half.
    static let savedStates = StateRow.query(
        """
        JOIN session ON session.id = state.id >> 8 WHERE state.generation > :after AND
        state.generation <= :through AND session.epoch = :epoch ORDER BY state.generation
        DESC
        """, qualified: true, payload: false, extra: "session.identifier")

    /// All of a session's values.
    package static let sessionValues = SessionValueRow.query(
        "WHERE id BETWEEN :first_id AND :last_id")

    /// One value of scene storage.
    package static let storageValue = StorageRow.query(
        "WHERE session_id = :session_id AND key = :key")

    /// A session's scene storage.
    package static let storageValues = StorageRow.query(
        "WHERE session_id = :session_id ORDER BY key")

    /// All configurations.
    package static let configurations = ConfigurationRow.query("WHERE epoch = :epoch ORDER BY id")

    /// A configuration's role and name: read from the index alone, for a row that is damaged.
    package static let indexedConfiguration: StatementText = """
        SELECT role, name FROM configuration INDEXED BY configuration_role
        WHERE epoch = :epoch AND id = :id
        """

    /// The sets of activation conditions of a hash.
    static let conditionsByHash = ConditionsRow.query(
        "WHERE epoch = :epoch AND content_hash = :content_hash")

    /// The sets of activation conditions that no session has.
    static let unusedConditions = ConditionsRow.query(
        """
        WHERE epoch = :epoch AND NOT EXISTS (SELECT 1 FROM session WHERE
        session.conditions_id = conditions.id)
        """)

    /// What states were saved under.
    static let saveContexts = SaveContextRow.query("WHERE epoch = :epoch ORDER BY id")

    // MARK: - Discards and launches

    /// The discards that the app has not been told of, oldest first.
    package static let pendingDiscards = DiscardRow.query(
        """
        INDEXED BY discard_pending WHERE epoch = :epoch AND delivery < 2 ORDER BY
        generation, identifier
        """)

    /// All tombstones, oldest first.
    package static let discardsOldestFirst = DiscardRow.query(
        "WHERE epoch = :epoch ORDER BY generation, id")

    /// How many tombstones there are.
    static let discardCount: StatementText = "SELECT count(*) FROM discard WHERE epoch = :epoch"

    /// The launches, newest first.
    package static let launches = LaunchRow.query(
        "WHERE epoch = :epoch ORDER BY number DESC LIMIT :limit")

    /// The launches up to a number.
    static let oldLaunches = LaunchRow.query("WHERE number <= :number ORDER BY number LIMIT :limit")

    /// The exceptions in a launch's ledger.
    static let launchExceptions = LaunchExceptionRow.query("WHERE launch = :launch ORDER BY id")

    // MARK: - The journal, the inbox, saved activities

    /// The journal without the saves, newest first.
    package static let events = EventRow.query("WHERE epoch = :epoch ORDER BY serial DESC")

    /// The journal's entries in some places, the last place first.
    package static let eventPlaces = EventRow.query(
        "WHERE id BETWEEN :first_id AND :last_id ORDER BY id DESC")

    /// The sessions that were lost, of the entries in some places.
    package static let lossPlaces = EventRow.query(
        "WHERE id BETWEEN :first_id AND :last_id AND kind = 'lost' ORDER BY id")

    /// The sessions that were lost in a launch, in the order of the journal.
    static let lossEvents = EventRow.query(
        "WHERE epoch = :epoch AND launch = :launch AND kind = 'lost' ORDER BY serial")

    /// The entries that new ones write over.
    package static let eventChecksums: StatementText =
        "SELECT id, epoch, checksum FROM event WHERE id BETWEEN :first_id AND :last_id"

    /// The payloads of a key.
    package static let inboxByKey = InboxRow.query(
        "WHERE epoch = :epoch AND dedupe_key = :dedupe_key ORDER BY id")

    /// The payloads that wait, oldest first.
    package static let waitingInbox = InboxRow.query(
        "WHERE epoch = :epoch AND is_done = 0 ORDER BY id")

    /// The payloads that were acknowledged in an earlier launch.
    static let doneInbox = InboxRow.query(
        """
        WHERE epoch = :epoch AND is_done = 1 AND received_launch < :launch ORDER BY id
        LIMIT :limit
        """)

    /// The saved activities, oldest first.
    package static let savedActivities = SavedActivityRow.query("WHERE epoch = :epoch ORDER BY id")

    /// The saved activities of a name.
    static let savedActivitiesByIdentifier = SavedActivityRow.query(
        "WHERE epoch = :epoch AND persistent_identifier = :persistent_identifier")

    /// The rows that were set aside.
    package static let quarantinedRows = QuarantinedRow.query("WHERE epoch = :epoch ORDER BY id")

    // MARK: - The store itself

    /// Which migrations ran.
    package static let migrations = MigrationRow.query("ORDER BY number")

    /// The text of the schema, in the order in which it was made.
    package static let schema: StatementText =
        "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"
}

/// Upkeep: what removes rows without looking at their checksums.
extension Queries {
    /// Sessions of a container that was reset.
    static let oldSessions: StatementText =
        "SELECT id FROM session WHERE epoch <> :epoch LIMIT :limit"

    /// All states of a session.
    static let deleteStatesOfSession: StatementText =
        "DELETE FROM state WHERE id BETWEEN :first_id AND :last_id"

    /// All values of a session.
    static let deleteValuesOfSession: StatementText =
        "DELETE FROM session_value WHERE id BETWEEN :first_id AND :last_id"

    /// Rows of containers that were reset, of the tables that nothing refers to.
    static let deleteOldRows: [StatementText] = [
        StoreTable.saveContext, .discard, .launch, .event, .inbox, .savedActivity,
        .quarantinedRow,
    ].map(\.description.deleteOld)

    /// Configurations of a container that was reset, once nothing refers to them.
    static let deleteOldConfigurations: StatementText = """
        DELETE FROM configuration WHERE epoch <> :epoch
        AND NOT EXISTS (SELECT 1 FROM session WHERE session.configuration_id = configuration.id)
        AND NOT EXISTS (SELECT 1 FROM discard WHERE discard.configuration_id = configuration.id)
        """

    /// Conditions of a container that was reset, once nothing refers to them.
    static let deleteOldConditions: StatementText = """
        DELETE FROM conditions WHERE epoch <> :epoch
        AND NOT EXISTS (SELECT 1 FROM session WHERE session.conditions_id = conditions.id)
        """

    /// Content of sessions that are gone, or ephemeral (2): there is none, unless it is damaged. The
    /// sessions are scanned: a damaged page finds a session by its number no more, and it is there.
    static let absentContent: [(StoreTable, StatementText)] = [
        (
            .state,
            """
            SELECT id FROM state WHERE id >> 8 NOT IN
            (SELECT id FROM session NOT INDEXED WHERE privacy <> 2)
            """
        ),
        (
            .sessionValue,
            """
            SELECT id FROM session_value WHERE id >> 8 NOT IN
            (SELECT id FROM session NOT INDEXED WHERE privacy <> 2)
            AND (id & 255 IN (1, 2, 4, 7) OR id >> 8 NOT IN
            (SELECT id FROM session NOT INDEXED WHERE privacy = 2))
            """
        ),
        (
            .sceneStorage,
            """
            SELECT id FROM scene_storage WHERE session_id NOT IN
            (SELECT id FROM session NOT INDEXED WHERE privacy <> 2)
            """
        ),
    ]

    /// Sessions that their states contradict: one was saved after the session's row was
    /// written, or the current one is not what the session binds.
    static let contradictedSessions: StatementText = """
        SELECT session.id FROM state JOIN session ON session.id = state.id >> 8
        WHERE session.epoch = :epoch AND state.generation > session.generation
        UNION
        SELECT session.id FROM session LEFT JOIN state ON state.id = session.state_id
        WHERE session.epoch = :epoch AND session.state_id IS NOT NULL
        AND (state.id IS NULL OR session.state_checksum IS NOT state.checksum)
        """

    /// Writes the whole database anew, without the bytes of deleted rows.
    package static let vacuum: StatementText = "VACUUM"
}
