/// What is remembered, as the engine asks for it.
///
/// Each answer is read when a decision needs it and not before: with 100 000 sessions a launch
/// asks for those in front and no other. The store's reader answers in an app, arrays in tests.
package protocol Skeleton {
    /// How the process before this one ended.
    func previousProcess() throws(SceneStoreError) -> PreviousProcess
    /// How many sessions are open, of a role or of all.
    func openCount(role: SceneSessionRole?) throws(SceneStoreError) -> Int
    /// The configurations that open sessions remember.
    func configurationsInUse() throws(SceneStoreError) -> [ConfigurationUse]
    /// The open sessions that remember a configuration, most recently active first.
    func records(configurationKey: Int64) throws(SceneStoreError) -> [SessionRecord]
    /// The open sessions that a process died restoring, and those not to be remembered.
    func exceptionalRecords() throws(SceneStoreError) -> [SessionRecord]
    /// The open sessions that were in front at the last transition, most recently active first.
    func frontRecords() throws(SceneStoreError) -> [SessionRecord]
    /// The open session that was active last.
    func mostRecentRecord() throws(SceneStoreError) -> SessionRecord?
    /// All open sessions, most recently active first.
    func openRecords() throws(SceneStoreError) -> SessionRecords
    /// The session of a key, also when it was discarded.
    func record(key: Int64) throws(SceneStoreError) -> SessionRecord?
    /// The open session of an identifier.
    func openRecord(_ identifier: String) throws(SceneStoreError) -> SessionRecord?
    /// The open sessions with activation conditions of their own.
    func recordsWithConditions() throws(SceneStoreError) -> [ConditionedRecord]
    /// The open session without conditions of its own that was active last.
    func mostRecentWithDefaultConditions() throws(SceneStoreError) -> SessionRecord?
    /// The open sessions whose window was opened for a value.
    func records(presenting value: Value) throws(SceneStoreError) -> [SessionRecord]
    /// The sessions that a launch of the history held back, by identifier.
    func onceHeld() throws(SceneStoreError) -> Set<SceneSession.ID>
    /// The discards that the app has not been told of.
    func pendingDiscards() throws(SceneStoreError) -> [PendingDiscard]
    /// The payloads that wait until the app acknowledges them, oldest first.
    func pendingInbox() throws(SceneStoreError) -> [InboxItem]
}

/// A session with the activation conditions that are stored with it.
package struct ConditionedRecord: Sendable {
    package var record: SessionRecord
    package var conditions: ActivationConditions
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

    package init(
        end: End, number: Int64 = 0, bootIdentifier: String? = nil, restoring: Int64? = nil
    ) {
        self.end = end
        self.number = number
        self.bootIdentifier = bootIdentifier
        self.restoring = restoring
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
