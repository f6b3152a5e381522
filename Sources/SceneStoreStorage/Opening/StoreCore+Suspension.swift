import SceneStoreValues

/// Letting go of the container while the app is in the background (S-33).
///
///     open --suspend()--> suspended --any call--> open
///
/// While a store is suspended its connection is closed and its lock is released: another process
/// may own the container. Taking it back is an opening like any other, with all its checks, so
/// that the rule of one writer holds throughout.
extension StoreCore {
    /// What the store was when it was let go.
    struct Suspension: Sendable {
        var uuid: [UInt8]
        var containerEpoch: Int64
        var ownerEpoch: Int64
        var generation: Int64
        /// The store's own row, if the container is still owned: the file must hold this very row.
        var rested: StoreRow?

        init(_ store: StoreRow) {
            uuid = store.uuid
            containerEpoch = store.containerEpoch
            ownerEpoch = store.ownerEpoch
            generation = store.generation
        }
    }

    /// Copies the log into the file, closes it and lets go of the container.
    ///
    /// The container is let go whatever fails; the log stays then as after a death of the process,
    /// and the next opening takes care of it.
    package func suspend() throws(SceneStoreError) {
        guard !isAtRest else {
            return try letRestedGo()
        }
        guard life.suspension == nil else {
            return
        }
        guard !life.isClosed else {
            throw closedError
        }
        guard !isReader else {
            throw SceneStoreError(.readOnly, "a store that is only read owns nothing to let go of")
        }
        guard connection.role == .owner else {
            // Nothing but this process has it.
            return
        }
        life.suspension = Suspension(store)
        life.isClosed = true
        defer { container.abandon() }
        do throws(SceneStoreError) {
            if let failure = fence.failure {
                throw failure
            }
            try container.checkUnmoved()
            try finishWriting()
            life.suspension = Suspension(store)
        } catch {
            connection.abandon()
            throw error
        }
        try closeConnection()
        try container.release()
    }

    /// Gives what outlives a life.suspension to the core that goes on.
    func handOn(to next: StoreCore) {
        next.journal.subscribers = journal.subscribers
        next.journal.nextSubscriber = journal.nextSubscriber
        journal.subscribers.removeAll()
        next.counters = counters
        next.journal.decisions = journal.decisions
        journal.decisions.removeAll()
        next.damage.diagnostics = damage.diagnostics + next.damage.openingDiagnostics
        next.life.resumption = life.resumption
        next.parts.holdsRefusedWrites = parts.holdsRefusedWrites
    }

    /// Why a closed core does nothing.
    var closedError: SceneStoreError {
        life.suspension == nil
            ? SceneStoreError(.closed, "the store was closed")
            : SceneStoreError(.suspended, "the store was let go; resume it first")
    }
}

extension SceneSessionStore {
    /// What became of the container while the store was suspended.
    ///
    /// ```swift
    /// try store.suspend()  // the container is free for other processes
    /// if try store.resume() == .changed {
    ///     reloads += 1
    /// }
    /// ```
    public enum Resumption: String, Sendable, Hashable {
        /// Nobody else owned it: everything is as it was.
        case unchanged
        /// Another process owned it meanwhile; whatever was read before may be of another time.
        case changed
    }

    /// Lets go of the container without ending the use of the store: what is committed is copied
    /// into the file, which is closed, and the owner's lock is released.
    ///
    /// For apps whose container other processes share: iOS ends a suspended process that holds a
    /// lock in an app group (0xdead10cc). Also for hosts with more stores than they want to keep
    /// open. The next call that needs the container takes it back, as ``resume()`` does.
    ///
    /// The container is let go even when this throws; what was acknowledged is safe then, too. A
    /// memory store has nothing to let go of. Streams of ``changes`` go on.
    public func suspend() throws(SceneStoreError) {
        try core.withLock { core throws(SceneStoreError) in try core.suspend() }
    }

    /// Whether the store has let go of the container.
    public var isSuspended: Bool {
        core.withLock { $0.life.suspension != nil && !$0.isAtRest }
    }

    /// Takes the container back after ``suspend()``, with all the checks of an opening, and answers
    /// whether somebody else owned it since this was asked last.
    ///
    /// Throws ``SceneStoreError/Code/owned`` while another process owns it, and
    /// ``SceneStoreError/Code/replaced`` when it was reset or exchanged, or holds less than before:
    /// then nothing that was read may be written back, and the app has to launch anew. The store
    /// stays suspended. Without a life.suspension nothing is done.
    @discardableResult
    public func resume() throws(SceneStoreError) -> Resumption {
        try core.withLock { core throws(SceneStoreError) in
            try StoreCore.wake(&core, at: location)
            let resumption = core.life.resumption
            core.life.resumption = .unchanged
            return resumption
        }
    }

}

extension SceneStoreError.Code {
    /// The store has let go of the container; ``SceneSessionStore/resume()`` takes it back.
    public static let suspended = Self("suspended")
}
