import SceneStoreEngine
import SceneStoreValues

/// Performs what the engine decided, in its order: the plan of a launch, or of any later event.
struct StepPerformer {
    let application: SceneApplication
    /// The launch whose steps these are; nil for a later event.
    var plan: LaunchPlan?
    /// The numbers in the inbox of what the event hands over.
    var items: [Int64] = []
    /// Whether the window that was to become active could not be read: the next one takes its place.
    var lacksActive = false

    /// Performs a step; answers the key of the session that it connected.
    @discardableResult
    func perform(_ step: PlanStep) throws(SceneStoreError) -> Int64? {
        switch step {
        case .decide(let record): application.decide(record)
        case .report(let diagnostic): application.report(diagnostic)
        case .note(let outcome, let session, let reason):
            application.book.note(outcome, session, reason)
        case .announceLaunch: announceLaunch()
        case .tellOfDiscards(let discards): try tell(of: discards)
        case .connectIfNone(let connection):
            if application.engine.machine.members.isEmpty, !hasNoConfiguration(for: connection) {
                return try application.connect(connection)
            }
        case .connect(let connection): return try connect(connection)
        case .bringForward(let record, let call): bringForward(record, call)
        case .discard(let records, let cause, let freed):
            try WindowRemoval(application: application).discard(records, cause, freeing: freed)
        }
        return nil
    }

    private func announceLaunch() {
        application.tell(.willFinishLaunching)
        _ = application.delegate.application(
            application, willFinishLaunchingWithOptions: LaunchOptions())
        application.tell(.didFinishLaunching)
        _ = application.delegate.application(
            application, didFinishLaunchingWithOptions: LaunchOptions())
    }

    private func connect(_ connection: SceneConnection) throws(SceneStoreError) -> Int64 {
        let items = plan?.items(of: connection) ?? HandedItems(items, of: connection)
        let key: Int64
        if lacksActive, !application.engine.machine.hasFront {
            var next = connection
            next.arrival = .active
            key = try application.connect(next, items)
        } else {
            key = try application.connect(connection, items)
        }
        if !items.all.isEmpty {
            application.inbox.note(items.all, takenBy: application.live[key]?.record.id)
        }
        return key
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
        application.tolerating { () throws(SceneStoreError) in
            try application.inbox.begin(items)
        }
        let wasActive = application.engine.machine.phase(of: record.key) == .active
        application.perform(application.engine.machine.bringForward(record.key, payload: call))
        if wasActive, let scene = application.live.scene(record.key) {
            application.live.mark(record.key) { $0.becameActive = true }
            // Who takes a payload is raised by it.
            if call == nil {
                application.raiseHandler?(scene)
            }
        }
        application.writeMarks()
    }

    private func tell(of discards: [LaunchPlan.Discard]) throws(SceneStoreError) {
        application.deliverDiscards(
            discards.map { discard in
                var session = SceneSession(
                    persistentIdentifier: discard.identifier,
                    configuration: discard.configuration)
                session.discardCause = discard.cause
                session.isDiscardRedelivered = discard.isRedelivered
                return session
            })
        if let judgement = plan?.judgement {
            try application.store.discards.markDelivered(judgement.told)
        }
    }
}
