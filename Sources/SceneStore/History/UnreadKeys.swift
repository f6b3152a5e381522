/// Stored keys that the type of a state does not read: the next save would lose them (L-54).
extension SceneApplication {
    /// Pins a state that the app has restored in part, and reports it once for each type.
    func note(unread keys: [String], in state: UserActivity, of scene: Scene) {
        guard let first = keys.first else {
            return
        }
        let identifier = scene.session.id
        tolerating(identifier) { () throws(SceneStoreError) in
            if let current = try store.history.versions(key: scene.key).first(where: \.isCurrent),
                !current.isPinned
            {
                try store.history.pin(key: scene.key, generation: current.generation)
            }
        }
        if toldOfUnreadKeys.insert(state.activityType).inserted {
            report(.unreadKeys(first, count: keys.count, in: identifier))
        }
    }
}

extension Diagnostic.Code {
    /// A stored state has keys that its type does not read; the state is pinned.
    public static let unreadKeys = Self("unreadKeys")
}

extension Diagnostic {
    fileprivate static func unreadKeys(
        _ path: String, count: Int, in session: SceneSession.ID
    ) -> Diagnostic {
        Diagnostic(
            .unreadKeys, .warning,
            (count == 1
                ? "the type of the state does not read this key; the next save loses its value"
                : "the type of the state does not read this key, nor \(count - 1) more; the next save"
                    + " loses their values")
                + ", and the stored state is pinned in the session's history",
            path: path, fix: "raise the version, and add a migration that renames or drops the key",
            sessionIdentifier: session)
    }
}
