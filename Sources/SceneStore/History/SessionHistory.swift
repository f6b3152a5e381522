/// The states that a session was saved with, newest first.
///
/// ```swift
/// let history = try application.history(of: session.id)
/// if let yesterday = history.first(where: { $0.context.savedAt < midnight }) {
///     try history.restore(yesterday.generation)
/// }
/// ```
///
/// The list doesn't change after it was made. ``state(at:)`` and ``restore(_:)`` read the store.
public struct SessionHistory: RandomAccessCollection {
    /// The session.
    public let session: SceneSession.ID
    private let versions: [StateVersion]
    private let application: SceneApplication

    fileprivate init(
        _ session: SceneSession.ID, _ versions: [StateVersion], _ application: SceneApplication
    ) {
        self.session = session
        self.versions = versions
        self.application = application
    }

    /// The newest one's place.
    public var startIndex: Int { versions.startIndex }
    /// The position after the oldest state's.
    public var endIndex: Int { versions.endIndex }
    /// A saved state: when, under which version of the app, and how large.
    public subscript(position: Int) -> StateVersion { versions[position] }

    /// Returns the saved state of a generation.
    ///
    /// Throws ``SceneStoreError/Code/noSuchState`` if the history no longer has it.
    public func state(at generation: Int64) throws(SceneStoreError) -> UserActivity {
        let key = try application.openKey(session)
        defer {
            application.letStoreGo()
        }
        guard let state = try application.store.history.state(key: key, generation: generation)
        else {
            throw SceneStoreError(
                .noSuchState, "the session has no state of generation \(generation)")
        }
        return state
    }

    /// Makes a saved state the current one. Durable on return.
    ///
    /// A connected scene gets the state immediately, by `scene(_:restoreInteractionStateWith:)`. No
    /// state is lost, because the scene's current state is saved first, and stays in the history.
    /// Throws ``SceneStoreError/Code/noSuchState`` if the history no longer has the state, the reason
    /// why the app can't restore it, and the error that prevents saving; then the session keeps its
    /// current state.
    public func restore(_ generation: Int64) throws(SceneStoreError) {
        let (application, session) = (application, session)
        try application.requireRunning()
        try application.event { () throws(SceneStoreError) in
            try application.restored.checkOut(generation, of: session)
        }
    }
}

extension SceneApplication {
    /// Returns the states that a session was saved with, newest first.
    ///
    /// Throws ``SceneStoreError/Code/requestDenied`` for a session that is unknown or was
    /// discarded.
    public func history(of session: SceneSession.ID) throws(SceneStoreError) -> SessionHistory {
        defer {
            letStoreGo()
        }
        return SessionHistory(session, try store.history.versions(key: openKey(session)), self)
    }

    /// The outcomes of the sessions that this launch should have brought back (S-40).
    public var launchLedger: LaunchLedger { book.ledger }
}

extension LaunchLedger {
    /// The ledger in one line: "2 of 3 windows are back, 1 is held, because it is held by hand".
    ///
    /// Each reason of an outcome is given once, and at most two of them. ``exceptions`` has the
    /// reason of each session.
    public var summary: String {
        let total = expected
        let back = counts[.restored] ?? 0
        var parts = [
            "\(back) of \(total) window\(total == 1 ? "" : "s") \(back == 1 ? "is" : "are") back"
        ]
        for outcome in LaunchOutcome.allCases where outcome != .restored {
            if let count = counts[outcome], count > 0 {
                parts.append("\(count) \(count == 1 ? "is" : "are") \(outcome.rawValue)")
                parts += reasons(of: outcome)
            }
        }
        return parts.joined(separator: ", ")
    }

    private func reasons(of outcome: LaunchOutcome) -> [String] {
        var known: Set<String> = []
        var words = exceptions.filter { $0.outcome == outcome && known.insert($0.reason).inserted }
            .prefix(3).map { "because \($0.reason)" }
        if words.count == 3 {
            words[2] = "for other reasons"
        }
        guard let last = words.popLast() else {
            return []
        }
        return words.isEmpty ? [last] : [words.joined(separator: ", ") + " and " + last]
    }
}
