import SceneStoreEngine
import SceneStoreValues

/// What is remembered, as arrays; counts what was asked.
final class ArraySkeleton: Skeleton {
    var records: [SessionRecord] = []
    var previous = PreviousProcess(end: .clean, number: 1)
    var conditions: [Int64: ActivationConditions] = [:]
    var discards: [PendingDiscard] = []
    var parents: [Int64: SceneSession.ID] = [:]
    var inbox: [InboxItem] = []
    var held: Set<SceneSession.ID> = []
    var offeredVersions: [Int64: String] = [:]
    var formerNames: [Int64: [String]] = [:]
    /// Those that have been parked too long, if they are parked.
    var tooLong: Set<Int64> = []
    /// Those that saved their state in the last launch.
    var savedLast: Set<Int64> = []
    /// Those whose window was opened for a value, whatever value is asked for.
    var presenting: [SessionRecord] = []
    /// How often all sessions were asked for.
    private(set) var wholeReads = 0

    /// Adds a session: "A" has the key 1, is the most recently active, and so on. Of one with a count
    /// of crashes the state is withheld.
    @discardableResult
    func add(
        _ name: String? = "Editor", role: SceneSessionRole = .windowApplication,
        isFront: Bool = false, crashCount: Int = 0,
        _ change: (inout SessionRecord) -> Void = { _ in }
    ) -> SessionRecord {
        let key = Int64(records.count + 1)
        var configuration = SceneConfiguration(name: name, role: role)
        configuration.resolution = .manifest
        var record = SessionRecord(
            key: key, identifier: String(UnicodeScalar(UInt8(64 + key))),
            configurationKey: configurationKey(configuration), configuration: configuration,
            isFront: isFront, recency: 100 - key, hasState: true, crashCount: crashCount)
        if crashCount > 0 {
            record.flags.insert(.withheld)
            record.flags.withheldReason = .crash
        }
        change(&record)
        records.append(record)
        return record
    }

    private func configurationKey(_ configuration: SceneConfiguration) -> Int64 {
        records.first { $0.configuration == configuration }?.configurationKey
            ?? Int64(1_000 + Set(records.map(\.configurationKey)).count)
    }

    private var open: [SessionRecord] {
        records.filter(\.isOpen).sorted(by: SessionRecord.comesBefore)
    }

    func previousProcess() -> PreviousProcess { previous }
    func lastDeclaration() -> String? { nil }
    func openCount(role: SceneSessionRole?) -> Int {
        open.count { role == nil || $0.configuration.role == role }
    }
    func configurationsInUse() -> [ConfigurationUse] {
        Dictionary(grouping: open, by: \.configurationKey).sorted { $0.key < $1.key }.map {
            (key: $0.key, configuration: $0.value[0].configuration)
        }
    }
    func records(configurationKey: Int64) -> [SessionRecord] {
        open.filter { $0.configurationKey == configurationKey }
    }
    func recordsSavedLast(configurationKey: Int64) -> [SessionRecord] {
        records(configurationKey: configurationKey).filter { savedLast.contains($0.key) }
    }
    func exceptionalRecords() -> [SessionRecord] {
        open.filter { $0.crashCount > 0 || !$0.flags.isDisjoint(with: .exceptional) }
    }
    func formerNames(of key: Int64) -> [String] { formerNames[key] ?? [] }
    func offeredVersion(of record: SessionRecord) -> String? { offeredVersions[record.key] }
    func frontRecords() -> [SessionRecord] { open.filter { $0.isFront } }
    func mostRecentRecord(role: SceneSessionRole?) -> SessionRecord? {
        open.first { role == nil || $0.configuration.role == role }
    }
    func openRecords() -> SessionRecords {
        wholeReads += 1
        var result = SessionRecords(capacity: records.count)
        open.forEach { result.append($0) }
        result.sort()
        return result
    }
    func record(key: Int64) -> SessionRecord? { records.first { $0.key == key } }
    func openRecord(_ identifier: SceneSession.ID) -> SessionRecord? {
        open.first { $0.id == identifier }
    }
    func noteNotFound(_ record: SessionRecord) {}
    func recordsWithConditions() -> [ConditionedRecord] {
        open.compactMap { record in
            conditions[record.key].map { (record: record, conditions: $0) }
        }
    }
    func keysWithConditions() -> [ConditionedKey] {
        recordsWithConditions().map {
            ($0.record.key, $0.record.recency, $0.conditions, conditionsID: $0.record.key)
        }
    }
    func record(of conditioned: ConditionedKey) -> SessionRecord? {
        record(key: conditioned.key)
    }
    func mostRecentWithDefaultConditions() -> SessionRecord? {
        open.first { !$0.hasConditions }
    }
    func records(presenting value: Value) -> [SessionRecord] { presenting }
    func children() -> [ChildRecord] {
        open.compactMap { record in
            parents[record.key].map { (record: record, parent: $0, tabIndex: nil) }
        }
    }
    func connected(atEndOf launch: Int64) -> [SessionRecord] { open.filter(\.isFront) }
    func lastGroup(of left: [SessionRecord]) -> [SessionRecord] { left }
    func onceHeld() -> Set<SceneSession.ID> { held }
    func expired(
        _ parked: [SessionRecord], stablePeriod: Int64, previousWasStable: Bool
    ) -> [SessionRecord] {
        parked.filter { tooLong.contains($0.key) && $0.parkedCause != .notKept }
    }
    func pendingDiscards() -> [PendingDiscard] { discards }
    func pendingInbox() -> [InboxItem] { inbox }
}

extension ArraySkeleton {
    /// Plans a launch after the process before.
    func plan(_ rules: LaunchRules, payloads: [Payload] = []) throws -> LaunchPlan {
        try LaunchPlan(
            self, rules,
            LaunchPlan.Start(
                after: previous, bootIdentifier: nil, now: 0, stablePeriod: 10_000),
            payloads: payloads)
    }
}

extension SceneSessionRole {
    /// A role that is not the application's.
    static let projector = SceneSessionRole(rawValue: "projector")
}

extension SceneManifest {
    /// An app with windows and, beside them, one configuration for each of some roles.
    static func windows(beside roles: [SceneSessionRole], isSingle: Bool) -> SceneManifest {
        var manifest = SceneManifest.windows("Editor")
        manifest.supportsMultipleScenes = !isSingle
        for role in roles {
            var configuration = SceneConfiguration(name: "Editor", role: role)
            configuration.resolution = .manifest
            manifest.configurations[role] = [configuration]
        }
        return manifest
    }

    /// A manifest with configurations of windows, and several windows allowed.
    static func windows(_ names: String...) -> SceneManifest {
        var manifest = SceneManifest()
        manifest.isPresent = true
        manifest.supportsMultipleScenes = true
        manifest.configurations[.windowApplication] = names.map { name in
            var configuration = SceneConfiguration(name: name, role: .windowApplication)
            configuration.resolution = .manifest
            return configuration
        }
        return manifest
    }
}

extension SessionRecord {
    init(
        key: Int64, identifier: String, configurationKey: Int64,
        configuration: SceneConfiguration, isFront: Bool, recency: Int64, hasState: Bool,
        crashCount: Int
    ) {
        self.init(
            key: key, identifierText: IdentifierText(identifier), isOpen: true, isFront: isFront,
            hasState: hasState, hasConditions: false, configurationKey: configurationKey,
            sharedConfiguration: SharedConfiguration(configuration), recency: recency,
            crashCount: crashCount, flags: [], createdAt: 0, lastActiveAt: 0)
    }
}
