/// Saves changed scenes soon, but not at every change.
///
/// A change is saved 0.5 s after the last one and at the latest 2 s after the first, in one
/// transaction for all changed scenes, in mode normal; and at once when a scene loses the focus,
/// when a window is closed, and when the app quits. Between changes there is no timer and no
/// write. Without a scheduler a change waits for the next of those events.
///
///     Editing ...... change, change, change ............
///                    |<------- ceiling, 2 s ------->|
///                                    |<- 0.5 s ->| save
struct Autosaver {
    /// Milliseconds from the last change to the save.
    var debounce: Int64 = 500
    /// Milliseconds from the first change to the save, whatever comes.
    var ceiling: Int64 = 2_000
    /// The changed scenes.
    private(set) var pending: Set<Int64> = []
    private var firstChange: Int64 = 0
    private var lastChange: Int64 = 0

    /// Notes a change; answers the time to call back at when no call is outstanding.
    mutating func changed(_ key: Int64, now: Int64) -> Int64? {
        let begins = pending.isEmpty
        if begins {
            firstChange = now
        }
        pending.insert(key)
        lastChange = now
        return begins ? due : nil
    }

    /// When the pending changes are to be saved.
    var due: Int64 {
        min(lastChange &+ debounce, firstChange &+ ceiling)
    }

    /// Drops a scene that was saved or discarded.
    mutating func remove(_ key: Int64) {
        pending.remove(key)
    }

    /// Takes what is to be saved now.
    mutating func takeAll() -> Set<Int64> {
        defer { pending.removeAll(keepingCapacity: true) }
        return pending
    }
}

extension Scene {
    /// The state changed: it is saved soon (0.5 s after the last change, at the latest 2 s after
    /// the first) and before the window loses the focus. Cheap enough to call at every keystroke.
    public func setNeedsSave() {
        application.noteChange(of: key)
    }
}

extension SceneApplication {
    func noteChange(of key: Int64) {
        guard processState == .running, scenes[key] != nil else {
            return
        }
        if let due = autosaver.changed(key, now: environment.now()) {
            scheduleAutosave(at: due)
        }
    }

    private func scheduleAutosave(at due: Int64) {
        guard let scheduler else {
            return
        }
        autosaveTimer = scheduler.schedule(after: max(0, due &- environment.now())) {
            [weak self] in
            guard let self, processState == .running, !autosaver.pending.isEmpty else {
                return
            }
            if environment.now() < autosaver.due {
                scheduleAutosave(at: autosaver.due)
            } else {
                flushChanges()
            }
        }
    }

    /// Saves all noted changes now, in one transaction; nothing when there are none.
    public func flushChanges() {
        guard !autosaver.pending.isEmpty else {
            return
        }
        do throws(SceneStoreError) {
            try event { [self] () throws(SceneStoreError) in
                saveChanges()
            }
        } catch {
            report(error)
        }
    }

    /// Within an event: asks the changed scenes for their states and writes them.
    func saveChanges() {
        let keys = autosaver.takeAll().sorted()
        autosaveTimer?.cancel()
        for key in keys {
            if let scene = scenes[key] {
                collectState(of: scene)
            }
        }
        if !collectedStates.isEmpty {
            commitStates(durability: .normal)
        }
    }
}
