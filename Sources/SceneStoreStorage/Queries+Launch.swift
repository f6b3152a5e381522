import SceneStoreValues

/// Discards and launches.
extension Queries {
    /// The tombstone of a session.
    package static let discard: StaticString = """
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

    /// The discards that the app has not been told of, oldest first.
    package static let pendingDiscards: StaticString = """
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
        FROM discard INDEXED BY discard_pending
        WHERE epoch = :epoch AND delivery < 2
        ORDER BY generation, identifier
        """

    /// All tombstones, oldest first.
    static let discardsOldestFirst: StaticString = """
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
        FROM discard WHERE epoch = :epoch ORDER BY generation, id
        """

    /// How many tombstones there are.
    static let discardCount: StaticString = """
        SELECT count(*) FROM discard WHERE epoch = :epoch
        """

    /// A new tombstone.
    package static let insertDiscard: StaticString = """
        INSERT INTO discard (
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
        ) VALUES (
            :id,
            :epoch,
            :identifier,
            :configuration_id,
            :cause,
            :delivery,
            :offered_launch,
            :discarded_at,
            :generation,
            :checksum
        )
        """

    /// How far the app was told.
    static let updateDiscard: StaticString = """
        UPDATE discard SET
            delivery = :delivery,
            offered_launch = :offered_launch,
            checksum = :checksum
        WHERE id = :id
        """

    /// Removes a tombstone.
    package static let deleteDiscard: StaticString = """
        DELETE FROM discard WHERE id = :id
        """

    /// One launch.
    package static let launch: StaticString = """
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

    /// The launches, newest first.
    package static let launches: StaticString = """
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
        FROM launch WHERE epoch = :epoch ORDER BY number DESC LIMIT :limit
        """

    /// The launches up to a number.
    static let oldLaunches: StaticString = """
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
        FROM launch WHERE number <= :number ORDER BY number LIMIT :limit
        """

    /// A new launch.
    package static let insertLaunch: StaticString = """
        INSERT INTO launch (
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
        ) VALUES (
            :number,
            :epoch,
            :reason,
            :started_at,
            :ended_at,
            :ended_how,
            :context_id,
            :boot_identifier,
            :process_identifier,
            :generation,
            :expected,
            :restored,
            :held,
            :withheld,
            :lost,
            :discarded,
            :evicted,
            :declined,
            :checksum
        )
        """

    /// How a launch ended, and its ledger.
    static let updateLaunch: StaticString = """
        UPDATE launch SET
            ended_at = :ended_at,
            ended_how = :ended_how,
            expected = :expected,
            restored = :restored,
            held = :held,
            withheld = :withheld,
            lost = :lost,
            discarded = :discarded,
            evicted = :evicted,
            declined = :declined,
            checksum = :checksum
        WHERE number = :number
        """

    /// Removes a launch.
    static let deleteLaunch: StaticString = """
        DELETE FROM launch WHERE number = :number
        """

    /// The exceptions in a launch's ledger.
    static let launchExceptions: StaticString = """
        SELECT
            id,
            launch,
            session_identifier,
            outcome,
            reason,
            checksum
        FROM launch_exception WHERE launch = :launch ORDER BY id
        """

    /// An exception.
    package static let insertLaunchException: StaticString = """
        INSERT INTO launch_exception (
            id,
            launch,
            session_identifier,
            outcome,
            reason,
            checksum
        ) VALUES (
            :id,
            :launch,
            :session_identifier,
            :outcome,
            :reason,
            :checksum
        )
        """

    /// Removes an exception.
    static let deleteLaunchException: StaticString = """
        DELETE FROM launch_exception WHERE id = :id
        """
}
