import SceneStoreValues

/// One thing that a launch or a later event does, in its place.
package enum PlanStep: Sendable {
    /// A decision, told before what it decides happens.
    case decide(DecisionRecord)
    /// Something is not as it should be, and was handled all the same.
    indirect case report(Diagnostic)
    /// The ledger of the launch counts a session.
    case note(LaunchOutcome, session: SceneSession.ID, reason: String)
    /// The two callbacks of the app that begin a launch.
    case announceLaunch
    /// The app is told of sessions that are gone for good.
    case tellOfDiscards([LaunchPlan.Discard])
    /// A session gets a scene.
    ///
    /// Indirect, as all that is large: a launch makes a step for each window, and they are copied.
    indirect case connect(SceneConnection)
    /// The same, if no scene is connected by then.
    indirect case connectIfNone(SceneConnection)
    /// A connected scene comes to the front, perhaps to receive something.
    indirect case bringForward(SessionRecord, LifecycleMachine.PayloadCall?)
    /// Sessions are discarded in one action: stored, their scenes disconnected, the app told, the
    /// focus passed on. Those that take their places are parked no longer.
    case discard([SessionRecord], DiscardCause, freeing: [SessionRecord] = [])
}

extension PlanStep {
    /// The session that connects.
    package var sessionIdentifier: SceneSession.ID? {
        if case .connect(let connection) = self { connection.record?.id } else { nil }
    }

    /// The connection of a session that is made.
    package var newConnection: SceneConnection? {
        guard case .connect(let connection) = self, connection.record == nil else {
            return nil
        }
        return connection
    }
}

/// How a session gets its scene.
package struct SceneConnection: Sendable {
    /// Whose scene it is.
    package enum Subject: Sendable {
        /// A session that is remembered; the provider is not asked.
        case remembered(SessionRecord)
        /// A session that is made; the provider is asked.
        case new(SceneSessionRole, presentedValue: Value? = nil)
    }

    package var subject: Subject
    package var arrival: LifecycleMachine.Arrival
    /// What is brought along, as the provider sees it.
    package var options = ConnectionOptions()
    /// What rides on `connect`.
    package var riding = ConnectionOptions()
    /// What is handed to the callbacks right after the scene's first `active`.
    package var waiting: [LifecycleMachine.PayloadCall] = []
    /// What is handed to the callbacks once the scene has come as far as it comes.
    package var owed: [LifecycleMachine.PayloadCall] = []
    /// The configuration that was named for a new session; nil asks the provider.
    package var configurationName: String?
    /// Who may see what a new session holds.
    package var privacy = PrivacyClass.standard
    /// The places of what is handed over, among the payloads of the launch.
    package var payloads: [Int] = []
    /// Of these, what does not come with the connection but by a callback of its own: its delivery
    /// begins with that (L-65).
    package var later: [Int] = []
    /// What a launch has decided, and stored, of the session's state; nil for later events.
    package var planned: RestorationStatus?

    package init(subject: Subject, arrival: LifecycleMachine.Arrival) {
        self.subject = subject
        self.arrival = arrival
    }

    /// Announces an activity from another device by its type; `call` follows after all else, once the
    /// scene has come as far as it comes (L-60, L-64).
    mutating func announce(_ type: String, _ call: LifecycleMachine.PayloadCall) {
        options.handoffUserActivityType = type
        riding.handoffUserActivityType = type
        owed.append(call)
    }

    /// The numbers in the inbox of what it hands over: those whose delivery begins with the connection
    /// (L-65), and those that come by callbacks of their own, perhaps not before the scene's first
    /// `active`.
    package typealias Items = (carried: [Int64], awaited: [Int64])

    /// The numbers in the inbox of what it hands over, by the places of the payloads.
    package func items(_ numbers: (_ place: Int) -> [Int64]) -> Items {
        (
            payloads.filter { !later.contains($0) }.flatMap(numbers),
            payloads.filter(later.contains).flatMap(numbers)
        )
    }

    /// Whether its first callback hands anything over, or announces what is there: the delivery
    /// begins with it (L-65). What waits for the scene's first `active` is delivered from then on.
    package var carriesPayload: Bool {
        guard !riding.isEmpty || !owed.isEmpty else {
            return false
        }
        return owed.contains { $0.payload != nil } || !riding.payloads.isEmpty
    }

    /// The session that connects; nil for one that is made.
    package var record: SessionRecord? {
        if case .remembered(let record) = subject { record } else { nil }
    }

    /// The role of the session.
    package var role: SceneSessionRole {
        switch subject {
        case .remembered(let record): record.role
        case .new(let role, _): role
        }
    }
}
