import SceneStoreValues

/// Setting damaged rows aside.
extension Queries {
    /// One row of `configuration`, whatever it holds.
    static let rawConfiguration: StaticString = """
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
        FROM configuration WHERE id = :id
        """

    /// One row of `conditions`, whatever it holds.
    static let rawConditions: StaticString = """
        SELECT
            id,
            epoch,
            content_hash,
            checksum,
            payload
        FROM conditions WHERE id = :id
        """

    /// One row of `session`, whatever it holds.
    static let rawSession: StaticString = """
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

    /// Takes a row of `session` away after it was set aside.
    static let removeSession: StaticString = """
        DELETE FROM session WHERE id = :id
        """

    /// One row of `save_context`, whatever it holds.
    static let rawSaveContext: StaticString = """
        SELECT
            id,
            epoch,
            app_version,
            system_version,
            idiom,
            checksum
        FROM save_context WHERE id = :id
        """

    /// Takes a row of `save_context` away after it was set aside.
    static let removeSaveContext: StaticString = """
        DELETE FROM save_context WHERE id = :id
        """

    /// One row of `discard`, whatever it holds.
    static let rawDiscard: StaticString = """
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
        FROM discard WHERE id = :id
        """

    /// Takes a row of `discard` away after it was set aside.
    static let removeDiscard: StaticString = """
        DELETE FROM discard WHERE id = :id
        """

    /// One row of `launch`, whatever it holds.
    static let rawLaunch: StaticString = """
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
        FROM launch WHERE number = :number
        """

    /// Takes a row of `launch` away after it was set aside.
    static let removeLaunch: StaticString = """
        DELETE FROM launch WHERE number = :number
        """

    /// One row of `event`, whatever it holds.
    static let rawEvent: StaticString = """
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
        FROM event WHERE id = :id
        """

    /// Takes a row of `event` away after it was set aside.
    static let removeEvent: StaticString = """
        DELETE FROM event WHERE id = :id
        """

    /// One row of `inbox`, whatever it holds.
    static let rawInbox: StaticString = """
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

    /// Takes a row of `inbox` away after it was set aside.
    static let removeInbox: StaticString = """
        DELETE FROM inbox WHERE id = :id
        """

    /// One row of `saved_activity`, whatever it holds.
    static let rawSavedActivity: StaticString = """
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
        FROM saved_activity WHERE id = :id
        """

    /// Takes a row of `saved_activity` away after it was set aside.
    static let removeSavedActivity: StaticString = """
        DELETE FROM saved_activity WHERE id = :id
        """

    /// One row of `quarantined_row`, whatever it holds.
    static let rawQuarantinedRow: StaticString = """
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
        FROM quarantined_row WHERE id = :id
        """

    /// Takes a row of `quarantined_row` away after it was set aside.
    static let removeQuarantinedRow: StaticString = """
        DELETE FROM quarantined_row WHERE id = :id
        """

    /// One row of `state`, whatever it holds.
    package static let rawState: StaticString = """
        SELECT
            id,
            generation,
            saved_at,
            context_id,
            activity_type,
            content_hash,
            byte_count,
            checksum,
            payload
        FROM state WHERE id = :id
        """

    /// Takes a row of `state` away after it was set aside.
    static let removeState: StaticString = """
        DELETE FROM state WHERE id = :id
        """

    /// One row of `session_value`, whatever it holds.
    static let rawSessionValue: StaticString = """
        SELECT
            id,
            content_hash,
            checksum,
            payload
        FROM session_value WHERE id = :id
        """

    /// Takes a row of `session_value` away after it was set aside.
    static let removeSessionValue: StaticString = """
        DELETE FROM session_value WHERE id = :id
        """

    /// One row of `scene_storage`, whatever it holds.
    static let rawSceneStorage: StaticString = """
        SELECT
            id,
            session_id,
            key,
            content_hash,
            checksum,
            payload
        FROM scene_storage WHERE id = :id
        """

    /// Takes a row of `scene_storage` away after it was set aside.
    static let removeSceneStorage: StaticString = """
        DELETE FROM scene_storage WHERE id = :id
        """

    /// One row of `launch_exception`, whatever it holds.
    static let rawLaunchException: StaticString = """
        SELECT
            id,
            launch,
            session_identifier,
            outcome,
            reason,
            checksum
        FROM launch_exception WHERE id = :id
        """

    /// Takes a row of `launch_exception` away after it was set aside.
    static let removeLaunchException: StaticString = """
        DELETE FROM launch_exception WHERE id = :id
        """

    /// A configuration that was lost, in its place.
    static let mendConfiguration: StaticString = """
        UPDATE configuration SET
            epoch = :epoch,
            role = :role,
            name = :name,
            scene_class = NULL,
            delegate_class = NULL,
            storyboard = NULL,
            immersion_style = NULL,
            resolution = :resolution,
            open_sessions = :open_sessions,
            checksum = :checksum
        WHERE id = :id
        """

    /// Conditions that were lost, in their place.
    static let mendConditions: StaticString = """
        UPDATE conditions SET
            epoch = :epoch,
            content_hash = :content_hash,
            checksum = :checksum,
            payload = :payload
        WHERE id = :id
        """
}
