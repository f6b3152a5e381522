#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore

extension ScenarioPlayer {
    func play(_ step: ScenarioStep) throws {
        let kept = KeptSessions(player: self)
        switch step.kind {
        case .app, .manifest, .update:
            try requireNotRunning()
            setUp(step)
            reportManifest(step)
        case .policy(let policy):
            if policy.launchBehavior != nil {
                try requireNotRunning()
            }
            setUp(step)
        case .delegate(let delegate):
            setUp(step)
            try kept.setConditions(delegate)
        case .launch(let launch):
            try requireNotRunning()
            try self.launch(payloads(of: launch))
        case .start(let start): try self.start(payloads(of: start))
        case .wait(let milliseconds): device.wait(milliseconds: milliseconds)
        case .wipe: attempt { () throws(SceneStoreError) in try device.wipe() }
        case .fail(let cause): fail(cause)
        case .recover: try recover()
        case .reboot: reboot()
        case .close(let selections):
            let application = device.application
            try kept.close(selections)
            noteEnd(of: application)
        case .displays(let step):
            setUp(current)
            kept.showDisplays(step)
        case .reopenLastSession: kept.reopenLastSession()
        case .crash(let reference): try crash(restoring: reference)
        case .killDuring(let moment):
            let name = try moment.session.map { reference in
                _ = try identifier(reference)
                return reference.name
            }
            state.killsDuring = PlayerState.Call(
                name: moment.callback.rawValue, sessions: name.map { [$0] } ?? [])
        case .reopen(let references): try kept.reopen(references)
        case .hold(let selection): try kept.hold(selection, true)
        case .release(let selection): try kept.hold(selection, false)
        case .expectWithheld, .expectParked, .expectWaiting, .expect, .expectSession, .expectOpen,
            .expectConnected, .expectNone,
            .expectPayload, .expectReason, .expectDiagnostic:
            try check(step)
        case .quit, .quitParking, .kill, .forceQuit: try end(step)
        default: try playRunning(step)
        }
    }

    // MARK: Writes that are refused

    private func fail(_ cause: WriteRefusal) {
        attempt { () throws(SceneStoreError) in
            try device.refuseWrites(cause)
            // A container that was moved is away for the next process, too.
            if cause != .moved {
                state.refusal = cause
            }
        }
    }

    private func recover() throws {
        let application = try running()
        state.refusal = nil
        attempt { () throws(SceneStoreError) in
            try device.acceptWrites()
            try application.reopenStore()
        }
    }

    // MARK: Errors of the scenario

    func error(_ message: String, column: Int? = nil) -> ScenarioError {
        ScenarioError(
            file: scenario.name, line: current.line, column: column ?? current.column,
            message: message)
    }

    private func requireNotRunning() throws {
        guard !device.isRunning else {
            throw error("this step needs a process that does not run; end it first")
        }
    }

    func running() throws -> SceneApplication {
        guard let application = device.application else {
            throw error("this step needs a running process; launch it first")
        }
        return application
    }

    /// The session of a name.
    func identifier(_ reference: ScenarioStep.SessionReference) throws -> SceneSession.ID {
        guard let identifier = state.identifier(of: reference.name) else {
            throw error("there is no session '\(reference.name)'", column: reference.column)
        }
        return identifier
    }

    // MARK: The process

    private func end(_ step: ScenarioStep) throws {
        _ = try running()
        switch step.kind {
        case .quit: quit(keepingWindows: true)
        case .quitParking: quit(keepingWindows: false)
        case .kill: die(.kill)
        default: die(.forceQuit)
        }
    }

    private func crash(restoring reference: ScenarioStep.SessionReference?) throws {
        if let reference {
            _ = try identifier(reference)
            state.crashesRestoring = reference.name
        } else {
            _ = try running()
        }
        if device.isRunning {
            die(.crash)
        }
    }

    private func payloads(of step: ScenarioStep.LaunchStep) throws -> [Payload] {
        var payloads: [Payload] = []
        payloads += step.urls.map { .urls([$0]) }
        if let activity = step.activity, let made = make(activity) {
            payloads.append(.activity(made))
        }
        if let shortcut = step.shortcut {
            payloads.append(.shortcut(shortcut))
        }
        if let push = step.push {
            payloads.append(.notification(dated(push)))
        }
        return payloads
    }

    /// A notification with the time at which it was delivered: now, unless the step says so.
    func dated(_ response: NotificationResponse) -> NotificationResponse {
        var response = response
        response.date =
            response.date ?? Date(timeIntervalSince1970: Double(device.clock.now) / 1_000)
        return response
    }

    /// The activity that a step describes; what can't be made is a diagnostic.
    func make(_ description: ScenarioStep.ActivityDescription) -> UserActivity? {
        do throws(SceneStoreError) {
            return try description.makeActivity()
        } catch {
            report(error)
            return nil
        }
    }

    private func reportManifest(_ step: ScenarioStep) {
        switch step.kind {
        case .manifest: break
        case .update(let update) where update.manifest != nil: break
        default: return
        }
        for finding in app.manifest?.diagnostics ?? [] {
            report(
                finding.code.rawValue,
                finding.path.map { "\($0): \(finding.message)" } ?? finding.message)
        }
    }

    /// Does what the engine may refuse; a refusal is a diagnostic and the scenario goes on.
    func attempt(_ identifier: SceneSession.ID? = nil, _ work: () throws(SceneStoreError) -> Void) {
        do throws(SceneStoreError) {
            try work()
        } catch {
            report(error, session: identifier)
        }
    }

    /// The sessions of a selection: one, or all open ones that the step applies to, the active
    /// one first, then most recently active first.
    func identifiers(
        _ selection: ScenarioStep.SessionSelection, where applies: (Scene?) -> Bool
    ) throws -> [SceneSession.ID] {
        switch selection {
        case .one(let reference): return [try identifier(reference)]
        case .all:
            let application = device.application
            var result = (application?.connectedScenes ?? []).filter(applies)
                .map(\.session.persistentIdentifier)
            guard applies(nil) else {
                return result
            }
            attempt { () throws(SceneStoreError) in
                let open = try device.read { (store) throws(SceneStoreError) in
                    try store.openRecords().map(\.id)
                }
                result += open.filter { !result.contains($0) }
            }
            return result
        }
    }
}
