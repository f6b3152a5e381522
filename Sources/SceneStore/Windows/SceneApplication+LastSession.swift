/// The windows that were open when the last process that had any ended (L-48).
extension SceneApplication {
    /// Brings back the windows that were connected when the last process with windows ended.
    ///
    /// These are the sessions that are still open: those that the launch did not connect, those in
    /// the background, those that ``quit(keepingWindows:discardingUnsaved:)`` did not keep, and, in
    /// an app of one scene, a session that a new one displaced while no window of its role is open.
    /// Sessions that are connected or held, or that this process has already connected, are left
    /// out.
    ///
    /// A launch that is ``SceneApplicationOptions/LaunchBehavior/fresh``, `none` or `safe` changes
    /// neither this list nor what the next restoring launch does, until it connects one of those
    /// sessions. From then on its windows are the last ones. Durable on return. Throws
    /// ``SceneStoreError/Code/tearingDown`` during a logout.
    ///
    /// - Returns: The sessions, most recently active first. Within a callback the list is empty,
    ///   because the call takes effect after the callback.
    @discardableResult
    public func reopenLastSession() throws(SceneStoreError) -> [SceneSession.ID] {
        try event(orLater: []) { [self] () throws(SceneStoreError) in
            try WindowReopening(application: self).giveBackLastSession()
        }
    }
}
