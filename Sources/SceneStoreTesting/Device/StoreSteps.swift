import SceneStore

/// Single steps of a store, for tests, rigs and fuzzers: an app takes them only as part of others.

/// What the store answers to the beginning of a launch.
package struct LaunchStart: Sendable, Hashable {
    /// Counts launches of the container, from 1.
    package var number: Int64
    package var reason: LaunchReason
    /// The session that the previous process died restoring; its count is raised already.
    package var blamed: SceneSession.ID?

    package init(number: Int64, reason: LaunchReason, blamed: SceneSession.ID? = nil) {
        self.number = number
        self.reason = reason
        self.blamed = blamed
    }
}

extension StoredLaunches {
    /// Begins a launch that judged nothing.
    @discardableResult
    package func begin(_ context: LaunchContext) throws(SceneStoreError) -> LaunchStart {
        try store.write(.normal) { transaction throws(SceneStoreError) in
            let reason = try transaction.db.previousProcess().reason(
                bootIdentifier: context.bootIdentifier)
            try transaction.beginLaunch(context, reason: reason)
            return LaunchStart(
                number: transaction.store.launchNumber, reason: reason,
                blamed: transaction.db.journal.events.first { $0.kind == .blame }?
                    .sessionIdentifier)
        }
    }
}
