extension SceneSessionStore {
    /// Opens a container, and creates it for an owner if there is none.
    ///
    /// Reads no session, and changes only the owner's mark, unless a migration is due. Throws a
    /// code for each cause: ``SceneStoreError/Code/owned`` with the process,
    /// ``SceneStoreError/Code/busy``, ``SceneStoreError/Code/permission``,
    /// ``SceneStoreError/Code/readOnlyVolume``, ``SceneStoreError/Code/diskFull``,
    /// ``SceneStoreError/Code/tooManyFiles``,
    /// ``SceneStoreError/Code/protected``, ``SceneStoreError/Code/notAStore``,
    /// ``SceneStoreError/Code/newerSchema``, ``SceneStoreError/Code/changedMigration``,
    /// ``SceneStoreError/Code/schemaTampered``, ``SceneStoreError/Code/orphanedWAL``,
    /// ``SceneStoreError/Code/missing``, ``SceneStoreError/Code/ioError``,
    /// ``SceneStoreError/Code/corrupt``.
    ///
    /// Only `corrupt` is a reason to set the file aside. An owner does this automatically, as
    /// ``Options/corruption`` specifies, and ``openingDiagnostics`` reports it. A reader or an
    /// editor throws the error instead. A reader throws ``SceneStoreError/Code/olderSchema`` for a
    /// store that an owner would migrate.
    public static func open(
        at location: Location, options: Options = Options()
    ) throws(SceneStoreError) -> SceneSessionStore {
        try open(at: location, options: options, recovery: FileRecovery())
    }

    /// Returns the reason of the launch that comes next, judged by how the last process ended (L-14).
    ///
    /// Ask it before the launch, to choose a ``SceneApplicationOptions/LaunchBehavior`` or to ask the
    /// user. Afterwards it tells of the running process.
    public func nextLaunchReason(
        in environment: SceneEnvironment = .system
    ) throws(SceneStoreError) -> LaunchReason {
        let boot = environment.bootIdentifier
        return try read { skeleton throws(SceneStoreError) in
            try skeleton.previousProcess().reason(bootIdentifier: boot)
        }
    }
}
