extension AppExamination {
    mutating func examineWindows() {
        for file in app.files {
            let source = app.sources.files[file]
            let tokens = source.tokens
            for index in tokens.indices where tokens[index].kind == .word && !isCut {
                let token = tokens[index]
                let place = SourcePlace(file: file, token: index)
                if token.symbol == Word.window.id {
                    examineDelegateWindow(place)
                } else if token.symbol == Word.keyWindow.id || token.symbol == Word.windows.id {
                    examineAppWindows(place)
                } else if Self.makesObject(source, index) {
                    if isWindowClass(token.symbol) || isDelegatesWindowClass(place) {
                        examineNewWindow(place)
                    }
                }
            }
        }
        examineGlobalState()
    }

    /// Whether a word is followed by what makes an object of the class that it names.
    private static func makesObject(_ file: SourceFile, _ word: Int) -> Bool {
        guard word + 1 < file.tokens.count else {
            return false
        }
        let next = file.tokens[word + 1]
        guard file.isSwift else {
            return next.isWord(.alloc) || next.isWord(.new)
        }
        let open = opening(file.tokens, word)
        return open < file.tokens.count && file.tokens[open].isMark("(") && !next.startsLine
    }

    /// Where the arguments begin: `UIWindow(`, `UIWindow.init(`.
    private static func opening(_ tokens: [Token], _ word: Int) -> Int {
        word + 2 < tokens.count && tokens[word + 1].isMark(".") && tokens[word + 2].isWord(.init_)
            ? word + 3 : word + 1
    }

    private func isWindowClass(_ name: Int32) -> Bool {
        if name == Word.UIWindow.id {
            return true
        }
        guard let info = table.types[name], info.kind == .class_ else {
            return false
        }
        return table.lineage(of: name).contains(Word.UIWindow.id)
    }

    /// Whether the application delegate makes its window of a class that is not among the sources:
    /// `window = TouchWindow(frame: …)`, `_window = [[TouchWindow alloc] initWithFrame:…]`.
    private func isDelegatesWindowClass(_ place: SourcePlace) -> Bool {
        let tokens = app.sources.files[place.file].tokens
        guard app.delegate != nil, !table.isDeclared(tokens[place.token].symbol) else {
            return false
        }
        var equals = place.token - 1
        while equals > 0, tokens[equals].isMark("[") {
            equals -= 1
        }
        guard equals > 0, tokens[equals].isMark("="), tokens[equals - 1].kind == .word,
            ["window", "_window"].contains(app.sources.text(tokens[equals - 1].symbol))
        else {
            return false
        }
        return functions(at: place).contains { delegateTypes.contains($0.owner) }
    }

    // MARK: - A window without a scene

    private mutating func examineNewWindow(_ place: SourcePlace) {
        let file = app.sources.files[place.file]
        let tokens = file.tokens
        let open = Self.opening(tokens, place.token)
        guard place.token > 0, !tokens[place.token - 1].isWord(.func_) else {
            return
        }
        let functions = functions(at: place)
        guard let function = functions.first, let body = function.body else {
            return
        }
        // An initializer of the app's own may well set the scene.
        if file.isSwift, Int(tokens[open].match) > open + 1, !tokens[open + 1].isWord(.frame) {
            return
        }
        // In the application delegate the method itself has to name the scene; elsewhere a window
        // may get its scene from any method of the file.
        let isDelegates =
            delegateTypes.contains(function.owner) && !sceneTypes.contains(function.owner)
        let range = isDelegates && !function.isAccessor ? body : 0..<tokens.count
        guard !sceneNames.contains(place.file, range) else {
            return
        }
        switch isShown(place, in: body, isDelegates: isDelegates) {
        case .yes: break
        case .no: return
        case .unknown:
            ask("whether this window, which has no scene, is ever shown", at: place)
            return
        }
        report(
            .windowWithoutScene, at: place, function.name,
            "the window has no scene, so it is never shown",
            why: "with scenes a window is made in scene(_:willConnectTo:options:), for the scene "
                + "that connects",
            fix: "make it with UIWindow(windowScene:), or set its windowScene")
    }

