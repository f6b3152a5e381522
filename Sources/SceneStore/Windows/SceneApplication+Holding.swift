/// Going on while the store can't be written (L-17).
///
/// A file that is moved, deleted, full, read-only or broken takes no window away: windows open,
/// close, receive links and keep their states in memory. ``diagnosticHandler`` is told
/// ``Diagnostic/Code/writeRefused`` once for each cause. Everything that is held is written, in one
/// transaction, along with the first write that succeeds.
extension SceneApplication {
    /// The reason why the store takes no writes at present; nil while everything is stored.
    ///
    /// Changes that are held meanwhile are lost if the process dies. While there are any,
    /// ``quit()`` throws.
    public var storeRefusal: SceneStoreError? { store.refusal }

    /// Opens the store at its path again, with all checks, and writes the changes that are held.
    ///
    /// Call it after the container was moved away and put back, or deleted, or after a write failed
    /// in a way that this opening can't recover from. Does nothing while no change is held. Durable
    /// on return. Throws what opening throws, and ``SceneStoreError/Code/replaced`` if another
    /// store is at the path now, which is left unchanged. Then the windows continue in memory.
    public func reopenStore() throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            try store.reopenFile()
        }
    }

    /// Ends a call that writes at once, outside of an event.
    func finishCall() {
        guard !isPerforming else {
            return
        }
        tellFindings()
        letStoreGo()
        // What was written is synced in time, also when no event comes.
        upkeep.schedule(isSoon: false)
    }

    /// Lets go of the store, if nothing is in front and the options say so.
    package func letStoreGo() {
        lease.letGo()
    }

    /// Tells what the store noticed since it was asked last.
    func tellFindings() {
        store.tellDiagnostics(report)
    }
}
