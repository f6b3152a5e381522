/// One event at a time: what a callback asks for is done after the event that called it.
package final class EventTurn {
    private let core: ApplicationCore
    private let settling: Settling
    private let states: StateWriter
    /// The application. A callback may let go of it, and it goes when the event is done (L-41).
    weak var owner: AnyObject?
    /// Takes the store back before an event.
    var takeStoreBack: () throws(SceneStoreError) -> Void = {}
    /// Looks for idle work after an event.
    var scheduleUpkeep: () -> Void = {}
    // No code of the app runs inside an access to these.
    @exclusivity(unchecked) private var waiting: [(comesBeforeEnd: Bool, work: () -> Void)] = []
    /// How many events the callbacks of events that had waited asked for, in this turn.
    @exclusivity(unchecked) private var followers: Int?
    /// How many payloads are among what waits.
    private var waitingPayloads = 0
    /// How many payloads were refused because too many waited.
    package private(set) var refusedPayloads = 0

    /// How many payloads wait while callbacks run and no scene is ready for them.
    private static let waitingPayloadLimit = 64
    /// More of them are a circle, such as a window that opens another one when it is made.
    private static let followerLimit = 256

    init(_ core: ApplicationCore, _ settling: Settling, _ states: StateWriter) {
        self.core = core
        self.settling = settling
        self.states = states
    }

    /// Performs an event now, or after the one that is being performed; then its errors are
    /// reported.
    package func perform(
        comesBeforeEnd: Bool = false, _ work: @escaping () throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        guard !core.isPerforming else {
            if let count = followers {
                guard count < Self.followerLimit else {
                    throw SceneStoreError(
                        .limitExceeded,
                        "callbacks requested \(count) events one after the other; request none "
                            + "that makes its own callback request another one")
                }
                followers = count + 1
            }
            waiting.append(
                (
                    comesBeforeEnd,
                    { [unowned self] in
                        follow()
                        core.tolerating(nil, work)
                    }
                ))
            return
        }
        core.isPerforming = true
        let owner = owner
        defer {
            finish()
            withExtendedLifetime(owner) {}
        }
        if core.isLetGo || core.awaitsReading {
            try takeStoreBack()
        }
        settling.settleIfStable()
        follow()
        try work()
    }

    /// The order of the windows is the store's: one that comes back with its place there is not taken
    /// for used after one that was used since.
    private func follow() {
        core.engine.machine.follow(core.store.currentGeneration())
    }

    /// The same for one that brings a payload; refuses it when too many wait. One that nobody
    /// else keeps `comesBeforeEnd`, whatever waits before it.
    package func performPayload(
        comesBeforeEnd: Bool = true, _ work: @escaping () throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        guard core.isPerforming else {
            return try perform(work)
        }
        guard waitingPayloads < Self.waitingPayloadLimit else {
            refusedPayloads += 1
            throw SceneStoreError(.tooManyPayloads, "too many payloads wait for a scene")
        }
        try perform(comesBeforeEnd: comesBeforeEnd) { [self] () throws(SceneStoreError) in
            waitingPayloads -= 1
            try work()
        }
        waitingPayloads += 1
    }

    /// Performs what waited, tells what the store noticed, and sees to it that the log is bounded
    /// once things are quiet.
    func finish() {
        states.reportSaveFailures()
        core.tellFindings()
        followers = 0
        while !waiting.isEmpty {
            waiting.removeFirst().work()
            states.reportSaveFailures()
        }
        followers = nil
        core.isPerforming = false
        core.letStoreGo()
        scheduleUpkeep()
    }

    /// The process ends: performs what comes before the end.
    func finishPayloads() {
        let payloads = waiting.filter(\.comesBeforeEnd)
        waiting.removeAll(where: \.comesBeforeEnd)
        payloads.forEach { $0.work() }
    }

    /// Nothing that waits is done any more.
    package func removeAll() {
        waiting.removeAll()
    }
}
