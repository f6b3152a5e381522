/// What is remembered, as the engine asks for it.
///
/// Each answer is read when a decision needs it and not before: with 100 000 sessions a launch
/// asks for those in front and no other. The store's reader answers in an app, arrays in tests.
package protocol Skeleton {
    /// How the process before this one ended.
    func previousProcess() throws(SceneStoreError) -> PreviousProcess
    /// What the last launch declared about the app's windows (S-43).
    func lastDeclaration() throws(SceneStoreError) -> String?
    /// How many sessions are open, of a role or of all.
    func openCount(role: SceneSessionRole?) throws(SceneStoreError) -> Int
    /// The configurations that open sessions remember.
    func configurationsInUse() throws(SceneStoreError) -> [ConfigurationUse]
    /// The open sessions that remember a configuration, most recently active first.
    func records(configurationKey: Int64) throws(SceneStoreError) -> [SessionRecord]
    /// Those of them that saved their state in the last launch.
    func recordsSavedLast(configurationKey: Int64) throws(SceneStoreError) -> [SessionRecord]
    /// The names of configurations that a session went on under before its own, the last one first
    /// (L-50).
    func formerNames(of key: Int64) throws(SceneStoreError) -> [String]
    /// The open sessions that a process died restoring, those that are held or parked, and those not
    /// to be remembered.
    func exceptionalRecords() throws(SceneStoreError) -> [SessionRecord]
    /// The version of the app under which a session's state was offered again (L-52); nil where an
    /// earlier library offered it.
    func offeredVersion(of record: SessionRecord) throws(SceneStoreError) -> String?
    /// The open sessions that were in front at the last transition, most recently active first.
    func frontRecords() throws(SceneStoreError) -> [SessionRecord]
    /// The open session that was active last.
    func mostRecentRecord(role: SceneSessionRole?) throws(SceneStoreError) -> SessionRecord?
    /// All open sessions, most recently active first.
    func openRecords() throws(SceneStoreError) -> SessionRecords
    /// The session of a key, also when it was discarded.
    func record(key: Int64) throws(SceneStoreError) -> SessionRecord?
    /// The open session of an identifier.
    func openRecord(_ identifier: SceneSession.ID) throws(SceneStoreError) -> SessionRecord?
    /// Remembers that `openRecord` didn't find an open session that is there: its index is damaged.
    func noteNotFound(_ record: SessionRecord)
    /// The open sessions with activation conditions of their own.
    func recordsWithConditions() throws(SceneStoreError) -> [ConditionedRecord]
    /// The same by their keys, the greatest recency first; their rows are not read.
    func keysWithConditions() throws(SceneStoreError) -> [ConditionedKey]
    /// The session of a key with conditions; nil when it is not what the key says.
    func record(of conditioned: ConditionedKey) throws(SceneStoreError) -> SessionRecord?
    /// The open session without conditions of its own that was active last.
    func mostRecentWithDefaultConditions() throws(SceneStoreError) -> SessionRecord?
    /// The open sessions whose window was opened for a value.
    func records(presenting value: Value) throws(SceneStoreError) -> [SessionRecord]
    /// The open sessions whose window belongs to another one, most recently active first (L-49).
    func children() throws(SceneStoreError) -> [ChildRecord]
    /// The open sessions that were connected when a launch ended, those among them that it parked
    /// because it did not keep its windows; most recently active first (L-48).
    func connected(atEndOf launch: Int64) throws(SceneStoreError) -> [SessionRecord]
    /// Of sessions that were left behind, those of the process that left the first of them.
    func lastGroup(of left: [SessionRecord]) throws(SceneStoreError) -> [SessionRecord]
    /// The sessions that a launch of the history held back, by identifier.
    func onceHeld() throws(SceneStoreError) -> Set<SceneSession.ID>
    /// Those of some parked sessions that have been so for 30 days and three stable launches, and
    /// are given up (L-18). Pinned ones never are.
    func expired(
        _ parked: [SessionRecord], stablePeriod: Int64, previousWasStable: Bool
    ) throws(SceneStoreError) -> [SessionRecord]
    /// The discards that the app has not been told of.
    func pendingDiscards() throws(SceneStoreError) -> [PendingDiscard]
    /// The payloads that wait until the app acknowledges them, oldest first.
    func pendingInbox() throws(SceneStoreError) -> [InboxItem]
}

/// A session whose window belongs to another one, and its place among the tabs of the parent.
package typealias ChildRecord = (record: SessionRecord, parent: SceneSession.ID, tabIndex: Int?)

/// A session with the activation conditions that are stored with it.
package typealias ConditionedRecord = (record: SessionRecord, conditions: ActivationConditions)

/// A session with activation conditions of its own, by what is known without reading its row, and
/// where the conditions are stored: nil for those of a private session.
package typealias ConditionedKey = (
    key: Int64, recency: Int64, conditions: ActivationConditions, conditionsID: Int64?
)

/// How the process before this one ended, as the store knows it.
package struct PreviousProcess: Sendable {
    /// How it ended; the column `store.launch_state`.
    package enum End: Int64, Sendable {
        /// The container never saw a launch, or was reset since.
        case never = 0
        /// It said farewell.
        case clean = 1
        /// It runs, or died.
        case running = 2
        /// The user ended it.
        case forceQuit = 3
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
