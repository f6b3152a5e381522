import SceneStoreEngine

extension SceneApplication {
    /// Calls the delegates, step by step. A step whose scene is gone is skipped.
    package func perform(_ steps: [LifecycleMachine.Step]) {
        let caller = DelegateCaller(application: self)
        for (place, step) in steps.enumerated() where processState == .running {
            switch step {
            case .settle(let key): settling.settle(key)
            case .commit: states.commitBackground()
            default:
                guard let key = step.sceneKey, let scene = live.scene(key) else {
                    continue
                }
                caller.call(step, on: scene)
                if let connectionHandler, step.endsConnecting(before: steps[(place + 1)...].first) {
                    connectionHandler(scene)
                }
            }
        }
    }

    func writeMarks() {
        states.writeMarks()
    }
}

extension LifecycleMachine.Step {
    /// Whether a scene has got its session and its state by this step.
    fileprivate func endsConnecting(before next: Self?) -> Bool {
        switch self {
        case .restore: true
        case .connect(let key): next != .restore(key)
        default: false
        }
    }
}
