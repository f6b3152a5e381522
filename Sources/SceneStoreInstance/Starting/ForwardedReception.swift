import SceneStore
import SceneStoreEngine

/// Takes what other processes of the app hand over (L-77).
package struct ForwardedReception {
    private let application: SceneApplication

    package init(_ application: SceneApplication) {
        self.application = application
    }

    /// Notes which payloads of the launch that follows may have been seen, and answers those that
    /// it is to be given: what the inbox knows under its name is offered by the inbox, or was dealt
    /// with.
    package func admit(_ forwarded: [ForwardedPayload]) throws(SceneStoreError) -> [Payload] {
        var admitted: [ForwardedPayload] = []
        for payload in forwarded {
            if payload.mayHaveBeenSeen, try application.inbox.known(payload.inboxKey) != nil {
                continue
            }
            admitted.append(payload)
        }
        application.core.engine.rules.redelivered = admitted.filter(\.mayHaveBeenSeen).map(
            \.payload)
        return admitted.map(\.payload)
    }

    /// Hands over a payload of another process, as ``SceneApplication/receive(_:)`` does.
    ///
    /// `decided` is called once it is stored, if the inbox is on, and its callbacks have returned;
    /// never when the process ends before.
    package func receive(
        _ forwarded: ForwardedPayload, decided: @escaping (ForwardedDelivery) -> Void
    ) {
        answering(decided) { [application] work throws(SceneStoreError) in
            // The sender keeps it for the next process.
            try application.events.performPayload(comesBeforeEnd: false, work)
        } by: { () throws(SceneStoreError) in
            try take(forwarded)
        }
    }

    /// Brings a window forward for another process: a session's, else the one in front, else the one
    /// that was used last; a new one when there is none.
    package func bringForward(
        _ session: SceneSession.ID?, decided: @escaping (ForwardedDelivery) -> Void
    ) {
        answering(decided) { [application] work throws(SceneStoreError) in
            try application.events.perform(work)
        } by: { () throws(SceneStoreError) in
            try comeForward(session)
        }
    }

    /// Makes a window that another process asks for.
    package func open(
        _ request: SceneSessionActivationRequest, decided: @escaping (ForwardedDelivery) -> Void
    ) {
        answering(decided) { [application] work throws(SceneStoreError) in
            try application.events.perform(work)
        } by: { () throws(SceneStoreError) in
            try activate(request)
        }
    }

    // MARK: Performing

    private func take(
        _ forwarded: ForwardedPayload
    ) throws(SceneStoreError) -> SceneSession.ID? {
        let call = LifecycleMachine.PayloadCall.incoming(
            forwarded.payload, isRedelivered: forwarded.mayHaveBeenSeen)
        guard application.options.lifecycle == .scene else {
            application.bringAppForward(with: call)
            return nil
        }
        if forwarded.mayHaveBeenSeen {
            if let (_, taker) = try application.inbox.known(forwarded.inboxKey) {
                application.core.decide(
                    .delivery, session: taker, "known",
                    "the inbox already has it; it is not delivered again")
                return taker
            }
            application.core.decide(
                .delivery, "redelivered", "a process that died may have handed it over already")
        }
        guard !application.core.isTearingDown else {
            try application.postpone(
                call, identifier: call.identifier, name: forwarded.name)
            return nil
        }
        return try application.deliver(
            call, identifier: call.identifier, name: forwarded.name)
    }

    private func comeForward(
        _ session: SceneSession.ID?
    ) throws(SceneStoreError) -> SceneSession.ID? {
        guard application.options.lifecycle == .scene else {
            application.bringAppForward()
            return nil
        }
        let chosen = if let session { session } else { try front() }
        guard let chosen else {
            let rules = application.core.engine.rules
            var request = SceneSessionActivationRequest(role: rules.defaultRole)
            request.configurationName = rules.opening?.name
            return try activate(request)
        }
        _ = try activate(SceneSessionActivationRequest(session: chosen))
        return chosen
    }

    /// Activates a session or makes one; answers the session.
    private func activate(
        _ request: SceneSessionActivationRequest
    ) throws(SceneStoreError) -> SceneSession.ID? {
        try application.requireNoTeardown()
        return try application.activate(request)?.session.id
    }

    /// The app's window in front, else the open one that was used last: no projector's, nor a car's.
    private func front() throws(SceneStoreError) -> SceneSession.ID? {
        let rules = application.core.engine.rules
        if let scene = application.connectedScenes.first(where: {
            rules.isOfApplication($0.session.role)
        }) {
            return scene.session.id
        }
        let record = try application.store.read { skeleton throws(SceneStoreError) in
            try skeleton.openRecords().filter {
                rules.isOfApplication($0.role) && rules.parked($0) == nil && !rules.isHeld($0)
            }.min(by: SessionRecord.comesBefore)
        }
        return record?.id
    }

    /// Performs an event and answers what came of it.
    private func answering(
        _ decided: @escaping (ForwardedDelivery) -> Void,
        performing perform: (@escaping () throws(SceneStoreError) -> Void)
            throws(SceneStoreError) -> Void,
        by work: @escaping () throws(SceneStoreError) -> SceneSession.ID?
    ) {
        do throws(SceneStoreError) {
            try application.requireRunning()
            // An event before this one may end the app.
            try perform { [application] () throws(SceneStoreError) in
                decided(
                    recording { () throws(SceneStoreError) in
                        try application.requireRunning()
                        return try work()
                    })
            }
        } catch {
            decided(ForwardedDelivery(error: error))
        }
    }

    /// Does work and writes down what it called and why.
    private func recording(
        _ work: () throws(SceneStoreError) -> SceneSession.ID?
    ) -> ForwardedDelivery {
        let core = application.core
        let (callbacks, decisions) = (core.callbackHandler, core.decisionRecorder)
        var delivery = ForwardedDelivery()
        var (names, reasons): ([String], [String]) = ([], [])
        var refusal: String?
        let lifecycle = application.options.lifecycle
        core.callbackHandler = {
            names.append($0.shortName(lifecycle))
            callbacks?($0)
        }
        core.decisionRecorder = {
            reasons.append("\($0.kind.rawValue) \($0.outcome): \($0.reason)")
            if $0.kind == .delivery, $0.outcome == "declined" {
                refusal = $0.reason
            }
            decisions?($0)
        }
        defer {
            // A callback may have ended the process, and with it the handlers.
            if core.processState == .running {
                core.callbackHandler = callbacks
                core.decisionRecorder = decisions
            }
        }
        do throws(SceneStoreError) {
            delivery.session = try work()
            if let refusal {
                delivery.session = nil
                delivery.error = SceneStoreError(.requestDenied, refusal)
            }
        } catch {
            delivery.error = error
        }
        (delivery.callbacks, delivery.reasons) = (names, reasons)
        return delivery
    }
}

extension SceneCallback {
    /// The short name that the lifecycle contract uses, in an app with or without scenes.
    package func shortName(_ lifecycle: SceneApplicationOptions.Lifecycle) -> String {
        switch self {
        case .willFinishLaunching: "will"
        case .didFinishLaunching: "did"
        case .didDiscard: "discard"
        case .configuration: "config"
        case .connect: "connect"
        case .restore: "restore"
        case .enterForeground: "fg"
        case .becomeActive: "active"
        case .resignActive: "inactive"
        case .enterBackground: "bg"
        case .save: "save"
        case .update: "update"
        case .disconnect: "disconnect"
        case .willContinue: "willContinue"
        case .failContinue: "failContinue"
        case .applicationDidBecomeActive: "didBecomeActive"
        case .applicationWillEnterForeground: "willEnterForeground"
        case .deliver(_, .urls, _): lifecycle == .scene ? "url" : "open"
        case .deliver(_, .activity, _): "continue"
        case .deliver(_, .shortcut, _): lifecycle == .scene ? "shortcut" : "performActionFor"
        case .deliver(_, .notification, _): "response"
        }
    }
}
