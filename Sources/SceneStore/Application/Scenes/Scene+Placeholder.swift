extension Scene {
    /// Whether its window, typed or a host's, may be asked what it shows outside of its save chain.
    var isLookedAtAnyTime: Bool {
        delegate is any StatefulSceneDelegate || delegate is any WindowOfHost
    }

    /// The state is withheld: once the connection is done, the scene is asked what it shows instead.
    /// What a payload makes it show is the user's. A delegate that answers with activities itself is
    /// asked in its save chain alone (L-31), unless a newer version wrote the state.
    func awaitPlaceholder(_ reason: WithheldReason) {
        guard delivery == nil, application?.inbox.awaits(key) != true else {
            return
        }
        if isLookedAtAnyTime || reason == .newer {
            placeholder = .awaited
        }
    }
}
