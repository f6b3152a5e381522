import Synchronization

/// What the library's own code learns while an app's callback runs that calls it.
package final class CallbackNotes: Sendable {
    /// Those of the callback that runs.
    @TaskLocal package static var current: CallbackNotes?

    private struct Found {
        var unread: [String] = []
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

    /// Whether nobody took the payload.
    package var isPayloadIgnored: Bool { found.withLock { $0.isPayloadIgnored } }

    package func noteIgnoredPayload() {
        found.withLock { $0.isPayloadIgnored = true }
    }
}
