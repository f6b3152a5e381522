#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Diagnostic: CustomStringConvertible {
    /// The severity, the code, the place, the message, the fix and the session in one line.
    public var description: String {
        var text = "\(severity.word) \(code.rawValue)"
        if let path {
            text += " at \(path)"
        }
        text += ": \(message)"
        if let fix {
            text += "; \(fix)"
        }
        if let sessionIdentifier {
            text += " (session \(sessionIdentifier))"
        }
        return text
    }
}

extension Diagnostic: LocalizedError {
    /// The finding in one line, fix included.
    public var errorDescription: String? { description }
    /// The description of the problem.
    public var failureReason: String? { message }
    /// What to do about the finding, as in `fix`.
    public var recoverySuggestion: String? { fix }
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
