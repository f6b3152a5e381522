import SceneStoreValues

/// Upkeep: what removes rows without looking at their checksums.
extension Queries {
    /// Sessions of a container that was reset.
    static let oldSessions: StaticString = """
        SELECT id FROM session WHERE epoch <> :epoch LIMIT :limit
        """

    /// All states of a session.
    static let deleteStatesOfSession: StaticString = """
        DELETE FROM state WHERE id BETWEEN :first_id AND :last_id
        """

    /// All values of a session.
    static let deleteValuesOfSession: StaticString = """
        DELETE FROM session_value WHERE id BETWEEN :first_id AND :last_id
        """

    /// The scene storage of a session.
    static let deleteStorageOfSession: StaticString = """
        DELETE FROM scene_storage WHERE session_id = :session_id
        """

    /// Rows of `save_context` of a container that was reset.
    static let deleteOldSaveContexts: StaticString = """
        DELETE FROM save_context WHERE id IN (
            SELECT id FROM save_context WHERE epoch <> :epoch LIMIT :limit
        )
        """

    /// Rows of `discard` of a container that was reset.
    static let deleteOldDiscards: StaticString = """
        DELETE FROM discard WHERE id IN (
            SELECT id FROM discard WHERE epoch <> :epoch LIMIT :limit
        )
        """

    /// Rows of `launch` of a container that was reset.
    static let deleteOldLaunches: StaticString = """
        DELETE FROM launch WHERE number IN (
            SELECT number FROM launch WHERE epoch <> :epoch LIMIT :limit
        )
        """

    /// Rows of `event` of a container that was reset.
    static let deleteOldEvents: StaticString = """
        DELETE FROM event WHERE id IN (
            SELECT id FROM event WHERE epoch <> :epoch LIMIT :limit
        )
        """

    /// Rows of `inbox` of a container that was reset.
    static let deleteOldInboxItems: StaticString = """
        DELETE FROM inbox WHERE id IN (
            SELECT id FROM inbox WHERE epoch <> :epoch LIMIT :limit
        )
        """

    /// Rows of `saved_activity` of a container that was reset.
    static let deleteOldSavedActivities: StaticString = """
        DELETE FROM saved_activity WHERE id IN (
            SELECT id FROM saved_activity WHERE epoch <> :epoch LIMIT :limit
        )
        """

    /// Rows of `quarantined_row` of a container that was reset.
    static let deleteOldQuarantinedRows: StaticString = """
        DELETE FROM quarantined_row WHERE id IN (
            SELECT id FROM quarantined_row WHERE epoch <> :epoch LIMIT :limit
        )
        """

    /// Configurations of a container that was reset, once nothing refers to them.
    static let deleteOldConfigurations: StaticString = """
        DELETE FROM configuration WHERE epoch <> :epoch
        AND NOT EXISTS (SELECT 1 FROM session WHERE session.configuration_id = configuration.id)
        AND NOT EXISTS (SELECT 1 FROM discard WHERE discard.configuration_id = configuration.id)
        """

    /// Conditions of a container that was reset, once nothing refers to them.
    static let deleteOldConditions: StaticString = """
        DELETE FROM conditions WHERE epoch <> :epoch
        AND NOT EXISTS (SELECT 1 FROM session WHERE session.conditions_id = conditions.id)
        """

    /// Writes the whole database anew, without the bytes of deleted rows.
    static let vacuum: StaticString = """
        VACUUM
        """
}
