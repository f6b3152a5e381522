import SceneStore
import SceneStoreExchange

/// A scenario that is played on a store that was there before.
extension ScenarioPlayer {
    /// Whether launches judge a store that was there before by a manifest that nobody named: the
    /// scenario has none, and the store remembers none.
    package var assumesManifest: Bool { continuesWithoutManifest && state.declared == nil }

    /// Whether launches judge a store that was there before by no manifest of the scenario's.
    package var continuesWithoutManifest: Bool {
        let setsManifest = scenario.steps.contains { step in
            switch step.kind {
            case .manifest: true
            case .update(let update): update.manifest != nil
            default: false
            }
        }
        return state.isContinued && !setsManifest
    }

    /// What the last launch of a store declared that a scenario without a manifest continues: its
    /// launches begin with that, as the next launch of the app would. nil when nothing is remembered.
    package var continuedOptions: SceneApplicationOptions? {
        guard continuesWithoutManifest else {
            return nil
        }
        return state.declared.flatMap { SceneApplicationOptions(declaration: $0) }
    }

    /// Goes on where the store ends: its sessions get the first names, in the order in which they
    /// were created, no identifier that it knows is given out again, and the clock does not go back.
    ///
    /// A store that is not there yet, or that cannot be read, changes nothing; of the latter the
    /// first launch tells.
    func continueStore() {
        tolerant { () throws(SceneStoreError) in
            try device.read { (store) throws(SceneStoreError) in
                state.isContinued = true
                // What is damaged of the rest changes no session's name.
                state.declared =
                    tolerant { () throws(SceneStoreError) in
                        try declaration(in: store)
                    } ?? nil
                for session in try device.goOn(behind: store) {
                    _ = name(of: session.id)
                }
            }
        }
    }

    private func declaration(
        in store: SceneSessionStore
    ) throws(SceneStoreError) -> String? {
        try SceneApplicationOptions(declaredIn: store)?.declaration
    }

    /// What can't be read is not there; of that the first launch tells.
    @discardableResult
    private func tolerant<Result>(
        _ read: () throws(SceneStoreError) -> Result
    ) -> Result? {
        do throws(SceneStoreError) {
            return try read()
        } catch {
            return nil
        }
    }
}
