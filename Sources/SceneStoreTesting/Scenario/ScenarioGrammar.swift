import SceneStore
import SceneStoreFormats
import SceneStoreValues

/// One row of the table of steps: its word, its options, and how the rest is read.
struct ScenarioGrammar: Sendable {
    /// The step's word.
    let name: String
    /// Options that may stand once.
    var options: [String] = []
    /// Options that may stand more than once.
    var repeatable: [String] = []
    /// The beginning of options with a name in their name.
    var prefix: String?
    /// Whether words with `=` that are no options are keys and values.
    var takesPairs = false
    let parse: Parse

    typealias Parse =
        @Sendable (inout ScenarioArguments) throws(ScenarioStepError) -> ScenarioStep.Kind

    static let providerPrefix = "provider."

    /// The words for the reasons of a launch.
    static let reasons: KeyValuePairs<String, LaunchReason> = [
        "first": .first, "launch": .launch, "recover": .recover, "restore": .restore,
    ]

    init(
        _ name: String, options: [String] = [], repeatable: [String] = [], prefix: String? = nil,
        takesPairs: Bool = false, parse: @escaping Parse
    ) {
        self.name = name
        self.options = options
        self.repeatable = repeatable
        self.prefix = prefix
        self.takesPairs = takesPairs
        self.parse = parse
    }

    /// A step that is its word alone.
    private init(_ name: String, _ kind: ScenarioStep.Kind) {
        self.init(name) { _ throws(ScenarioStepError) in kind }
    }

    /// What a word with `=` is to the step.
    enum Role {
        /// An option that may stand once.
        case once
        /// An option that may stand more than once.
        case repeatable
        /// An option with a name in its name.
        case prefixed
        /// A key with its value.
        case pair
        /// A word like any other.
        case word
    }

    func role(of name: String) -> Role {
        let word = name.keyword
        if options.contains(word) {
            return .once
        }
        if repeatable.contains(word) {
            return .repeatable
        }
        if let prefix, name.utf8.starts(with: prefix.utf8) {
            return .prefixed
        }
        return takesPairs ? .pair : .word
    }

    /// The names of the options, for suggestions.
    var optionNames: [String] {
        options + repeatable
    }

