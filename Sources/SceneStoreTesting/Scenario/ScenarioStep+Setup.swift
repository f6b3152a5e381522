import SceneStore

extension ScenarioStep {
    /// What the app is; what is nil stays as it was.
    package struct AppStep: Hashable, Sendable {
        /// `lifecycle=`: how it takes part in its life cycle.
        package var lifecycle: Scenario.Profile?
        /// `id=`: its bundle identifier.
        package var identifier: String?
        /// `version=`: its version.
        package var version: String?

        init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
            lifecycle = try arguments.choice(
                "lifecycle", ["scene": .scene, "application": .application])
            identifier = try arguments.filledText("id")
            version = try arguments.filledText("version")
            guard !arguments.options.isEmpty else {
                throw arguments.missing("lifecycle=, id= or version=")
            }
        }
    }

    /// The Info.plist to use from now on.
    package struct ManifestStep: Hashable, Sendable {
        /// Its path as written, relative to the scenario; nil, written `none`, is an app without
        /// a manifest.
        package var path: String?
        /// Where the path stands in its line, from 1.
        package var column: Int

        init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
            let word = try arguments.requiredWord("FILE, or none")
            path = word.text.keyword == "none" ? nil : word.text
            column = word.column
        }

        init?(option: ScenarioOption?) throws(ScenarioStepError) {
            guard let option else {
                return nil
            }
            let text = try ScenarioArguments.filled(option)
            path = text.keyword == "none" ? nil : text
            column = option.column
        }
    }

    /// What the app's delegate answers; what is nil or empty stays as it was.
    package struct DelegateStep: Hashable, Sendable {
        /// `will=`: the answer of `application(_:willFinishLaunchingWithOptions:)`.
        package var will: LaunchAnswer?
        /// `did=`: the answer of `application(_:didFinishLaunchingWithOptions:)`.
        package var did: LaunchAnswer?
        /// `restore=`: the answer of `application(_:shouldRestore:savedUnder:)`.
        package var restore: RestoreAnswer?
        /// `provider=`: the answer of `application(_:configurationForConnecting:options:)`.
        package var provider: ProviderAnswer?
        /// `provider.ROLE=`: its answers for single roles, in their order.
        package var providerByRole: [RoleAnswer]
        /// `provider-role=`: the role that it answers with.
        package var providerRole: ProviderRole?
        /// `session=`: the session that the conditions are set for; nil when there are none.
        package var session: SessionReference?
        /// `can=`: which content the session can show.
        package var canActivate: ActivationConditions.Rule?
        /// `prefers=`: which content the session wants to show.
        package var prefersToActivate: ActivationConditions.Rule?

        /// What a launch callback answers.
        package enum LaunchAnswer: Hashable, Sendable {
            /// It is implemented and answers a Boolean.
            case answer(Bool)
            /// The delegate does not implement it.
            case notImplemented
        }

        /// Which states may be restored.
        package enum RestoreAnswer: Hashable, Sendable {
            /// All of them, or none.
            case answer(Bool)
            /// Those that the same version of the app saved.
            case sameVersion
            /// All of them, but restoring throws.
            case throwing
        }

        /// What the provider answers.
        package enum ProviderAnswer: Hashable, Sendable {
            /// The delegate does not implement it.
            case notImplemented
            /// A configuration without a name.
            case unnamed
            /// A configuration of this name.
            case named(String)
        }

        /// The provider's answer for one role.
        package struct RoleAnswer: Hashable, Sendable {
            /// The role asked for.
            package var role: SceneSessionRole
            /// The name of the configuration; nil is one without a name.
            package var name: String?
        }

        /// The role of the configurations that the provider answers.
        package enum ProviderRole: Hashable, Sendable {
            /// The role that was asked for; written `none`.
            case asked
            /// Always this one.
            case fixed(SceneSessionRole)
        }

        /// Whether the step says anything about the application delegate itself, beside the
        /// conditions of a session.
        package var concernsDelegate: Bool {
            will != nil || did != nil || restore != nil || provider != nil
                || !providerByRole.isEmpty || providerRole != nil
        }
    }

    /// The app's choices; what is nil stays as it was.
    package struct PolicyStep: Hashable, Sendable {
        /// `reconnect=`: which open sessions each launch connects.
        package var reconnection: SceneApplicationOptions.Reconnection?
        /// `launch=`: what the next launches do with them.
        package var launchBehavior: SceneApplicationOptions.LaunchBehavior?
        /// `delivery=when-active`: whether cold payloads wait for the first `active`.
        package var deliversWhenActive: Bool?
        /// `force-quit=discard`: whether a force quit discards the open sessions.
        package var discardsOnForceQuit: Bool?
        /// `nil-state=keep`: whether a scene that answers no state keeps the earlier one.
        package var keepsPreviousState: Bool?
        /// `durability=`: when a write is safe.
        package var durability: Durability?
        /// `strict=on`: whether an undeclared activity type is an error.
        package var isStrict: Bool?
        /// `hold-after=`: after how many crashes in a row a session is held back; at least 1.
        package var holdAfter: Int?
        /// `inbox=on`: whether payloads are kept until the app acknowledges them.
        package var persistsInbox: Bool?
        /// `opening=`: what a launch opens that brings no window back.
        package var opening: Opening?
        /// `last-window=`: what closing the last window does.
        package var closingLastWindow: SceneApplicationOptions.ClosingLastWindow?
        /// `closed-value=reopen`: whether a closed window of an equal value is reopened.
        package var restoresClosedValue: Bool?
        /// `private=remember`: whether private windows come back.
        package var remembersPrivateWindows: Bool?

        /// The window of a launch that brings none back.
        package enum Opening: Hashable, Sendable {
            /// What the provider or the manifest names; written `none`.
            case usual
            /// A configuration of this name.
            case named(String)
        }
    }

    /// An update of the app; what is nil stays as it was.
    package struct UpdateStep: Hashable, Sendable {
        /// `manifest=`: its new Info.plist.
        package var manifest: ManifestStep?
        /// `version=`: its new version.
        package var version: String?
        /// `rename=OLD:NEW`: what became of configurations, in their order.
        package var renames: [Rename]

        /// A configuration's new name.
        package struct Rename: Hashable, Sendable {
            /// The name that sessions remember.
            package var old: String
            /// The name in the new manifest.
            package var new: String
        }
    }
}

