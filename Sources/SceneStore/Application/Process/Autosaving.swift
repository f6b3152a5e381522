import SceneStoreEngine

/// Saves changed scenes when the ``Autosaver`` says so, and at once when they leave (S-24).
final class Autosaving {
    /// The application; it owns this.
    private unowned let application: SceneApplication
    @exclusivity(unchecked) private var autosaver = Autosaver()
    private var timer: ScheduledWork?

    /// Milliseconds until another attempt at changes that no event could take, because another
    /// process owns the container, say.
    private static let retry: Int64 = 5_000

    init(_ application: SceneApplication) {
        self.application = application
        take(application.options)
    }

    /// Takes over how long to wait.
    func take(_ options: SceneApplicationOptions) {
        autosaver.wait(options.autosaveDelay, atMost: options.autosaveCeiling)
    }

    /// Whether a scene changed since it was saved.
    func isPending(_ key: Int64) -> Bool { autosaver.pending.contains(key) }

    /// A scene was saved or discarded.
    func remove(_ key: Int64) {
        autosaver.remove(key)
    }

    /// A scene changed.
    func note(_ key: Int64) {
        application.ending.tellIfEnded()
        guard application.processState == .running, application.live.scene(key) != nil,
            !application.states.isAsked(key)
        else {
            return
        }
        let now = application.environment.now()
        if autosaver.changed(key, now: now) {
            schedule(after: autosaver.delay(now: now))
        }
    }

    private func schedule(after delay: Int64) {
        timer?.cancel()
        timer = application.scheduler?.schedule(after: delay) { [weak application] in
            guard let application else {
                return
            }
            application.autosaving.fire()
        }
    }

    private func fire() {
        guard application.processState == .running, !autosaver.pending.isEmpty else {
            return
        }
        let delay = autosaver.delay(now: application.environment.now())
        if delay > 0 {
            schedule(after: delay)
        } else if application.states.isAsking {
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
        if autosaver.isDue(now: application.environment.now()) {
            flush()
        }
    }

    /// Saves all noted changes now, in an event of its own; nothing when there are none.
    func flush() {
        application.ending.tellIfEnded()
        guard !autosaver.pending.isEmpty, !application.states.refusesSave(of: []) else {
            return
        }
        do throws(SceneStoreError) {
            try application.event { [self] () throws(SceneStoreError) in
                save()
            }
        } catch {
            application.report(error)
            if !autosaver.pending.isEmpty {
                schedule(after: Self.retry)
            }
        }
    }

    /// Within an event: asks the changed scenes for their states and writes them. When windows leave
    /// the front, close or are about to, the others' changes are as safe as theirs (S-20).
    func save(asLeaving: Bool = false) {
        let keys = autosaver.takeAll().sorted()
        timer?.cancel()
        for key in keys {
            if let scene = application.live.scene(key) {
                application.states.collectState(of: scene)
            }
        }
        // Titles and places are told with a state, also with one that is refused.
        guard application.live.hasUnsavedStates else {
            return
        }
        if asLeaving {
            application.states.commitBackground()
        } else {
            application.states.commitStates(durability: .normal)
        }
    }

    /// A scene that only loses the focus is saved at once if it changed; one that leaves the front
    /// is asked for its state anyway, in its save chain.
    func noteResigned(_ key: Int64) {
        if isPending(key), application.engine.machine.phase(of: key) == .inactive {
            save()
        }
    }
}
