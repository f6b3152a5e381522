import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// A question that verification asks beside the checksums. It answers the number of each row that
/// is not as it should be, and the session that the row belongs to, if there is one.
///
/// `NOT INDEXED` where an index would hide what it does not know.
struct ReferenceCheck: Sendable {
    let table: StoreTable
    let code: Diagnostic.Code
    let severity: Diagnostic.Severity
    let message: String
    let sql: StatementText

    private init(
        _ table: StoreTable, _ code: Diagnostic.Code, _ message: String,
        severity: Diagnostic.Severity = .error, _ sql: StaticString...
    ) {
        self.table = table
        self.code = code
        self.severity = severity
        self.message = message
        self.sql = StatementText(joining: sql + [" LIMIT 100"])
    }

    /// Children of the rows of another table that is gone.
    private init<Row: StoredRow>(
        orphans _: Row.Type, _ message: String, of owner: StaticString = "session",
        session: StaticString = "NULL"
    ) {
        let name = Row.description.name
        self.init(
            Row.table, .brokenReference, message, "SELECT ", name, ".id, ", session, " FROM ",
            name, " LEFT ", Row.join ?? "", " WHERE ", owner, ".rowid IS NULL")
    }

    private static let sessions: StaticString = """
        SELECT session.id, session.identifier
        FROM session JOIN store ON session.epoch = store.container_epoch

        """
    private static let states: StaticString = """
        SELECT state.id, session.identifier
        FROM state JOIN session ON session.id = state.id >> 8
        JOIN store ON session.epoch = store.container_epoch

        """
    private static let discards: StaticString = """
        SELECT discard.id, discard.identifier
        FROM discard JOIN store ON discard.epoch = store.container_epoch

        """

