import SceneStoreValues

/// The store's own row, the migrations, and what sessions share.
extension Queries {
    /// The one row of the store.
    package static let store: StaticString = """
        SELECT
            uuid,
            container_epoch,
            owner_epoch,
            generation,
            last_id,
            open_count,
            open_digest,
            row_digest,
            event_count,
            launch_number,
            launch_state,
            restoring_session,
            erasure_pending,
            features_ignorable,
            features_read_only,
            features_required,
            app_identifier,
            written_by,
            created_at,
            checksum
        FROM store WHERE id = 1
        """

    /// The one row of a new store.
    static let insertStore: StaticString = """
        INSERT INTO store (
            id,
            uuid,
            container_epoch,
            owner_epoch,
            generation,
            last_id,
            open_count,
            open_digest,
            row_digest,
            event_count,
            launch_number,
            launch_state,
            restoring_session,
            erasure_pending,
            features_ignorable,
            features_read_only,
            features_required,
            app_identifier,
            written_by,
            created_at,
            checksum
        ) VALUES (
            1,
            :uuid,
            :container_epoch,
            :owner_epoch,
            :generation,
            :last_id,
            :open_count,
            :open_digest,
            :row_digest,
            :event_count,
            :launch_number,
            :launch_state,
            :restoring_session,
            :erasure_pending,
            :features_ignorable,
            :features_read_only,
            :features_required,
            :app_identifier,
            :written_by,
            :created_at,
            :checksum
        )
        """

    /// The fence of each transaction: it changes the row only while nobody else has.
    package static let updateStore: StaticString = """
        UPDATE store SET
            container_epoch = :container_epoch,
            owner_epoch = :owner_epoch,
            generation = :generation,
            last_id = :last_id,
            open_count = :open_count,
            open_digest = :open_digest,
            row_digest = :row_digest,
            event_count = :event_count,
            launch_number = :launch_number,
            launch_state = :launch_state,
            restoring_session = :restoring_session,
            erasure_pending = :erasure_pending,
            written_by = :written_by,
            checksum = :checksum
        WHERE id = 1 AND owner_epoch = :expected_owner_epoch AND generation = :expected_generation
        """

    /// Which migrations ran.
    package static let migrations: StaticString = """
        SELECT
            number,
            name,
            text_checksum,
            applied_at,
            checksum
        FROM migration ORDER BY number
        """

    /// Records a migration.
    static let insertMigration: StaticString = """
        INSERT INTO migration (
            number,
            name,
            text_checksum,
            applied_at,
            checksum
        ) VALUES (
            :number,
            :name,
            :text_checksum,
            :applied_at,
            :checksum
        )
        """

    /// The text of the schema, in the order in which it was made.
    package static let schema: StaticString = """
        SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid
        """

    /// One configuration.
    package static let configuration: StaticString = """
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

    /// All configurations.
    package static let configurations: StaticString = """
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
        FROM configuration WHERE epoch = :epoch ORDER BY id
        """

    /// A new configuration.
    package static let insertConfiguration: StaticString = """
        INSERT INTO configuration (
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
        ) VALUES (
            :id,
            :epoch,
            :role,
            :name,
            :scene_class,
            :delegate_class,
            :storyboard,
            :immersion_style,
            :resolution,
            :open_sessions,
            :checksum
        )
        """

    /// What a configuration holds, and how many open sessions remember it.
    static let updateConfiguration: StaticString = """
        UPDATE configuration SET
            name = :name,
            scene_class = :scene_class,
            delegate_class = :delegate_class,
            storyboard = :storyboard,
            immersion_style = :immersion_style,
            resolution = :resolution,
            open_sessions = :open_sessions,
            checksum = :checksum
        WHERE id = :id
        """

    /// One set of activation conditions.
    package static let conditions: StaticString = """
        SELECT
            id,
            epoch,
            content_hash,
            checksum,
            payload
        FROM conditions WHERE id = :id
        """

    /// The sets of activation conditions of a hash.
    static let conditionsByHash: StaticString = """
        SELECT
            id,
            epoch,
            content_hash,
            checksum,
            payload
        FROM conditions WHERE epoch = :epoch AND content_hash = :content_hash
        """

    /// The sets of activation conditions that no session has.
    static let unusedConditions: StaticString = """
        SELECT
            id,
            epoch,
            content_hash,
            checksum,
            payload
        FROM conditions WHERE epoch = :epoch
        AND NOT EXISTS (SELECT 1 FROM session WHERE session.conditions_id = conditions.id)
        """

    /// Removes a set of activation conditions that no session has.
    static let deleteConditions: StaticString = """
        DELETE FROM conditions WHERE id = :id
        """

    /// A new set of activation conditions.
    package static let insertConditions: StaticString = """
        INSERT INTO conditions (
            id,
            epoch,
            content_hash,
            checksum,
            payload
        ) VALUES (
            :id,
            :epoch,
            :content_hash,
            :checksum,
            :payload
        )
        """
}
