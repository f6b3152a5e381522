extension AppExamination {
    // MARK: - The manifest

    mutating func examineManifest() {
        guard let path = app.manifest.path else {
            if app.hasScenes == .unknown {
                ask(
                    "no Info.plist was found, so it can't be told whether there is a scene manifest",
                    at: nil)
            }
            return
        }
        if let failure = app.manifest.failure {
            ask("\(path) can't be read: \(failure)", at: nil)
            return
        }
        if app.hasScenes == .no {
            let isEmpty = app.manifest.manifest?.isPresent == true
            reportManifest(
                .noManifest, path, line: 1, "UIApplicationSceneManifest",
                isEmpty
                    ? "the scene manifest has no configuration, and no code names one"
                    : "the Info.plist has no scene manifest, and no code names a configuration",
                why: "built with the SDK of iOS 27 or later, the app does not launch",
                fix: "add UIApplicationSceneManifest with a configuration for "
                    + "UIWindowSceneSessionRoleApplication")
        }
        if app.hasScenes == .unknown, app.manifest.hasConfigurations == .no {
            ask(
                "\(path) has no scene configuration, and it can't be told whether the application "
                    + "delegate names one", at: nil)
        }
        examineConfigurations(path)
        examineEmptyConfiguration(path)
        examineUnknownConfigurations()
        examineBareName(path)
        if let missing = app.missingDelegate, missing.isOwn {
            let line = app.sources.sideFiles.first { $0.path == path }?.line(of: missing.name) ?? 1
            reportManifest(
                .missingDelegate, path, line: line, missing.name,
                "the manifest names \(missing.name), which is not among the sources",
                why: "the scene connects without a delegate: no window, no callback, from any "
                    + "launch",
                fix: "write the class, or name the one that there is")
        }
    }

    /// A configuration from which no window follows (L-93).
    private mutating func examineEmptyConfiguration(_ path: String) {
        guard
            let configuration = app.manifest.manifest?.configurations[.windowApplication]?.first,
            configuration.storyboardName == nil
        else {
            return
        }
        let name = configuration.name ?? ""
        let line = app.sources.sideFiles.first { $0.path == path }?.line(
            of: name.isEmpty ? "UIWindowSceneSessionRoleApplication" : "<string>\(name)<")
        if configuration.delegateClassName == nil {
            // Code may set the class, and a framework's delegate may do so, too.
            guard !mentions("delegateClass"), let delegate = app.delegate,
                table.unknownSuperclass(of: delegate, app.sources.symbols) == nil
            else {
                return
            }
            reportManifest(
                .emptyConfiguration, path, line: line ?? 1, name,
                "the configuration \(name) has no delegate class, and no code sets one",
                why: "the scene connects without a delegate: no window, no callback, from any "
                    + "launch",
                fix: "name the scene delegate's class in UISceneDelegateClassName")
        } else if app.manifest.mainStoryboard, app.missingDelegate == nil, !makesSceneWindow {
            reportManifest(
                .emptyConfiguration, path, line: line ?? 1, name,
                "the configuration \(name) names no storyboard, and no code makes a window",
                why: "with scenes UIKit loads the storyboard of the configuration, and not the one "
                    + "of UIMainStoryboardFile",
                fix: "name the storyboard in UISceneStoryboardFile of the configuration")
        }
    }

    /// Configurations that the provider names and the manifest doesn't have.
    private mutating func examineUnknownConfigurations() {
        let known = (app.manifest.manifest?.configurations ?? [:]).values.joined().map(\.name)
        guard app.manifest.hasConfigurations == .yes, !mentions("delegateClass"),
            !known.contains(where: { $0?.contains("$") == true })
        else {
            return
        }
        for (name, place) in (app.chosenConfigurations ?? [:]) where !known.contains(name) {
            report(
                .emptyConfiguration, at: place, name,
                "the scene manifest has no configuration \(name)",
                why: "UIKit finds no delegate class for it, and none is set: no window, no "
                    + "callback, from any launch",
                fix: "add it to the scene manifest, or name one that is there")
        }
    }

    /// Whether some code may make a window for a scene: outside of the application delegate, or in
    /// a superclass that is not among the sources.
    private var makesSceneWindow: Bool {
        app.sceneDelegates.isEmpty
            || app.sceneDelegates.contains {
                table.unknownSuperclass(of: $0, app.sources.symbols) != nil
            }
            || table.functions.contains { placed in
                guard let body = placed.function.body,
                    sceneTypes.contains(placed.function.owner)
                        || !delegateTypes.contains(placed.function.owner)
                else {
                    return false
                }
                let tokens = app.sources.files[placed.file].tokens
                return body.clamped(to: tokens.indices).contains {
                    tokens[$0].isWord(.UIWindow) || tokens[$0].isWord(.makeKeyAndVisible)
                        || (tokens[$0].isWord(.window) && $0 + 1 < tokens.count
                            && tokens[$0 + 1].isMark("="))
                }
            }
    }

    private func mentions(_ name: String) -> Bool {
        guard let symbol = app.sources.symbols.known(name) else {
            return false
        }
        return app.files.contains { file in
            app.sources.files[file].tokens.contains { $0.kind == .word && $0.symbol == symbol }
        }
    }

    /// A class of Swift that the manifest names without its module, by which nothing finds it.
    private mutating func examineBareName(_ path: String) {
        guard let name = app.manifest.delegateClass, !name.contains("."), !name.contains("$"),
            let delegate = app.sceneDelegates.first,
            app.sources.text(delegate) == name, table.knownNames(of: delegate).isEmpty,
            let place = table.types[delegate]?.place, app.sources.files[place.file].isSwift
        else {
            return
        }
        let line = app.sources.sideFiles.first { $0.path == path }?.line(of: name) ?? 1
        reportManifest(
            .missingDelegate, path, line: line, name,
            "the manifest names \(name) without its module, and no class has that name",
            why: "the scene connects without a delegate: no window, no callback, from any launch",
            fix: "write $(PRODUCT_MODULE_NAME).\(name)")
    }

    /// Several configurations of the app's windows, of which nothing chooses some.
    private mutating func examineConfigurations(_ path: String) {
        let configurations = app.manifest.manifest?.configurations[.windowApplication] ?? []
        guard configurations.count > 1, let delegate = app.delegate,
            table.unknownSuperclass(of: delegate, app.sources.symbols) == nil
        else {
            return
        }
        let chosen: Set<String>
        let why: String
        if app.provider != nil {
            guard let names = app.chosenConfigurations else {
                return
            }
            chosen = Set(names.keys)
            why = "application(_:configurationForConnecting:options:) names others"
        } else {
            chosen = []
            why =
                "without application(_:configurationForConnecting:options:) each new session "
                + "gets the role's first configuration"
        }
        let file = app.sources.sideFiles.first { $0.path == path }
        for configuration in configurations.dropFirst() {
            let name = configuration.name ?? ""
            guard !chosen.contains(name) else {
                continue
            }
            reportManifest(
                .unchosenConfiguration, path, line: file?.line(of: "<string>\(name)<") ?? 1, name,
                "nothing chooses the configuration \(name)", why: why,
                fix: app.provider == nil
                    ? "implement application(_:configurationForConnecting:options:), or remove it"
                    : "name it there, or remove it")
        }
    }

    // MARK: - Payloads

    mutating func examinePayloads(_ answers: [PayloadAnswer]) {
        for answer in answers where answer.isExpected != .no {
            switch answer.isLost {
            case .no: continue
            case .unknown:
                ask(
                    "whether \(answer.kind.article) \(answer.kind.title) "
                        + (answer.launch == .cold ? "that starts the app" : "to the running app")
                        + " is taken: \(answer.reason)", at: answer.place)
            case .yes: reportLoss(answer)
            }
        }
        for (key, place) in judge.deadReads(answers) {
            guard let kind = key.payload else {
                continue
            }
            report(
                .emptyLaunchOptions, at: place, key.swift,
                "the launch options have no \(key.swift) in an app with scenes",
                why: "a launch by \(kind.article) \(kind.title) puts it into the scene's "
                    + "connection options, \(kind.member)",
                fix: "read connectionOptions.\(kind.member) in scene(_:willConnectTo:options:)")
        }
    }

    /// What is removed at each launch with scenes, and was not at one by a payload.
    mutating func examineMissingOptions() {
        for (key, place) in judge.removalsWithoutOption() {
            let name = key?.swift ?? "options"
            report(
                .missingOption, at: place, name,
                key == nil
                    ? "the launch options are always missing in an app with scenes, so this removes "
                        + "at each launch"
                    : "the launch option \(name) is always missing in an app with scenes, so this "
                        + "removes at each launch",
                why: "what starts the app is in the scene's connection options alone, which come "
                    + "after the launch",
                fix: "decide it in scene(_:willConnectTo:options:), by connectionOptions")
        }
    }

    mutating func askOfLaunchEscapes() {
        for place in judge.launchEscapes
        where !(isFlutters && registersLate && FlutterSceneDelegate.isCall(place, app)) {
            ask("the command can't see what the launch options are read for", at: place)
        }
    }

    /// Whether the application delegate and the scene delegates are Flutter's, which pass everything
    /// on to plug-ins.
    var isFlutters: Bool {
        func superclass(_ type: Int32) -> String {
            table.unknownSuperclass(of: type, app.sources.symbols).map(app.sources.text) ?? ""
        }
        let isScenes =
            app.sceneDelegates.isEmpty
            ? app.missingDelegate.map { FlutterSceneDelegate.isNamed($0.name) } ?? false
            : app.sceneDelegates.allSatisfy { FlutterSceneDelegate.isNamed(superclass($0)) }
        return isScenes && app.delegate.map(superclass) == "FlutterAppDelegate"
    }

    /// Whether plug-ins are registered when a scene has connected, so that Flutter hands them its
    /// options for those of the launch.
    private var registersLate: Bool {
        guard let delegate = app.delegate,
            let name = app.sources.symbols.known("didInitializeImplicitFlutterEngine")
        else {
            return false
        }
        return table.types[delegate]?.functionsByBase[name] != nil
    }

    private mutating func reportLoss(_ answer: PayloadAnswer) {
        let code = FindingCode(answer.kind, answer.launch)
        let isCold = answer.launch == .cold
        let callback = isCold ? Callback.willConnect.title : answer.kind.sceneCallback
        let place = answer.place ?? home
        report(
            code, at: place, "\(answer.kind.rawValue) \(answer.launch.rawValue)",
            "\(code.title): \(answer.reason)", why: why(answer, callback),
            fix: fix(answer, callback))
    }

    private func why(_ answer: PayloadAnswer, _ callback: String) -> String {
        let payload = "\(answer.kind.article) \(answer.kind.title)"
        if app.swiftUIApp != nil, let modifier = answer.kind.modifier {
            return "SwiftUI hands \(payload) to \(modifier), and calls no application delegate"
        }
        return answer.launch == .cold
            ? "a launch by \(payload) calls \(callback) with it in connectionOptions."
                + "\(answer.kind.member), and nothing else"
            : "\(payload) to the running app calls \(callback)"
    }

    private func fix(_ answer: PayloadAnswer, _ callback: String) -> String {
        if app.swiftUIApp != nil, let modifier = answer.kind.modifier {
            return "add \(modifier) to a view of each window"
        }
        let owner =
            answer.kind == .notification && answer.launch == .warm
            ? " in the notification centre's delegate"
            : app.swiftUIApp != nil && app.sceneDelegates.isEmpty
                ? " in a scene delegate, which \(Callback.provider.title) names"
                : answer.launch == .warm ? " in the scene delegate" : ""
        return answer.launch == .cold
            ? "read connectionOptions.\(answer.kind.member) in \(callback)\(owner)"
            : answer.reason.contains("does nothing with it")
                ? "use it in \(callback)\(owner)" : "implement \(callback)\(owner)"
    }

    // MARK: - Methods

    mutating func examineMethods() {
        guard let delegate = app.delegate else {
            return
        }
        for replaced in ReplacedCallback.all where !observesPhase(insteadOf: replaced.old) {
            let old = replaced.old
            let new = replaced.new
            guard app.swiftUIApp == nil || !replaced.isOfActivity,
                let found = table.implementation(of: old, in: delegate),
                app.flow.bodies.isMeaningful(found.index)
            else {
                continue
            }
            var doubt = ""
            switch calls(of: found.index, as: old) {
            case .some: continue
            case .none: break
            case .maybe(let file):
                doubt =
                    "; unless the application delegate gets the call in \(file), which can't be "
                    + "told"
            }
            let replacements = app.sceneDelegates.compactMap {
                table.implementation(of: new, in: $0)?.index
            }.filter(app.flow.bodies.isMeaningful)
            let isUnknown = app.sceneDelegates.contains { scene in
                table.implementation(of: new, in: scene) == nil
                    && table.unknownSuperclass(of: scene, app.sources.symbols) != nil
            }
            if isUnknown || (app.sceneDelegates.isEmpty && app.missingDelegate?.isOwn == false) {
                continue
            }
            let undone = MovedWork(app: app).undone(found.index, by: replacements)
            guard replacements.isEmpty || !undone.isEmpty else {
                continue
            }
            report(
                .deadMethod, at: table.functions[found.index].place, old.title,
                "\(old.title) is not called in an app with scenes",
                why: "\(new.title) comes instead, \(replaced.when), and "
                    + (replacements.isEmpty
                        ? "does not do its work"
                        : "does a part of its work, without \(undone.joined(separator: ", "))")
                    + doubt,
                fix: app.swiftUIApp != nil && old.isLifeCycle
                    ? "move the work to where a view observes scenePhase"
                    : "move the work to \(new.title) of the scene delegate")
        }
        if app.swiftUIApp == nil {
            examineRestoration(delegate)
        }
    }

    /// Whether a SwiftUI app observes the phase of its scenes, which may do a method's work.
    private func observesPhase(insteadOf old: Callback) -> Bool {
        guard app.swiftUIApp != nil, old.isLifeCycle,
            let phase = app.sources.symbols.known("scenePhase")
        else {
            return false
        }
        return app.sources.droppedWords.contains(phase)
            || app.files.contains { file in
                app.sources.files[file].tokens.contains { $0.kind == .word && $0.symbol == phase }
            }
    }

    /// What is known of the calls of a method of the application delegate.
    private enum Calls {
        case none
        /// The application delegate certainly gets one.
        case some
        /// Something that can't be told gets one, in this file.
        case maybe(String)
    }

    /// Whether the app's own code calls a method of the application delegate, in either language:
    /// from elsewhere, or for a notification of the life cycle, which goes on being posted (L-91).
    private func calls(of index: Int, as callback: Callback) -> Calls {
        let base = table.functions[index].function.base
        let isByLabel = app.sources.text(base) == "application"
        let labels = isByLabel ? secondLabels(of: callback) : []
        var calls = Calls.none
        for file in app.files {
            let tokens = app.sources.files[file].tokens
            for place in tokens.indices.dropLast() where tokens[place].kind == .word && place > 1 {
                let callee: Int
                if isByLabel {
                    let open = Int(tokens[place].parent)
                    guard labels.contains(tokens[place].symbol), tokens[place + 1].isMark(":"),
                        open > 0, let found = app.flow.expressions.callee(file, open),
                        app.sources.text(tokens[found].symbol) == "application",
                        found > 0, !tokens[found - 1].isWord(.func_)
                    else {
                        continue
                    }
                    callee = found
                } else {
                    guard tokens[place].symbol == base else {
                        continue
                    }
                    if let observer = isSelector(file, place) {
                        if observer {
                            return .some
                        }
                        continue
                    }
                    guard isCall(tokens, place) else {
                        continue
                    }
                    callee = place
                }
                let place = SourcePlace(file: file, token: callee)
                guard !isInDelegate(place) else {
                    continue
                }
                switch delegateMentions.getsCall(place) {
                case true?: return .some
                case false?: continue
                case nil: calls = .maybe(SourcePath.name(app.sources.files[file].path))
                }
            }
        }
        return calls
    }

    /// `name(`, `name:`, and neither `func name(`, `- (void)name:` nor `super.name(`.
    private func isCall(_ tokens: [Token], _ place: Int) -> Bool {
        let before = tokens[place - 1]
        let isCall =
            tokens[place + 1].isMark("(") || tokens[place + 1].isMark(":")
            || (tokens[place + 1].isMark("?") && before.isMark("."))
        return isCall && !before.isWord(.func_) && !before.isMark(")") && !before.isMark("-")
            && !(before.isMark(".") && tokens[place - 2].isWord(.super_))
            && !before.isWord(.super_)
    }

    /// Whether a name stands in a selector, and the application delegate is the object whose method
    /// it is; nil when it is no selector.
    private func isSelector(_ file: Int, _ place: Int) -> Bool? {
        let tokens = app.sources.files[file].tokens
        let open = Int(tokens[place].parent)
        guard open > 0, tokens[open - 1].symbol == Word.selector.id else {
            return nil
        }
        // `#selector(AppDelegate.name)`, `#selector(name)` in the delegate itself.
        if tokens[place - 1].isMark("."), tokens[place - 2].kind == .word,
            !tokens[place - 2].isWord(.self_)
        {
            return delegateTypes.contains(table.canonical(tokens[place - 2].symbol))
                || tokens[place - 2].isWord(.UIApplicationDelegate)
        }
        return isInDelegate(SourcePlace(file: file, token: place))
    }

    private func secondLabels(of callback: Callback) -> Set<Int32> {
        Set(
            callback.names.compactMap { name in
                name.split(separator: ":").dropFirst().first.flatMap {
                    app.sources.symbols.known(String($0))
                }
            })
    }

    /// Whether a place is in a method of the application delegate.
    private func isInDelegate(_ place: SourcePlace) -> Bool {
        functions(at: place).contains {
            delegateTypes.contains($0.owner) && !app.sceneDelegates.contains($0.owner)
        }
    }

    private mutating func examineRestoration(_ delegate: Int32) {
        guard let opted = table.implementation(of: .shouldSave, in: delegate) else {
            return
        }
        let placed = table.functions[opted.index]
        let tokens = app.sources.files[placed.file].tokens
        let isOptedIn = (placed.function.body ?? 0..<0).clamped(to: tokens.indices).contains {
            ["true", "YES"].contains(app.sources.text(tokens[$0].symbol))
        }
        let isReplaced = app.sceneDelegates.contains {
            table.implementation(of: .save, in: $0) != nil
                || table.unknownSuperclass(of: $0, app.sources.symbols) != nil
        }
        guard isOptedIn, !isReplaced else {
            return
        }
        let encoders = table.implementations(of: .encodeState).count
        report(
            .deadRestoration, at: placed.place, placed.function.name,
            "\(placed.function.name) is not called in an app with scenes"
                + (encoders > 0 ? ", nor is encodeRestorableState of \(encoders) classes" : ""),
            why: "stateRestorationActivity(for:) is asked instead, whenever a scene goes to the "
                + "background",
            fix: "return the state in stateRestorationActivity(for:), and read "
                + "session.stateRestorationActivity when the scene connects")
    }
}

extension PayloadKind {
    var article: String { self == .activity ? "an" : "a" }

    /// The member of the connection's options that holds it.
    var member: String {
        switch self {
        case .url: "urlContexts"
        case .activity: "userActivities"
        case .shortcut: "shortcutItem"
        case .notification: "notificationResponse"
        }
    }

    /// The modifier of SwiftUI that takes it; nil when there is none.
    var modifier: String? {
        switch self {
        case .url: Word.onOpenURL.text
        case .activity: Word.onContinueUserActivity.text
        case .shortcut, .notification: nil
        }
    }

    var sceneCallback: String {
        switch self {
        case .url: Callback.sceneOpen.title
        case .activity: Callback.sceneContinue.title
        case .shortcut: Callback.sceneShortcut.title
        case .notification: Callback.response.title
        }
    }
}

extension SideFile {
    /// The first line that holds a text.
    func line(of text: String) -> Int? {
        let wanted = Array(text.utf8)
        var line = 1
        for start in bytes.indices {
            if bytes[start] == UInt8(ascii: "\n") {
                line += 1
            } else if bytes[start] == wanted.first,
                bytes[start...].starts(with: wanted)
            {
                return line
            }
        }
        return nil
    }
}