    /// Whether a new window is shown: by the name that it gets, in its file.
    private mutating func isShown(
        _ place: SourcePlace, in body: Range<Int>, isDelegates: Bool
    ) -> Truth {
        let tokens = app.sources.files[place.file].tokens
        var equals = place.token - 1
        while equals > 0, tokens[equals].isMark("[") {
            equals -= 1
        }
        guard equals > 1, tokens[equals].isMark("=") else {
            return isDelegates ? .yes : .unknown
        }
        // `let name: UIWindow =`, `lazy var name: UIWindow = {`.
        var name = equals - 1
        while name > 0, tokens[name].isMark("?") || tokens[name].isMark("!") {
            name -= 1
        }
        if tokens[name].kind == .word, name > 1, tokens[name - 1].isMark(":") {
            name -= 2
        }
        guard tokens[name].kind == .word else {
            return .unknown
        }
        let text = app.sources.text(tokens[name].symbol)
        // UIKit takes the application delegate's own window for the app's.
        if isDelegates, ["window", "_window"].contains(text) {
            return .yes
        }
        let isOthers = name > 0 && tokens[name - 1].isMark(".") && !tokens[name - 2].isWord(.self_)
        let uses = windowUses[place.file]?[tokens[name].symbol] ?? uses(of: name, in: place.file)
        windowUses[place.file, default: [:]][tokens[name].symbol] = uses
        guard !uses.show else {
            return .yes
        }
        return !uses.handOn && !isOthers ? .no : isDelegates ? .yes : .unknown
    }

    /// Whether a file shows the window that has a name, with or without an underscore, or hands it on.
    private func uses(of name: Int, in file: Int) -> (show: Bool, handOn: Bool) {
        let tokens = app.sources.files[file].tokens
        let text = app.sources.text(tokens[name].symbol)
        let other = text.hasPrefix("_") ? String(text.dropFirst()) : "_" + text
        let names = Set([tokens[name].symbol, app.sources.symbols.known(other) ?? -1])
        var isHandedOn = false
        for index in tokens.indices.dropFirst().dropLast()
        where tokens[index].kind == .word && names.contains(tokens[index].symbol) {
            var next = index + 1
            while next + 1 < tokens.count, tokens[next].isMark("?") || tokens[next].isMark("!") {
                next += 1
            }
            if tokens[next].isMark("."), next + 1 < tokens.count {
                next += 1
            }
            let member = app.sources.text(tokens[next].symbol)
            if ["makeKeyAndVisible", "isHidden", "hidden", "setHidden", "makeKey", "makeKeyWindow"]
                .contains(member)
            {
                return (true, false)
            }
            let before = tokens[index - 1]
            isHandedOn =
                isHandedOn || before.isWord(.return_)
                || ((before.isMark(":") || before.isMark("(") || before.isMark(","))
                    && (tokens[next].closes || tokens[next].isMark(",")))
        }
        return (false, isHandedOn)
    }

    // MARK: - The window during the launch

    /// The application delegate's window is asked for its views while the app is launched: with
    /// scenes there is none yet (L-92).
    mutating func examineLaunchWindow() {
        guard let delegate = app.delegate, !delegateComputesWindow, !inheritsWindow else {
            return
        }
        let launch = launchFunctions(of: delegate)
        // A window that is made with the delegate itself, or while the app is launched.
        let accessors =
            (app.sources.symbols.known("window").flatMap {
                table.types[delegate]?.functionsByBase[$0]
            } ?? []).filter { table.functions[$0].function.isAccessor }
        let isMade = (launch + accessors).contains { index in
            let placed = table.functions[index]
            let tokens = app.sources.files[placed.file].tokens
            return (placed.function.body ?? 0..<0).clamped(to: tokens.indices).contains {
                tokens[$0].isWord(.UIWindow) && placed.function.isAccessor
                    && Self.makesObject(app.sources.files[placed.file], $0)
                    || ["window", "_window"].contains(app.sources.text(tokens[$0].symbol))
                        && isWritten(SourcePlace(file: placed.file, token: $0))
            }
        }
        guard !isMade else {
            return
        }
        for index in launch {
            let placed = table.functions[index]
            let tokens = app.sources.files[placed.file].tokens
            for root in (placed.function.body ?? 0..<0).clamped(to: tokens.indices)
            where tokens[root].isWord(.rootViewController) {
                let place = SourcePlace(file: placed.file, token: root)
                guard !isWritten(place), let window = ownWindow(tokens, root),
                    !isAskedFor(tokens, window, in: placed.function.body ?? 0..<0)
                else {
                    continue
                }
                let end = app.flow.expressions.expressionEnd(placed.file, root)
                let isForced =
                    tokens[window + 1].isMark("!") || tokens[end].isMark("!")
                    || (end + 2 < tokens.count && tokens[end + 1].isWord(.as_)
                        && tokens[end + 2].isMark("!"))
                report(
                    .launchWindow, at: place, placed.function.name,
                    isForced
                        ? "the application delegate's window is nil during the launch in an app with "
                            + "scenes, so the app crashes here"
                        : "the application delegate's window is nil during the launch in an app with "
                            + "scenes, so there is no view here",
                    why: "the window and its views are made when the scene connects, which is "
                        + "after the launch",
                    fix: "move it to scene(_:willConnectTo:options:); in place it is too early, "
                        + "because there is no view yet")
            }
        }
    }

