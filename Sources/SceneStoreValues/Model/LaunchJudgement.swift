/// What a launch writes before its first callback, in one transaction with its beginning.
package struct LaunchJudgement: Sendable {
    /// The sessions of a configuration go on under another one.
    package struct Reconfiguration: Sendable {
        /// The remembered configuration.
        package var key: Int64
        package var configuration: SceneConfiguration
        /// Whether their states no longer fit.
        package var isStale: Bool

        package init(key: Int64, configuration: SceneConfiguration, isStale: Bool) {
            self.key = key
            self.configuration = configuration
            self.isStale = isStale
        }
    }

    /// One for each remembered configuration that is not current.
    package var reconfigurations: [Reconfiguration] = []
    /// The sessions that nothing can show.
    package var discards: [Int64] = []
    /// The earlier discards that the app is about to be told of.
    package var told: [Int64] = []
    /// What launched the process, for the inbox.
    package var payloads: [Payload] = []
    /// Whether the launch before was stable: who died in it is offered again.
    package var previousWasStable = false

    package init() {}
}
