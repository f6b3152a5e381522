import SceneStore

extension StoreFixture {
    /// Plays a scenario and takes the store that is in its container at the end.
    ///
    /// Expectations of the scenario that are not met are handed to `failure`, as a difference.
    /// Throws ``ScenarioError`` for a manifest that can't be read.
    public init(
        playing scenario: Scenario, failure: @escaping (String) -> Void = { _ in }
    ) throws {
        try self.init(playing: scenario, failure: failure, beforeStep: {})
    }

    /// The same, ended by what `beforeStep` throws.
    package init(
        playing scenario: Scenario, failure: @escaping (String) -> Void,
        beforeStep: @escaping () throws -> Void
    ) throws {
        let player = try ScenarioPlayer(
            scenario, storage: .memory, output: .init(line: { _ in }, failure: failure))
        player.beforeStep = beforeStep
        _ = try player.play()
        try self.init(of: player.device)
        sessionIdentifiers = player.state.names.all.map(\.identifier)
    }
}
