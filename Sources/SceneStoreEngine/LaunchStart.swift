import SceneStoreValues

extension LaunchPlan {
    /// How a process begins.
    package struct Start: Sendable {
        package var reason: LaunchReason
        package var text: String
        /// Counts launches of the container, from 1.
        package var number: Int64
        /// The session that is blamed for the death of the last process.
        package var blamed: Int64?
        /// Whether the last process lived long enough, or ended cleanly (L-52).
        package var previousWasStable = false
        /// How the last process ended, or is taken to end.
        package var previousEnd: PreviousProcess.End
        /// What the last process declared, if it was stable and died: it may have left unwritten what
        /// sessions saved under (L-50).
        package var rulesBefore: LaunchRules?
        /// Whether the last process runs still, and is assumed to end cleanly.
        package var isForecast = false
        /// Whether nothing is remembered, whatever the store holds.
        package var isEmpty = false

        /// Judges how the last process ended.
        ///
        /// - Parameters:
        ///   - previous: The last process.
        ///   - bootIdentifier: The machine's; nil when it is not known.
        ///   - now: Milliseconds since 1970.
        ///   - stablePeriod: After how many milliseconds without a death a launch is stable.
        package init(
            after previous: PreviousProcess, bootIdentifier: String?, now: Int64,
            stablePeriod: Int64
        ) {
            number = previous.number + 1
            previousEnd = previous.end
            previousWasStable = previous.wasStable(now: now, stablePeriod: stablePeriod)
            blamed = previous.restoring
            reason = previous.reason(bootIdentifier: bootIdentifier)
            text =
                switch reason {
                case .first: "the container never saw a launch, or was reset"
                case .launch: "the previous process ended cleanly"
                case .recover:
                    previous.end == .forceQuit
                        ? "the user ended the previous process" : "the previous process died"
                case .restore:
                    "the system was restarted since, or the store is from another machine"
                }
        }
    }
}
