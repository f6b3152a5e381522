/// Judges each kind of payload by itself.
struct PayloadJudge {
    let app: AppModel
    private let launchReadings: [OptionsReading]
    private let scenes: SceneJudge
    let origins: ActivityOrigins
    private let notifications: NotificationJudge
    let offersShortcuts: Bool

    init(_ app: AppModel) {
        self.app = app
        scenes = SceneJudge(app)
        origins = ActivityOrigins(app: app)
        notifications = NotificationJudge(app: app)
        offersShortcuts = Self.offersShortcuts(app)
        let table = app.table
        launchReadings = [Callback.willFinishLaunching, .didFinishLaunching].compactMap {
            guard let delegate = app.delegate,
                let method = table.implementation(of: $0, in: delegate)?.index
            else {
                return nil
            }
            return OptionsReader.read(app.flow, .launch, function: method, parameter: 1)
        }
    }

    private var table: TypeTable { app.table }

    func answers() -> [PayloadAnswer] {
        PayloadKind.allCases.flatMap { kind in
            [answer(kind, .cold), answer(kind, .warm)]
        }
    }

    /// What a launch option is read for, with each place.
    func launchOptionReads() -> [(
        key: LaunchKey, outcome: ValueFlow.Outcome, place: SourcePlace, asked: SourcePlace?
    )] {
        launchReadings.flatMap { reading in
            reading.members.compactMap { symbol, member in
                guard let key = LaunchKey.named(app.sources.text(symbol)), let place = member.place
                else {
                    return nil
                }
                return (key, member.outcome, place, member.asked)
            }
        }.sorted { ($0.place.file, $0.place.token) < ($1.place.file, $1.place.token) }
    }

    /// Whether a payload can arrive: without URL schemes and kinds of documents, no link does.
    private func mayArrive(_ kind: PayloadKind) -> Bool {
        kind != .url || app.manifest.takesLinks != .no
    }

    /// The launch options that an app with scenes looks for in vain, and whose payload nothing
    /// takes for certain. What only asks whether one is there can lack it even if something else
    /// takes the payload.
    func deadReads(_ answers: [PayloadAnswer]) -> [(key: LaunchKey, place: SourcePlace)] {
        let removing = Set(removalsWithoutOption().compactMap(\.key?.swift))
        return launchOptionReads().compactMap { read in
            guard let kind = read.key.payload, mayArrive(kind) else {
                return nil
            }
            if read.outcome.isUsed,
                answers.contains(where: {
                    $0.kind == kind && $0.launch == .cold && $0.isLost != .no
                }), !isTakenByOne(kind)
            {
                return (read.key, read.place)
            }
            return removing.contains(read.key.swift) ? nil : read.asked.map { (read.key, $0) }
        }
    }

    /// Whether one of several scene delegates takes a payload that starts the app.
    private func isTakenByOne(_ kind: PayloadKind) -> Bool {
        scenes.cold(kind, ownHandler: .no).isTakenByOne
    }

    /// Where the launch options go to code that can't be seen.
    var launchEscapes: [SourcePlace] {
        launchReadings.flatMap { $0.escapes + $0.openLookups }
    }

    /// Where something is removed only if a launch option that scenes never get is missing
    /// (L-92).
    func removalsWithoutOption() -> [(key: LaunchKey?, place: SourcePlace)] {
        launchReadings.flatMap(\.withoutOption).compactMap { missing in
            let key = LaunchKey.named(app.sources.text(missing.key))
            guard missing.key < 0 || key?.payload != nil else {
                return nil
            }
            return removes(missing.place.file, missing.branch) ? (key, missing.place) : nil
        }
    }

    private static let removals = [
        "clean", "clear", "delete", "destroy", "discard", "drop", "empty", "erase", "purge",
        "remove", "reset", "truncate", "unlink", "wipe",
    ]

    /// Whether tokens call something that removes, by its name.
    private func removes(_ file: Int, _ range: Range<Int>) -> Bool {
        let tokens = app.sources.files[file].tokens
        return range.clamped(to: tokens.indices).contains { index in
            guard tokens[index].isMark("(") || tokens[index].isMark("["),
                let callee = app.flow.expressions.callee(file, index), range.contains(callee),
                !app.flow.expressions.isLogged(file, index)
            else {
                return false
            }
            // `removeAll`, `doStartupCleanup`.
            let name = app.sources.text(tokens[callee].symbol)
            return Self.removals.contains {
                name.lowercased().hasPrefix($0)
                    || name.contains($0.prefix(1).uppercased() + $0.dropFirst())
            }
        }
    }

    // MARK: - One kind

    private func answer(_ kind: PayloadKind, _ launch: PayloadAnswer.Launch) -> PayloadAnswer {
        let handler = appHandler(kind, launch)
        let read = launchRead(kind)
        let ownHandler = appHandler(kind, .warm).truth
        let cold = scenes.cold(kind, ownHandler: ownHandler)
        let warm = scenes.warm(kind, ownHandler: ownHandler)
        let without =
            launch == .cold ? handler.truth || read.truth : handler.truth
        let with =
            app.sceneDelegates.isEmpty
            ? appAlone(kind, launch, handler)
            : launch == .cold
                ? cold : warm
        // Who takes notifications while the app runs need not take them at a launch.
        let isApart = kind == .notification && launch == .cold
        var expected = isApart ? handler.truth : handler.truth || warm.truth
        if launch == .cold {
            expected = expected || read.truth || (cold.truth == .yes ? .yes : .no)
        } else if cold.truth == .yes,
            kind != .activity || origins.isWebExpected == .yes
                || (origins.offersHandoff && scenes.takesWhenConnecting(kind)),
            !scenes.isFallbackAlone(kind)
        {
            expected = .yes
        }
        if (launch == .cold ? cold : warm).isTakenByOne {
            expected = .yes
        }
        if expected == .no, kind == .url, app.manifest.manifest?.urlSchemes.isEmpty == false,
            with.truth == .unknown
        {
            expected = .unknown
        }
        if expected == .unknown, !isDeclared(kind) {
            // A foreign superclass may take it, and nothing in the app says that there is any.
            expected = .no
        }
        if kind == .shortcut, offersShortcuts {
            expected = .yes
        }
        let place = with.place ?? handler.place ?? read.place
        return PayloadAnswer(
            kind: kind, launch: launch, withoutScenes: without, withScenes: with.truth,
            isExpected: expected, reason: with.reason, place: place)
    }

