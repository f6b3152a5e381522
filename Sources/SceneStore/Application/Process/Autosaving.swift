import SceneStoreEngine

/// Saves changed scenes when the ``Autosaver`` says so, and at once when they leave (S-24).
final class Autosaving {
    private let core: ApplicationCore
    private let states: StateWriter
    private let events: EventTurn
    private var timer: ScheduledWork?
    /// Whether a change after the end has been reported.
    private var toldOfChange = false

    /// Milliseconds until another attempt at changes that no event could take, because another
    /// process owns the container, say.
    private static let retry: Int64 = 5_000

    init(_ core: ApplicationCore, _ states: StateWriter, _ events: EventTurn) {
        self.core = core
        self.states = states
        self.events = events
        take(core.options)
    }

    /// Takes over how long to wait.
    func take(_ options: SceneApplicationOptions) {
        states.changes.wait(options.autosaveDelay, atMost: options.autosaveCeiling)
    }

    /// A scene changed.
    func note(_ key: Int64) {
        tellIfEnded()
        guard core.processState == .running, core.live.scene(key) != nil else {
            return
        }
        guard !states.isAsked(key) else {
            states.changesWhileAsked = true
            return
        }
        let now = core.environment.now()
        if states.changes.changed(key, now: now) {
            schedule(after: states.changes.delay(now: now))
        }
    }

    /// Reports the first change that comes after the end.
    private func tellIfEnded() {
        if core.processState == .ended, !toldOfChange {
            toldOfChange = true
            core.report(.changedAfterEnd)
        }
    }

    private func schedule(after delay: Int64) {
        timer?.cancel()
        timer = core.scheduler?.schedule(after: delay) { [weak self] in self?.fire() }
    }

    private func fire() {
        guard core.processState == .running, !states.changes.pending.isEmpty else {
            return
        }
        let delay = states.changes.delay(now: core.environment.now())
        if delay > 0 {
            schedule(after: delay)
        } else if states.isAsking {
            // The app's loop runs within its answer.
            schedule(after: Self.retry)
        } else {
            flush()
        }
    }

    func stop() {
        timer?.cancel()
    }

    /// Saves what a timer should have saved by now.
    func saveIfDue() {
        if states.changes.isDue(now: core.environment.now()) {
            flush()
        }
    }

    /// Saves all noted changes now, in an event of its own; nothing when there are none.
    func flush() {
        tellIfEnded()
        guard !states.changes.isEmpty, !states.refusesSave() else {
            return
        }
        do throws(SceneStoreError) {
            try events.perform { [self] () throws(SceneStoreError) in
                save()
            }
        } catch {
            core.report(error)
            if !states.changes.pending.isEmpty {
                schedule(after: Self.retry)
            }
        }
    }

    /// Within an event: asks the changed scenes for their states and writes them. When windows leave
    /// the front, close or are about to, the others' changes are as safe as theirs (S-20).
    func save(asLeaving: Bool = false) {
        let keys = states.changes.takeAll().sorted()
        timer?.cancel()
        for key in keys {
            if let scene = core.live.scene(key) {
                states.collectState(of: scene)
            }
        }
        // Titles and places are told with a state, also with one that is refused.
        guard core.live.hasUnsavedStates else {
            return
        }
        if asLeaving {
            states.commitBackground()
        } else {
            states.commitStates(durability: .normal)
        }
    }

    /// A scene that only loses the focus is saved at once if it changed; one that leaves the front
    /// is asked for its state anyway, in its save chain.
    func noteResigned(_ key: Int64) {
        if states.changes.isPending(key), core.engine.machine.phase(of: key) == .inactive {
            save()
        }
    }
}
