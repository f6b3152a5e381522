import SceneStoreValues

/// Decides: what is remembered and what happens go in, the steps to perform come out, each with
/// its reason.
///
/// A value without I/O, clock or store. An application performs the steps; `scenestore plan`,
/// `open-url` and `--why`, the ledger and the decision records print them. There is no second
/// place where any of this is decided.
///
///     skeleton ──┐
///     rules ─────┼──> Engine ──> [PlanStep] ──> SceneApplication performs
///     event ─────┘      │                  └──> Rehearsal prints
///                       └─ LifecycleMachine: focus, and which callbacks each step owes
package struct Engine: Sendable {
    package var rules: LaunchRules {
        didSet { lastUpdate = nil }
    }
    /// The live scenes.
    package var machine = LifecycleMachine()
    /// The private sessions that this process shows, by their keys.
    package var privateSessions: [Int64: PrivateSession] = [:]
    /// What the rules make of the configuration that was asked for last: the sessions of a launch
    /// mostly share theirs.
    private var lastUpdate: (of: SharedConfiguration, ConfigurationResolver.Update)?

    package init(rules: LaunchRules) {
        self.rules = rules
    }

    /// What the rules make of a session that connects: what it is shown with, nil for the
    /// configuration of its row, and whether it gets its state.
    package mutating func judge(
        _ record: SessionRecord
    ) -> (configuration: SceneConfiguration?, restoration: RestorationStatus) {
        let hasAdopted = !rules.adopted.isEmpty && rules.adopted[record.key] != nil
        let update: ConfigurationResolver.Update
        if !hasAdopted, let lastUpdate, lastUpdate.of === record.sharedConfiguration {
            update = lastUpdate.1
        } else {
            update = rules.update(of: record)
            lastUpdate = hasAdopted ? nil : (record.sharedConfiguration, update)
        }
        let isAsRead = update == .current && !hasAdopted
        return (
            isAsRead ? nil : rules.configuration(of: record, update),
            rules.restoration(of: record, update)
        )
    }

    /// Whether a session that connects gets its state, unless its guard refuses it or it is lost (L-76).
    mutating func decision(about record: SessionRecord) -> DecisionRecord {
        rules.decision(judge(record).restoration, of: record, hasState: record.hasState)
    }
}

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
    package var planned: DecisionRecord?

    package init(subject: Subject, arrival: LifecycleMachine.Arrival) {
        self.subject = subject
        self.arrival = arrival
    }

    /// Adds an activity from another device: its type is announced, and it follows after all else
    /// (L-60, L-64).
    mutating func announce(_ payload: Payload, isRedelivered: Bool) {
        guard case .activity(let activity, _) = payload else {
            return
        }
        options.handoffUserActivityType = activity.activityType
        riding.handoffUserActivityType = activity.activityType
        owed.append(.incoming(payload, isRedelivered: isRedelivered))
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

    /// A connection that announces an activity from another device, by its type alone (L-60);
    /// `callback` follows once the scene has come as far as it comes.
    private func connection(
        _ subject: SceneConnection.Subject, announcing type: String,
        _ callback: LifecycleMachine.PayloadCall
    ) -> SceneConnection {
        var connection = SceneConnection(subject: subject, arrival: .active)
        connection.options.handoffUserActivityType = type
        connection.riding = connection.options
        connection.owed = [callback]
        return connection
    }

    /// The connection that a payload makes.
    private func connection(
        _ subject: SceneConnection.Subject, for call: LifecycleMachine.PayloadCall
    ) -> SceneConnection {
        switch call {
        case .incoming(let payload, let isRedelivered):
            connection(subject, .active, [payload], redelivered: isRedelivered ? [0] : [])
        case .requested(let payload):
            connection(subject, .active, [payload], isRequested: true)
        case .arrived(let activity):
            connection(subject, announcing: activity.activityType, call.announced)
        case .failing(let type), .announced(let type), .lost(let type):
            connection(subject, announcing: type, call)
        }
    }

    // MARK: Events

    /// A payload arrives while the app runs (L-61, L-70).
    package func receive(
        _ call: LifecycleMachine.PayloadCall, identifier: String?, named: PayloadTarget? = nil,
        in skeleton: some Skeleton
    ) throws(SceneStoreError) -> (target: EventTarget, steps: [PlanStep]) {
        let (target, finding) = try self.target(of: call, identifier, named, in: skeleton)
        return (target, try steps(handing: call, to: target, finding, in: skeleton))
    }

    /// A payload reaches the session that takes it.
    func steps(
        handing call: LifecycleMachine.PayloadCall, to target: EventTarget, _ finding: Diagnostic?,
        in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [PlanStep] {
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
                ?? .new(target.role ?? rules.defaultRole)
            steps.append(.connect(connection(subject, for: call)))
            steps += try companions(of: target.record.map { [$0] } ?? [], skeleton)
        }
        return steps
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
            return request.staysInBackground
                ? try connectBehind(record, payload, in: skeleton)
                : try bringForward(record, payload, in: skeleton)
        }
        let role = rules.role(of: request)
        if let steps = try existing(for: request, role, payload, skeleton) {
            return steps
        }
        if let record = try preferring(payload?.activationIdentifier, role, skeleton) {
            let decision = DecisionRecord(
                .target, session: record.id, outcome: "prefers",
                reason: "a session of the role prefers the target")
            return try [.decide(decision)] + bringForward(record, payload, in: skeleton)
        }
        try requireRoom(for: role, in: skeleton)
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

    /// A window for a value: the one that shows an equal value, else a new one (L-87).
    package func openWindow(
        presenting value: Value, role: SceneSessionRole, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [PlanStep] {
        if let steps = try showing(value, role, nil, skeleton) {
            return steps
        }
        try requireRoom(for: role, in: skeleton)
        let decision = DecisionRecord(
            .target, outcome: "new-window", reason: "no window of the role shows an equal value")
        return [
            .decide(decision), .connect(connection(.new(role, presentedValue: value), .active)),
        ]
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
        if !rules.supportsMultipleScenes,
            machine.members.values.contains(where: { rules.isBarred(record, by: $0.role) })
        {
            throw Self.oneSceneExists(of: record.role)
        }
        let own = connection(
            .remembered(record), arrival, payload.map { [$0] } ?? [], isRequested: true)
        return try [.connect(own)]
            + companions(of: [record], skeleton, arrival == .background ? .background : .foreground)
    }

    // MARK: Order

    /// Who counts as used from now on, though only the launch made it active: scenes in front while a
    /// session of their role that was used later is held back or parked (L-52). Who has the focus
    /// comes last, and stays the latest of all.
    package func overtaken(
        in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [LifecycleMachine.SceneKey] {
        var found: Set<LifecycleMachine.SceneKey> = []
        for (key, member) in machine.members where member.phase == .active {
            if let latest = try skeleton.mostRecentRecord(role: member.role),
                machine.phase(of: latest.key) == nil,
                rules.isHeld(latest) || rules.parked(latest) != nil
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

    package static var unknownSession: SceneStoreError {
        SceneStoreError(
            .requestDenied,
            "the session is unknown or was discarded; reopen it, or open a new window")
    }

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

extension Engine {
    /// The open session of an identifier. A connected one is known by its row, whatever an index says.
    package func openRecord(
        _ identifier: SceneSession.ID, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> SessionRecord? {
        if let record = try skeleton.openRecord(identifier) {
            return record
        }
        for key in machine.all {
            if let record = try skeleton.record(key: key), record.isOpen, record.id == identifier {
                skeleton.noteNotFound(record)
                return record
            }
        }
        return nil
    }
}

/// Who has the only place of a role, in an app of one scene (L-12, L-18).
extension Engine {
    /// Whether another session of a role may be made (L-12).
    package func requireRoom(
        for role: SceneSessionRole, in skeleton: some Skeleton
    ) throws(SceneStoreError) {
        guard try occupying(role, in: skeleton).isEmpty else {
            throw Self.oneSceneExists(of: role)
        }
    }

    /// Whether a session has the only place of its role: a parked one has none, nor has one that is
    /// held back, unless it has a scene.
    private func hasPlace(_ record: SessionRecord) -> Bool {
        rules.parked(record) == nil
            && (!rules.isHeld(record) || machine.phase(of: record.key) != nil)
    }

    /// The sessions that give their places up to some that were closed or parked and are given back
    /// together (L-12, L-18). Each of those needs something to be shown with, and a role of its own
    /// where a role has one place.
    package func displaced(
        by records: [SessionRecord], in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        var roles: Set<SceneSessionRole> = []
        var displaced: [SessionRecord] = []
        for record in records {
            try requireEntry(for: record)
            let role = record.role
            guard roles.insert(role).inserted || rules.supportsMultipleScenes else {
                throw SceneStoreError(
                    .multipleScenesNotSupported,
                    "the app supports one scene of the role; return one session",
                    path: role.rawValue)
            }
            displaced += try occupying(role, besides: record.key, in: skeleton)
        }
        return displaced
    }

    /// The sessions that have the only place of a role.
    private func occupying(
        _ role: SceneSessionRole, besides key: Int64? = nil, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        guard !rules.supportsMultipleScenes, try skeleton.openCount(role: role) > 0 else {
            return []
        }
        return try skeleton.openRecords().filter {
            $0.role == role && $0.key != key && hasPlace($0)
        }
    }

    /// In an app of one scene, the sessions that some which go, or are held back, had displaced
    /// (L-18): of each role the most recently used, when no other has the place.
    package func freed(
        by records: [SessionRecord], in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        guard !rules.supportsMultipleScenes else {
            return []
        }
        let gone = Set(records.map(\.key))
        var roles: Set<SceneSessionRole> = []
        var freed: [SessionRecord] = []
        for record in records where record.isOpen && rules.parked(record) == nil {
            let role = record.role
            guard roles.insert(role).inserted, try skeleton.openCount(role: role) > 1 else {
                continue
            }
            let others = try skeleton.openRecords().filter {
                !gone.contains($0.key) && $0.role == role && !rules.isHeld($0)
            }
            if others.allSatisfy({ rules.parked($0) != nil }),
                let first = others.first(where: { rules.parked($0) == .displaced })
            {
                freed.append(first)
            }
        }
        return freed
    }

    /// What somebody who holds a session, or lets it go, does to others: one that is held gives its
    /// place up, and one that was held displaces none that was used after it (L-52).
    package func holding(
        _ record: SessionRecord, _ isHeld: Bool, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> PlaceChange {
        guard !isHeld else {
            return PlaceChange(freed: try freed(by: [record], in: skeleton).map(\.key))
        }
        let others = try occupying(record.role, besides: record.key, in: skeleton).map(\.key)
        guard machine.phase(of: record.key) == nil else {
            // Its scene was there all the time, and nobody could take the place that it gave up.
            return PlaceChange(parked: others)
        }
        if !others.isEmpty {
            return PlaceChange(parked: [record.key])
        }
        // Who had its place went while it was held.
        return PlaceChange(freed: record.parkedCause == .displaced ? [record.key] : [])
    }
}

/// Which sessions something gives the only place of their role, and from which it takes it.
package struct PlaceChange: Sendable {
    /// Their parking ends.
    package var freed: [Int64] = []
    /// They are parked, as displaced.
    package var parked: [Int64] = []
}

/// Several windows in one action (L-48).
extension Engine {
    /// Sessions go for good, in one action (L-36): the front one first, as the group comes back.
    package func discard(
        _ identifiers: [SceneSession.ID], cause: DiscardCause, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [PlanStep] {
        var records: [SessionRecord] = []
        var keys: Set<Int64> = []
        for identifier in identifiers {
            guard let record = try openRecord(identifier, in: skeleton) else {
                throw Self.unknownSession
            }
            if keys.insert(record.key).inserted {
                records.append(record)
            }
        }
        guard !records.isEmpty else {
            return []
        }
        let place = Dictionary(
            machine.stacked(keys).enumerated().map { ($1, $0) },
            uniquingKeysWith: { first, _ in first })
        records.sort { left, right in
            let (a, b) = (place[left.key] ?? .max, place[right.key] ?? .max)
            return a == b ? SessionRecord.comesBefore(left, right) : a < b
        }
        var steps: [PlanStep] = records.map { record in
            .decide(
                DecisionRecord(
                    .discard, session: record.id, outcome: cause.rawValue,
                    reason: cause == .user
                        ? "the user closed its window" : "the app asked for it"))
        }
        steps.append(
            .discard(records, cause, freeing: try freed(by: records, in: skeleton)))
        return steps
    }

    /// Sessions that were given back connect from the back to the front, as they are stacked; the
    /// first one comes last and has the focus. As of a process that ended, those that were in the
    /// background stay there.
    package func giveBack(
        _ records: [SessionRecord], asLeft: Bool = false, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [PlanStep] {
        let back = records.filter { machine.phase(of: $0.key) == nil }
        let ordered = try inFamilies(back.reversed(), skeleton)
        let front = (back.first { asLeft && $0.isFront } ?? back.first)?.key
        let steps: [PlanStep] = ordered.map { record in
            .connect(
                connection(
                    .remembered(record),
                    record.key == front
                        ? .active : asLeft && !record.isFront ? .background : .foreground))
        }
        return try asLeft ? steps : steps + companions(of: back, skeleton)
    }

    /// What the last process that had windows left to the next one, before that touches any (L-48).
    package func lastSession(
        in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        let launch = try skeleton.previousProcess().number
        return lastSession(of: try skeleton.connected(atEndOf: launch), touched: [])
    }

    /// Those of the sessions that were connected when the last process that had any ended, which can
    /// come back and which this one has not touched (L-48); the one that was active last first.
    package func lastSession(
        of connected: [SessionRecord], touched: Set<Int64>
    ) -> [SessionRecord] {
        var records = connected.filter { record in
            let parked = rules.parked(record)
            return !touched.contains(record.key) && record.isOpen && record.isRestorationEnabled
                && (parked == nil || parked == .notKept || parked == .displaced)
                && !rules.isHeld(record)
                && !rules.isUnshowable(record)
        }
        records.sort(by: SessionRecord.comesBefore)
        guard !rules.supportsMultipleScenes else {
            return records
        }
        // Of each role there is one scene, and one that is there keeps its place.
        var roles = Set(machine.members.values.map(\.role))
        records.removeAll { !roles.insert($0.role).inserted }
        return records
    }

    // MARK: Families

    /// Windows in their order, each that belongs to another right after that one (L-49); tabs by
    /// their places.
    package func inFamilies(
        _ records: [SessionRecord], _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        guard records.contains(where: { $0.flags.contains(.hasChildren) }) else {
            return records
        }
        let children = try skeleton.children()
        let known = Dictionary(
            records.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        return Families(
            records.map { ($0.key, $0.id) },
            children.map { ($0.record.key, $0.parent, $0.tabIndex) }
        )
        .order.compactMap { known[$0] }
    }

    /// The windows that belong to some that connect come with them, behind the focus (L-49).
    func companions(
        of records: [SessionRecord], _ skeleton: some Skeleton,
        _ arrival: LifecycleMachine.Arrival = .foreground
    ) throws(SceneStoreError) -> [PlanStep] {
        try children(of: records, skeleton) {
            machine.phase(of: $0.key) != nil || comesBack($0)
        }
        .filter { machine.phase(of: $0.key) == nil && comesBack($0) }
        .map { .connect(connection(.remembered($0), arrival)) }
    }

    /// Whether a session that has no scene may connect by itself.
    package func comesBack(_ record: SessionRecord) -> Bool {
        record.isRestorationEnabled && rules.parked(record) == nil && !rules.isHeld(record)
    }

    /// The windows that belong to some that connect and don't connect themselves, with those that
    /// belong to them; what belongs to one that can't come is not among them.
    func children(
        of records: [SessionRecord], _ skeleton: some Skeleton,
        where comes: (SessionRecord) -> Bool
    ) throws(SceneStoreError) -> [SessionRecord] {
        guard records.contains(where: { $0.flags.contains(.hasChildren) }) else {
            return []
        }
        var known = Set(records.map(\.key))
        var parents = Set(records.map(\.id))
        let all = try skeleton.children()
        var found: [SessionRecord] = []
        var hasMore = true
        while hasMore {
            hasMore = false
            for child in all where parents.contains(child.parent) {
                guard known.insert(child.record.key).inserted else {
                    continue
                }
                if comes(child.record) {
                    parents.insert(child.record.id)
                }
                found.append(child.record)
                hasMore = true
            }
        }
        return found
    }
}

/// The order of windows of which some belong to others.
package struct Families {
    /// Their keys: each window right before those that belong to it.
    package private(set) var order: [Int64] = []

    /// Orders windows; one whose parent is not among them, or that belongs to itself by a detour,
    /// keeps its place.
    package init(
        _ windows: [(key: Int64, id: SceneSession.ID)],
        _ children: [(key: Int64, parent: SceneSession.ID, tab: Int?)]
    ) {
        let keys = Dictionary(
            windows.map { ($0.id, $0.key) }, uniquingKeysWith: { first, _ in first })
        var parents: [Int64: Int64] = [:]
        var tabs: [Int64: Int] = [:]
        for child in children {
            guard let parent = keys[child.parent], parent != child.key else {
                continue
            }
            parents[child.key] = parent
            tabs[child.key] = child.tab
        }
        var below: [Int64: [Int64]] = [:]
        var roots: [Int64] = []
        for window in windows {
            if let parent = parents[window.key] {
                below[parent, default: []].append(window.key)
            } else {
                roots.append(window.key)
            }
        }
        var seen: Set<Int64> = []
        // What belongs to itself by a detour comes last.
        var waiting: [Int64] = (roots + windows.map(\.key)).reversed()
        while let key = waiting.popLast() {
            guard seen.insert(key).inserted else {
                continue
            }
            order.append(key)
            let own = (below[key] ?? []).enumerated().sorted { left, right in
                let (a, b) = (tabs[left.element] ?? .max, tabs[right.element] ?? .max)
                return a == b ? left.offset < right.offset : a < b
            }
            waiting += own.map(\.element).reversed()
        }
    }
}
