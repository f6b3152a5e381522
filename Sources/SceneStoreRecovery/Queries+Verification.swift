import SceneStoreStorage
import SceneStoreValues

/// What verification asks for beside the checksums: each answers the number of a row that is not as
/// it should be, and the session it belongs to, if it belongs to one.
///
/// `NOT INDEXED` where an index would hide what it does not know.
extension Queries {
    /// How many rows each table has that is verified; to say how far a check is.
    static let rowCounts: StaticString = """
        SELECT 'session', count(*) FROM session
        UNION ALL
        SELECT 'configuration', count(*) FROM configuration
        UNION ALL
        SELECT 'conditions', count(*) FROM conditions
        UNION ALL
        SELECT 'save_context', count(*) FROM save_context
        UNION ALL
        SELECT 'state', count(*) FROM state
        UNION ALL
        SELECT 'session_value', count(*) FROM session_value
        UNION ALL
        SELECT 'scene_storage', count(*) FROM scene_storage
        UNION ALL
        SELECT 'discard', count(*) FROM discard
        UNION ALL
        SELECT 'launch', count(*) FROM launch
        UNION ALL
        SELECT 'launch_exception', count(*) FROM launch_exception
        UNION ALL
        SELECT 'event', count(*) FROM event
        UNION ALL
        SELECT 'inbox', count(*) FROM inbox
        UNION ALL
        SELECT 'saved_activity', count(*) FROM saved_activity
        UNION ALL
        SELECT 'quarantined_row', count(*) FROM quarantined_row
        """

    static let sessionsWithoutConfiguration: StaticString = """
        SELECT session.id, session.identifier
        FROM session JOIN store ON session.epoch = store.container_epoch
        LEFT JOIN configuration ON configuration.id = session.configuration_id
            AND configuration.epoch = session.epoch
        WHERE configuration.id IS NULL
        LIMIT 100
        """

    static let sessionsWithoutConditions: StaticString = """
        SELECT session.id, session.identifier
        FROM session JOIN store ON session.epoch = store.container_epoch
        LEFT JOIN conditions ON conditions.id = session.conditions_id
        WHERE session.conditions_id IS NOT NULL AND conditions.id IS NULL
        LIMIT 100
        """

    static let sessionsWithoutState: StaticString = """
        SELECT session.id, session.identifier
        FROM session JOIN store ON session.epoch = store.container_epoch
        LEFT JOIN state ON state.id = session.state_id
        WHERE session.state_id IS NOT NULL AND state.id IS NULL
        LIMIT 100
        """

    static let sessionsWithForeignState: StaticString = """
        SELECT session.id, session.identifier
        FROM session JOIN store ON session.epoch = store.container_epoch
        WHERE session.state_id IS NOT NULL AND session.state_id >> 8 <> session.id
        LIMIT 100
        """

    static let statesOfOneGeneration: StaticString = """
        SELECT max(state.id), session.identifier
        FROM state JOIN session ON session.id = state.id >> 8
        JOIN store ON session.epoch = store.container_epoch
        GROUP BY state.id >> 8, state.generation HAVING count(*) > 1
        LIMIT 100
        """

    static let equalIdentifiers: StaticString = """
        SELECT max(session.id), session.identifier
        FROM session NOT INDEXED JOIN store ON session.epoch = store.container_epoch
        GROUP BY session.identifier HAVING count(*) > 1
        LIMIT 100
        """

    static let equalStorageKeys: StaticString = """
        SELECT max(scene_storage.id), session.identifier
        FROM scene_storage NOT INDEXED
        JOIN session ON session.id = scene_storage.session_id
        GROUP BY scene_storage.session_id, scene_storage.key HAVING count(*) > 1
        LIMIT 100
        """

    package static let openAndDiscarded: StaticString = """
        SELECT session.id, session.identifier
        FROM session JOIN store ON session.epoch = store.container_epoch
        JOIN discard ON discard.id = session.id
        WHERE session.is_open = 1
        UNION
        -- The app would be told of a discard by this identifier.
        SELECT session.id, session.identifier
        FROM discard JOIN store ON discard.epoch = store.container_epoch
        JOIN session ON session.epoch = discard.epoch
            AND session.identifier = discard.identifier
        WHERE discard.delivery < 2 AND session.is_open = 1
        LIMIT 100
        """

