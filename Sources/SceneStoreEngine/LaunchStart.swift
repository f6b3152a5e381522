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
        /// Whether the last process said farewell, or is taken to do so.
        package var previousEndedCleanly = false
        /// Whether the last process died.
        package var previousDied = false
        /// What the last process declared, if it was stable and died: it may have left unwritten what
        /// sessions saved under (L-50).
        package var rulesBefore: LaunchRules?
        /// Whether nothing is remembered, whatever the store holds.
        package var isEmpty = false

        /// Judges how the last process ended.
        ///
        /// - Parameters:
        ///   - previous: The last process.
        ///   - asked: The reason to assume; nil judges.
        ///   - bootIdentifier: The machine's; nil when it is not known.
        ///   - isRunning: Whether the last process runs still. It is assumed to end cleanly.
        ///   - now: Milliseconds since 1970.
        ///   - stablePeriod: After how many milliseconds without a death a launch is stable.
        package init(
            after previous: PreviousProcess, asked: LaunchReason? = nil, bootIdentifier: String?,
            isRunning: Bool = false, now: Int64, stablePeriod: Int64
        ) {
            number = previous.number + 1
            previousEndedCleanly = isRunning || previous.end == .clean
            previousDied = !isRunning && previous.end == .running
            previousWasStable =
                isRunning || previous.wasStable(now: now, stablePeriod: stablePeriod)
            if let asked {
                reason = asked
                text = "as asked"
                blamed = asked == .recover || asked == .restore ? previous.restoring : nil
                isEmpty = asked == .first
                return
            }
            blamed = isRunning ? nil : previous.restoring
            reason = previous.reason(bootIdentifier: bootIdentifier)
            if isRunning, reason != .first {
                reason = .launch
                text = "the app is running; this holds if it ends cleanly"
                return
            }
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
