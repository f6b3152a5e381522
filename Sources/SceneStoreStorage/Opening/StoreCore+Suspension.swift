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
            throw SceneStoreError(.readOnly, "a store that is only read has nothing to release")
        }
        guard connection.role == .owner else {
            // Only this process has it.
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
        journal.subscribers = ChangeSubscribers()
        next.counters = counters
        next.journal.decisions = journal.decisions
        journal.decisions.removeAll()
        next.damage.diagnostics = damage.diagnostics + next.damage.openingDiagnostics
        next.damage.untold.formUnion(damage.untold)
        next.life.resumption = life.resumption
        next.parts.holdsRefusedWrites = parts.holdsRefusedWrites
        next.parts.hasBegunLaunch = parts.hasBegunLaunch
        next.damage.isSalvageVain = damage.isSalvageVain
    }

    /// Why a closed core does nothing.
    var closedError: SceneStoreError {
        life.suspension == nil
            ? SceneStoreError(.closed, "the store was closed")
            : SceneStoreError(.suspended, "the store was suspended; resume it first")
    }
}

extension SceneSessionStore {
    /// The ownership of the container while the store was suspended.
    ///
    /// ```swift
    /// try store.suspend()  // the container is free for other processes
    /// if try store.resume() == .changed {
    ///     reloads += 1
    /// }
    /// ```
    public enum Resumption: String, Sendable, Hashable {
        /// No other process owned the container: everything is unchanged.
        case unchanged
        /// Another process owned the container meanwhile, so values that you read before may be
        /// outdated.
        case changed
    }

    /// Releases the container, and keeps the store ready for ``resume()``.
    ///
    /// Committed changes are copied into the file, the file is closed, and the owner's lock is
    /// released. For apps whose container other processes share: iOS ends a suspended process that
    /// holds a lock in an app group (0xdead10cc). Also for hosts with more stores than they want to
    /// keep open. The next call that needs the container takes it back, as ``resume()`` does.
    ///
    /// The container is released even if this throws; acknowledged changes are safe then, too. A
    /// memory store has nothing to release. Streams of ``changes`` continue.
    public func suspend() throws(SceneStoreError) {
        try core.withLock { core throws(SceneStoreError) in try core.suspend() }
    }

    /// Whether the store has released the container.
    public var isSuspended: Bool {
        core.withLock { $0.life.suspension != nil && !$0.isAtRest }
    }

    /// Takes the container back after ``suspend()``, and returns whether another process owned it.
    ///
    /// It makes all the checks of an opening. The result covers the time since the last call.
    /// Throws ``SceneStoreError/Code/owned`` while another process owns the container, and
    /// ``SceneStoreError/Code/replaced`` if it was reset or replaced, or has less than before: then
    /// you must not write back values that you read before, and the app has to launch again. The
    /// store stays suspended. If the store is not suspended, the call does nothing.
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
    /// The store has released the container; ``SceneSessionStore/resume()`` takes it back.
    public static let suspended = Self("suspended")
}
