import SceneStore
import SceneStoreEngine
import SceneStoreExchange

/// A scenario that is made while it is played: each step after a look at what the last one did.
extension ScenarioPlayer {
    /// Goes on with a longer scenario; what was played of it is the same.
    package func extend(_ longer: Scenario) throws {
        scenario = longer
        manifests = try ScenarioManifests.read(of: longer)
    }

    /// The virtual time, in milliseconds since 1970.
    package var now: Int64 { device.clock.now }

    /// Whether a process runs.
    package var isRunning: Bool { device.isRunning }

    /// The scenes that are there, by their names, and where they are.
    package var scenes: [(name: String, state: Scene.ActivationState)] {
        (device.application?.connectedScenes ?? []).map {
            (name(of: $0.session.persistentIdentifier), $0.activationState)
        }
    }

    /// Reads the store as it is on the disk, or as the running process knows it.
    package func read<Result>(
        _ work: (SceneSessionStore) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        try device.read(work)
    }

    /// The scenario's name of a session that it has seen.
    package func knownName(_ identifier: SceneSession.ID) -> String? {
        state.name(of: identifier)
    }

    /// The session of a name.
    package func knownIdentifier(_ name: String) -> SceneSession.ID? {
        state.identifier(of: name)
    }

    /// What the next launch does, by its callbacks; nil when the store can't be read.
    package func plannedCalls(_ payloads: [Payload]) -> [String]? {
        do throws(SceneStoreError) {
            let plan = try device.read { (store) throws(SceneStoreError) in
                try LaunchPlan(
                    reading: store, options: launchOptions,
                    bootIdentifier: "boot-\(device.bootCount)", payloads: payloads)
            }
            var rehearsal = Rehearsal(Engine(rules: plan.rules))
            rehearsal.perform(plan.steps, plan)
            return rehearsal.callbacks.map { callback in
                let name = callback.identifier.flatMap { state.name(of: $0) }
                return name.map { "\(callback.name):\($0)" } ?? callback.name
            }
        } catch {
            return nil
        }
    }
}