    static let statesWithoutSession: StaticString = """
        SELECT state.id, NULL
        FROM state LEFT JOIN session ON session.id = state.id >> 8
        WHERE session.id IS NULL
        LIMIT 100
        """

    static let valuesWithoutSession: StaticString = """
        SELECT session_value.id, NULL
        FROM session_value LEFT JOIN session ON session.id = session_value.id >> 8
        WHERE session.id IS NULL
        LIMIT 100
        """

    static let storageWithoutSession: StaticString = """
        SELECT scene_storage.id, NULL
        FROM scene_storage LEFT JOIN session ON session.id = scene_storage.session_id
        WHERE session.id IS NULL
        LIMIT 100
        """

    static let statesWithoutContext: StaticString = """
        SELECT state.id, session.identifier
        FROM state JOIN session ON session.id = state.id >> 8
        JOIN store ON session.epoch = store.container_epoch
        LEFT JOIN save_context ON save_context.id = state.context_id
        WHERE save_context.id IS NULL
        LIMIT 100
        """

    static let discardsWithoutConfiguration: StaticString = """
        SELECT discard.id, discard.identifier
        FROM discard JOIN store ON discard.epoch = store.container_epoch
        LEFT JOIN configuration ON configuration.id = discard.configuration_id
        WHERE configuration.id IS NULL
        LIMIT 100
        """

    static let exceptionsWithoutLaunch: StaticString = """
        SELECT launch_exception.id, launch_exception.session_identifier
        FROM launch_exception LEFT JOIN launch ON launch.number = launch_exception.launch
        WHERE launch.number IS NULL
        LIMIT 100
        """

    static let futureSessions: StaticString = """
        SELECT session.id, session.identifier
        FROM session JOIN store ON session.epoch = store.container_epoch
        WHERE session.generation > store.generation OR session.recency > store.generation
            OR session.generation < 0 OR session.recency < 0 OR session.id > store.last_id
        LIMIT 100
        """

    static let futureStates: StaticString = """
        SELECT state.id, session.identifier
        FROM state JOIN session ON session.id = state.id >> 8
        JOIN store ON session.epoch = store.container_epoch
        WHERE state.generation > session.generation OR state.generation < 0
        LIMIT 100
        """

    static let futureDiscards: StaticString = """
        SELECT discard.id, discard.identifier
        FROM discard JOIN store ON discard.epoch = store.container_epoch
        WHERE discard.generation > store.generation OR discard.generation < 0
            OR discard.id > store.last_id
        LIMIT 100
        """

    static let futureLaunches: StaticString = """
        SELECT launch.number, NULL
        FROM launch JOIN store ON launch.epoch = store.container_epoch
        WHERE launch.generation > store.generation OR launch.number > store.launch_number
        LIMIT 100
        """

    static let futureEvents: StaticString = """
        SELECT event.id, event.session_identifier
        FROM event JOIN store ON event.epoch = store.container_epoch
        WHERE event.generation > store.generation OR event.serial > store.event_count
        LIMIT 100
        """

    /// Years that no calendar of ours writes with six digits: a clock that jumps stays below.
    package static let impossibleTimes: StaticString = """
        SELECT session.id, session.identifier
        FROM session JOIN store ON session.epoch = store.container_epoch
        WHERE max(
            abs(session.created_at / 1000), abs(session.last_active_at / 1000),
            abs(ifnull(session.saved_at, 0) / 1000)
        ) > 8640000000000
        LIMIT 100
        """

    static let wrongOpenCounts: StaticString = """
        SELECT configuration.id, NULL
        FROM configuration JOIN store ON configuration.epoch = store.container_epoch
        WHERE configuration.open_sessions <> (
            SELECT count(*) FROM session NOT INDEXED
            WHERE session.configuration_id = configuration.id AND session.is_open = 1
                AND session.epoch = configuration.epoch
        )
        LIMIT 100
        """
}
