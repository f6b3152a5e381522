import SceneStoreValues

extension Engine {
    // MARK: Connecting

    /// A connection with what it brings along: in its options, or by the callbacks of the scene
    /// once it is active (L-64). What has no room in the options, such as a second shortcut, comes
    /// by the callbacks in any case: none overwrites another (L-65). `redelivered` are the places of
    /// the payloads that an earlier process was offered.
    package func connection(
        _ subject: SceneConnection.Subject, _ arrival: LifecycleMachine.Arrival,
        _ payloads: [Payload] = [], isRequested: Bool = false, redelivered: Set<Int> = []
    ) -> SceneConnection {
        var connection = SceneConnection(subject: subject, arrival: arrival)
        var calls: [LifecycleMachine.PayloadCall] = []
        var more: [LifecycleMachine.PayloadCall] = []
        connection.payloads = Array(payloads.indices)
        for (place, payload) in payloads.enumerated() {
            let call: LifecycleMachine.PayloadCall =
                isRequested
                ? .requested(payload)
                : .incoming(payload, isRedelivered: redelivered.contains(place))
            if connection.options.hasRoom(for: payload) {
                connection.options.add(payload)
                calls.append(call)
            } else {
                more.append(call)
                connection.later.append(place)
            }
        }
        connection.options.isRedelivered = !redelivered.isEmpty
        if rules.deliversWhenActive {
            connection.waiting = calls.inOrderOfDelivery + more
            connection.later = connection.payloads
        } else {
            connection.riding = connection.options
            connection.owed = more
        }
        return connection
    }

    /// The connection that a payload makes.
    private func connection(
        _ subject: SceneConnection.Subject, for call: LifecycleMachine.PayloadCall
    ) -> SceneConnection {
        switch call {
        case .incoming(let payload, let isRedelivered):
            return connection(subject, .active, [payload], redelivered: isRedelivered ? [0] : [])
        case .requested(let payload):
            return connection(subject, .active, [payload], isRequested: true)
        case .failing(let type), .announced(let type), .lost(let type):
            return announcing(subject, type, call)
        case .arrived(let activity):
            var connection = announcing(subject, activity.activityType, call.announced)
            connection.payloads = [0]
            return connection
        }
    }

    /// A connection whose options have only the type of an activity (L-60).
    private func announcing(
        _ subject: SceneConnection.Subject, _ type: String, _ call: LifecycleMachine.PayloadCall
    ) -> SceneConnection {
        var connection = SceneConnection(subject: subject, arrival: .active)
        connection.announce(type, call)
        return connection
    }

    // MARK: Events

