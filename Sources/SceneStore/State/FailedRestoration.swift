import Synchronization

/// Why the app could not restore a state, in words that hold nothing private (L-54, L-55).
struct FailedRestoration {
    let reason: WithheldReason
    private let code: String
    private let message: String
    private let path: String?
    /// What a call throws that asked for the restoration.
    let thrown: SceneStoreError

    init(_ error: any Error) {
        switch error {
        case let error as SceneStoreError:
            code = error.code.rawValue
            message = error.message
            path = error.path
            thrown = error
            switch error.code {
            case .newerState: reason = .newer
            case .decodingFailed, .noMigration, .migrationFailed: reason = .unreadable
            default: reason = .failed
            }
        case let error as DecodingError:
            code = SceneStoreError.Code.decodingFailed.rawValue
            message = error.meaning
            path = ValueCoder.path(
                "userInfo", error.place + [error.missingKey].compactMap(\.self))
            reason = .unreadable
            thrown = SceneStoreError(.decodingFailed, message, path: path)
        default:
            code = "\(type(of: error))"
            message = ""
            path = nil
            reason = .failed
            thrown = SceneStoreError(.restoreFailed, "the app could not restore the state: \(code)")
        }
    }

    /// The reason in one line.
    var text: String {
        var text = "the app could not restore it: \(code)"
        if let path {
            text += " at \(path)"
        }
        return message.isEmpty ? text : text + ": " + message
    }

    func diagnostic(of session: SceneSession.ID) -> Diagnostic {
        Diagnostic(
            .restoreFailed, .error,
            "the app could not restore the session's state: "
                + (message.isEmpty ? code : message),
            path: path,
            fix: "the state is kept; restoreWithheldState gives it to the app again",
            sessionIdentifier: session)
    }
}

extension SceneStoreError.Code {
    /// The app threw an error of its own when it was given a state to restore.
    public static let restoreFailed = Self("restoreFailed")
}

/// What the library's own code learns while an app's callback runs that calls it.
package final class CallbackNotes: Sendable {
    /// Those of the callback that runs.
    @TaskLocal package static var current: CallbackNotes?

    private struct Found {
        var unread: [String] = []
        var isMigrated = false
        var isPayloadIgnored = false
    }
    private let found = Mutex(Found())

    package init() {}

    /// Runs a callback.
    package func during<Result>(_ callback: () throws -> Result) rethrows -> Result {
        try Self.$current.withValue(self, operation: callback)
    }

    /// The places of the keys that the restored state's type did not read.
    var unread: [String] { found.withLock { $0.unread } }

    func note(unread keys: [String]) {
        found.withLock { $0.unread = keys }
    }

    /// Whether the restored state was migrated.
    var isMigrated: Bool { found.withLock { $0.isMigrated } }

    func noteMigration() {
        found.withLock { $0.isMigrated = true }
    }

    /// Whether nobody took the payload.
    package var isPayloadIgnored: Bool { found.withLock { $0.isPayloadIgnored } }

    package func noteIgnoredPayload() {
        found.withLock { $0.isPayloadIgnored = true }
    }
}
