import SceneStore
import SceneStoreEngine

/// The steps that need a running process.
extension ScenarioPlayer {
    func playRunning(_ step: ScenarioStep) throws {
        let application = try running()
        switch step.kind {
        case .newScene(let request): try newScene(request, application)
        case .activate(let request): try activate(request, application)
        case .openURL(let context):
            receive(application) { () throws(SceneStoreError) in
                try application.open([context])
            }
        case .continueActivity(let request): continueActivity(request, application)
        case .arrive(let request): arrive(request, application)
        case .shortcut(let item):
            receive(application) { () throws(SceneStoreError) in
                try application.receive(.shortcut(item))
            }
        case .push(let response):
            let dated = dated(response)
            receive(application) { () throws(SceneStoreError) in
                try application.receive(.notification(dated))
            }
        case .state(let request): try script(request)
        case .change(let selection):
            try forEachScene(selection, application) { scene throws(SceneStoreError) in
                scene.setNeedsSave()
            }
        case .userInfo(let request): try setUserInfo(request, application)
        case .store(let request): try setStorage(request, application)
        case .background(let selections): try background(selections, application)
        case .foreground(let selections): try foreground(selections, application)
        case .evict(let selection):
            try forEach(selection, where: { $0?.activationState == .background }) {
                (identifier) throws(SceneStoreError) in
                try application.evict(identifier)
            }
        case .destroy(let selection):
            try forEach(selection, where: { _ in true }) { identifier in
                application.requestSceneSessionDestruction(identifier) { [self] error in
                    report(error, session: identifier)
                }
            }
        case .refresh(let selection):
            try forEach(selection, where: { $0?.activationState == .background }) { identifier in
                application.requestSceneSessionRefresh(identifier) { [self] error in
                    report(error, session: identifier)
                }
            }
        case .extend(let selection):
            try forEachScene(selection, application) { scene throws(SceneStoreError) in
                try scene.extendStateRestoration()
            }
        case .complete(let selection):
            try forEachScene(selection, application) { scene throws(SceneStoreError) in
                try scene.completeStateRestoration()
            }
        case .acknowledge(let reference): try acknowledge(reference, application)
        case .placement(let request):
            let identifier = try identifier(request.session)
            attempt(identifier) { () throws(SceneStoreError) in
                if request.isMoved {
                    application.noteUserMoved(identifier)
                }
                try application.setPlacement(request.placement, for: identifier)
            }
        case .unsaved(let request):
            for identifier in try identifiers(request.session, where: { $0 != nil }) {
                state.unsaved[name(of: identifier)] = request.answer?.rawValue
            }
        case .answerClosing(let reference, let answer): try self.answer(reference, answer)
        case .teardown:
            attempt { () throws(SceneStoreError) in try application.beginTeardown() }
        case .endTeardown:
            attempt { () throws(SceneStoreError) in try application.endTeardown() }
        case .openValue(let request):
            if let session = request.session {
                _ = try identifier(session)
            }
            try requireFree(request.name, for: request.value, application)
            creating(as: request.name?.name) {
                guard request.privacy == .standard else {
                    var opening = SceneSessionActivationRequest()
                    opening.presentedValue = .string(request.value)
                    opening.privacy = request.privacy
                    return application.requestSceneSessionActivation(opening) { [self] error in
                        report(error)
                    }
                }
                attempt { () throws(SceneStoreError) in
                    try application.openWindow(presenting: request.value)
                }
            }
        case .reset:
            attempt { () throws(SceneStoreError) in try application.reset() }
        case .forget(let selection):
            try forEach(selection, where: { _ in true }) {
                (identifier) throws(SceneStoreError) in
                try application.forget(identifier)
            }
        default: break
        }
    }

    private func forEach(
        _ selection: ScenarioStep.SessionSelection, where applies: (Scene?) -> Bool,
        _ work: (SceneSession.ID) throws(SceneStoreError) -> Void
    ) throws {
        for identifier in try identifiers(selection, where: applies) {
            attempt(identifier) { () throws(SceneStoreError) in
                try work(identifier)
            }
        }
    }

    private func forEachScene(
        _ selection: ScenarioStep.SessionSelection, _ application: SceneApplication,
        _ work: (Scene) throws(SceneStoreError) -> Void
    ) throws {
        try forEach(selection, where: { $0 != nil }) { identifier throws(SceneStoreError) in
            guard let scene = application.scene(for: identifier) else {
                throw SceneStoreError(.invalidState, "the session is not connected")
            }
            try work(scene)
        }
    }

    // MARK: Coming forward

    /// Throws for a name that a session has or had: none is given twice.
    private func requireFree(_ name: ScenarioStep.SessionReference?) throws {
        if let name, state.names.isTaken(name.name) {
            throw error("a session has or had the name '\(name.name)'", column: name.column)
        }
    }

    /// Throws for a taken name if a window is made for a value: one that shows it keeps its name.
    private func requireFree(
        _ name: ScenarioStep.SessionReference?, for value: String, _ application: SceneApplication
    ) throws {
        var isShown = true
        attempt { () throws(SceneStoreError) in
            let engine = application.core.engine
            isShown = try application.store.read { skeleton throws(SceneStoreError) in
                try engine.window(showing: .string(value), .windowApplication, skeleton) != nil
            }
        }
        if !isShown {
            try requireFree(name)
        }
    }

