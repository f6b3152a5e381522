import SceneStoreValues

/// The journal, the inbox, saved activities and what was set aside.
extension Queries {
    /// The journal without the saves, newest first.
    package static let events: StaticString = """
        SELECT
            id,
            epoch,
            serial,
            generation,
            launch,
            happened_at,
            kind,
            session_identifier,
            detail,
            checksum
        FROM event WHERE epoch = :epoch ORDER BY serial DESC
        """

    /// The sessions that were lost in a launch, in the order of the journal.
    static let lossEvents: StaticString = """
        SELECT
            id,
            epoch,
            serial,
            generation,
            launch,
            happened_at,
            kind,
            session_identifier,
            detail,
            checksum
        FROM event
        WHERE epoch = :epoch AND launch = :launch AND kind = 'lost' ORDER BY serial
        """

    /// The entry that a new one writes over.
    package static let eventChecksum: StaticString = """
        SELECT epoch, checksum FROM event WHERE id = :id
        """

    /// An entry in a free place of the ring.
    package static let insertEvent: StaticString = """
        INSERT INTO event (
            id,
            epoch,
            serial,
            generation,
            launch,
            happened_at,
            kind,
            session_identifier,
            detail,
            checksum
        ) VALUES (
            :id,
            :epoch,
            :serial,
            :generation,
            :launch,
            :happened_at,
            :kind,
            :session_identifier,
            :detail,
            :checksum
        )
        """

    /// An entry in the place of the oldest.
    static let updateEvent: StaticString = """
        UPDATE event SET
            epoch = :epoch,
            serial = :serial,
            generation = :generation,
            launch = :launch,
            happened_at = :happened_at,
            kind = :kind,
            session_identifier = :session_identifier,
            detail = :detail,
            checksum = :checksum
        WHERE id = :id
        """

    /// The saves, newest first: the journal's other half.
    static let savedStates: StaticString = """
        SELECT
            state.id,
            state.generation,
            state.saved_at,
            state.context_id,
            state.activity_type,
            state.content_hash,
            state.byte_count,
            state.checksum,
            session.identifier
        FROM state JOIN session ON session.id = state.id >> 8
        WHERE state.generation > :after AND state.generation <= :through
            AND session.epoch = :epoch
        ORDER BY state.generation DESC
        """

    /// One payload of the inbox.
    static let inboxItem: StaticString = """
        SELECT
            id,
            epoch,
            session_identifier,
            dedupe_key,
            is_done,
            offered_launch,
            offered_count,
            received_launch,
            received_at,
            generation,
            content_hash,
            checksum,
            payload
        FROM inbox WHERE id = :id
        """

    /// The payloads of a key.
    package static let inboxByKey: StaticString = """
        SELECT
            id,
            epoch,
            session_identifier,
            dedupe_key,
            is_done,
            offered_launch,
            offered_count,
            received_launch,
            received_at,
            generation,
            content_hash,
            checksum,
            payload
        FROM inbox WHERE epoch = :epoch AND dedupe_key = :dedupe_key ORDER BY id
        """

    /// The payloads that wait, oldest first.
    package static let waitingInbox: StaticString = """
        SELECT
            id,
            epoch,
            session_identifier,
            dedupe_key,
            is_done,
            offered_launch,
            offered_count,
            received_launch,
            received_at,
            generation,
            content_hash,
            checksum,
            payload
        FROM inbox WHERE epoch = :epoch AND is_done = 0 ORDER BY id
        """

    /// The payloads that were acknowledged in an earlier launch.
    static let doneInbox: StaticString = """
        SELECT
            id,
            epoch,
            session_identifier,
            dedupe_key,
            is_done,
            offered_launch,
            offered_count,
            received_launch,
            received_at,
            generation,
            content_hash,
            checksum,
            payload
        FROM inbox
        WHERE epoch = :epoch AND is_done = 1 AND received_launch < :launch ORDER BY id LIMIT :limit
        """

    /// A new payload.
    package static let insertInboxItem: StaticString = """
        INSERT INTO inbox (
            id,
            epoch,
            session_identifier,
            dedupe_key,
            is_done,
            offered_launch,
            offered_count,
            received_launch,
            received_at,
            generation,
            content_hash,
            checksum,
            payload
        ) VALUES (
            :id,
            :epoch,
            :session_identifier,
            :dedupe_key,
            :is_done,
            :offered_launch,
            :offered_count,
            :received_launch,
            :received_at,
            :generation,
            :content_hash,
            :checksum,
            :payload
        )
        """

    /// How far a payload has come.
    static let updateInboxItem: StaticString = """
        UPDATE inbox SET
            is_done = :is_done,
            offered_launch = :offered_launch,
            offered_count = :offered_count,
            content_hash = :content_hash,
            checksum = :checksum,
            payload = :payload
        WHERE id = :id
        """

    /// Removes a payload.
    static let deleteInboxItem: StaticString = """
        DELETE FROM inbox WHERE id = :id
        """

    /// The saved activities, oldest first.
    package static let savedActivities: StaticString = """
        SELECT
            id,
            epoch,
            persistent_identifier,
            activity_type,
            saved_at,
            generation,
            content_hash,
            checksum,
            payload
        FROM saved_activity WHERE epoch = :epoch ORDER BY id
        """

    /// The saved activities of a name.
    static let savedActivitiesByIdentifier: StaticString = """
        SELECT
            id,
            epoch,
            persistent_identifier,
            activity_type,
            saved_at,
            generation,
            content_hash,
            checksum,
            payload
        FROM saved_activity
        WHERE epoch = :epoch AND persistent_identifier = :persistent_identifier
        """

    /// A new saved activity.
    package static let insertSavedActivity: StaticString = """
        INSERT INTO saved_activity (
            id,
            epoch,
            persistent_identifier,
            activity_type,
            saved_at,
            generation,
            content_hash,
            checksum,
            payload
        ) VALUES (
            :id,
            :epoch,
            :persistent_identifier,
            :activity_type,
            :saved_at,
            :generation,
            :content_hash,
            :checksum,
            :payload
        )
        """

    /// Removes a saved activity.
    static let deleteSavedActivity: StaticString = """
        DELETE FROM saved_activity WHERE id = :id
        """

    /// A row that was set aside.
    package static let insertQuarantinedRow: StaticString = """
        INSERT INTO quarantined_row (
            id,
            epoch,
            table_name,
            row_id,
            reason,
            found_at,
            generation,
            content_hash,
            checksum,
            payload
        ) VALUES (
            :id,
            :epoch,
            :table_name,
            :row_id,
            :reason,
            :found_at,
            :generation,
            :content_hash,
            :checksum,
            :payload
        )
        """

    /// The rows that were set aside.
    package static let quarantinedRows: StaticString = """
        SELECT
            id,
            epoch,
            table_name,
            row_id,
            reason,
            found_at,
            generation,
            content_hash,
            checksum,
            payload
        FROM quarantined_row WHERE epoch = :epoch ORDER BY id
        """
}