    /// Whether the Info.plist or the entitlements say that the app takes a kind.
    func isDeclared(_ kind: PayloadKind) -> Bool {
        switch kind {
        case .url: app.manifest.manifest?.urlSchemes.isEmpty == false
        case .activity: origins.isAssociated
        case .shortcut: app.manifest.hasShortcutItems
        case .notification: notifications.hasOldHandler
        }
    }

    /// Whether code offers quick actions: `application.shortcutItems = […]`.
    private static func offersShortcuts(_ app: AppModel) -> Bool {
        app.files.contains { file in
            let tokens = app.sources.files[file].tokens
            return tokens.indices.dropFirst().dropLast(2).contains { index in
                guard tokens[index].isWord(.shortcutItems), tokens[index - 1].isMark("."),
                    tokens[index + 1].isMark("="), index > 1, isApplication(tokens, index - 2, app)
                else {
                    return false
                }
                let value = tokens[index + 2]
                return !value.isWord(.nil_)
                    && !(value.isMark("[") && Int(value.match) == index + 3)
            }
        }
    }

    /// Whether an expression that ends at a token is the application: `UIApplication.shared`,
    /// `application`, `[UIApplication sharedApplication]`.
    private static func isApplication(_ tokens: [Token], _ end: Int, _ app: AppModel) -> Bool {
        var end = end
        while end > 0, tokens[end].isMark("?") || tokens[end].isMark("!") {
            end -= 1
        }
        if tokens[end].closes, tokens[end].match >= 0 {
            return (Int(tokens[end].match)..<end).contains {
                tokens[$0].isWord(.sharedApplication) || tokens[$0].isWord(.UIApplication)
            }
        }
        let name = app.sources.text(tokens[end].symbol).lowercased()
        return name.hasSuffix("application") || name == "app"
            || (tokens[end].isWord(.shared) && end > 1 && tokens[end - 2].isWord(.UIApplication))
    }

    // MARK: - Without scenes

    func appHandler(_ kind: PayloadKind, _ launch: PayloadAnswer.Launch) -> Verdict {
        if kind == .notification {
            let handler = notifications.handler(cold: false)
            // A launch calls the old handler of remote notifications for none: the launch options
            // hold it, wherever they go.
            guard launch == .cold, notifications.handler(cold: true).truth == .no else {
                return handler
            }
            return Verdict(
                truth: launchEscapes.isEmpty ? .no : handler.truth && .unknown, reason: "",
                place: handler.place)
        }
        guard let delegate = app.delegate else {
            return Verdict(truth: .no, reason: "")
        }
        let callback = Self.appCallbacks[kind] ?? .appOpen
        var weak: SourcePlace?
        for name in callback.names + callback.asyncNames {
            let single =
                callback.asyncNames.contains(name) ? Callback(async: [name]) : Callback(name)
            guard let found = table.implementation(of: single, in: delegate) else {
                continue
            }
            if app.flow.bodies.isMeaningful(found.index) {
                return Verdict(
                    truth: .yes, reason: "\(name) takes it",
                    place: table.functions[found.index].place)
            }
            weak = table.functions[found.index].place
        }
        if weak == nil, let parent = table.unknownSuperclass(of: delegate, app.sources.symbols) {
            return Verdict(
                truth: .unknown,
                reason: "\(app.sources.text(parent)) is not among the sources")
        }
        return Verdict(truth: .no, reason: "")
    }

    private static let appCallbacks: [PayloadKind: Callback] = [
        .url: .appOpen, .activity: .appContinue, .shortcut: .appShortcut,
    ]

    func launchRead(_ kind: PayloadKind) -> Verdict {
        var found = Verdict(truth: .no, reason: "")
        guard mayArrive(kind) else {
            return found
        }
        for read in launchOptionReads() where read.key.payload == kind {
            // The source of a link is not the link.
            if read.key.swift == "sourceApplication" || read.key.swift == "annotation" {
                continue
            }
            if read.outcome.isUsed {
                return Verdict(truth: .yes, reason: "the launch options", place: read.place)
            }
            if read.outcome.truth == .unknown {
                found = Verdict(truth: .no, reason: "", place: read.place)
            }
        }
        return found
    }

    /// With scenes and without a scene delegate only notifications arrive.
    private func appAlone(
        _ kind: PayloadKind, _ launch: PayloadAnswer.Launch, _ handler: Verdict
    ) -> Verdict {
        if kind == .notification {
            return notifications.handler(cold: launch == .cold)
        }
        if let missing = app.missingDelegate, !missing.isOwn {
            if FlutterSceneDelegate.isNamed(missing.name) {
                return FlutterSceneDelegate.verdict(kind, ownHandler: handler.truth, handler.place)
            }
            return Verdict(
                truth: .unknown, reason: "\(missing.name) is not among the sources")
        }
        return Verdict(truth: .no, reason: "there is no scene delegate", place: handler.place)
    }
}
