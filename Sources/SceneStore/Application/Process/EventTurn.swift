/// One event at a time: what a callback asks for is done after the event that called it.
package final class EventTurn {
    /// The application; it owns this.
    private unowned let application: SceneApplication
    // No code of the app runs inside an access to these.
    /// Whether an event is being performed; others wait.
    @exclusivity(unchecked) private(set) var isPerforming = false
    @exclusivity(unchecked) private var waiting: [() -> Void] = []
    /// How many events the callbacks of events that had waited asked for, in this turn.
    @exclusivity(unchecked) private var followers: Int?
    /// How many payloads are among what waits.
    private var waitingPayloads = 0
    /// How many payloads were refused because too many waited.
    private(set) var refusedPayloads = 0

    /// How many payloads wait while callbacks run and no scene is ready for them.
    private static let waitingPayloadLimit = 64
    /// More of them are a circle, such as a window that opens another one when it is made.
    private static let followerLimit = 256

    package init(_ application: SceneApplication) {
        self.application = application
    }

    /// Performs an event now, or after the one that is being performed; then its errors are
    /// reported.
    package func perform(
        _ work: @escaping () throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        let application = application
        guard !isPerforming else {
            if let count = followers {
                guard count < Self.followerLimit else {
                    throw SceneStoreError(
                        .limitExceeded,
                        "callbacks requested \(count) events one after the other; request none "
                            + "that makes its own callback request another one")
                }
                followers = count + 1
            }
            waiting.append { [unowned self, unowned application] in
                follow()
                application.tolerating(nil, work)
            }
            return
        }
        begin()
        defer {
            finish()
        }
        try application.lease.takeBack()
        application.settling.settleIfStable()
        follow()
        try work()
    }

    /// The order of the windows is the store's: one that comes back with its place there is not taken
    /// for used after one that was used since.
    private func follow() {
        application.engine.machine.follow(application.store.currentGeneration())
    }

    /// The same for one that brings a payload; refuses it when too many wait.
    package func performPayload(
        _ work: @escaping () throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        guard isPerforming else {
            try perform(work)
            return
        }
        guard waitingPayloads < Self.waitingPayloadLimit else {
            refusedPayloads += 1
            throw SceneStoreError(
                .tooManyPayloads, "too many payloads wait for a scene")
        }
        waitingPayloads += 1
        try perform { [self] () throws(SceneStoreError) in
            waitingPayloads -= 1
            try work()
        }
    }

    package func begin() {
        isPerforming = true
    }

    /// Performs what waited, tells what the store noticed, and sees to it that the log is bounded
    /// once things are quiet.
    package func finish() {
        let application = application
        application.states.reportSaveFailures()
        application.store.tellDiagnostics(application.report)
        followers = 0
        while !waiting.isEmpty {
            waiting.removeFirst()()
            application.states.reportSaveFailures()
        }
        followers = nil
        isPerforming = false
        application.letStoreGo()
        application.upkeep.schedule()
    }

    /// Nothing that waits is done any more.
    package func removeAll() {
        waiting.removeAll()
    }
}

extension SceneApplication {
    package func event(_ work: @escaping () throws(SceneStoreError) -> Void) throws(SceneStoreError)
    {
        try events.perform(work)
    }

    /// Does an event and returns its answer, or `later` if it takes effect after the callback that runs.
    func event<Answer>(
        orLater later: Answer, call: String = #function,
        _ work: @escaping () throws(SceneStoreError) -> Answer
    ) throws(SceneStoreError) -> Answer {
        try requireRunning(call)
        var answer = later
        try event { () throws(SceneStoreError) in answer = try work() }
        return answer
    }
}

extension SceneApplication {
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