    /// A payload arrives while the app runs (L-61, L-70). Where the window that the app named for it
    /// could not be made, the conditions choose.
    package func receive(
        _ call: LifecycleMachine.PayloadCall, identifier: String?, named: PayloadTarget? = nil,
        isUnmet: Bool = false, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> (target: EventTarget, steps: [PlanStep]) {
        let (target, finding) = try self.target(identifier, named, isUnmet: isUnmet, in: skeleton)
        var steps: [PlanStep] = finding.map { [.report($0)] } ?? []
        steps.append(.decide(target.decision))
        if let record = target.record, machine.phase(of: record.key) != nil {
            steps.append(
                .decide(
                    DecisionRecord(
                        .delivery, session: record.id, outcome: "warm",
                        reason: "its scene is connected; the callbacks deliver it")))
            steps.append(.bringForward(record, call.announced))
        } else {
            let subject =
                target.record.map { SceneConnection.Subject.remembered($0) }
                ?? .new(target.role ?? rules.defaultRole, presentedValue: target.value)
            steps.append(.connect(connection(subject, for: call)))
            steps += try companions(of: target.record.map { [$0] } ?? [], skeleton)
        }
        return (target, steps)
    }

    /// The app asks for a session or for another scene (L-73, L-74).
    package func activate(
        _ request: SceneSessionActivationRequest, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [PlanStep] {
        let payload = request.userActivity.map { Payload.activity($0) }
        if let identifier = request.sessionIdentifier {
            guard let record = try openRecord(identifier, in: skeleton) else {
                throw Self.unknownSession
            }
            return try show(record, for: request, payload, skeleton)
        }
        let role = rules.role(of: request)
        if let steps = try existing(for: request, role, payload, skeleton) {
            return steps
        }
        if let record = try preferring(payload?.activationIdentifier, role, skeleton) {
            let decision = DecisionRecord(
                .target, session: record.id, outcome: "prefers",
                reason: "a session of the role prefers the target")
            return try [.decide(decision)] + show(record, for: request, payload, skeleton)
        }
        try requireRoom(for: role, in: skeleton, isRequested: true)
        // Other words than for a link that makes a session: the journal keeps them apart.
        var steps: [PlanStep] = []
        if let held = try heldOnly(role, skeleton) {
            steps.append(
                .decide(
                    DecisionRecord(
                        .stay, session: held.id, outcome: "held",
                        reason: rules.heldReason(of: held))))
            steps.append(.report(held.heldFinding))
        }
        let decision = DecisionRecord(
            .target, outcome: "new-window",
            reason: steps.isEmpty
                ? "a new scene of the role was asked for"
                : "its role has one window, which is held")
        var connection = connection(
            .new(role, presentedValue: request.presentedValue),
            request.staysInBackground ? .background : .active, payload.map { [$0] } ?? [],
            isRequested: true)
        connection.configurationName = request.configurationName
        connection.privacy = request.privacy
        return steps + [.decide(decision), .connect(connection)]
    }

    /// A session that is there already answers a request, in front or where it is.
    func show(
        _ record: SessionRecord, for request: SceneSessionActivationRequest, _ payload: Payload?,
        _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [PlanStep] {
        request.staysInBackground
            ? try connectBehind(record, payload, in: skeleton)
            : try bringForward(record, payload, in: skeleton)
    }

    private func preferring(
        _ identifier: String?, _ role: SceneSessionRole, _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> SessionRecord? {
        guard identifier != nil else {
            return nil
        }
        return try first(
            of: try keysWithConditions(skeleton), in: skeleton,
            whose: { $0.prefersToActivate.allows(identifier) }
        ) {
            $0.role == role && takesEvents($0)
        }
    }

    /// Whether the manifest has anything to show a session with.
    func requireEntry(for record: SessionRecord) throws(SceneStoreError) {
        guard !rules.isUnshowable(record) else {
            throw SceneStoreError(
                .multipleScenesNotSupported,
                "the manifest has no configuration for the session's role",
                path: record.role.rawValue)
        }
    }

    /// A session comes to the front; one without a scene gets one, and so do the windows that belong
    /// to it.
    package func bringForward(
        _ record: SessionRecord, _ payload: Payload?, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [PlanStep] {
        guard machine.phase(of: record.key) == nil else {
            return [.bringForward(record, payload.map { .requested($0) })]
        }
        return try connect(record, payload, .active, in: skeleton)
    }

    /// A session without a scene gets one in the background, and so do the windows that belong to it.
    /// One that has a scene stays where it is, unless it is to show something.
    package func connectBehind(
        _ record: SessionRecord, _ payload: Payload?, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [PlanStep] {
        guard machine.phase(of: record.key) == nil else {
            return payload == nil ? [] : try bringForward(record, payload, in: skeleton)
        }
        return try connect(record, payload, .background, in: skeleton)
    }

    private func connect(
        _ record: SessionRecord, _ payload: Payload?, _ arrival: LifecycleMachine.Arrival,
        in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [PlanStep] {
        try requireEntry(for: record)
        if let cause = rules.parked(record), cause != .notKept {
            throw Self.oneSceneExists(of: record.role)
        }
        // Another may have taken its place while it was held back.
        guard !isBarred(record) else {
            throw Self.oneSceneExists(of: record.role)
        }
        let own = connection(
            .remembered(record), arrival, payload.map { [$0] } ?? [], isRequested: true)
        return try [.connect(own)]
            + companions(of: [record], skeleton, arrival == .background ? .background : .foreground)
    }

    // MARK: Order

    /// Who counts as used from now on, though only the launch made it active: scenes that what launched
    /// the app brought before one of their role that was used later (L-70), or before one that is held
    /// back or parked (L-52), and those that are the latest, and were used last an hour ago or more.
    /// Who has the focus comes last, and stays the latest of all.
    package func overtaken(
        in skeleton: some Skeleton, now: Int64 = .min
    ) throws(SceneStoreError) -> [LifecycleMachine.SceneKey] {
        var found: Set<LifecycleMachine.SceneKey> = []
        let active = machine.members.filter { $0.value.phase == .active }
        for (key, member) in active.sorted(by: { $0.key < $1.key }) {
            if let latest = try skeleton.mostRecentRecord(role: member.role),
                latest.key != key
                    || now.saturatingMinus(latest.lastActiveAt) >= HistoryPolicy.hour
            {
                found.insert(key)
            }
        }
        guard !found.isEmpty else {
            return []
        }
        return machine.all.reversed().filter { found.contains($0) || $0 == machine.focus }
    }

    // MARK: Refusing

    package static let unknownSession = SceneStoreError(
        .requestDenied,
        "the session is unknown or was discarded; reopen it, or open a new window")

    static func oneSceneExists(of role: SceneSessionRole) -> SceneStoreError {
        SceneStoreError(
            .multipleScenesNotSupported,
            "the app supports one scene of the role, and it exists", path: role.rawValue)
    }
}

extension [LifecycleMachine.PayloadCall] {
    /// Links, activities, the action, the notification (L-64). Links come together, but those that are
    /// handed over again by a call of their own: the mark is each payload's.
    fileprivate var inOrderOfDelivery: Self {
        var links: [(contexts: [OpenURLContext], isRedelivered: Bool)] = []
        var (activities, actions, notifications): (Self, Self, Self) = ([], [], [])
        for call in self {
            switch call {
            case .incoming(.urls(let contexts), let isRedelivered):
                if let place = links.firstIndex(where: { $0.isRedelivered == isRedelivered }) {
                    links[place].contexts += contexts
                } else {
                    links.append((contexts, isRedelivered))
                }
            case .incoming(.shortcut, _): actions.append(call)
            case .incoming(.notification, _): notifications.append(call)
            default: activities.append(call)
            }
        }
        return links.map { .incoming(.urls($0.contexts), isRedelivered: $0.isRedelivered) }
            + activities + actions + notifications
    }
}

extension LifecycleMachine.PayloadCall {
    /// The call for a scene that was told of nothing yet: what arrives from another device is announced
    /// to it first (L-61).
    var announced: Self {
        if case .arrived(let activity) = self { .incoming(.activity(activity)) } else { self }
    }

    /// What the call hands over; nil for one that only announces.
    package var payload: Payload? {
        switch self {
        case .incoming(let payload, _), .requested(let payload): payload
        case .arrived(let activity): .activity(activity)
        case .failing, .announced, .lost: nil
        }
    }

    package var identifier: String? { payload?.activationIdentifier }

    /// The type of an activity that is announced first.
    package var announcedType: String? {
        switch self {
        case .incoming(.activity(let activity, _), _): activity.activityType
        case .failing(let type), .announced(let type): type
        case .incoming, .requested, .arrived, .lost: nil
        }
    }

    /// The type of an activity whose data never came, which is told last.
    package var failedType: String? {
        switch self {
        case .failing(let type), .lost(let type): type
        case .incoming, .requested, .announced, .arrived: nil
        }
    }
}

extension ConnectionOptions {
    /// Whether a payload can be added without taking another one's place.
    fileprivate func hasRoom(for payload: Payload) -> Bool {
        switch payload {
        case .urls, .activity: true
        case .shortcut: shortcutItem == nil
        case .notification: notificationResponse == nil
        }
    }
}
