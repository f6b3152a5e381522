extension SceneSessionStore {
    /// Opens the container, and makes it when there is none and the access is the owner's.
    ///
    /// Reads no session and changes nothing but the owner's mark; a migration, if one is due,
    /// excepted. Throws a code for each cause: ``SceneStoreError/Code/owned`` with the process,
    /// ``SceneStoreError/Code/busy``, ``SceneStoreError/Code/permission``,
    /// ``SceneStoreError/Code/readOnlyVolume``, ``SceneStoreError/Code/diskFull``,
    /// ``SceneStoreError/Code/protected``, ``SceneStoreError/Code/notAStore``,
    /// ``SceneStoreError/Code/newerSchema``, ``SceneStoreError/Code/changedMigration``,
    /// ``SceneStoreError/Code/schemaTampered``, ``SceneStoreError/Code/orphanedWAL``,
    /// ``SceneStoreError/Code/missing``, ``SceneStoreError/Code/ioError``,
    /// ``SceneStoreError/Code/corrupt``. Only the last one is a reason to set the file aside, which
    /// an owner does by itself as ``Options/corruption`` says; ``openingDiagnostics`` tells of it.
    /// For a reader or an editor it is thrown. A reader throws
    /// ``SceneStoreError/Code/olderSchema`` for a store that the others would migrate.
    public static func open(
        at location: Location, options: Options = Options()
    ) throws(SceneStoreError) -> SceneSessionStore {
        try open(at: location, options: options, recovery: StoreRecovery.Service())
    }
}
