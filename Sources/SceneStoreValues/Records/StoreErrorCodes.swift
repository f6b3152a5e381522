extension SceneStoreError.Code {
    /// Another process is writing; try again.
    public static let busy = Self("busy")
    /// Another process owns the container; see ``SceneStoreError/ownerProcess``.
    public static let owned = Self("owned")
    /// The file system does not allow it, or the container is open to other users.
    public static let permission = Self("permission")
    /// The volume is mounted read-only.
    public static let readOnlyVolume = Self("readOnlyVolume")
    /// No space is left, or a quota is used up.
    public static let diskFull = Self("diskFull")
    /// The file is protected until the device is unlocked.
    public static let protected = Self("protected")
    /// The path leads to something else: another program's database, junk, a directory, a link.
    public static let notAStore = Self("notAStore")
    /// A newer version wrote the store in a way that this one must not touch, or cannot read.
    public static let newerSchema = Self("newerSchema")
    /// An older version wrote the store, and this kind of access doesn't migrate it.
    public static let olderSchema = Self("olderSchema")
    /// The text of an applied migration differs from the text in this version.
    public static let changedMigration = Self("changedMigration")
    /// The process, or the system, has as many files open as it may.
    public static let tooManyFiles = Self("tooManyFiles")
    /// The disk failed.
    public static let ioError = Self("ioError")
    /// The store is damaged.
    public static let corrupt = Self("corrupt")
    /// There is no store, and this kind of access doesn't create one.
    public static let missing = Self("missing")
    /// The store's file was moved or removed while it was open.
    public static let moved = Self("moved")
    /// Another file is at the store's path.
    public static let replaced = Self("replaced")
    /// Another owner has written to the store, so this one no longer writes.
    public static let ownershipLost = Self("ownershipLost")
    /// The call came from a forked child of the process that opened the store.
    public static let forked = Self("forked")
    /// No memory was left; try again.
    public static let outOfMemory = Self("outOfMemory")
    /// The schema holds something that no version of this library made.
    public static let schemaTampered = Self("schemaTampered")
    /// There is a write-ahead log and no store that it belongs to.
    public static let orphanedWAL = Self("orphanedWAL")
    /// A sync failed, so this object acknowledges nothing more; open the store again.
    public static let poisoned = Self("poisoned")
    /// The store was closed.
    public static let closed = Self("closed")
    /// The store was opened to be read.
    public static let readOnly = Self("readOnly")
    /// No session has that key or identifier.
    public static let noSuchSession = Self("noSuchSession")
    /// A session's history has no state of that generation.
    public static let noSuchState = Self("noSuchState")
    /// No launch was begun since the container was made or reset.
    public static let noLaunch = Self("noLaunch")
    /// A session of that identifier exists already.
    public static let duplicateSession = Self("duplicateSession")
    /// A row's checksum is wrong, so the row counts as absent.
    public static let damagedRow = Self("damagedRow")
    /// Erased content may still be in the write-ahead log, because a reader uses it.
    public static let erasurePending = Self("erasurePending")
    /// SQLite is too old, or does not accept a setting that safety requires.
    public static let unsupportedSystem = Self("unsupportedSystem")
    /// An error in SceneStore itself; please report it.
    public static let internalError = Self("internalError")
    /// A name of a profile, an app or a path that no container can have.
    public static let invalidLocation = Self("invalidLocation")
    /// The caller stopped the work before its end; nothing was changed.
    public static let cancelled = Self("cancelled")
}

extension Diagnostic.Code {
    /// The pages of the file are damaged.
    public static let pageDamage = Self("pageDamage")
    /// A row's checksum is wrong, so the row was set aside.
    public static let damagedRow = Self("damagedRow")
    /// Fewer sessions were found than recorded.
    public static let lostSessions = Self("lostSessions")
    /// The digest of the rows differs from the recorded one.
    public static let digestMismatch = Self("digestMismatch")
    /// A second hard link to the store exists; backup tools make them.
    public static let secondLink = Self("secondLink")
    /// Other users could read the store's files; SceneStore corrected that.
    public static let permissionsTightened = Self("permissionsTightened")
    /// The folder above the container is world-writable and has no sticky bit.
    public static let replaceableContainer = Self("replaceableContainer")
    /// The store was written by a newer version with features that may be ignored.
    public static let newerFeatures = Self("newerFeatures")
    /// A table of a known replication tool is in the store.
    public static let foreignTable = Self("foreignTable")
}
