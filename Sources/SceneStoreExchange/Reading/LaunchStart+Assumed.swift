import SceneStore
import SceneStoreEngine

/// How a process begins, as a tool assumes.
extension LaunchPlan.Start {
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
        after previous: PreviousProcess, asked: LaunchReason?, bootIdentifier: String?,
        isRunning: Bool = false, now: Int64, stablePeriod: Int64
    ) {
        self.init(
            after: previous, bootIdentifier: bootIdentifier, now: now, stablePeriod: stablePeriod)
        if isRunning {
            (previousEndedCleanly, previousDied, previousWasStable) = (true, false, true)
            blamed = nil
            if reason != .first {
                reason = .launch
                text = "the app is running; this holds if it ends cleanly"
            }
        }
        if let asked {
            reason = asked
            text = "as asked"
            blamed = asked == .recover || asked == .restore ? previous.restoring : nil
            isEmpty = asked == .first
        }
    }

    /// The same, by what is remembered of the last process.
    init(
        from skeleton: some Skeleton, asked: LaunchReason?, bootIdentifier: String?,
        isRunning: Bool, now: Int64, stablePeriod: Int64
    ) throws(SceneStoreError) {
        let previous = try skeleton.previousProcess()
        self.init(
            after: previous, asked: asked, bootIdentifier: bootIdentifier, isRunning: isRunning,
            now: now, stablePeriod: stablePeriod)
        try learnRules(of: previous, from: skeleton)
    }
}
