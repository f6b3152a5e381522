/// Judges an app whose windows are SwiftUI's.
///
/// Such an app has scenes, so SwiftUI calls its application delegate for no link, no activity and
/// no quick action. Modifiers take links and activities. Quick actions have no modifier: a scene
/// delegate that the configuration provider names takes them.
struct SwiftUIJudge {
    let app: AppModel
    let judge: PayloadJudge

    func answers() -> [PayloadAnswer] {
        let others = judge.answers()
        let links = others.filter { $0.kind == .url || $0.kind == .activity }.map {
            answer($0.kind, $0.launch, sceneAnswer: $0)
        }
        var shortcuts = others.filter { $0.kind == .shortcut }
        if app.sceneDelegates.isEmpty {
            shortcuts = PayloadAnswer.Launch.allCases.map {
                answer(.shortcut, $0, sceneAnswer: nil)
            }
        } else if app.provider == nil {
            // SwiftUI is not seen to use the scene delegate at all.
            shortcuts = []
        }
        return links + shortcuts + others.filter { $0.kind == .notification }
    }

    /// - Parameter sceneAnswer: What a UIKit app with the same scene delegate does.
    private func answer(
        _ kind: PayloadKind, _ launch: PayloadAnswer.Launch, sceneAnswer: PayloadAnswer?
    ) -> PayloadAnswer {
        let handler = judge.appHandler(kind, launch)
        let read = judge.launchRead(kind)
        let taken = taker(kind, launch, sceneAnswer)
        var expected = handler.truth || taken.truth
        if launch == .cold {
            expected = expected || read.truth
        }
        if expected == .unknown, handler.truth != .yes, !judge.isDeclared(kind) {
            expected = .no
        }
        if hasSceneHandler(kind) {
            expected = .yes
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
    private func taker(
        _ kind: PayloadKind, _ launch: PayloadAnswer.Launch, _ sceneAnswer: PayloadAnswer?
    ) -> Verdict {
        switch kind {
        case .url: return modifier(.onOpenURL, launch, sceneAnswer)
        case .activity:
            let activity = modifier(.onContinueUserActivity, launch, sceneAnswer)
            guard activity.truth != .yes else {
                return activity
            }
            // A universal link is handed to `onOpenURL`, a Handoff is not.
            let link = modifier(.onOpenURL, launch, nil)
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

    /// Whether a modifier's closure does something, or the scene delegate instead.
    private func modifier(
        _ word: Word, _ launch: PayloadAnswer.Launch, _ sceneAnswer: PayloadAnswer?
    ) -> Verdict {
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
        // `scene(_:willConnectTo:options:)` gets the options that start the app.
        if launch == .cold, app.provider != nil, let sceneAnswer, sceneAnswer.withScenes == .yes {
            return Verdict(truth: .yes, reason: sceneAnswer.reason, place: sceneAnswer.place)
        }
        if let unseen = WindowViews(app: app).unseen {
            return Verdict(truth: .unknown, reason: "\(unseen) may have \(word.text)")
        }
        if launch == .cold, app.provider != nil, let sceneAnswer,
            sceneAnswer.withScenes == .unknown
        {
            return Verdict(truth: .unknown, reason: sceneAnswer.reason, place: sceneAnswer.place)
        }
        if let delegate = sceneDelegate(taking: word) {
            let place = app.table.types[delegate]?.place
            guard app.provider != nil else {
                return Verdict(
                    truth: .unknown,
                    reason: "the command can't see whether SwiftUI uses the scene delegate",
                    place: place)
            }
            // https://developer.apple.com/forums/thread/762526
            return Verdict(
                truth: .no,
                reason: "SwiftUI does not call the scene delegate's method, and no view has "
                    + word.text, place: place)
        }
        return Verdict(truth: .no, reason: "no view has \(word.text) that takes it")
    }

    /// The scene delegate that would take what a modifier takes.
    private func sceneDelegate(taking word: Word) -> Int32? {
        let callback = word == .onOpenURL ? Callback.sceneOpen : .sceneContinue
        return app.sceneDelegates.first { takes(callback, $0) }
    }

    private func takes(_ callback: Callback, _ delegate: Int32) -> Bool {
        app.table.implementation(of: callback, in: delegate)
            .map { app.flow.bodies.isMeaningful($0.index) } ?? false
    }

    /// Whether a scene delegate that the provider names does something with a kind.
    private func hasSceneHandler(_ kind: PayloadKind) -> Bool {
        guard app.provider != nil, kind == .url || kind == .activity else {
            return false
        }
        let callback = kind == .url ? Callback.sceneOpen : .sceneContinue
        return app.sceneDelegates.contains { takes(callback, $0) }
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
}
