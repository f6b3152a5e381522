import SceneStoreSQLite
import SceneStoreValues

/// Upkeep: what removes rows without looking at their checksums.
extension Queries {
    /// Sessions of a container that was reset.
    static let oldSessions: StatementText = """
        SELECT id FROM session WHERE epoch <> :epoch LIMIT :limit
        """

    /// All states of a session.
    static let deleteStatesOfSession: StatementText = """
        DELETE FROM state WHERE id BETWEEN :first_id AND :last_id
        """

    /// All values of a session.
    static let deleteValuesOfSession: StatementText = """
        DELETE FROM session_value WHERE id BETWEEN :first_id AND :last_id
        """

    /// The scene storage of a session.
    static let deleteStorageOfSession: StatementText = """
        DELETE FROM scene_storage WHERE session_id = :session_id
        """

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
    static let vacuum: StatementText = """
        VACUUM
        """
}
