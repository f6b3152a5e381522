import SceneStoreEngine

extension SceneApplication {
    /// Calls the delegates, step by step. A step whose scene is gone is skipped.
    package func perform(_ steps: [LifecycleMachine.Step]) {
        DelegateCaller(application: self).perform(steps)
    }

    func writeMarks() {
        states.writeMarks()
    }
}
