import SceneStoreEngine

/// What the user and the system do to windows; called by the host.
extension SceneApplication {
    /// Moves scenes to the background together: their callbacks, their save chains, one write.
    ///
    /// On return the states are as durable as the options specify. Throws if a state could not be
    /// saved, as ``saveState(of:durability:)`` does: then the scenes are in the background, and the
    /// next write includes the states. Throws ``SceneStoreError/Code/invalidState`` for a session
    /// that is not in front; the others leave.
    public func moveToBackground(_ identifiers: [SceneSession.ID]) throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            let (keys, refusal) = liveKeys(identifiers) { $0 != .background }
            perform(engine.machine.leave(keys))
            if let focus = engine.machine.takeUpFocus() {
                live.mark(focus) { $0.becameActive = true }
            }
            autosaving.save(asLeaving: true)
            writeMarks()
            try states.throwSaveFailure()
            if let refusal {
                throw refusal
            }
        }
    }

    /// Moves connected scenes to the foreground together; the first becomes active.
    ///
    /// Throws ``SceneStoreError/Code/invalidState`` for a session that is not in the background;
    /// the others come forward.
    public func moveToForeground(_ identifiers: [SceneSession.ID]) throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            let (keys, refusal) = liveKeys(identifiers) { $0 == .background }
            perform(engine.machine.bringForward(together: keys))
            writeMarks()
            if let refusal {
                throw refusal
            }
        }
    }

    /// The user turned to a scene that is active in its role: it comes before those of other roles.
    func turn(to scene: Scene) {
        if engine.machine.turn(to: scene.key) {
            live.mark(scene.key) { $0.becameActive = true }
            writeMarks()
        }
    }

    private func liveKeys(
        _ identifiers: [SceneSession.ID], _ fits: (LifecycleMachine.Phase) -> Bool
    ) -> (keys: [Int64], refusal: SceneStoreError?) {
        var keys: [Int64] = []
        var refusal: SceneStoreError?
        for identifier in identifiers {
            if let scene = scene(for: identifier), let phase = engine.machine.phase(of: scene.key),
                fits(phase)
            {
                keys.append(scene.key)
            } else {
                refusal = SceneStoreError(
                    .invalidState, "the session is not in the state that this needs")
            }
        }
        return (keys, refusal)
    }

    /// Disconnects a background scene as the system does; its session stays open (L-35).
    ///
    /// Throws ``SceneStoreError/Code/invalidState`` unless the scene is in the background.
    public func evict(_ identifier: SceneSession.ID) throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            guard let scene = scene(for: identifier),
                engine.machine.phase(of: scene.key) == .background
            else {
                throw SceneStoreError(
                    .invalidState, "only a scene in the background can be evicted")
            }
            let key = scene.key
            perform(engine.machine.disconnect(key))
            lastWindows.noteGone(key)
        }
    }

    /// The stored record of an open session.
    package func openRecord(_ identifier: SceneSession.ID) throws(SceneStoreError) -> SessionRecord?
    {
        guard let record = try store.record(identifier: identifier), record.isOpen else {
            return nil
        }
        return record
    }

    /// The row of an open session; throws when the store knows none.
    func openKey(_ identifier: SceneSession.ID) throws(SceneStoreError) -> Int64 {
        guard let record = try openRecord(identifier) else {
            throw Engine.unknownSession
        }
        return record.key
    }

    // MARK: Removing

    /// Empties the container in one step: no session, no history of one, nothing to deliver.
    ///
    /// Live scenes are disconnected and discarded (cause reset) at once. The next launch has the
    /// reason `first`. Durable on return.
    public func reset() throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            try remove(engine.machine.all) { () throws(SceneStoreError) in try store.reset() }
        }
    }

    /// Empties the container like ``reset()``, and removes history, backups and quarantined files.
    ///
    /// Use it when an account was deleted. Throws ``SceneStoreError/Code/erasurePending`` while
    /// another process reads the store, and any other error of the disk. Once the container is
    /// empty, the scenes are gone in that case, too, and idle work removes the remaining bytes.
    public func erase() throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            try remove(engine.machine.all) { () throws(SceneStoreError) in try store.erase() }
        }
    }

    /// Removes one session and all its stored data. Durable on return.
    ///
    /// No discard is delivered unless the session is connected. Its bytes may stay in free pages,
    /// in backups and in quarantined files, which ``erase()`` removes. Throws
    /// ``SceneStoreError/Code/requestDenied`` for a session that the store does not know.
    public func forget(_ identifier: SceneSession.ID) throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            guard let record = try store.record(identifier: identifier) else {
                throw SceneStoreError(.requestDenied, "the session is unknown")
            }
            let connected = live.scene(record.key) == nil ? [] : [record.key]
            let freed = try freed(by: record)
            try remove(connected) { () throws(SceneStoreError) in
                try store.forget([record.key], freeing: freed)
            }
        }
    }

    /// The sessions that take the place of one that goes, or is held back (L-18).
    func freed(by record: SessionRecord?) throws(SceneStoreError) -> [Int64] {
        let engine = engine
        return try store.asking { skeleton throws(SceneStoreError) in
            try engine.freed(by: record.map { [$0] } ?? [], in: skeleton).map(\.key)
        }
    }

    /// The sessions that give their places up to some that are given back (L-12, L-18).
    func displaced(by records: [SessionRecord]) throws(SceneStoreError) -> [SessionRecord] {
        let engine = engine
        return try store.asking { skeleton throws(SceneStoreError) in
            try engine.displaced(by: records, in: skeleton)
        }
    }

    /// The session is gone: nothing of it is written any more, and its scene goes.
    func disconnectForGood(_ key: Int64) {
        live.drop(key)
        autosaving.remove(key)
        perform(engine.machine.disconnect(key, forGood: true))
        inbox.forget(key)
        live.forget(key)
    }

    private func isGone(_ key: Int64) -> Bool {
        do throws(SceneStoreError) {
            return try store.record(key: key) == nil
        } catch {
            return false
        }
    }

    private func remove(
        _ keys: [Int64], _ write: () throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        let sessions = keys.compactMap { key -> SceneSession? in
            guard var session = live.scene(key)?.session else {
                return nil
            }
            session.discardCause = .reset
            return session
        }
        var pending: SceneStoreError?
        do throws(SceneStoreError) {
            try write()
        } catch {
            // They may be gone all the same, and only some of their bytes left.
            guard keys.allSatisfy(isGone) else {
                throw error
            }
            pending = error
        }
        for key in keys {
            disconnectForGood(key)
        }
        if !sessions.isEmpty {
            deliverDiscards(sessions)
        }
        perform(engine.machine.refocus())
        writeMarks()
        if let pending {
            throw pending
        }
    }
}
