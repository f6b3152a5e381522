import SceneStoreValues

/// The rules by which windows come back and payloads find theirs, as a value: no store, no scenes.
package struct LaunchRules: Sendable {
    package let resolver: ConfigurationResolver
    /// Whether the environment allows more than one scene of a role, whatever the manifest says.
    package var environmentSupportsMultipleScenes = true
    /// Whether nobody says what the app's manifest is: what the last launch judged stands.
    package var isOfUnknownApp = false
    /// Which remembered sessions connect by themselves.
    package var reconnection = Reconnection.foreground
    /// What the launch does with what is remembered (L-16).
    package var behavior = Behavior.restore
    /// Whether a launch that begins anew makes a window; an app may show a list instead.
    package var makesWindow = true
    /// The same two of a launch whose previous process died; nil for no others.
    package var afterCrash: (behavior: Behavior, makesWindow: Bool)?
    /// After how many milliseconds without a death a launch is stable.
    package var stablePeriod: Int64 = 10_000
    /// Whether payloads wait until their scene is active instead of riding on its connection.
    package var deliversWhenActive = false
    /// After how many deaths in a row while restoring a session is held back.
    package var holdsAfterCrashes = 3
    /// Old configuration names to new ones.
    package var configurationRenames: [String: String] = [:]
    /// Names of configurations whose sessions are not remembered.
    package var unrememberedConfigurations: Set<String> = []
    /// The name of the configuration of a window that a launch makes by itself (L-16).
    package var openingConfiguration: String?
    /// Whether payloads are kept until the app acknowledges them.
    package var persistsInbox = false
    /// Roles that have one session at most: asking for another brings that one forward.
    package var singleRoles: Set<SceneSessionRole> = []
    /// Where the app wants the payloads of a launch to go, those that waited too (L-79).
    package var namedTargets: [(payload: Payload, target: PayloadTarget)] = []
    /// The payloads of the inbox that the app has dealt with when it was asked where they go.
    package var handledItems: Set<Int64> = []
    /// Of the roles that the app names for payloads, those that its provider has a configuration for.
    package var providedRoles: Set<SceneSessionRole> = []
    /// The payloads of a launch that an owner which died may have handed over (L-77).
    package var redelivered: [Payload] = []
    /// The classes of scene delegates that can be made.
    package var delegateClasses = DelegateClasses()
    /// The session that the last process died restoring; its count is one more than stored.
    package var blamed: Int64?
    /// Sessions whose parking this launch ends.
    package var unparked: Set<Int64> = []
    /// What sessions saved under in the launch before, which was stable: it is their own (L-50).
    package var adopted: [Int64: SceneConfiguration] = [:]
    /// Whether the launch before was stable: who died is offered again.
    package var previousWasStable = false
    /// The version of the app; what was offered again under another one is so once more.
    package var appVersion: String?
    /// The versions under which sessions were offered again.
    package var offeredVersions: [Int64: String] = [:]

    /// Which remembered sessions connect by themselves (L-11).
    package enum Reconnection: Sendable, Hashable {
        /// Those that were in front, else the most recently active one.
        case foreground
        /// Every one.
        case all
        /// The most recently active ones, so many.
        case first(Int)
    }

    /// What a launch does with what is remembered (L-16).
    package enum Behavior: Sendable, Hashable {
        /// It comes back.
        case restore
        /// It stays open, and a new window is made.
        case fresh
        /// It stays open, and nothing is made without being asked for.
        case none
    }

    package init(manifest: SceneManifest? = nil) {
        resolver = ConfigurationResolver(manifest: manifest)
    }

    /// Takes over what a launch does after a crash, if the previous process died (L-14).
    package mutating func begin(after end: PreviousProcess.End) {
        if end == .running, let afterCrash {
            (behavior, makesWindow) = afterCrash
        }
    }

    package var supportsMultipleScenes: Bool {
        environmentSupportsMultipleScenes && (resolver.manifest?.supportsMultipleScenes ?? false)
    }

    /// The role of a first launch and of incoming events.
    package var defaultRole: SceneSessionRole {
        resolver.manifest?.preferredDefaultRole ?? .windowApplication
    }

    /// The configuration of a window that a launch makes by itself; nil when the app names none, or
    /// none that the default role has.
    package var opening: SceneConfiguration? {
        openingConfiguration.flatMap { name in
            resolver.manifest?.configurations[defaultRole]?.first { $0.name == name }
        }
    }

    /// The role that a request names, else the one under which its configuration is declared.
    package func role(of request: SceneSessionActivationRequest) -> SceneSessionRole {
        request.role
            ?? request.configurationName.flatMap { resolver.manifest?.role(ofConfiguration: $0) }
            ?? .windowApplication
    }

    /// The role of the app's own windows: not a projector's, nor a car's. What is connected under a
    /// lost one has the only role of the app (L-04).
    package func isOfApplication(_ role: SceneSessionRole) -> Bool {
        role == .windowApplication || role == defaultRole || role.rawValue.isEmpty
    }

    /// Where the app wants a payload of the launch to go; nil asks the windows' conditions.
    package func namedTarget(of payload: Payload) -> PayloadTarget? {
        namedTargets.first { $0.payload == payload }?.target
    }

    /// Whether a session of a role can be made: the manifest has an entry for it, or the provider a
    /// configuration.
    func canMake(_ role: SceneSessionRole) -> Bool {
        providedRoles.contains(role) || resolver.manifest?.defaultConfiguration(for: role) != nil
    }

    /// What a remembered session is shown with today (L-50), once the manifest was asked; the
    /// original stays stored.
    package func configuration(
        of record: SessionRecord, _ update: ConfigurationResolver.Update
    ) -> SceneConfiguration {
        switch update {
        case .replaced(let configuration), .stale(let configuration): configuration
        case .current, .cannotDisplay: adopted[record.key] ?? record.configuration
        }
    }

    /// What the manifest makes of what a session remembers.
    package func update(of record: SessionRecord) -> ConfigurationResolver.Update {
        update(of: adopted[record.key] ?? record.configuration)
    }

    /// What the manifest makes of a remembered configuration (L-50).
    package func update(of configuration: SceneConfiguration) -> ConfigurationResolver.Update {
        resolver.update(configuration, renames: configurationRenames, registered: delegateClasses)
    }

    /// The names that a configuration had in earlier versions of the app, the last one first (L-50).
    package func formerNames(of configuration: SceneConfiguration) -> [String] {
        guard !configurationRenames.isEmpty, var names = configuration.name.map({ [$0] }) else {
            return []
        }
        var place = 0
        while place < names.count {
            names += configurationRenames.filter {
                $0.value == names[place] && !names.contains($0.key)
            }.keys.sorted()
            place += 1
        }
        return Array(names.dropFirst())
    }

    /// Whether a session of a configuration is remembered beyond the process (L-44).
    package func isRemembered(_ configuration: SceneConfiguration) -> Bool {
        configuration.name.map { !unrememberedConfigurations.contains($0) } ?? true
    }

    /// Whether nothing of what a session takes may reach the disk (S-70). One that is made, which is nil,
    /// counts as private until its kind is known, if there are kinds that aren't remembered.
    package func isPrivate(_ record: SessionRecord?) -> Bool {
        record.map { $0.privacy == .ephemeral } ?? !unrememberedConfigurations.isEmpty
    }

    /// Whether a private window is asked for.
    package func isPrivate(_ request: SceneSessionActivationRequest) -> Bool {
        request.privacy == .ephemeral
            || request.configurationName.map(unrememberedConfigurations.contains) ?? false
    }

    /// With one scene a role, the session of each role that returns (L-12): the one that was reopened
    /// last, else the most recently active one that no other displaced, else the most recently
    /// active one. Of sessions that are remembered and not held, most recently active first.
    func returning(among records: [SessionRecord]) -> Set<Int64> {
        let undisplaced = records.filter { $0.parkedCause != .displaced }
        return Self.firstOfEachRole(
            records.filter { $0.flags.contains(.reopened) } + undisplaced + records)
    }

    /// The keys of the first session of each role.
    static func firstOfEachRole(_ records: [SessionRecord]) -> Set<Int64> {
        var roles: Set<SceneSessionRole> = []
        return Set(records.filter { roles.insert($0.role).inserted }.map(\.key))
    }

    /// Whether a session stays without a scene because another of its role has the only one.
    func isBarred(_ record: SessionRecord, by other: SceneSessionRole) -> Bool {
        !supportsMultipleScenes && record.role == other
    }
}