extension ScenarioStep.DelegateStep {
    init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
        guard !arguments.options.isEmpty else {
            throw arguments.missing("an option such as will= or provider=")
        }
        let answers: KeyValuePairs<String, LaunchAnswer> = [
            "true": .answer(true), "false": .answer(false), "none": .notImplemented,
        ]
        will = try arguments.choice("will", answers)
        did = try arguments.choice("did", answers)
        restore = try arguments.choice(
            "restore",
            [
                "true": .answer(true), "false": .answer(false), "same-version": .sameVersion,
                "throws": .throwing,
            ])
        provider = try arguments.filledText("provider").map { name in
            switch name.keyword {
            case "none": .notImplemented
            case "nil": .unnamed
            default: .named(name)
            }
        }
        providerByRole = []
        for option in arguments.options {
            if let role = option.name.dropping(prefix: ScenarioGrammar.providerPrefix) {
                providerByRole.append(try Self.roleAnswer(option, role: role))
            }
        }
        providerRole = try arguments.filledText("provider-role").map {
            $0.keyword == "none" ? .asked : .fixed(SceneSessionRole(rawValue: $0))
        }
        canActivate = try Self.rule(arguments.option("can"))
        prefersToActivate = try Self.rule(arguments.option("prefers"))
        let option = arguments.option("session")
        if let option {
            session = try ScenarioArguments.reference(option.value, column: option.column)
        }
        if let rule = arguments.option("can") ?? arguments.option("prefers"), option == nil {
            throw ScenarioStepError(
                column: rule.column, message: "'\(rule.name)=' needs session=")
        }
        if let option, canActivate == nil, prefersToActivate == nil {
            throw ScenarioStepError(
                column: option.column, message: "'session=' needs can= or prefers=")
        }
    }

    private static func roleAnswer(
        _ option: ScenarioOption, role: String
    ) throws(ScenarioStepError) -> RoleAnswer {
        guard !role.isEmpty else {
            throw ScenarioStepError(
                column: option.column, message: "'provider.' needs the name of a role behind it")
        }
        let name = try ScenarioArguments.filled(option)
        guard name.keyword != "none" else {
            throw ScenarioStepError(
                column: option.column,
                message: "a provider is implemented for all roles or for none; write provider=none")
        }
        return RoleAnswer(
            role: SceneSessionRole(rawValue: role), name: name.keyword == "nil" ? nil : name)
    }

    private static func rule(
        _ option: ScenarioOption?
    ) throws(ScenarioStepError) -> ActivationConditions.Rule? {
        guard let option else {
            return nil
        }
        guard let rule = ScenarioRule.parse(option.value) else {
            throw ScenarioStepError(
                column: option.column,
                message: "'\(option.name)=' is \(ScenarioRule.notation), several joined by |")
        }
        return rule
    }
}

