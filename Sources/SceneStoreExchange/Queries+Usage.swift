import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// How much of a store each thing takes. Lengths of blobs are read without the blobs.
extension Queries {
    /// Of each session: its number, how many states, the bytes of all and of the current one.
    static let stateUsage: StatementText = """
        SELECT
            session.id,
            count(state.id),
            ifnull(sum(length(state.payload)), 0),
            ifnull(max(CASE WHEN state.id = session.state_id THEN length(state.payload) END), 0)
        FROM session LEFT JOIN state ON state.id BETWEEN session.id << 8 AND session.id << 8 | 255
        WHERE session.epoch = :epoch
        GROUP BY session.id
        """

    /// The bytes of the largest state.
    static let largestState: StatementText = "SELECT ifnull(max(length(payload)), 0) FROM state"

    /// Of each session: its number, how many values, their bytes.
    static let valueUsage: StatementText = """
        SELECT session_value.id >> 8, count(*), sum(length(session_value.payload))
        FROM session_value JOIN session ON session.id = session_value.id >> 8
        WHERE session.epoch = :epoch
        GROUP BY session_value.id >> 8
        """

    /// Of each session: its number, how many keys of scene storage, their bytes.
    static let storageUsage: StatementText = """
        SELECT
            scene_storage.session_id,
            count(*),
            sum(length(scene_storage.payload) + length(CAST(scene_storage.key AS BLOB)))
        FROM scene_storage JOIN session ON session.id = scene_storage.session_id
        WHERE session.epoch = :epoch
        GROUP BY scene_storage.session_id
        """

    /// How many times are after a moment, and the latest of them: of open sessions, of the last fifty
    /// launches, of discards, and of the journal, whose saves are rows of `state`. An index would lead
    /// to the rows of sessions in a random order, and read each page many times.
    static let futureTimes: StatementText = """
        SELECT count(*), ifnull(max(moment), 0)
        FROM (
            SELECT created_at AS moment FROM session NOT INDEXED
            WHERE epoch = :epoch AND is_open = 1
            UNION ALL
            SELECT last_active_at FROM session WHERE epoch = :epoch
            UNION ALL
            SELECT saved_at FROM session NOT INDEXED
            WHERE epoch = :epoch AND is_open = 1
            UNION ALL
            SELECT started_at
            FROM (SELECT * FROM launch WHERE epoch = :epoch ORDER BY number DESC LIMIT 50)
            UNION ALL
            SELECT ended_at
            FROM (SELECT * FROM launch WHERE epoch = :epoch ORDER BY number DESC LIMIT 50)
            UNION ALL
            SELECT discarded_at FROM discard WHERE epoch = :epoch
            UNION ALL
            SELECT happened_at FROM event WHERE epoch = :epoch
            UNION ALL
            SELECT state.saved_at
            FROM state JOIN session ON session.id = state.id >> 8
            WHERE session.epoch = :epoch
        )
        WHERE moment > :soon
        """

    /// Tables that belong to no session: name, rows, bytes of what varies in length.
    static let otherUsage: StatementText = """
        SELECT 'inbox', count(*), ifnull(sum(length(payload)), 0)
        FROM inbox WHERE epoch = :epoch
        UNION ALL
        SELECT 'savedActivities', count(*), ifnull(sum(length(payload)), 0)
        FROM saved_activity WHERE epoch = :epoch
        UNION ALL
        SELECT 'conditions', count(*), ifnull(sum(length(payload)), 0)
        FROM conditions WHERE epoch = :epoch
        UNION ALL
        SELECT
            'journal',
            count(*),
            ifnull(
                sum(
                    length(CAST(kind AS BLOB))
                        + ifnull(length(CAST(session_identifier AS BLOB)), 0)
                        + ifnull(length(CAST(detail AS BLOB)), 0)
                ),
                0
            )
        FROM event WHERE epoch = :epoch
        UNION ALL
        SELECT 'launches', count(*), 0 FROM launch WHERE epoch = :epoch
        UNION ALL
        SELECT 'tombstones', count(*), ifnull(sum(length(CAST(identifier AS BLOB))), 0)
        FROM discard WHERE epoch = :epoch
        UNION ALL
        SELECT 'quarantinedRows', count(*), ifnull(sum(length(payload)), 0)
        FROM quarantined_row
        """

    /// How many rows were set aside.
    static let quarantinedCount: StatementText = "SELECT count(*) FROM quarantined_row"

    /// The current states of all sessions, with the session's number.
    static let currentStates = StateRow.query(
        """
        JOIN session ON state.id = session.state_id
        WHERE session.epoch = :epoch ORDER BY state.id
        """, qualified: true)
}
