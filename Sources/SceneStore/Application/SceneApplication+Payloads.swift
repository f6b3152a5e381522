import SceneStoreEngine

/// Links, activities, quick actions and notifications from outside (L-60 to L-66).
extension SceneApplication {
    /// The system opens links. See ``receive(_:)``.
    public func open(_ contexts: [OpenURLContext]) throws(SceneStoreError) {
        try receive(.urls(contexts))
    }

    /// Hands a payload to the session that takes it: a connected one by its callbacks, a
    /// disconnected or new one in its connection's options; once.
    ///
    /// Throws ``SceneStoreError/Code/noSessionForPayload`` when no session can take it and no new
    /// one is possible, and ``SceneStoreError/Code/tooManyPayloads`` when a callback runs and 64
    /// others wait for its end. A payload that comes while a callback runs is handed over
    /// afterwards; then errors go to ``diagnosticHandler``.
    public func receive(_ payload: Payload) throws(SceneStoreError) {
        try receive(.incoming(payload))
    }

    /// An activity was announced and its data never came. Throws as ``receive(_:)`` does.
    public func failToContinue(
        activityType: String, targetContentIdentifier: String? = nil
    ) throws(SceneStoreError) {
        try receive(
            .failing(type: activityType), identifier: targetContentIdentifier)
    }

    private func receive(
        _ call: LifecycleMachine.PayloadCall, identifier: String? = nil
    ) throws(SceneStoreError) {
        try requireRunning()
        if isPerforming {
            guard waitingPayloads < Self.waitingPayloadLimit else {
                refusedPayloadCount += 1
                throw SceneStoreError(
                    .tooManyPayloads, "more payloads arrived than wait for a scene at once")
            }
            waitingPayloads += 1
        }
        let waits = isPerforming
        try event { [self] () throws(SceneStoreError) in
            if waits {
                waitingPayloads -= 1
            }
            if options.lifecycle == .application {
                receiveInApplication(call)
                return
            }
            guard !isDuplicate(call) else {
                return
            }
            keepInInbox(call)
            try hand(call, to: chooseSession(identifier: call.identifier ?? identifier))
        }
    }

    /// How many payloads wait while callbacks run and no scene is ready for them.
    static let waitingPayloadLimit = 64

    private func hand(
        _ call: LifecycleMachine.PayloadCall, to target: Target
    ) throws(SceneStoreError) {
        switch target {
        case .session(let record) where machine.phase(of: record.key) != nil:
            decide(
                .delivery, session: record.identifier, "warm",
                "its scene is connected; the callbacks deliver it")
            perform(machine.bringForward(record.key, payload: call))
            writeMarks()
        case .session(let record):
            let connection = call.connectionOptions
            try connectRemembered(record, arrival: .active, options: connection)
            notePayloadsInOptions(connection)
        case .newSession:
            let connection = call.connectionOptions
            _ = try connectNew(role: defaultRole, options: connection, arrival: .active)
            notePayloadsInOptions(connection)
        }
    }

    // MARK: Choosing

    func chooseSession(for payload: Payload) throws(SceneStoreError) -> Target {
        try chooseSession(identifier: payload.activationIdentifier)
    }

    /// The session that takes an event (L-70).
    func chooseSession(identifier: String?) throws(SceneStoreError) -> Target {
        let role = defaultRole
        guard supportsMultipleScenes else {
            let isConnected = connectedScenes.contains { $0.session.configuration.role == role }
            if let only = try mostRecent(where: {
                $0.configuration.role == role
                    && (!isConnected || machine.phase(of: $0.key) != nil)
            }) {
                decide(
                    .target, session: only.identifier, "only-session",
                    "the app has one session and no more")
                return .session(only)
            }
            decide(.target, "new-session", "no session is remembered")
            return .newSession
        }
        let (record, reason) = SessionChooser.choose(
            identifier: identifier, among: try candidates())
        if let record {
            decide(
                .target, session: record.identifier, reason.rawValue,
                reason == .prefers
                    ? "its conditions prefer the target"
                    : "it can show the target and was active last among those that can")
            return .session(record)
        }
        decide(.target, "new-session", "no remembered session can show the target")
        return .newSession
    }

    /// The sessions with conditions of their own, and of all others the most recently active one,
    /// which stands for them: their conditions are equal.
    private func candidates() throws(SceneStoreError) -> [SessionChooser.Candidate] {
        var result = try store.recordsWithConditions()
            .filter { takesEvents($0.record) }
            .map { SessionChooser.Candidate(record: $0.record, conditions: $0.conditions) }
        var plain = try store.mostRecentWithDefaultConditions(role: nil)
        if let found = plain, !takesEvents(found) {
            plain = try store.openRecords().first { !$0.hasConditions && takesEvents($0) }
        }
        if let plain {
            result.append(.init(record: plain, conditions: ActivationConditions()))
        }
        return result
    }

    /// A session that is held back takes no event, nor does one on a screen without windows.
    private func takesEvents(_ record: SessionRecord) -> Bool {
        rules.takesEvents(record, isConnected: scenes[record.key] != nil)
    }

    private func mostRecent(
        where isFitting: (SessionRecord) -> Bool
    ) throws(SceneStoreError) -> SessionRecord? {
        if let recent = try store.mostRecentRecord(role: nil), isFitting(recent),
            takesEvents(recent)
        {
            return recent
        }
        return try store.openRecords().first { isFitting($0) && takesEvents($0) }
    }

