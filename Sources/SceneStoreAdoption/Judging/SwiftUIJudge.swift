/// Judges an app whose windows are SwiftUI's.
///
/// Such an app has scenes, so SwiftUI calls its application delegate for no link, no activity and
/// no quick action. Modifiers take links and activities. Quick actions have no modifier: a scene
/// delegate that the configuration provider names takes them.
struct SwiftUIJudge {
    let app: AppModel
    let judge: PayloadJudge

    func answers() -> [PayloadAnswer] {
        let links = [PayloadKind.url, .activity].flatMap { kind in
            PayloadAnswer.Launch.allCases.map { answer(kind, $0) }
        }
        guard app.sceneDelegates.isEmpty else {
            // Without a provider, SwiftUI is not seen to use the scene delegate at all.
            return app.provider == nil
                ? links : links + judge.answers().filter { $0.kind == .shortcut }
        }
        return links + PayloadAnswer.Launch.allCases.map { answer(.shortcut, $0) }
    }

    private func answer(_ kind: PayloadKind, _ launch: PayloadAnswer.Launch) -> PayloadAnswer {
        let handler = judge.appHandler(kind, launch)
        let read = judge.launchRead(kind)
        let taken = taker(kind)
        var expected = handler.truth || taken.truth
        if launch == .cold {
            expected = expected || read.truth
        }
        if expected == .unknown, handler.truth != .yes, !judge.isDeclared(kind) {
            expected = .no
        }
        if kind == .shortcut, judge.offersShortcuts || judge.isDeclared(.shortcut) {
            expected = .yes
        }
        return PayloadAnswer(
            kind: kind, launch: launch, withoutScenes: .no, withScenes: taken.truth,
            isExpected: expected, reason: taken.reason,
            place: handler.place ?? read.place ?? taken.place)
    }

    /// What takes a kind of payload in the views.
    private func taker(_ kind: PayloadKind) -> Verdict {
        switch kind {
        case .url: return modifier(.onOpenURL)
        case .activity:
            let activity = modifier(.onContinueUserActivity)
            guard activity.truth != .yes else {
                return activity
            }
            // A universal link is handed to `onOpenURL`, a Handoff is not.
            let link = modifier(.onOpenURL)
            guard link.truth == .yes else {
                return activity.truth == .unknown || link.truth == .no ? activity : link
            }
            return judge.origins.isWebExpected == .yes
                ? link
                : Verdict(
                    truth: .unknown, reason: "onOpenURL takes universal links alone",
                    place: link.place)
        case .shortcut, .notification:
            return Verdict(truth: .no, reason: "no scene delegate takes it")
        }
    }

    /// Whether a modifier's closure does something.
    private func modifier(_ word: Word) -> Verdict {
        for file in app.files where app.sources.files[file].mentions(word) {
            let tokens = app.sources.files[file].tokens
            for index in tokens.indices.dropLast() where tokens[index].isWord(word) {
                guard closure(file, index).map({ app.flow.bodies.hasMeaning(file, $0) }) ?? true
                else {
                    continue
                }
                return Verdict(
                    truth: .yes, reason: "\(word.text) takes it",
                    place: SourcePlace(file: file, token: index))
            }
        }
        if let delegate = sceneDelegate(taking: word) {
            return Verdict(
                truth: .unknown,
                reason: "whether SwiftUI hands it to the scene delegate is not documented",
                place: app.table.types[delegate]?.place)
        }
        if let foreign = foreignView {
            return Verdict(
                truth: .unknown,
                reason: "\(foreign) is not among the sources, and may have \(word.text)")
        }
        return Verdict(truth: .no, reason: "no view has \(word.text) that takes it")
    }

    /// The scene delegate that would take what a modifier takes.
    private func sceneDelegate(taking word: Word) -> Int32? {
        let callback = word == .onOpenURL ? Callback.sceneOpen : .sceneContinue
        return app.sceneDelegates.first { delegate in
            app.table.implementation(of: callback, in: delegate) != nil
                || app.table.unknownSuperclass(of: delegate, app.sources.symbols) != nil
        }
    }

    /// The closure that is handed to a modifier; nil when a function is.
    private func closure(_ file: Int, _ modifier: Int) -> Range<Int>? {
        let tokens = app.sources.files[file].tokens
        var index = modifier + 1
        if tokens[index].isMark("("), Int(tokens[index].match) > index {
            let close = Int(tokens[index].match)
            if let inner = (index..<close).first(where: { tokens[$0].isMark("{") }) {
                index = inner
            } else {
                index = close + 1
            }
        }
        guard index < tokens.count, tokens[index].isMark("{"), Int(tokens[index].match) > index
        else {
            return nil
        }
        return (index + 1)..<Int(tokens[index].match)
    }

    /// A view of the app's body that is not among the sources, and is none of SwiftUI's containers.
    private var foreignView: String? {
        guard let place = app.swiftUIApp else {
            return nil
        }
        let tokens = app.sources.files[place.file].tokens
        let name = app.sources.symbols.known("body")
        for placed in app.table.functions
        where placed.file == place.file && placed.function.base == name {
            guard placed.function.place > place.token, let body = placed.function.body else {
                continue
            }
            // A file without a word of UIKit has kept no tokens.
            let range = body.clamped(to: tokens.indices)
            let open = range.first { tokens[$0].isMark("{") } ?? range.upperBound
            for index in range.dropLast().drop(while: { $0 <= open })
            where tokens[index].kind == .word && !tokens[index - 1].isMark(".") {
                let next = tokens[index + 1]
                let name = app.sources.text(tokens[index].symbol)
                guard next.isMark("(") || next.isMark("{"), name.first?.isUppercase == true,
                    !Self.containers.contains(name),
                    app.table.types[app.table.canonical(tokens[index].symbol)]?.kind == nil
                else {
                    continue
                }
                return name
            }
            return nil
        }
        return nil
    }

    private static let containers: Set<String> = [
        "AnyView", "Button", "Color", "DocumentGroup", "Form", "Group", "GeometryReader", "HStack",
        "Image", "ImmersiveSpace", "Label", "LazyHStack", "LazyVStack", "List", "MenuBarExtra",
        "NavigationSplitView", "NavigationStack", "NavigationView", "ProgressView", "ScrollView",
        "Section", "Settings", "Spacer", "TabView", "Task", "Text", "URL", "VStack", "Window",
        "WindowGroup", "ZStack",
    ]
}
