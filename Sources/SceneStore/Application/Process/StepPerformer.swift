import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// Performs what the engine decided, in its order: the plan of a launch, or of any later event.
final class StepPerformer {
    let application: SceneApplication
    private let core: ApplicationCore
    /// The launch whose steps these are; nil for a later event.
    private let plan: LaunchPlan?
    /// The numbers in the inbox of what the event hands over, once it is known whether a private
    /// session takes it.
    private let items: (_ isPrivate: Bool) -> [Int64]
    /// Whether the window that was to become active could not be read: the next one takes its place.
    var lacksActive = false

    init(
        application: SceneApplication, plan: LaunchPlan? = nil,
        items: @escaping (_ isPrivate: Bool) -> [Int64] = { _ in [] }
    ) {
        self.application = application
        core = application.core
        self.plan = plan
        self.items = items
    }

    /// Performs a step; answers the key of the session that it connected.
    @discardableResult
    func perform(_ step: PlanStep) throws(SceneStoreError) -> Int64? {
        switch step {
        case .decide(let record): core.decide(record, isStored: plan != nil)
        case .report(let diagnostic): core.report(diagnostic)
        case .note(let outcome, let session, let reason):
            core.book.note(outcome, session, reason)
        case .announceLaunch: announceLaunch()
        case .tellOfDiscards(let discards): try tell(of: discards)
        case .connectIfNone(let connection):
            if core.engine.machine.members.isEmpty, !hasNoConfiguration(for: connection) {
                return try application.connect(connection)
            }
        case .connect(let connection): return try connect(connection)
        case .bringForward(let record, let call): bringForward(record, call)
        case .discard(let records, let cause, let freed):
            try SessionRemoval(application: application).discard(records, cause, freeing: freed)
        }
        return nil
    }

    private func announceLaunch() {
        core.tell(.willFinishLaunching)
        _ = application.delegate.application(
            application, willFinishLaunchingWithOptions: LaunchOptions())
        core.tell(.didFinishLaunching)
        _ = application.delegate.application(
            application, didFinishLaunchingWithOptions: LaunchOptions())
    }

    private func connect(_ connection: SceneConnection) throws(SceneStoreError) -> Int64 {
        if lacksActive, connection.arrival != .active, !core.engine.machine.hasFront {
            var connection = connection
            connection.arrival = .active
            return try connect(connection)
        }
        return try application.connect(connection) { isPrivate in
            connection.items { place in
                plan?.items(at: place) { isPrivate ? [] : application.inbox.keep($0.call) }
                    ?? items(isPrivate)
            }
        }
    }

    /// Whether a window of the same role was asked for at this launch and could not be made: another
    /// one can't be, either, and that was reported.
    private func hasNoConfiguration(for connection: SceneConnection) -> Bool {
        connection.configurationName == nil
            && plan?.newSessions.contains {
                $0.role == connection.role && $0.configuration == nil
                    && !application.provides($0.role)
            } ?? false
    }

    private func bringForward(_ record: SessionRecord, _ call: LifecycleMachine.PayloadCall?) {
        let items = call == nil ? [] : items(record.privacy == .ephemeral)
        application.inbox.note(items, takenBy: record.id)
        core.attempt(try application.inbox.begin(items))
        let wasActive = core.engine.machine.phase(of: record.key) == .active
        application.makeCallbacks(core.engine.machine.bringForward(record.key, payload: call))
        if wasActive, let scene = core.live.scene(record.key) {
            application.states.mark(record.key) { $0.becameActive = true }
            // Who takes a payload is raised by it.
            if call == nil {
                application.raiseHandler?(scene)
            }
        }
        application.states.writeMarks()
    }

    private func tell(of discards: [LaunchPlan.Discard]) throws(SceneStoreError) {
        let told = plan?.judgement.told ?? []
        core.tolerating { () throws(SceneStoreError) in
            try core.store.discards.mark(told, .offered)
        }
        application.deliverDiscards(
            discards.map { discard in
                var session = SceneSession(
                    persistentIdentifier: discard.identifier,
                    configuration: discard.configuration)
                session.discardCause = discard.cause
                session.isDiscardRedelivered = discard.isRedelivered
                return session
            })
        try core.store.discards.mark(told, .delivered)
    }
}

/// Performing what the engine answers, and asking it.
extension SceneApplication {
    /// Performs steps; answers the keys of the sessions that they connected, in their order: windows
    /// that belong to another one connect after it. `items` are the numbers in the inbox of what the
    /// event hands over, asked for once the session that takes it is known.
    @discardableResult
    package func carryOut(
        _ steps: [PlanStep], handing items: @escaping (_ isPrivate: Bool) -> [Int64] = { _ in [] }
    ) throws(SceneStoreError) -> [Int64] {
        let performer = StepPerformer(application: self, items: items)
        var connected: [Int64] = []
        for step in steps where core.processState == .running {
            if let key = try performer.perform(step) {
                connected.append(key)
            }
        }
        return connected
    }

    func deliverDiscards(_ sessions: [SceneSession]) {
        core.tell(.didDiscard(sessions))
        delegate.application(self, didDiscardSceneSessions: sessions)
    }

    /// Whether the provider has a configuration for a role.
    func provides(_ role: SceneSessionRole) -> Bool {
        configurationProvider?.providesConfiguration(for: role) == true
    }
}