extension ScenarioStep.PolicyStep {
    /// Reads `launch=BEHAVIOUR` and `launch=crash:BEHAVIOUR,BEHAVIOUR`.
    private static func behavior(
        _ arguments: ScenarioArguments
    ) throws(ScenarioStepError) -> SceneApplicationOptions.LaunchBehavior? {
        let named = SceneApplicationOptions.LaunchBehavior.named
        guard let option = arguments.option("launch"),
            let pair = option.value.dropping(prefix: "crash:")
        else {
            return try arguments.choice("launch", named)
        }
        let parts = pair.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        var behaviors: [SceneApplicationOptions.LaunchBehavior] = []
        for part in parts {
            behaviors.append(
                try ScenarioArguments.choice(
                    String(part), column: option.column, named, of: "a behaviour in 'launch='"))
        }
        guard behaviors.count == 2 else {
            throw ScenarioStepError(
                column: option.column,
                message: "'launch=crash:' needs two behaviours with a comma between them")
        }
        return .automatic(afterCrash: behaviors[0], otherwise: behaviors[1])
    }

    /// `foreground`, `all` or `first:N`.
    private static func reconnection(
        _ arguments: ScenarioArguments
    ) throws(ScenarioStepError) -> SceneApplicationOptions.Reconnection? {
        guard let option = arguments.option("reconnect"),
            let number = option.value.dropping(prefix: "first:")
        else {
            return try arguments.choice("reconnect", ["foreground": .foreground, "all": .all])
        }
        guard let count = Int(number), 1...1_000_000 ~= count else {
            throw ScenarioStepError(
                column: option.column,
                message: "'reconnect=first:' is a number of sessions from 1 to 1000000")
        }
        return .first(count)
    }

    init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
        reconnection = try Self.reconnection(arguments)
        launchBehavior = try Self.behavior(arguments)
        closingLastWindow = try arguments.choice(
            "last-window", ["runs": .keepsRunning, "quits": .quits])
        restoresClosedValue = try arguments.choice("closed-value", ["new": false, "reopen": true])
        remembersPrivateWindows = try arguments.choice(
            "private", ["forget": false, "remember": true])
        deliversWhenActive = try arguments.choice(
            "delivery", ["uikit": false, "when-active": true])
        discardsOnForceQuit = try arguments.choice(
            "force-quit", ["preserve": false, "discard": true])
        keepsPreviousState = try arguments.choice("nil-state", ["forget": false, "keep": true])
        durability = try arguments.choice("durability", ["full": .full, "normal": .normal])
        isStrict = try arguments.choice("strict", ["on": true, "off": false])
        persistsInbox = try arguments.choice("inbox", ["on": true, "off": false])
        opening = try arguments.filledText("opening").map { name in
            name.keyword == "none" ? .usual : .named(name)
        }
        if let option = arguments.option("hold-after") {
            guard let count = Int(option.value), 1...1_000_000 ~= count else {
                throw ScenarioStepError(
                    column: option.column,
                    message: "'hold-after=' is a number of crashes from 1 to 1000000")
            }
            holdAfter = count
        }
        guard !arguments.options.isEmpty else {
            throw arguments.missing("an option such as reconnect= or strict=")
        }
    }
}

extension ScenarioStep.UpdateStep {
    init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
        manifest = try ScenarioStep.ManifestStep(option: arguments.option("manifest"))
        version = try arguments.filledText("version")
        renames = []
        var olds: Set<ExactText> = []
        for option in arguments.options where option.name.keyword == "rename" {
            let parts = option.value.parts(separatedBy: UInt8(ascii: ":"))
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                throw ScenarioStepError(
                    column: option.column, message: "'rename=' is OLD:NEW, with one colon")
            }
            guard olds.insert(ExactText(parts[0])).inserted else {
                throw ScenarioStepError(
                    column: option.column, message: "this configuration is renamed twice")
            }
            renames.append(Rename(old: parts[0], new: parts[1]))
        }
        guard !arguments.options.isEmpty else {
            throw arguments.missing("manifest=, version= or rename=")
        }
    }
}

extension SceneApplicationOptions.LaunchBehavior {
    /// Those that have a name in tools.
    package static let named: KeyValuePairs<String, Self> = [
        "restore": .restore, "fresh": .fresh, "none": .none, "safe": .safe,
    ]
}
