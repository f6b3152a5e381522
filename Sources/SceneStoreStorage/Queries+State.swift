import SceneStoreValues

/// States, values and scene storage.
extension Queries {
    /// One state with its payload.
    package static let state: StaticString = """
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

    /// What is known of a session's states without their payloads.
    package static let stateSlots: StaticString = """
        SELECT
            id,
            generation,
            saved_at,
            context_id,
            activity_type,
            content_hash,
            byte_count,
            checksum
        FROM state WHERE id BETWEEN :first_id AND :last_id ORDER BY generation
        """

    /// A state in a slot that was free.
    package static let insertState: StaticString = """
        INSERT INTO state (
            id,
            generation,
            saved_at,
            context_id,
            activity_type,
            content_hash,
            byte_count,
            checksum,
            payload
        ) VALUES (
            :id,
            :generation,
            :saved_at,
            :context_id,
            :activity_type,
            :content_hash,
            :byte_count,
            :checksum,
            :payload
        )
        """

    /// A state in a slot that another one gives up.
    package static let updateState: StaticString = """
        UPDATE state SET
            generation = :generation,
            saved_at = :saved_at,
            context_id = :context_id,
            activity_type = :activity_type,
            content_hash = :content_hash,
            byte_count = :byte_count,
            checksum = :checksum,
            payload = :payload
        WHERE id = :id
        """

    /// Removes a state.
    static let deleteState: StaticString = """
        DELETE FROM state WHERE id = :id
        """

    /// What states were saved under.
    static let saveContexts: StaticString = """
        SELECT
            id,
            epoch,
            app_version,
            system_version,
            idiom,
            checksum
        FROM save_context WHERE epoch = :epoch ORDER BY id
        """

    /// What one state was saved under.
    package static let saveContext: StaticString = """
        SELECT
            id,
            epoch,
            app_version,
            system_version,
            idiom,
            checksum
        FROM save_context WHERE id = :id
        """

    /// A new context.
    package static let insertSaveContext: StaticString = """
        INSERT INTO save_context (
            id,
            epoch,
            app_version,
            system_version,
            idiom,
            checksum
        ) VALUES (
            :id,
            :epoch,
            :app_version,
            :system_version,
            :idiom,
            :checksum
        )
        """

    /// One of a session's values.
    package static let sessionValue: StaticString = """
        SELECT
            id,
            content_hash,
            checksum,
            payload
        FROM session_value WHERE id = :id
        """

    /// All of a session's values.
    package static let sessionValues: StaticString = """
        SELECT
            id,
            content_hash,
            checksum,
            payload
        FROM session_value WHERE id BETWEEN :first_id AND :last_id
        """

    /// A value that was not set before.
    package static let insertSessionValue: StaticString = """
        INSERT INTO session_value (
            id,
            content_hash,
            checksum,
            payload
        ) VALUES (
            :id,
            :content_hash,
            :checksum,
            :payload
        )
        """

    /// A value that replaces another one.
    static let updateSessionValue: StaticString = """
        UPDATE session_value SET
            content_hash = :content_hash,
            checksum = :checksum,
            payload = :payload
        WHERE id = :id
        """

    /// Removes a value.
    static let deleteSessionValue: StaticString = """
        DELETE FROM session_value WHERE id = :id
        """

    /// One value of scene storage.
    package static let storageValue: StaticString = """
        SELECT
            id,
            session_id,
            key,
            content_hash,
            checksum,
            payload
        FROM scene_storage WHERE session_id = :session_id AND key = :key
        """

    /// A session's scene storage.
    package static let storageValues: StaticString = """
        SELECT
            id,
            session_id,
            key,
            content_hash,
            checksum,
            payload
        FROM scene_storage WHERE session_id = :session_id ORDER BY key
        """

    /// A new value of scene storage.
    package static let insertStorageValue: StaticString = """
        INSERT INTO scene_storage (
            id,
            session_id,
            key,
            content_hash,
            checksum,
            payload
        ) VALUES (
            :id,
            :session_id,
            :key,
            :content_hash,
            :checksum,
            :payload
        )
        """

    /// Another value for a key of scene storage.
    static let updateStorageValue: StaticString = """
        UPDATE scene_storage SET
            content_hash = :content_hash,
            checksum = :checksum,
            payload = :payload
        WHERE id = :id
        """

    /// Removes a value of scene storage.
    static let deleteStorageValue: StaticString = """
        DELETE FROM scene_storage WHERE id = :id
        """
}
