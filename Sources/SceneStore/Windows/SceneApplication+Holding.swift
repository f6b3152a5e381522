/// Going on while the store can't be written (L-17).
///
/// A file that is moved, deleted, full, read-only or broken takes no window away: windows open,
/// close, receive links and keep their states in memory. ``diagnosticHandler`` is told
/// ``Diagnostic/Code/writeRefused`` once for each cause. Everything that is held is written, in one
/// transaction, along with the first write that succeeds.
extension SceneApplication {
    /// Why the store takes nothing at present; nil while everything is stored.
    ///
    /// What is held meanwhile is lost when the process dies; ``quit()`` throws because of it.
    public var storeRefusal: SceneStoreError? { store.refusal }

    /// Opens the store at its place anew, with all the checks of an opening, and writes what is
    /// held: after the container was moved away and put back, or deleted, or a write failed in a way
    /// that this opening does not go on from. Does nothing while nothing is held.
    ///
    /// Durable on return. Throws what opening throws; ``SceneStoreError/Code/replaced`` when another
    /// store stands there by now, which is left as it is. The windows go on in memory then.
    public func reopenStore() throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            try store.reopenFile()
        }
    }

    /// In an idle moment.
    func writeHeldChanges() {
        guard store.refusal != nil else {
            return
        }
        do throws(SceneStoreError) {
            try store.writeHeld()
        } catch {
            // Its cause is told once, by the store.
        }
        tellFindings()
    }

    /// Ends a call that writes at once, outside of an event.
    func finishCall() {
        guard !isPerforming else {
            return
        }
        tellFindings()
        letStoreGo()
        // What was written is synced in time, also when no event comes.
        scheduleUpkeep(isSoon: false)
    }

    /// Tells what the store noticed since it was asked last.
    func tellFindings() {
        store.takeDiagnostics().forEach(report)
    }
}
