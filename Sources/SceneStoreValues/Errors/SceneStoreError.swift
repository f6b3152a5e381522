#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error with an open set of codes.
///
/// Messages are written for people: lower case, no full stop, which thing, what is wrong and what
/// to do about it. They never hold a URL, a title or a piece of state. Two errors are equal when
/// their codes are.
///
/// ```swift
/// do {
///     try application.pin(1, of: session.id)
/// } catch {
///     alerts.append(error.code == .noSuchState ? "There is nothing to pin." : error.message)
/// }
/// ```
public struct SceneStoreError: Error, Sendable {
    /// A stable word for the kind of error; new ones may be added in any release.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The word itself, lowerCamelCase.
        public let rawValue: String

        /// Makes a code from a word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Makes a code from a word.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The kind of error.
    public var code: Code
    /// One line for people, free of private text.
    public var message: String
    /// The place: a key path such as `userInfo.tabs[3]`, or the name of a file of the container.
    public var path: String?
    /// SQLite's extended result code, when SQLite reported the failure.
    public var sqliteCode: Int32?
    /// The process that owns the container, for ``Code/owned``.
    public var ownerProcess: Int32?

    /// Makes an error.
    public init(
        _ code: Code,
        _ message: String,
        path: String? = nil,
        sqliteCode: Int32? = nil,
        ownerProcess: Int32? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.sqliteCode = sqliteCode
        self.ownerProcess = ownerProcess
    }
}

extension SceneStoreError: Equatable {
    /// Compares the codes alone.
    public static func == (left: SceneStoreError, right: SceneStoreError) -> Bool {
        left.code == right.code
    }
}

extension SceneStoreError: CustomStringConvertible {
    /// The code, the place and the message in one line.
    public var description: String {
        var text = code.rawValue
        if let path {
            text += " at \(path)"
        }
        text += ": \(message)"
        if let sqliteCode {
            text += " (SQLite \(sqliteCode))"
        }
        return text
    }
}

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

extension SceneStoreError.Code {
    /// The call does not fit the state that the application or the scene is in.
    public static let invalidState = Self("invalidState")
    /// The app or its environment allows one scene of the role, and there is one.
    public static let multipleScenesNotSupported = Self("multipleScenesNotSupported")
    /// The session is unknown or was discarded.
    public static let requestDenied = Self("requestDenied")
    /// The provider answered with a configuration of another role.
    public static let roleMismatch = Self("roleMismatch")
    /// Neither the manifest nor a provider has a configuration for the role.
    public static let noConfiguration = Self("noConfiguration")
    /// Strict mode: the activity's type is not declared in the manifest.
    public static let undeclaredActivityType = Self("undeclaredActivityType")
}

extension SceneStoreError.Code {
    /// The app could not return a scene's state; the earlier one stays.
    public static let saveFailed = Self("saveFailed")
    /// The session ends, by a logout or a shutdown: no window is made, and no payload is taken.
    public static let tearingDown = Self("tearingDown")
    /// A window has unsaved work and stays: nothing is closed.
    public static let closingRefused = Self("closingRefused")
    /// A window has unsaved work and asks its user first.
    public static let closingPostponed = Self("closingPostponed")
    /// More payloads arrived at once than wait for a scene.
    public static let tooManyPayloads = Self("tooManyPayloads")
}

extension SceneStoreError: LocalizedError {
    /// The code, the place and the message in one line.
    public var errorDescription: String? { description }
    /// The description of the problem.
    public var failureReason: String? { message }
    /// What to do about the error, as in `fix`.
    public var recoverySuggestion: String? { fix }

    /// What to do about the error, for codes that always need the same.
    public var fix: String? {
        switch code.rawValue {
        case "busy": "try again"
        case "owned": "end the process that owns the store, or ask for it by requestHandOver(at:)"
        case "storeInUse": "make one application for each store, and keep it"
        case "diskFull":
            "make room on the disk; the next save includes the unsaved changes"
        case "tooManyFiles":
            "raise the limit of open files (ulimit -n), or let stores rest (closesWhenIdle)"
        case "readOnlyVolume", "permission": "put the container where the app may write"
        case "protected": "open the store once the device is unlocked"
        case "newerSchema":
            "open the store with the version of the app that wrote it, or a newer one"
        case "corrupt": "run scenestore doctor; the store's backups are in its container"
        case "moved", "replaced", "ownershipLost", "poisoned", "closed": "open the store again"
        case "noConfiguration":
            "declare a window of the role (UISceneConfigurations, or .desktop(…)), or conform to "
                + "SceneConfigurationProvider"
        case "roleMismatch": "return a configuration of the session's own role"
        case "multipleScenesNotSupported":
            "set UIApplicationSupportsMultipleScenes, or use the window that exists"
        case "newerState": "run the version of the app that wrote the state; it is kept"
        case "noMigration": "add a migration from that version; the state is kept"
        case "migrationFailed", "decodingFailed":
            "correct the type or its migrations; nothing is lost"
        case "limitExceeded": "store less, or a reference to a file of the app's own"
        default: nil
        }
    }
}
