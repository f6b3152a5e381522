import SceneStore
import SceneStoreExchange

/// What a scenario does to sessions that are kept: through the app while it runs, else in the store
/// that it left.
struct KeptSessions {
    let player: ScenarioPlayer

    func setConditions(_ step: ScenarioStep.DelegateStep) throws {
        guard let reference = step.session else {
            return
        }
        let identifier = try player.identifier(reference)
        player.attempt(identifier) { () throws(SceneStoreError) in
            let change = { (conditions: ActivationConditions) in
                ActivationConditions(
                    canActivate: step.canActivate ?? conditions.canActivate,
                    prefersToActivate: step.prefersToActivate ?? conditions.prefersToActivate)
            }
            if let application = player.device.application {
                let session = try application.session(for: identifier)
                try application.setActivationConditions(
                    change(session?.activationConditions ?? ActivationConditions()),
                    for: identifier)
                return
            }
            try player.device.edit { (store) throws(SceneStoreError) in
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
    func close(_ selections: [ScenarioStep.SessionSelection]) throws {
        var closed: [SceneSession.ID] = []
        for selection in selections {
            for identifier in try player.identifiers(selection, where: { _ in true })
            where !closed.contains(identifier) {
                closed.append(identifier)
            }
        }
        player.attempt(closed.count == 1 ? closed.first : nil) { () throws(SceneStoreError) in
            if let application = player.device.application {
                try application.closeWindows(of: closed)
            } else {
                try player.device.closeWindows(of: closed)
            }
        }
    }

    /// Displays come and go; a process that runs is told.
    func showDisplays(_ step: ScenarioStep.DisplaysStep) {
        player.attempt { () throws(SceneStoreError) in
            try player.device.application?.setDisplays(step.displays)
        }
    }

    func reopenLastSession() {
        player.attempt { () throws(SceneStoreError) in
            if let application = player.device.application {
                try application.reopenLastSession()
            } else {
                let options = player.launchOptions
                try player.device.edit { (store) throws(SceneStoreError) in
                    try store.discards.reopenLastSession(options)
                }
            }
        }
    }

    func reopen(_ references: [ScenarioStep.SessionReference]) throws {
        var reopened: [SceneSession.ID] = []
        for reference in references {
            reopened.append(try player.identifier(reference))
        }
        player.attempt(reopened.count == 1 ? reopened.first : nil) { () throws(SceneStoreError) in
            if let application = player.device.application {
                try application.reopen(sessions: reopened)
            } else {
                let options = player.launchOptions
                try player.device.edit { (store) throws(SceneStoreError) in
                    try store.discards.reopen(reopened, options)
                }
            }
        }
    }

    func hold(
        _ selection: ScenarioStep.SessionSelection, _ isHeld: Bool
    ) throws {
        for identifier in try player.identifiers(selection, where: { _ in true }) {
            player.attempt(identifier) { () throws(SceneStoreError) in
                if let application = player.device.application {
                    return try application.setHeld(isHeld, for: identifier)
                }
                try player.device.edit { store throws(SceneStoreError) in
                    guard let record = try store.record(identifier: identifier) else {
                        throw SceneStoreError(.requestDenied, "the session is unknown")
                    }
                    try store.marks.setHeld(isHeld, key: record.key, isRunning: false)
                }
            }
        }
    }
}
