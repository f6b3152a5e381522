import SceneStore

/// What a test looks at.
extension SimulatedDevice {
    /// All callbacks of the device's processes, with launches, diagnostics and ends.
    ///
    /// Sessions are named A, B, C … in the order in which they were made.
    public var transcript: [TranscriptLine] { recorder.lines }

    /// Returns the callbacks since the last call, in the words of `expect` in scenarios.
    ///
    /// For example `will did config:A connect:A fg:A active:A`. See ``CallShortName``.
    public func takeCallbacks() -> String {
        defer { recorder.untaken = [] }
        return recorder.untaken.map(\.description).joined(separator: " ")
    }

    /// The diagnostics of all processes, and the errors that no call threw.
    public var diagnostics: [Diagnostic] { recorder.findings }

    /// The transcript for people, a line a callback.
    public var transcriptText: String { transcript.map { $0.text() }.joined() }

    /// Returns the letter that names a session in the ``transcript``.
    public func name(of scene: Scene) -> String {
        recorder.name(of: scene.session.persistentIdentifier)
    }

    /// The scene in front, or nil when none is connected.
    public var frontScene: Scene? { application?.connectedScenes.first }

    /// Returns the app's delegate of the scene in front, by its type.
    ///
    /// Throws `SceneStoreError.Code.invalidState` if no process runs, no scene is connected, or its
    /// delegate has another type.
    public func sceneDelegate<Delegate>(
        _ type: Delegate.Type = Delegate.self
    ) throws(SceneStoreError) -> Delegate {
        guard application != nil else {
            throw SceneStoreError(.invalidState, "no process runs")
        }
        guard let scene = frontScene else {
            throw SceneStoreError(.invalidState, "no scene is connected")
        }
        guard let delegate = scene.delegate as? Delegate else {
            throw SceneStoreError(
                .invalidState, "the delegate of the scene in front is of another type")
        }
        return delegate
    }

    /// Returns the app's delegates of a type for all connected scenes, the one in front first.
    public func sceneDelegates<Delegate>(_ type: Delegate.Type = Delegate.self) -> [Delegate] {
        (application?.connectedScenes ?? []).compactMap { $0.delegate as? Delegate }
    }
}