    /// Every step by its word.
    static let byName = Dictionary(
        all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// Every step, in the order of the documentation.
    static let all: [ScenarioGrammar] = setup + running + ending + expecting

    private static let setup: [ScenarioGrammar] = [
        ScenarioGrammar("app", options: ["lifecycle", "id", "version"]) {
            arguments throws(ScenarioStepError) in
            .app(try ScenarioStep.AppStep(parsing: &arguments))
        },
        ScenarioGrammar("manifest") { arguments throws(ScenarioStepError) in
            .manifest(try ScenarioStep.ManifestStep(parsing: &arguments))
        },
        ScenarioGrammar(
            "delegate",
            options: [
                "will", "did", "restore", "provider", "provider-role", "can", "prefers", "session",
            ],
            prefix: providerPrefix
        ) { arguments throws(ScenarioStepError) in
            .delegate(try ScenarioStep.DelegateStep(parsing: &arguments))
        },
        ScenarioGrammar(
            "policy",
            options: [
                "reconnect", "launch", "delivery", "force-quit", "nil-state", "durability",
                "strict",
                "hold-after", "inbox", "opening", "last-window", "closed-value", "private",
            ]
        ) { arguments throws(ScenarioStepError) in
            .policy(try ScenarioStep.PolicyStep(parsing: &arguments))
        },
        ScenarioGrammar("update", options: ["manifest", "version"], repeatable: ["rename"]) {
            arguments throws(ScenarioStepError) in
            .update(try ScenarioStep.UpdateStep(parsing: &arguments))
        },
    ]

    private static let running: [ScenarioGrammar] = [
        ScenarioGrammar(
            "launch", options: ["activity", "webpage", "shortcut", "push"],
            repeatable: ["url", "source", "target"]
        ) { arguments throws(ScenarioStepError) in
            .launch(try ScenarioStep.LaunchStep(parsing: &arguments))
        },
        ScenarioGrammar(
            "start", options: ["activity", "webpage", "shortcut", "push"],
            repeatable: ["url", "source", "target"]
        ) { arguments throws(ScenarioStepError) in
            .start(try ScenarioStep.LaunchStep(parsing: &arguments))
        },
        ScenarioGrammar(
            "new-scene", options: ["role", "as", "privacy", "activity", "webpage", "target"]
        ) {
            arguments throws(ScenarioStepError) in
            .newScene(try ScenarioStep.NewSceneStep(parsing: &arguments))
        },
        ScenarioGrammar("activate", options: ["activity", "webpage", "target"]) {
            arguments throws(ScenarioStepError) in
            .activate(try ScenarioStep.ActivateStep(parsing: &arguments))
        },
        ScenarioGrammar("open-url", options: ["source"]) { arguments throws(ScenarioStepError) in
            .openURL(
                OpenURLContext(
                    url: try arguments.anyWord("a URL").text,
                    sourceApplication: arguments.text("source")))
        },
        ScenarioGrammar("continue", options: ["webpage", "target"]) {
            arguments throws(ScenarioStepError) in
            .continueActivity(try ScenarioStep.ContinueStep(parsing: &arguments))
        },
        ScenarioGrammar("arrive", options: ["webpage", "target"]) {
            arguments throws(ScenarioStepError) in
            .arrive(try ScenarioStep.ContinueStep(parsing: &arguments))
        },
        ScenarioGrammar("shortcut", options: ["target"]) { arguments throws(ScenarioStepError) in
            .shortcut(
                ShortcutItem(
                    type: try arguments.anyWord("the type of a quick action").text,
                    targetContentIdentifier: arguments.text("target")))
        },
        ScenarioGrammar("push", options: ["target", "date"]) {
            arguments throws(ScenarioStepError) in
            let identifier = try arguments.anyWord("the identifier of a notification").text
            let date = try arguments.option("date").map { option throws(ScenarioStepError) in
                guard let date = ISO8601.date(of: option.value) else {
                    throw ScenarioStepError(
                        column: option.column, message: "'date=' is a date in ISO 8601")
                }
                return date
            }
            return .push(
                NotificationResponse(
                    identifier: identifier, targetContentIdentifier: arguments.text("target"),
                    date: date))
        },
        ScenarioGrammar("state", options: ["title", "webpage", "target"], takesPairs: true) {
            arguments throws(ScenarioStepError) in
            .state(try ScenarioStep.StateStep(parsing: &arguments))
        },
        ScenarioGrammar("change") { arguments throws(ScenarioStepError) in
            .change(try arguments.selection())
        },
        ScenarioGrammar("userinfo", takesPairs: true) { arguments throws(ScenarioStepError) in
            .userInfo(try ScenarioStep.ValuesStep(parsing: &arguments))
        },
        ScenarioGrammar("store", takesPairs: true) { arguments throws(ScenarioStepError) in
            .store(try ScenarioStep.ValuesStep(parsing: &arguments))
        },
        ScenarioGrammar("background") { arguments throws(ScenarioStepError) in
            .background(try arguments.selections())
        },
        ScenarioGrammar("foreground") { arguments throws(ScenarioStepError) in
            .foreground(try arguments.selections())
        },
        ScenarioGrammar("evict") { arguments throws(ScenarioStepError) in
            .evict(try arguments.selection())
        },
        ScenarioGrammar("close") { arguments throws(ScenarioStepError) in
            .close(try arguments.selections())
        },
        ScenarioGrammar("destroy") { arguments throws(ScenarioStepError) in
            .destroy(try arguments.selection())
        },
        ScenarioGrammar("refresh") { arguments throws(ScenarioStepError) in
            .refresh(try arguments.selection())
        },
        ScenarioGrammar("extend") { arguments throws(ScenarioStepError) in
            .extend(try arguments.selection())
        },
        ScenarioGrammar("complete") { arguments throws(ScenarioStepError) in
            .complete(try arguments.selection())
        },
        ScenarioGrammar("reopen") { arguments throws(ScenarioStepError) in
            let first = try arguments.session()
            return .reopen(try [first] + arguments.sessions())
        },
        ScenarioGrammar("unsaved") { arguments throws(ScenarioStepError) in
            .unsaved(try ScenarioStep.UnsavedStep(parsing: &arguments))
        },
        ScenarioGrammar("answer") { arguments throws(ScenarioStepError) in
            .answerClosing(
                try arguments.session(), try ScenarioStep.UnsavedStep.answer(&arguments))
        },
        ScenarioGrammar("reopen-last-session", .reopenLastSession),
        ScenarioGrammar("teardown", .teardown),
        ScenarioGrammar("end-teardown", .endTeardown),
        ScenarioGrammar("displays") { arguments throws(ScenarioStepError) in
            .displays(try ScenarioStep.DisplaysStep(parsing: &arguments))
        },
        ScenarioGrammar("hold") { arguments throws(ScenarioStepError) in
            .hold(try arguments.selection())
        },
        ScenarioGrammar("release") { arguments throws(ScenarioStepError) in
            .release(try arguments.selection())
        },
        ScenarioGrammar("acknowledge") { arguments throws(ScenarioStepError) in
            .acknowledge(try arguments.session())
        },
        ScenarioGrammar(
            "placement", options: ["x", "y", "width", "height", "display", "state", "workspace"]
        ) { arguments throws(ScenarioStepError) in
            .placement(try ScenarioStep.PlacementStep(parsing: &arguments))
        },
        ScenarioGrammar("open-value", options: ["as", "privacy"]) {
            arguments throws(ScenarioStepError) in
            .openValue(try ScenarioStep.OpenValueStep(parsing: &arguments))
        },
    ]

    private static let ending: [ScenarioGrammar] = [
        ScenarioGrammar("quit", options: ["windows"]) { arguments throws(ScenarioStepError) in
            try arguments.choice("windows", ["keep": .quit, "park": .quitParking]) ?? .quit
        },
        ScenarioGrammar("kill", options: ["during"]) { arguments throws(ScenarioStepError) in
            guard let option = arguments.option("during") else {
                return .kill
            }
            return .killDuring(try ScenarioStep.KillMoment(parsing: option))
        },
        ScenarioGrammar("force-quit", .forceQuit),
        ScenarioGrammar("crash", options: ["restoring"]) { arguments throws(ScenarioStepError) in
            guard let option = arguments.option("restoring") else {
                return .crash(restoring: nil)
            }
            return .crash(
                restoring: try ScenarioArguments.reference(option.value, column: option.column))
        },
        ScenarioGrammar("wipe", .wipe),
        ScenarioGrammar("fail", options: ["save"]) { arguments throws(ScenarioStepError) in
            guard
                let cause = try arguments.choice(
                    "save",
                    ["diskFull": .diskFull, "readOnly": .readOnly, "moved": .moved]
                        as KeyValuePairs<String, WriteRefusal>)
            else {
                throw arguments.missing("save=diskFull, save=readOnly or save=moved")
            }
            return .fail(cause)
        },
        ScenarioGrammar("recover", .recover),
        ScenarioGrammar("reset", .reset),
        ScenarioGrammar("forget") { arguments throws(ScenarioStepError) in
            .forget(try arguments.selection())
        },
        ScenarioGrammar("reboot", .reboot),
        ScenarioGrammar("wait") { arguments throws(ScenarioStepError) in
            let word = try arguments.requiredWord("a duration such as 90s, 15m, 2h or 30d")
            guard let milliseconds = ScenarioDuration.parse(word.text) else {
                throw ScenarioStepError(
                    column: word.column,
                    message: "\(ScenarioQuotation.quoted(word.text)) is not a duration; "
                        + "write a whole number and ms, s, m, h or d, at most 1000000d")
            }
            return .wait(milliseconds: milliseconds)
        },
    ]

    private static let expecting: [ScenarioGrammar] = [
        ScenarioGrammar("expect") { arguments throws(ScenarioStepError) in
            var calls = [
                try ExpectedCall(parsing: arguments.requiredWord("a callback; see expect-none"))
            ]
            while let word = arguments.nextWord() {
                calls.append(try ExpectedCall(parsing: word))
            }
            return .expect(calls)
        },
        ScenarioGrammar("expect-session", takesPairs: true) {
            arguments throws(ScenarioStepError) in
            .expectSession(try ScenarioStep.SessionExpectation(parsing: &arguments))
        },
        ScenarioGrammar("expect-open") { arguments throws(ScenarioStepError) in
            .expectOpen(try arguments.sessions())
        },
        ScenarioGrammar("expect-connected") { arguments throws(ScenarioStepError) in
            .expectConnected(try arguments.sessions())
        },
        ScenarioGrammar("expect-withheld") { arguments throws(ScenarioStepError) in
            .expectWithheld(try arguments.sessions())
        },
        ScenarioGrammar("expect-parked") { arguments throws(ScenarioStepError) in
            .expectParked(try arguments.sessions())
        },
        ScenarioGrammar("expect-waiting", options: ["aside"]) {
            arguments throws(ScenarioStepError) in
            .expectWaiting(try ScenarioStep.WaitingExpectation(parsing: &arguments))
        },
        ScenarioGrammar("expect-none", .expectNone),
        ScenarioGrammar("expect-payload", takesPairs: true) {
            arguments throws(ScenarioStepError) in
            .expectPayload(try ScenarioStep.PayloadExpectation(parsing: &arguments))
        },
        ScenarioGrammar("expect-reason") { arguments throws(ScenarioStepError) in
            let word = try arguments.requiredWord("a reason")
            return .expectReason(
                try ScenarioArguments.choice(
                    word.text, column: word.column, reasons, of: "a reason"))
        },
        ScenarioGrammar("expect-diagnostic") { arguments throws(ScenarioStepError) in
            var diagnostics: [ExpectedDiagnostic] = []
            while let word = arguments.nextWord() {
                diagnostics.append(try ExpectedDiagnostic(parsing: word))
            }
            return .expectDiagnostic(diagnostics)
        },
    ]
}