    // MARK: Once

    /// A notification that rode on a connection is not delivered a second time (L-65).
    private func isDuplicate(_ call: LifecycleMachine.PayloadCall) -> Bool {
        guard case .incoming(.notification(let response)) = call,
            notificationsInOptions.remove(response.deduplicationKey) != nil
        else {
            return false
        }
        decide(
            .delivery, "duplicate",
            "the notification was in the connection's options already")
        return true
    }

    func notePayloadsInOptions(_ connection: ConnectionOptions) {
        if let response = connection.notificationResponse {
            notificationsInOptions.insert(response.deduplicationKey)
        }
    }

    /// Whether payloads of this arrival wait for the first `active` instead of riding on
    /// `connect` (L-64).
    func isDeferred(_ arrival: LifecycleMachine.Arrival) -> Bool {
        options.delivery == .whenActive && arrival == .active
    }

    /// The one payload that is delivered after the first `active`: links, else the first
    /// activity, else the action, else the notification.
    func deferredPayload(of connection: ConnectionOptions) -> LifecycleMachine.PayloadCall? {
        guard options.delivery == .whenActive else {
            return nil
        }
        if let first = connection.payloads.first {
            decide(
                .delivery, "when-active",
                "the policy hands it to the callbacks once the scene is active")
            return .incoming(first)
        }
        return connection.handoffUserActivityType.map { .failing(type: $0) }
    }

    // MARK: The inbox

    /// What an earlier process was offered and did not acknowledge, and what arrived now. A
    /// payload that the inbox can't keep is handed over all the same, and an inbox that can't be
    /// read keeps no window from coming back.
    func takeInbox(_ arrived: [Payload]) -> (payloads: [Payload], isRedelivered: Bool) {
        guard options.persistsInbox else {
            return (arrived, false)
        }
        do throws(SceneStoreError) {
            // As they arrived: of keys that never reach the disk the inbox knows nothing.
            var kept: [Int64: Payload] = [:]
            var unkept: [Payload] = []
            for payload in arrived {
                if let id = enqueue(payload) {
                    kept[id] = payload
                } else {
                    unkept.append(payload)
                }
            }
            let items = try store.pendingInbox()
            offeredItems = items.map { ($0.id, kept[$0.id] ?? $0.payload) }
            tolerating { () throws(SceneStoreError) in
                try store.markInboxOffered(items.map(\.id))
            }
            return (offeredItems.map(\.payload) + unkept, items.contains(where: \.wasOffered))
        } catch {
            report(error)
            return (arrived, false)
        }
    }

    private func keepInInbox(_ call: LifecycleMachine.PayloadCall) {
        guard options.persistsInbox, case .incoming(let payload) = call,
            let id = enqueue(payload)
        else {
            return
        }
        offeredItems.append((id, payload))
        tolerating { () throws(SceneStoreError) in try store.markInboxOffered([id]) }
    }

    private func enqueue(_ payload: Payload) -> Int64? {
        var id: Int64?
        tolerating { () throws(SceneStoreError) in
            id = try store.enqueueInbox(
                payload, sessionIdentifier: nil, dedupe: payload.deduplicationKey)
        }
        return id
    }

    /// Payloads that were handed over and not yet acknowledged, oldest first. Empty unless
    /// ``SceneApplicationOptions/persistsInbox`` is set.
    public var unacknowledgedPayloads: [Payload] {
        offeredItems.map(\.payload)
    }

    /// The app has dealt with a payload: it is not offered again. Durable against the death of
    /// the process on return.
    public func acknowledge(_ payload: Payload) throws(SceneStoreError) {
        guard let index = offeredItems.firstIndex(where: { $0.payload == payload }) else {
            return
        }
        defer {
            letStoreGo()
        }
        try store.acknowledgeInbox([offeredItems[index].id])
        offeredItems.remove(at: index)
    }
}

extension LifecycleMachine.PayloadCall {
    package var identifier: String? {
        switch self {
        case .incoming(let payload), .requested(let payload): payload.activationIdentifier
        case .failing: nil
        }
    }

    /// The same on a connection.
    package var connectionOptions: ConnectionOptions {
        switch self {
        case .incoming(let payload), .requested(let payload):
            return ConnectionOptions(payloads: [payload])
        case .failing(let type):
            var connection = ConnectionOptions()
            connection.handoffUserActivityType = type
            return connection
        }
    }
}

extension NotificationResponse {
    /// Two responses with one key are one.
    var deduplicationKey: String {
        "\(identifier)\u{0}\(actionIdentifier)"
    }
}

extension Payload {
    /// Names a payload that may arrive twice; nil when each arrival counts.
    var deduplicationKey: String? {
        if case .notification(let response) = self { response.deduplicationKey } else { nil }
    }
}

extension SceneSessionRole {
    /// Whether the role's scenes show no app window that a link could open.
    var isAuxiliary: Bool {
        switch self {
        case .windowExternalDisplay, .windowExternalDisplayNonInteractive,
            .carTemplateApplication, .carTemplateApplicationDashboard,
            .carTemplateApplicationInstrumentCluster:
            true
        default: false
        }
    }
}
