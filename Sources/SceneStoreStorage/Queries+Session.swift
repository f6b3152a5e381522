import SceneStoreValues

/// The skeleton.
extension Queries {
    /// One session by its row.
    package static let session: StaticString = """
        SELECT
            id,
            identifier,
            epoch,
            configuration_id,
            is_open,
            is_front,
            recency,
            state_id,
            crash_count,
            flags,
            conditions_id,
            value_hash,
            created_at,
            last_active_at,
            saved_at,
            generation,
            checksum
        FROM session WHERE id = :id
        """

    /// One session by its identifier.
    package static let sessionByIdentifier: StaticString = """
        SELECT
            id,
            identifier,
            epoch,
            configuration_id,
            is_open,
            is_front,
            recency,
            state_id,
            crash_count,
            flags,
            conditions_id,
            value_hash,
            created_at,
            last_active_at,
            saved_at,
            generation,
            checksum
        FROM session WHERE identifier = :identifier AND epoch = :epoch
        """

    /// The sessions that were in front.
    package static let frontSessions: StaticString = """
        SELECT
            id,
            identifier,
            epoch,
            configuration_id,
            is_open,
            is_front,
            recency,
            state_id,
            crash_count,
            flags,
            conditions_id,
            value_hash,
            created_at,
            last_active_at,
            saved_at,
            generation,
            checksum
        FROM session WHERE epoch = :epoch AND is_front = 1
        """

    /// The whole skeleton: a scan in the order of the rows, sorted by the reader.
    package static let openSessions: StaticString = """
        SELECT
            id,
            identifier,
            epoch,
            configuration_id,
            is_open,
            is_front,
            recency,
            state_id,
            crash_count,
            flags,
            conditions_id,
            value_hash,
            created_at,
            last_active_at,
            saved_at,
            generation,
            checksum
        FROM session NOT INDEXED WHERE epoch = :epoch AND is_open = 1
        """

    /// The open sessions of a configuration, the most recently active first.
    package static let openSessionsOfConfiguration: StaticString = """
        SELECT
            id,
            identifier,
            epoch,
            configuration_id,
            is_open,
            is_front,
            recency,
            state_id,
            crash_count,
            flags,
            conditions_id,
            value_hash,
            created_at,
            last_active_at,
            saved_at,
            generation,
            checksum
        FROM session
        WHERE configuration_id = :configuration_id AND is_open = 1
        ORDER BY recency DESC
        """

    /// Of those, the ones without activation conditions of their own.
    package static let defaultSessionsOfConfiguration: StaticString = """
        SELECT
            id,
            identifier,
            epoch,
            configuration_id,
            is_open,
            is_front,
            recency,
            state_id,
            crash_count,
            flags,
            conditions_id,
            value_hash,
            created_at,
            last_active_at,
            saved_at,
            generation,
            checksum
        FROM session
        WHERE configuration_id = :configuration_id AND is_open = 1 AND conditions_id IS NULL
        ORDER BY recency DESC
        """

    /// The sessions that have activation conditions of their own.
    package static let sessionsWithConditions: StaticString = """
        SELECT
            id,
            identifier,
            epoch,
            configuration_id,
            is_open,
            is_front,
            recency,
            state_id,
            crash_count,
            flags,
            conditions_id,
            value_hash,
            created_at,
            last_active_at,
            saved_at,
            generation,
            checksum
        FROM session WHERE epoch = :epoch AND conditions_id IS NOT NULL
        """

    /// The sessions that present a value of a hash.
    package static let sessionsWithValueHash: StaticString = """
        SELECT
            id,
            identifier,
            epoch,
            configuration_id,
            is_open,
            is_front,
            recency,
            state_id,
            crash_count,
            flags,
            conditions_id,
            value_hash,
            created_at,
            last_active_at,
            saved_at,
            generation,
            checksum
        FROM session WHERE epoch = :epoch AND value_hash = :value_hash AND value_hash IS NOT NULL
        """

    /// The sessions that a process died restoring, and those not to be remembered.
    package static let exceptionalSessions: StaticString = """
        SELECT
            id,
            identifier,
            epoch,
            configuration_id,
            is_open,
            is_front,
            recency,
            state_id,
            crash_count,
            flags,
            conditions_id,
            value_hash,
            created_at,
            last_active_at,
            saved_at,
            generation,
            checksum
        FROM session
        WHERE epoch = :epoch AND (crash_count > 0 OR flags & 4 <> 0)
        """

    /// The discarded sessions whose rows are still there.
    package static let closedSessions: StaticString = """
        SELECT
            id,
            identifier,
            epoch,
            configuration_id,
            is_open,
            is_front,
            recency,
            state_id,
            crash_count,
            flags,
            conditions_id,
            value_hash,
            created_at,
            last_active_at,
            saved_at,
            generation,
            checksum
        FROM session WHERE epoch = :epoch AND is_open = 0
        """

    /// A new session.
    package static let insertSession: StaticString = """
        INSERT INTO session (
            id,
            identifier,
            epoch,
            configuration_id,
            is_open,
            is_front,
            recency,
            state_id,
            crash_count,
            flags,
            conditions_id,
            value_hash,
            created_at,
            last_active_at,
            saved_at,
            generation,
            checksum
        ) VALUES (
            :id,
            :identifier,
            :epoch,
            :configuration_id,
            :is_open,
            :is_front,
            :recency,
            :state_id,
            :crash_count,
            :flags,
            :conditions_id,
            :value_hash,
            :created_at,
            :last_active_at,
            :saved_at,
            :generation,
            :checksum
        )
        """

    /// Everything about a session that can change.
    static let updateSession: StaticString = """
        UPDATE session SET
            configuration_id = :configuration_id,
            is_open = :is_open,
            is_front = :is_front,
            recency = :recency,
            state_id = :state_id,
            crash_count = :crash_count,
            flags = :flags,
            conditions_id = :conditions_id,
            value_hash = :value_hash,
            last_active_at = :last_active_at,
            saved_at = :saved_at,
            generation = :generation,
            checksum = :checksum
        WHERE id = :id
        """

    /// What a save changes; no index has any of it.
    package static let updateSessionState: StaticString = """
        UPDATE session SET
            state_id = :state_id,
            saved_at = :saved_at,
            generation = :generation,
            checksum = :checksum
        WHERE id = :id
        """

    /// What a mark changes.
    package static let updateSessionMarks: StaticString = """
        UPDATE session SET
            is_front = :is_front,
            recency = :recency,
            last_active_at = :last_active_at,
            generation = :generation,
            checksum = :checksum
        WHERE id = :id
        """

    /// Removes a session's row.
    package static let deleteSession: StaticString = """
        DELETE FROM session WHERE id = :id
        """
}