    static let all: [ReferenceCheck] = [
        ReferenceCheck(
            .session, .brokenReference, "its configuration is missing", sessions,
            """
            LEFT JOIN configuration ON configuration.id = session.configuration_id
                AND configuration.epoch = session.epoch
            WHERE configuration.id IS NULL
            """),
        ReferenceCheck(
            .session, .brokenReference, "its activation conditions are missing", sessions,
            """
            LEFT JOIN conditions ON conditions.id = session.conditions_id
            WHERE session.conditions_id IS NOT NULL AND conditions.id IS NULL
            """),
        ReferenceCheck(
            .session, .brokenReference, "its current state is missing", sessions,
            """
            LEFT JOIN state ON state.id = session.state_id
            WHERE session.state_id IS NOT NULL AND state.id IS NULL
            """),
        ReferenceCheck(
            .session, .stateStale, "its current state is not the one that was saved last", sessions,
            """
            JOIN state ON state.id = session.state_id
            WHERE session.state_checksum IS NOT state.checksum
            """),
        ReferenceCheck(
            .quarantinedRow, .digestMismatch,
            "rows were missing or older than recorded; quarantine/ has the file as it was",
            """
            SELECT quarantined_row.id, NULL
            FROM quarantined_row JOIN store ON quarantined_row.epoch = store.container_epoch
            WHERE quarantined_row.table_name = 'store' AND quarantined_row.reason = 'digest'
            """),
        ReferenceCheck(
            .session, .twoCurrentStates, "its current state is another session's", sessions,
            "WHERE session.state_id IS NOT NULL AND session.state_id >> 8 <> session.id"),
        ReferenceCheck(
            .state, .twoCurrentStates, "two states of a session were saved by one transaction",
            // One session at a time, because all states at once would have to be sorted.
            """
            SELECT
                (SELECT max(id) FROM state WHERE id BETWEEN session.id << 8 AND session.id << 8 | 255),
                session.identifier
            FROM session NOT INDEXED JOIN store ON session.epoch = store.container_epoch
            WHERE (
                SELECT count(*) > count(DISTINCT generation)
                FROM state
                WHERE id BETWEEN session.id << 8 AND session.id << 8 | 255
            )
            """),
        ReferenceCheck(
            .session, .duplicateRow, "another session has the same identifier",
            """
            SELECT max(session.id), session.identifier
            FROM session NOT INDEXED JOIN store ON session.epoch = store.container_epoch
            GROUP BY session.identifier HAVING count(*) > 1
            """),
        ReferenceCheck(
            .sceneStorage, .duplicateRow, "another value has the same key",
            """
            SELECT max(scene_storage.id), session.identifier
            FROM scene_storage NOT INDEXED
            JOIN session ON session.id = scene_storage.session_id
            GROUP BY scene_storage.session_id, scene_storage.key HAVING count(*) > 1
            """),
        ReferenceCheck(
            .session, .openAndDiscarded, "it is open and has a tombstone", sessions,
            """
            JOIN discard ON discard.id = session.id
            WHERE session.is_open = 1
            UNION
            -- The app would be told of a discard by this identifier.
            SELECT session.id, session.identifier
            FROM discard JOIN store ON discard.epoch = store.container_epoch
            JOIN session ON session.epoch = discard.epoch
                AND session.identifier = discard.identifier
            WHERE discard.delivery < 2 AND session.is_open = 1
            """),
        ReferenceCheck(orphans: StateRow.self, "its session is missing"),
        ReferenceCheck(orphans: SessionValueRow.self, "its session is missing"),
        ReferenceCheck(orphans: StorageRow.self, "its session is missing"),
        ReferenceCheck(
            .state, .brokenReference, "the versions that it was saved under are missing",
            severity: .note,
            states,
            "WHERE state.context_id NOT IN (SELECT id FROM save_context)"),
        ReferenceCheck(
            .discard, .brokenReference, "its configuration is missing", discards,
            """
            LEFT JOIN configuration ON configuration.id = discard.configuration_id
            WHERE configuration.id IS NULL
            """),
        ReferenceCheck(
            orphans: LaunchExceptionRow.self, "its launch is missing", of: "launch",
            session: "launch_exception.session_identifier"),
        ReferenceCheck(
            .session, .impossibleClock, "its numbers are greater than the store's", sessions,
            """
            WHERE session.generation > store.generation OR session.recency > store.generation
                OR session.generation < 0 OR session.recency < 0 OR session.id > store.last_id
            """),
        ReferenceCheck(
            .state, .impossibleClock, "its generation is beyond its session's", states,
            "WHERE state.generation > session.generation OR state.generation < 0"),
        ReferenceCheck(
            .discard, .impossibleClock, "its numbers are greater than the store's", discards,
            """
            WHERE discard.generation > store.generation OR discard.generation < 0
                OR discard.id > store.last_id
            """),
        ReferenceCheck(
            .launch, .impossibleClock, "its numbers are greater than the store's",
            """
            SELECT launch.number, NULL
            FROM launch JOIN store ON launch.epoch = store.container_epoch
            WHERE launch.generation > store.generation OR launch.number > store.launch_number
            """),
        ReferenceCheck(
            .event, .impossibleClock, "its numbers are greater than the store's",
            """
            SELECT event.id, event.session_identifier
            FROM event JOIN store ON event.epoch = store.container_epoch
            WHERE event.generation > store.generation OR event.serial > store.event_count
            """),
        // Years that no calendar of ours writes with six digits: a clock that jumps stays below.
        ReferenceCheck(
            .session, .impossibleClock, "one of its times doesn't exist",
            severity: .warning, sessions,
            """
            WHERE max(
                abs(session.created_at / 1000), abs(session.last_active_at / 1000),
                abs(ifnull(session.saved_at, 0) / 1000)
            ) > 8640000000000
            """),
        ReferenceCheck(
            .configuration, .countMismatch, "its count of open sessions is wrong",
            """
            SELECT configuration.id, NULL
            FROM configuration JOIN store ON configuration.epoch = store.container_epoch
            WHERE configuration.open_sessions <> (
                SELECT count(*) FROM session NOT INDEXED
                WHERE session.configuration_id = configuration.id AND session.is_open = 1
                    AND session.epoch = configuration.epoch
            )
            """),
    ]
}
