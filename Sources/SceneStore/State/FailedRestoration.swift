import Synchronization

/// Why the app could not restore a state, in words that hold nothing private (L-54, L-55).
struct FailedRestoration {
    let reason: WithheldReason
    /// What a call throws that asked for the restoration.
    let thrown: SceneStoreError
    /// The type of an error of the app's own, of which nothing else is told.
    private var ownType: String?

    init(_ error: any Error) {
        switch error {
        case let error as SceneStoreError:
            thrown = error
            switch error.code {
            case .newerState: reason = .newer
            case .decodingFailed, .noMigration, .migrationFailed: reason = .unreadable
            default: reason = .failed
            }
        case let error as DecodingError:
            reason = .unreadable
            thrown = SceneStoreError(
                .decodingFailed, error.meaning,
                path: ValueCoder.path(
                    "userInfo", error.place + [error.missingKey].compactMap(\.self)))
        default:
            reason = .failed
            let type = "\(type(of: error))"
            ownType = type
            thrown = SceneStoreError(.restoreFailed, "the app could not restore the state: \(type)")
        }
    }

    /// The reason in one line.
    var text: String {
        let path = thrown.path.map { " at \($0)" } ?? ""
        let message = thrown.message.isEmpty ? "" : ": \(thrown.message)"
        return "the app could not restore it: "
            + (ownType ?? "\(thrown.code.rawValue)\(path)\(message)")
    }

    func diagnostic(of session: SceneSession.ID) -> Diagnostic {
        Diagnostic(
            .restoreFailed, .error,
            "the app could not restore the session's state: "
                + (ownType ?? (thrown.message.isEmpty ? thrown.code.rawValue : thrown.message)),
            path: thrown.path,
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

    package struct Found {
        /// The places of the keys that the restored state's type did not read.
        var unreadKeys: [String] = []
        /// Whether the restored state was migrated.
        var isMigrated = false
        /// Whether nobody took the payload.
        package var isPayloadIgnored = false
    }
    private let notes = Mutex(Found())
    package var found: Found { notes.withLock { $0 } }

    package init() {}

    /// Runs a callback.
    package func during<Result>(_ callback: () throws -> Result) rethrows -> Result {
        try Self.$current.withValue(self, operation: callback)
    }

    package func note(_ change: (inout Found) -> Void) {
        notes.withLock { change(&$0) }
    }
}
