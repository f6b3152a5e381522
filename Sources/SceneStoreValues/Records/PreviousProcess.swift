/// A session with the activation conditions that are stored with it.
package struct ConditionedRecord: Sendable {
    package var record: SessionRecord
    package var conditions: ActivationConditions

    package init(record: SessionRecord, conditions: ActivationConditions) {
        self.record = record
        self.conditions = conditions
    }
}

/// A session with activation conditions of its own, by what is known without reading its row.
package struct ConditionedKey: Sendable {
    package var key: Int64
    package var recency: Int64
    package var conditions: ActivationConditions
    /// Where the conditions are stored; nil for those of a private session.
    package var conditionsID: Int64?

    package init(
        key: Int64, recency: Int64, conditions: ActivationConditions, conditionsID: Int64?
    ) {
        self.key = key
        self.recency = recency
        self.conditions = conditions
        self.conditionsID = conditionsID
    }
}

/// How the process before this one ended, as the store knows it.
package struct PreviousProcess: Sendable {
    /// How it ended.
    package enum End: Sendable {
        /// The container never saw a launch, or was reset since.
        case never
        /// It said farewell.
        case clean
        /// It runs, or died.
        case running
        /// The user ended it.
        case forceQuit
    }

    package var end: End
    /// Its number; launches count from 1.
    package var number: Int64
    /// Another value after each restart of the system; nil when it is not known.
    package var bootIdentifier: String?
    /// The session that it was restoring, when it did not end cleanly.
    package var restoring: Int64?
    /// Milliseconds since 1970; nil when it is not known.
    package var startedAt: Int64?

    package init(
        end: End, number: Int64 = 0, bootIdentifier: String? = nil, restoring: Int64? = nil,
        startedAt: Int64? = nil
    ) {
        self.end = end
        self.number = number
        self.bootIdentifier = bootIdentifier
        self.restoring = restoring
        self.startedAt = startedAt
    }

    /// Whether its launch was stable: it ended cleanly, or lived for a while by the clock that is
    /// read now, and was not restoring anything (L-52).
    package func wasStable(now: Int64, stablePeriod: Int64) -> Bool {
        guard end == .running || end == .forceQuit else {
            return end == .clean
        }
        guard restoring == nil, let startedAt else {
            return false
        }
        let (lived, overflow) = now.subtractingReportingOverflow(startedAt)
        return !overflow && lived >= max(0, stablePeriod)
    }

    /// Why the process after it is started (L-14). A restart of the system outranks the way in
    /// which the process ended.
    package func reason(bootIdentifier: String?) -> LaunchReason {
        if end == .never {
            return .first
        }
        if let before = self.bootIdentifier, let bootIdentifier, before != bootIdentifier {
            return .restore
        }
        return end == .clean ? .launch : .recover
    }
}