    /// Whether the window is a superclass's that is not among the sources and may make it. Flutter's
    /// doesn't.
    private var inheritsWindow: Bool {
        guard let delegate = app.delegate,
            let parent = table.unknownSuperclass(of: delegate, app.sources.symbols),
            app.sources.text(parent) != "FlutterAppDelegate"
        else {
            return false
        }
        return !delegateTypes.contains { type in
            table.types[type]?.properties.contains { $0.property.name == Word.window.id } == true
        }
    }

    /// Whether a condition in front of a place asks whether there is a window: `if let window`,
    /// `if (self.window != nil)`.
    private func isAskedFor(_ tokens: [Token], _ place: Int, in body: Range<Int>) -> Bool {
        (body.lowerBound..<place).contains { index in
            guard tokens[index].isWord(.window), index > 0, index + 2 < tokens.count else {
                return false
            }
            return tokens[index - 1].isWord(.let_) || tokens[index - 1].isWord(.var_)
                || (tokens[index + 2].isWord(.nil_)
                    && (tokens[index + 1].isMark(Token.Mark.differs)
                        || tokens[index + 1].isMark(Token.Mark.equals)))
        }
    }

    /// The `window` of the application delegate itself, of which a token is the member.
    private func ownWindow(_ tokens: [Token], _ member: Int) -> Int? {
        var index = member - 1
        if tokens[index].isMark(".") {
            index -= 1
        }
        while index > 0, tokens[index].isMark("?") || tokens[index].isMark("!") {
            index -= 1
        }
        // `[self.window rootViewController]`, `[[self window] rootViewController]`.
        if tokens[index].isMark("]"), index > 1, tokens[index - 2].isWord(.self_) {
            index -= 1
        }
        guard index > 0,
            ["window", "_window"].contains(app.sources.text(tokens[index].symbol))
        else {
            return nil
        }
        guard tokens[index - 1].isMark(".") else {
            return index
        }
        return index > 1 && tokens[index - 2].isWord(.self_) ? index : nil
    }

    /// The application delegate's functions for the launch, and those of its own that they call.
    private func launchFunctions(of delegate: Int32) -> [Int] {
        var found = [Callback.willFinishLaunching, .didFinishLaunching].compactMap {
            table.implementation(of: $0, in: delegate)?.index
        }
        var seen = Set(found)
        var next = 0
        let own = table.types[delegate]?.functionsByBase ?? [:]
        while next < found.count {
            let placed = table.functions[found[next]]
            next += 1
            let tokens = app.sources.files[placed.file].tokens
            for index in (placed.function.body ?? 0..<0).clamped(to: tokens.indices)
            where tokens[index].kind == .word {
                found += (own[tokens[index].symbol] ?? []).filter {
                    !table.functions[$0].function.isAccessor && seen.insert($0).inserted
                        && !isDead(
                            SourcePlace(
                                file: table.functions[$0].file,
                                token: table.functions[$0].function.body?.lowerBound ?? 0))
                }
            }
        }
        return found
    }

