import SceneStoreValues

/// Whole tables, for the check in the background; each can be taken up again behind a row.
extension Queries {
    /// Every row of `configuration` behind a number.
    package static let scanConfigurations: StaticString = """
        SELECT
            id,
            epoch,
            role,
            name,
            scene_class,
            delegate_class,
            storyboard,
            immersion_style,
            resolution,
            open_sessions,
            checksum
        FROM configuration WHERE id > :after AND epoch = :epoch
        ORDER BY id
        """

    /// Every row of `conditions` behind a number.
    package static let scanConditions: StaticString = """
        SELECT
            id,
            epoch,
            content_hash,
            checksum,
            payload
        FROM conditions WHERE id > :after AND epoch = :epoch
        ORDER BY id
        """

    /// Every row of `session` behind a number.
    package static let scanSessions: StaticString = """
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
        FROM session WHERE id > :after AND epoch = :epoch
        ORDER BY id
        """

    /// Every row of `save_context` behind a number.
    package static let scanSaveContexts: StaticString = """
        SELECT
            id,
            epoch,
            app_version,
            system_version,
            idiom,
            checksum
        FROM save_context WHERE id > :after AND epoch = :epoch
        ORDER BY id
        """

    /// Every row of `discard` behind a number.
    package static let scanDiscards: StaticString = """
        SELECT
            id,
            epoch,
            identifier,
            configuration_id,
            cause,
            delivery,
            offered_launch,
            discarded_at,
            generation,
            checksum
        FROM discard WHERE id > :after AND epoch = :epoch
        ORDER BY id
        """

    /// Every row of `launch` behind a number.
    package static let scanLaunches: StaticString = """
        SELECT
            number,
            epoch,
            reason,
            started_at,
            ended_at,
            ended_how,
            context_id,
            boot_identifier,
            process_identifier,
            generation,
            expected,
            restored,
            held,
            withheld,
            lost,
            discarded,
            evicted,
            declined,
            checksum
        FROM launch WHERE number > :after AND epoch = :epoch
        ORDER BY number
        """

    /// Every row of `event` behind a number.
    package static let scanEvents: StaticString = """
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
        FROM event WHERE id > :after AND epoch = :epoch
        ORDER BY id
        """

    /// Every row of `inbox` behind a number.
    package static let scanInbox: StaticString = """
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
        FROM inbox WHERE id > :after AND epoch = :epoch
        ORDER BY id
        """

    /// Every row of `saved_activity` behind a number.
    package static let scanSavedActivities: StaticString = """
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
        FROM saved_activity WHERE id > :after AND epoch = :epoch
        ORDER BY id
        """

    /// Every row of `quarantined_row` behind a number.
    package static let scanQuarantinedRows: StaticString = """
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
        FROM quarantined_row WHERE id > :after AND epoch = :epoch
        ORDER BY id
        """

    /// Every row of `state` behind a number.
    package static let scanStates: StaticString = """
        SELECT
            state.id,
            state.generation,
            state.saved_at,
            state.context_id,
            state.activity_type,
            state.content_hash,
            state.byte_count,
            state.checksum,
            state.payload
        FROM state JOIN session ON session.id = state.id >> 8
        WHERE state.id > :after AND session.epoch = :epoch
        ORDER BY state.id
        """

    /// Every row of `session_value` behind a number.
    package static let scanSessionValues: StaticString = """
        SELECT
            session_value.id,
            session_value.content_hash,
            session_value.checksum,
            session_value.payload
        FROM session_value JOIN session ON session.id = session_value.id >> 8
        WHERE session_value.id > :after AND session.epoch = :epoch
        ORDER BY session_value.id
        """

    /// Every row of `scene_storage` behind a number.
    package static let scanStorage: StaticString = """
        SELECT
            scene_storage.id,
            scene_storage.session_id,
            scene_storage.key,
            scene_storage.content_hash,
            scene_storage.checksum,
            scene_storage.payload
        FROM scene_storage JOIN session ON session.id = scene_storage.session_id
        WHERE scene_storage.id > :after AND session.epoch = :epoch
        ORDER BY scene_storage.id
        """

    /// Every row of `launch_exception` behind a number.
    package static let scanLaunchExceptions: StaticString = """
        SELECT
            launch_exception.id,
            launch_exception.launch,
            launch_exception.session_identifier,
            launch_exception.outcome,
            launch_exception.reason,
            launch_exception.checksum
        FROM launch_exception JOIN launch ON launch.number = launch_exception.launch
        WHERE launch_exception.id > :after AND launch.epoch = :epoch
        ORDER BY launch_exception.id
        """
}
