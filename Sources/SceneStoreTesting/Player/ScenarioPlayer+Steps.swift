#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore

extension ScenarioPlayer {
    func play(_ step: ScenarioStep) throws {
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
            try setConditions(delegate)
        case .launch(let launch):
            try requireNotRunning()
            try self.launch(payloads(of: launch))
        case .start(let start): try self.start(payloads(of: start))
        case .wait(let milliseconds): device.wait(milliseconds: milliseconds)
        case .wipe: attempt { () throws(SceneStoreError) in try device.wipe() }
        case .fail(let cause): fail(cause)
        case .recover: try recover()
        case .reboot: reboot()
        case .close(let selections): try close(selections)
        case .displays(let step): showDisplays(step)
        case .reopenLastSession: reopenLastSession()
        case .crash(let reference): try crash(restoring: reference)
        case .killDuring(let moment):
            let name = try moment.session.map { reference in
                _ = try identifier(reference)
                return reference.name
            }
            state.killsDuring = PlayerState.Call(
                name: moment.callback.rawValue, sessions: name.map { [$0] } ?? [])
        case .reopen(let references): try reopen(references)
        case .hold(let selection): try hold(selection, true)
        case .release(let selection): try hold(selection, false)
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

    // MARK: Sessions that may be away

    private func setConditions(_ step: ScenarioStep.DelegateStep) throws {
        guard let reference = step.session else {
            return
        }
        let identifier = try identifier(reference)
        attempt(identifier) { () throws(SceneStoreError) in
            let change = { (conditions: ActivationConditions) in
                ActivationConditions(
                    canActivate: step.canActivate ?? conditions.canActivate,
                    prefersToActivate: step.prefersToActivate ?? conditions.prefersToActivate)
            }
            if let application = device.application {
                let session = try application.session(for: identifier)
                try application.setActivationConditions(
                    change(session?.activationConditions ?? ActivationConditions()),
                    for: identifier)
                return
            }
            try device.edit { (store) throws(SceneStoreError) in
                guard let record = try store.record(identifier: identifier), record.isOpen
                else {
                    throw SceneStoreError(
                        .requestDenied, "the session is unknown or was discarded")
                }
                let session = try store.session(for: record)
                try store.values.setConditions(
                    change(session.activationConditions), key: record.key)
            }
        }
    }

    /// One action of the user.
    private func close(_ selections: [ScenarioStep.SessionSelection]) throws {
        var closed: [SceneSession.ID] = []
        for selection in selections {
            for identifier in try identifiers(selection, where: { _ in true })
            where !closed.contains(identifier) {
                closed.append(identifier)
            }
        }
        attempt(closed.count == 1 ? closed.first : nil) { () throws(SceneStoreError) in
            if let application = device.application {
                try application.closeWindows(of: closed)
            } else {
                try device.closeWindows(of: closed)
            }
        }
    }

    /// Displays come and go; a process that runs is told.
    private func showDisplays(_ step: ScenarioStep.DisplaysStep) {
        setUp(current)
        attempt { () throws(SceneStoreError) in
            try device.application?.setDisplays(step.displays)
        }
    }

    private func reopenLastSession() {
        attempt { () throws(SceneStoreError) in
            if let application = device.application {
                try application.reopenLastSession()
            } else {
                // The others come back by themselves.
                try device.edit { (store) throws(SceneStoreError) in
                    _ = try store.discards.reopen(identifiers: try store.discards.notKeptLast())
                }
            }
        }
    }

    private func reopen(_ references: [ScenarioStep.SessionReference]) throws {
        var reopened: [SceneSession.ID] = []
        for reference in references {
            reopened.append(try identifier(reference))
        }
        attempt(reopened.count == 1 ? reopened.first : nil) { () throws(SceneStoreError) in
            if let application = device.application {
                try application.reopen(sessions: reopened)
            } else {
                try device.edit { (store) throws(SceneStoreError) in
                    _ = try store.discards.reopen(identifiers: reopened, inFront: true)
                }
            }
        }
    }

    private func hold(
        _ selection: ScenarioStep.SessionSelection, _ isHeld: Bool
    ) throws {
        for identifier in try identifiers(selection, where: { _ in true }) {
            attempt(identifier) { () throws(SceneStoreError) in
                if let application = device.application {
                    return try application.setHeld(isHeld, for: identifier)
                }
                try device.edit { store throws(SceneStoreError) in
                    guard let record = try store.record(identifier: identifier) else {
                        throw SceneStoreError(.requestDenied, "the session is unknown")
                    }
                    try store.marks.setHeld(isHeld, key: record.key, isRunning: false)
                }
            }
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