    private func newScene(
        _ step: ScenarioStep.NewSceneStep, _ application: SceneApplication
    ) throws {
        try requireFree(step.name)
        var request = SceneSessionActivationRequest(role: step.role ?? .windowApplication)
        if let activity = step.activity {
            guard let made = make(activity) else {
                return
            }
            request.userActivity = made
        }
        request.staysInBackground = step.isBackground
        request.privacy = step.privacy
        creating(as: step.name?.name) {
            application.requestSceneSessionActivation(request) { [self] error in
                report(error)
            }
        }
    }

    private func activate(
        _ step: ScenarioStep.ActivateStep, _ application: SceneApplication
    ) throws {
        let identifier = try identifier(step.session)
        var request = SceneSessionActivationRequest(session: identifier)
        if let activity = step.activity {
            guard let made = make(activity) else {
                return
            }
            request.userActivity = made
        }
        application.requestSceneSessionActivation(request) { [self] error in
            report(error, session: identifier)
        }
    }

    private func receive(
        _ application: SceneApplication, _ work: () throws(SceneStoreError) -> Void
    ) {
        creating {
            attempt(nil, work)
        }
    }

    private func continueActivity(
        _ step: ScenarioStep.ContinueStep, _ application: SceneApplication
    ) {
        guard let activity = make(step.activity) else {
            return
        }
        receive(application) { () throws(SceneStoreError) in
            if step.isHandoff {
                try application.announceActivity(
                    type: activity.activityType,
                    targetContentIdentifier: activity.activationIdentifier)
            } else if step.fails {
                try application.failToContinue(
                    activityType: activity.activityType,
                    targetContentIdentifier: activity.activationIdentifier)
            } else {
                try application.receive(.activity(activity))
            }
        }
    }

    private func arrive(
        _ step: ScenarioStep.ContinueStep, _ application: SceneApplication
    ) {
        guard let activity = make(step.activity) else {
            return
        }
        receive(application) { () throws(SceneStoreError) in
            if step.fails {
                try application.failToContinue(
                    activityType: activity.activityType,
                    targetContentIdentifier: activity.activationIdentifier)
            } else {
                try application.continueAnnounced(activity)
            }
        }
    }

    // MARK: Leaving and coming back

    private func background(
        _ selections: [ScenarioStep.SessionSelection], _ application: SceneApplication
    ) throws {
        if application.options.lifecycle == .application {
            attempt { () throws(SceneStoreError) in
                try application.moveApplicationToBackground()
            }
            return
        }
        let isFront = { (scene: Scene?) in
            scene.map { $0.activationState != .background } ?? false
        }
        let leaving = try fitting(selections, application, isFront)
        attempt { () throws(SceneStoreError) in
            try application.moveToBackground(leaving)
        }
    }

    private func foreground(
        _ selections: [ScenarioStep.SessionSelection], _ application: SceneApplication
    ) throws {
        if application.options.lifecycle == .application {
            attempt { () throws(SceneStoreError) in
                try application.moveApplicationToForeground()
            }
            return
        }
        let isBack = { (scene: Scene?) in
            scene.map { $0.activationState == .background } ?? false
        }
        for selection in selections {
            // `*` comes back together; sessions that are named come forward one after the other.
            let returning = try fitting([selection], application, isBack)
            attempt { () throws(SceneStoreError) in
                try application.moveToForeground(returning)
            }
        }
    }

    /// The sessions that a step applies to; for a named one that is in the wrong state there is a
    /// diagnostic.
    private func fitting(
        _ selections: [ScenarioStep.SessionSelection], _ application: SceneApplication,
        _ fits: (Scene?) -> Bool
    ) throws -> [SceneSession.ID] {
        var result: [SceneSession.ID] = []
        for selection in selections {
            for identifier in try identifiers(selection, where: fits)
            where !result.contains(identifier) {
                if fits(application.scene(for: identifier)) {
                    result.append(identifier)
                } else {
                    report(
                        SceneStoreError(
                            .invalidState,
                            "the session is not in the state that this step needs"),
                        session: identifier)
                }
            }
        }
        return result
    }

    /// The app acknowledges what a session was given last.
    private func acknowledge(
        _ reference: ScenarioStep.SessionReference, _ application: SceneApplication
    ) throws {
        let identifier = try identifier(reference)
        guard let payloads = given[identifier] else {
            report(
                SceneStoreError(.invalidState, "nothing was delivered to the session"),
                session: identifier)
            return
        }
        for payload in payloads {
            attempt(identifier) { () throws(SceneStoreError) in
                try application.acknowledge(payload)
            }
        }
    }

    // MARK: What sessions hold

    private func script(_ step: ScenarioStep.StateStep) throws {
        if let activity = step.activity, make(activity) == nil {
            return
        }
        for identifier in try identifiers(step.session, where: { _ in true }) {
            state.states[name(of: identifier)] = state.step - 1
        }
    }

    private func setUserInfo(
        _ step: ScenarioStep.ValuesStep, _ application: SceneApplication
    ) throws {
        try forEach(step.session, where: { _ in true }) {
            (identifier) throws(SceneStoreError) in
            var userInfo = try application.session(for: identifier)?.userInfo ?? [:]
            for pair in step.values {
                userInfo[pair.key] = pair.value
            }
            try application.setUserInfo(userInfo, for: identifier)
        }
    }

    private func setStorage(
        _ step: ScenarioStep.ValuesStep, _ application: SceneApplication
    ) throws {
        var values: [String: Value?] = [:]
        for pair in step.values {
            values.updateValue(pair.value, forKey: pair.key)
        }
        try forEach(step.session, where: { _ in true }) {
            (identifier) throws(SceneStoreError) in
            try application.setStorage(values, for: identifier)
        }
    }
}