    // MARK: - The application delegate's window

    private mutating func examineDelegateWindow(_ place: SourcePlace) {
        guard let delegate = app.delegate, !isWritten(place) else {
            return
        }
        let own = ownWindows ?? ownWindowReads(of: delegate)
        ownWindows = own
        guard delegateMentions.hasMember(place) || own.contains(place) else {
            return
        }
        let isSet =
            setsDelegateWindow
            ?? (scenesSetWindow || delegateSetsWindow || delegateComputesWindow)
        setsDelegateWindow = isSet
        guard !isSet, !isDead(place) else {
            return
        }
        report(
            .delegateWindow, at: place, subject(place),
            "the application delegate's window is nil in an app with scenes",
            why: "the window belongs to the scene delegate, which gets it when the scene connects",
            fix: "ask the view, or the scene, for its window" + tooEarly(place))
    }

    /// Where the application delegate asks its own window for a member, in what the launch doesn't
    /// call: `self.window?.rootViewController`, `[self.window makeKeyAndVisible]`.
    private func ownWindowReads(of delegate: Int32) -> Set<SourcePlace> {
        guard !inheritsWindow else {
            return []
        }
        let launch = Set(launchFunctions(of: delegate))
        let own = delegateTypes.subtracting(sceneTypes).flatMap { table.types[$0]?.functions ?? [] }
        return Set(
            own.filter { !launch.contains($0) }.flatMap { index -> [SourcePlace] in
                let placed = table.functions[index]
                let file = app.sources.files[placed.file]
                let tokens = file.tokens
                let windows = (placed.function.body ?? 0..<0)
                    .clamped(to: tokens.indices.dropFirst(3).dropLast(3))
                    .filter { tokens[$0].isWord(.window) }
                let isLocal =
                    placed.function.parameters.contains { $0.name == Word.window.id }
                    || windows.contains { Self.declares(tokens, $0) }
                return windows.filter { window in
                    let isOfSelf = tokens[window - 2].isWord(.self_)
                    let next = (window + 1)...(window + 2)
                    let end = next.first { !tokens[$0].isMark("?") && !tokens[$0].isMark("!") }
                    let isMessage =
                        !file.isSwift && tokens[window - 3].isMark("[")
                        && tokens[window + 1].kind == .word
                    return (end.map { tokens[$0].isMark(".") } == true || isMessage)
                        && (tokens[window - 1].isMark(".")
                            ? isOfSelf : file.isSwift && !isLocal)
                }.map { SourcePlace(file: placed.file, token: $0) }
            })
    }

    /// Whether a name is declared where it stands: `let name`, `for name in`, `{ name, other in`.
    private static func declares(_ tokens: [Token], _ name: Int) -> Bool {
        let before = tokens[name - 1]
        return before.isWord(.let_) || before.isWord(.var_) || tokens[name + 1].isWord(.in_)
            || (before.isMark("{") && tokens[name + 1].isMark(","))
            || (before.isMark("(") && tokens[name - 2].isMark("{"))
    }

    /// Where a view has no window yet, a repair in place doesn't help.
    private func tooEarly(_ place: SourcePlace) -> String {
        let early: Set<String> = ["init", "viewDidLoad", "loadView", "viewWillAppear"]
        for function in functions(at: place) {
            let name = app.sources.text(function.base)
            if early.contains(name) {
                return "; in \(name) it is too early, because the view has no window yet"
            }
        }
        return ""
    }

    /// Whether the method around a place is one that nobody calls with scenes.
    private func isDead(_ place: SourcePlace) -> Bool {
        functions(at: place).contains { Self.deadNames.contains($0.name) }
    }

    private static let deadNames = Set(
        ReplacedCallback.all.flatMap(\.old.names) + Callback.appOpen.names
            + Callback.appContinue.names + Callback.appShortcut.names)

    private func isWritten(_ place: SourcePlace) -> Bool {
        let tokens = app.sources.files[place.file].tokens
        return place.token + 1 < tokens.count && tokens[place.token + 1].isMark("=")
    }