extension SessionRecord {
    /// The finding that the session is held back.
    var heldFinding: Diagnostic {
        Diagnostic(
            .sessionHeld, .warning,
            isHeldByHand
                ? "the session is held, because somebody held it by hand"
                : "the session is held back: processes that restored it died",
            fix: isHeldByHand
                ? "it comes back on release"
                : "it is offered again after a launch that stays up, or on release",
            sessionIdentifier: id)
    }
}

/// The classes of scene delegates that an app has registered.
package struct DelegateClasses: Sendable {
    /// Their names; empty when the app registers none, and then every class is taken for there.
    package private(set) var names: Set<String> = []
    /// The first name with each last part.
    private var firstNames: [String: String] = [:]

    package mutating func insert(_ name: String) {
        names.insert(name)
        let last = Self.lastPart(of: name)
        firstNames[last] = min(name, firstNames[last] ?? name)
    }

    /// Whether a remembered class can be made.
    package func contains(_ className: String) -> Bool {
        names.isEmpty || registeredName(for: className) != nil
    }

    /// The name under which a class is registered. A manifest's `$(PRODUCT_MODULE_NAME).Scene` is
    /// found under any name whose last part is `Scene`.
    package func registeredName(for className: String) -> String? {
        if names.contains(className) {
            return className
        }
        return className.hasPrefix("$") ? firstNames[Self.lastPart(of: className)] : nil
    }

    private static func lastPart(of name: String) -> String {
        let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        return String(name[(dot.map(name.utf8.index(after:)) ?? name.startIndex)...])
    }
}

extension RestorationStatus {
    /// Why an earlier state than the last is kept from the app (R-26).
    package static let lostState = "the state that was saved last is lost"

    /// Why a session's state is or is not handed to the app, in words; nil for one that is held, which
    /// depends on its deaths.
    package func reason(hasState: Bool) -> String? {
        switch self {
        case .available: hasState ? DecisionRecord.lastState.reason : "no state was saved"
        case .stale: "the configuration that it was saved under is gone"
        case .withheld: "a process died while it restored this \(hasState ? "state" : "session")"
        case .failed: "the app could not restore it"
        case .held: nil
        case .declined: "the app's guard refused it"
        case .disabled: "restoration is switched off for the session"
        }
    }

    /// How the ledger of a launch counts a session that connects.
    package var outcome: LaunchOutcome {
        switch self {
        case .available, .disabled: .restored
        case .stale: .stale
        case .withheld, .failed: .withheld
        case .held: .held
        case .declined: .declined
        }
    }
}