    /// Whether some code hands the application delegate a scene's window.
    private var scenesSetWindow: Bool {
        app.files.contains { file in
            let tokens = app.sources.files[file].tokens
            for index in tokens.indices where tokens[index].isWord(.window) {
                let place = SourcePlace(file: file, token: index)
                if isWritten(place), delegateMentions.hasMember(place) {
                    return true
                }
            }
            return false
        }
    }

    /// Whether the application delegate keeps a window that it makes for a scene.
    private var delegateSetsWindow: Bool {
        let lineage = app.delegate.map(table.lineage) ?? []
        return lineage.flatMap { table.types[$0]?.functions ?? [] }.contains { index in
            let placed = table.functions[index]
            guard let body = placed.function.body, sceneNames.contains(placed.file, body) else {
                return false
            }
            return app.flow.expressions.mentions(of: Word.window.id, placed.file, body).contains {
                isWritten(SourcePlace(file: placed.file, token: $0))
            }
        }
    }

    /// Whether the application delegate's window is computed, and may be any scene's.
    private var delegateComputesWindow: Bool {
        let lineage = app.delegate.map(table.lineage) ?? []
        return lineage.flatMap { table.types[$0]?.functions ?? [] }.contains { index in
            let placed = table.functions[index]
            let tokens = app.sources.files[placed.file].tokens
            guard placed.function.isAccessor, placed.function.base == Word.window.id,
                let body = placed.function.body,
                let open = body.clamped(to: tokens.indices.dropLast()).first(where: {
                    tokens[$0].isMark("{") || tokens[$0].isMark("=")
                }), tokens[open].isMark("{")
            else {
                return false
            }
            return !["didSet", "willSet"].contains(app.sources.text(tokens[open + 1].symbol))
        }
    }

    // MARK: - Several windows

    private mutating func examineAppWindows(_ place: SourcePlace) {
        let tokens = app.sources.files[place.file].tokens
        guard app.manifest.supportsMultipleScenes == .yes, place.token > 1 else {
            return
        }
        let isMessage = tokens[place.token - 1].closes && !app.sources.files[place.file].isSwift
        var index = place.token - 1
        if !isMessage {
            guard tokens[index].isMark(".") else {
                return
            }
            index -= 1
        }
        let isApplication =
            tokens[index].isWord(.shared) && index > 1 && tokens[index - 2].isWord(.UIApplication)
            || (tokens[index].closes && tokens[index].match >= 0
                && (Int(tokens[index].match)..<index).contains {
                    tokens[$0].isWord(.sharedApplication)
                })
        guard isApplication else {
            return
        }
        let name = app.sources.text(tokens[place.token].symbol)
        report(
            .keyWindow, at: place, subject(place),
            "UIApplication.shared.\(name) is any window's in an app of several scenes",
            why: "each scene has windows of its own, and the one that was asked may be another",
            fix: "ask the view, or its scene, for the window" + tooEarly(place))
    }

    private mutating func examineGlobalState() {
        guard app.manifest.supportsMultipleScenes == .yes, let delegate = app.delegate else {
            return
        }
        let variables = Set(
            table.lineage(of: delegate).flatMap { table.types[$0]?.properties ?? [] }
                .filter(\.property.isVariable).map(\.property.name))
        for scene in app.sceneDelegates where scene != delegate {
            for index in table.types[scene]?.functions ?? [] {
                let placed = table.functions[index]
                let tokens = app.sources.files[placed.file].tokens
                for token in (placed.function.body ?? 0..<0).clamped(to: tokens.indices)
                where tokens[token].kind == .word && variables.contains(tokens[token].symbol) {
                    let place = SourcePlace(file: placed.file, token: token)
                    // What every window sets to the same is nobody's loss.
                    guard isWritten(place), delegateMentions.hasMember(place),
                        !["true", "false", "YES", "NO"].contains(
                            app.sources.text(tokens[min(token + 2, tokens.count - 1)].symbol))
                    else {
                        continue
                    }
                    let name = app.sources.text(tokens[token].symbol)
                    report(
                        .globalState, at: place, name,
                        "each window writes the application delegate's \(name)",
                        why: "the app allows several windows, and the last one that connected wins",
                        fix: "keep \(name) in the scene delegate")
                }
            }
        }
    }
}
