/// What becomes of one kind of payload in one of the two launches.
package struct PayloadAnswer: Sendable {
    /// Whether the payload starts the app, or comes while it runs.
    package enum Launch: String, CaseIterable, Sendable {
        case cold
        case warm
    }

    package let kind: PayloadKind
    package let launch: Launch
    /// Whether the app's code takes it without scenes.
    package let withoutScenes: Truth
    /// Whether the app's code takes it with scenes.
    package let withScenes: Truth
    /// Whether the app means to take it at all.
    package let isExpected: Truth
    /// In a sentence: what takes it, what drops it, or what can't be seen.
    package let reason: String
    let place: SourcePlace?

    /// Whether it is lost with scenes.
    package var isLost: Truth { isExpected && !withScenes }
}

/// Judges each kind of payload by itself.
struct PayloadJudge {
    let app: AppModel
    private let launchReadings: [OptionsReading]
    private let connections: [SceneConnection]
    private let providerReading: OptionsReading?

    /// What a scene delegate does with its connection's options.
    private struct SceneConnection {
        let delegate: Int32
        /// The method, or nil when there is none.
        let method: Int?
        let reading: OptionsReading
        /// A superclass that may do anything, and is asked.
        let unknown: Int32?
    }

    init(_ app: AppModel) {
        self.app = app
        let table = app.table
        launchReadings = [Callback.willFinishLaunching, .didFinishLaunching].compactMap {
            guard let delegate = app.delegate,
                let method = table.implementation(of: $0, in: delegate)?.index
            else {
                return nil
            }
            return OptionsReader.read(app.flow, .launch, function: method, parameter: 1)
        }
        providerReading = app.provider.map {
            OptionsReader.read(app.flow, .connection, function: $0, parameter: 2)
        }
        connections = app.sceneDelegates.map { delegate in
            let unknown = table.unknownSuperclass(of: delegate, app.sources.symbols)
            guard let method = table.implementation(of: .willConnect, in: delegate) else {
                return SceneConnection(
                    delegate: delegate, method: nil, reading: OptionsReading(), unknown: unknown)
            }
            return SceneConnection(
                delegate: delegate, method: method.index,
                reading: OptionsReader.read(
                    app.flow, .connection, function: method.index, parameter: 2), unknown: nil)
        }
    }

    private var table: TypeTable { app.table }

    func answers() -> [PayloadAnswer] {
        PayloadKind.allCases.flatMap { kind in
            [answer(kind, .cold), answer(kind, .warm)]
        }
    }

    /// What a launch option is read for, with each place.
    func launchOptionReads() -> [(key: LaunchKey, outcome: ValueFlow.Outcome, place: SourcePlace)] {
        launchReadings.flatMap { reading in
            reading.members.compactMap { symbol, member in
                guard let key = LaunchKey.named(app.sources.text(symbol)), let place = member.place
                else {
                    return nil
                }
                return (key, member.outcome, place)
            }
        }.sorted { ($0.place.file, $0.place.token) < ($1.place.file, $1.place.token) }
    }

    /// Where the launch options go to code that can't be seen.
    var launchEscapes: [SourcePlace] {
        launchReadings.flatMap { $0.escapes + $0.openLookups }
    }

    // MARK: - One kind

    /// A verdict with what it rests on.
    private struct Verdict {
        var truth: Truth
        var reason: String
        var place: SourcePlace?
    }

    private func answer(_ kind: PayloadKind, _ launch: PayloadAnswer.Launch) -> PayloadAnswer {
        let handler = appHandler(kind, launch)
        let read = launchRead(kind)
        let cold = sceneCold(kind)
        let warm = sceneWarm(kind)
        let without =
            launch == .cold ? handler.truth || read.truth : handler.truth
        let with =
            app.sceneDelegates.isEmpty
            ? appAlone(kind, launch, handler)
            : launch == .cold
                ? cold : warm
        var expected = handler.truth || warm.truth
        if launch == .cold {
            expected = expected || read.truth || (cold.truth == .yes ? .yes : .no)
        } else if cold.truth == .yes, kind != .activity || isWebExpected == .yes,
            !isFallbackAlone(kind)
        {
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
        let place = with.place ?? handler.place ?? read.place
        return PayloadAnswer(
            kind: kind, launch: launch, withoutScenes: without, withScenes: with.truth,
            isExpected: expected, reason: with.reason, place: place)
    }

    /// Whether the Info.plist or the entitlements say that the app takes a kind.
    private func isDeclared(_ kind: PayloadKind) -> Bool {
        switch kind {
        case .url: app.manifest.manifest?.urlSchemes.isEmpty == false
        case .activity: isAssociated
        case .shortcut: app.manifest.hasShortcutItems
        case .notification: false
        }
    }

    /// Whether a domain is associated with the app for universal links.
    private var isAssociated: Bool {
        app.sources.sideFiles.contains {
            ($0.kind == .entitlements || $0.kind == .project) && $0.contains("applinks:")
        }
    }

    // MARK: - Without scenes

    private func appHandler(_ kind: PayloadKind, _ launch: PayloadAnswer.Launch) -> Verdict {
        if kind == .notification {
            let handler = notificationHandler(cold: false)
            // A launch calls the old handler of remote notifications for none: the launch options
            // hold it, wherever they go.
            let isOldAlone = launch == .cold && notificationHandler(cold: true).truth == .no
            return isOldAlone && launchEscapes.isEmpty
                ? Verdict(truth: .no, reason: "", place: handler.place) : handler
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
            if app.flow.isMeaningful(found.index) {
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

    private func launchRead(_ kind: PayloadKind) -> Verdict {
        var found = Verdict(truth: .no, reason: "")
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
            return notificationHandler(cold: launch == .cold)
        }
        if let missing = app.missingDelegate, !missing.isOwn {
            return Verdict(
                truth: .unknown, reason: "\(missing.name) is not among the sources")
        }
        return Verdict(truth: .no, reason: "there is no scene delegate", place: handler.place)
    }

    // MARK: - With scenes, cold

    private static let members: [PayloadKind: [Word]] = [
        .url: [.urlContexts, .URLContexts], .activity: [.userActivities],
        .shortcut: [.shortcutItem], .notification: [.notificationResponse],
    ]

    private func sceneCold(_ kind: PayloadKind) -> Verdict {
        var verdict: Verdict?
        for connection in connections {
            let next = sceneCold(kind, connection)
            verdict = verdict.map { Self.agree($0, next) } ?? next
        }
        var result = verdict ?? Verdict(truth: .no, reason: "there is no scene delegate")
        if kind == .notification, result.truth != .yes {
            let other = notificationHandler(cold: true)
            if other.truth != .no {
                result = Verdict(
                    truth: result.truth || other.truth, reason: other.reason, place: other.place)
            }
        }
        if kind == .activity, result.truth != .yes {
            switch isHandoffAlone {
            case .yes:
                return Verdict(
                    truth: .yes,
                    reason: "only Handoff is used, which comes by scene(_:continue:)",
                    place: result.place)
            case .unknown where result.truth == .no:
                return Verdict(
                    truth: .unknown,
                    reason: "only a Handoff would come by scene(_:continue:), and the activity "
                        + "goes to code that is not among the sources", place: result.place)
            default: break
            }
        }
        return result
    }

    private static func agree(_ left: Verdict, _ right: Verdict) -> Verdict {
        if left.truth == right.truth {
            return left
        }
        return Verdict(
            truth: .unknown, reason: "the scene delegates differ", place: right.place)
    }

    private func sceneCold(_ kind: PayloadKind, _ connection: SceneConnection) -> Verdict {
        let method = Callback.willConnect.title
        guard let index = connection.method else {
            if let unknown = connection.unknown {
                return Verdict(
                    truth: .unknown,
                    reason: "\(app.sources.text(unknown)) is not among the sources",
                    place: table.types[connection.delegate]?.place)
            }
            return Verdict(
                truth: .no, reason: "the scene delegate has no \(method)",
                place: table.types[connection.delegate]?.place)
        }
        let place = table.functions[index].place
        for word in Self.members[kind] ?? [] {
            guard let member = connection.reading.members[word.id] else {
                continue
            }
            if member.outcome.isUsed, kind == .activity, let fallback = member.fallback,
                isWebExpected != .no
            {
                return afterFallback(fallback, member.place ?? place)
            }
            if member.outcome.isUsed {
                return Verdict(
                    truth: .yes, reason: "\(method) takes \(word.text)", place: member.place)
            }
            if member.outcome.isPosted {
                return Verdict(
                    truth: .unknown,
                    reason: "\(method) posts a notification, maybe before anybody listens",
                    place: member.place)
            }
            if member.outcome.isPeeked {
                return Verdict(
                    truth: .unknown, reason: "\(method) looks whether there is one",
                    place: member.place)
            }
            return Verdict(
                truth: .no, reason: "\(method) only logs \(word.text), or drops it",
                place: member.place)
        }
        if let escape = connection.reading.escapes.first {
            return Verdict(
                truth: .unknown,
                reason: "\(method) hands the options to code that is not among the sources",
                place: escape)
        }
        if let read = providerRead(kind) {
            return Verdict(
                truth: .no,
                reason: "only the configuration provider reads it, which is not asked when a "
                    + "remembered session connects", place: read)
        }
        return Verdict(
            truth: .no,
            reason: "\(method) does not read \(Self.members[kind]?.first?.text ?? "")",
            place: place)
    }

    private func providerRead(_ kind: PayloadKind) -> SourcePlace? {
        for word in Self.members[kind] ?? [] {
            if let member = providerReading?.members[word.id], member.outcome.isUsed {
                return member.place
            }
        }
        return nil
    }

    /// `userActivities.first ?? session.stateRestorationActivity`: what follows decides whether a
    /// link is taken, too.
    private func afterFallback(
        _ fallback: (function: Int, name: Int32, start: Int), _ place: SourcePlace
    ) -> Verdict {
        let placed = table.functions[fallback.function]
        let end = placed.function.body?.upperBound ?? fallback.start
        let cold = taking(fallback.name, placed.file, fallback.start..<end)
        let taken = Verdict(truth: .yes, reason: "userActivities is taken", place: place)
        if cold.takesLinks {
            return taken
        }
        let handlers = app.sceneDelegates.compactMap {
            table.implementation(of: .sceneContinue, in: $0)?.index
        }
        let warm = handlers.compactMap { index -> Taking? in
            let handler = table.functions[index]
            guard let body = handler.function.body, handler.function.parameters.count > 1 else {
                return nil
            }
            return taking(handler.function.parameters[1].name, handler.file, body)
        }
        // What the running app's activities go to takes this one, too.
        if warm.contains(where: { !$0.callees.isDisjoint(with: cold.callees) }) {
            return taken
        }
        if cold.isUnresolved || !warm.contains(where: \.takesLinks) {
            return Verdict(
                truth: warm.isEmpty && !cold.isUnresolved ? .yes : .unknown,
                reason: "whether a link is taken where a state is restored", place: place)
        }
        return Verdict(
            truth: .no,
            reason: "the activity is taken for a state to restore, and a link in it is not",
            place: place)
    }

    /// Where an activity of a name goes, and whether links are taken there.
    private struct Taking {
        var callees: Set<Int32> = []
        var takesLinks = false
        var isUnresolved = false
    }

    private func taking(_ name: Int32, _ file: Int, _ range: Range<Int>) -> Taking {
        var taking = Taking()
        var bodies: [(file: Int, range: Range<Int>)] = [(file, range)]
        let tokens = app.sources.files[file].tokens
        for mention in app.flow.mentions(of: name, file, range) {
            let open = Int(tokens[mention].parent)
            guard open >= range.lowerBound, let callee = app.flow.callee(file, open),
                !app.flow.isLogged(file, mention),
                app.flow.expressionEnd(file, mention) == mention
            else {
                continue
            }
            taking.callees.insert(tokens[callee].symbol)
            let targets = (table.functionsByBase[tokens[callee].symbol] ?? []).filter {
                table.functions[$0].function.body != nil
            }
            taking.isUnresolved = taking.isUnresolved || targets.isEmpty
            for target in targets {
                if let body = table.functions[target].function.body {
                    bodies.append((table.functions[target].file, body))
                }
            }
        }
        taking.takesLinks = bodies.contains { file, range in
            let tokens = app.sources.files[file].tokens
            return range.clamped(to: tokens.indices).contains {
                tokens[$0].isWord(.webpageURL) || tokens[$0].isWord(.NSUserActivityTypeBrowsingWeb)
                    || tokens[$0].isWord(.CSSearchableItemActionType)
                    || app.sources.text(tokens[$0].symbol) == "continue"
            }
        }
        return taking
    }

    private func isFallbackAlone(_ kind: PayloadKind) -> Bool {
        kind == .activity
            && connections.contains {
                $0.reading.members[Word.userActivities.id]?.fallback != nil
            }
    }

    // MARK: - Activities

    /// Whether activities come from links, search or suggestions, which are handed over when the
    /// scene connects, and not by Handoff alone.
    private var isWebExpected: Truth {
        if isAssociated || app.files.contains(where: takesLinks) {
            return .yes
        }
        if makesActivities {
            return handsActivitiesOn ? .unknown : .no
        }
        // Without activities of its own, another device has none to hand over, unless another app
        // of the same maker has.
        let types = app.manifest.manifest?.activityTypes ?? []
        return types.contains { !$0.hasSuffix("Intent") } ? .unknown : .yes
    }

    /// Whether a file takes links, or offers activities to search and suggestions.
    private func takesLinks(_ file: Int) -> Bool {
        let source = app.sources.files[file]
        let words: [Word] = [
            .NSUserActivityTypeBrowsingWeb, .CSSearchableItemActionType, .isEligibleForSearch,
            .isEligibleForPrediction, .eligibleForSearch, .eligibleForPrediction,
            .suggestedInvocationPhrase,
        ]
        if words.contains(where: source.mentions) {
            return true
        }
        guard source.mentions(.webpageURL) || source.mentions(.interaction) else {
            return false
        }
        return source.tokens.indices.contains { index in
            let token = source.tokens[index]
            if token.isWord(.webpageURL) {
                // Offering a page with an activity is not taking one.
                return index + 1 >= source.tokens.count || !source.tokens[index + 1].isMark("=")
            }
            return token.isWord(.interaction) && index > 1 && source.tokens[index - 1].isMark(".")
                && app.sources.text(source.tokens[index - 2].symbol).lowercased()
                    .hasSuffix("activity")
        }
    }

    private var isHandoffAlone: Truth { !isWebExpected }

    /// Whether the app makes activities of its own.
    private var makesActivities: Bool {
        app.files.contains { file in
            let tokens = app.sources.files[file].tokens
            return tokens.indices.contains { index in
                tokens[index].isWord(.initWithActivityType)
                    || (tokens[index].isWord(.activityType) && index > 1
                        && tokens[index - 1].isMark("(")
                        && tokens[index - 2].isWord(.NSUserActivity))
            }
        }
    }

    /// Whether a handler hands the whole activity to code that is not among the sources.
    private var handsActivitiesOn: Bool {
        let handlers =
            table.implementations(of: .sceneContinue) + table.implementations(of: .appContinue)
        return handlers.contains { handler in
            let placed = table.functions[handler]
            guard let body = placed.function.body, placed.function.parameters.count > 1 else {
                return false
            }
            let tokens = app.sources.files[placed.file].tokens
            let name = placed.function.parameters[1].name
            return app.flow.mentions(of: name, placed.file, body).contains { mention in
                let open = Int(tokens[mention].parent)
                guard app.flow.expressionEnd(placed.file, mention) == mention,
                    open >= body.lowerBound, let callee = app.flow.callee(placed.file, open),
                    !app.flow.isLogged(placed.file, mention)
                else {
                    return false
                }
                return (table.functionsByBase[tokens[callee].symbol] ?? []).isEmpty
            }
        }
    }

    // MARK: - With scenes, warm

    private static let sceneCallbacks: [PayloadKind: Callback] = [
        .url: .sceneOpen, .activity: .sceneContinue, .shortcut: .sceneShortcut,
    ]

    private func sceneWarm(_ kind: PayloadKind) -> Verdict {
        guard let callback = Self.sceneCallbacks[kind] else {
            return notificationHandler(cold: false)
        }
        var verdict: Verdict?
        for delegate in app.sceneDelegates {
            let next = sceneWarm(callback, delegate)
            verdict = verdict.map { Self.agree($0, next) } ?? next
        }
        return verdict ?? Verdict(truth: .no, reason: "there is no scene delegate")
    }

    private func sceneWarm(_ callback: Callback, _ delegate: Int32) -> Verdict {
        guard let found = table.implementation(of: callback, in: delegate) else {
            if let parent = table.unknownSuperclass(of: delegate, app.sources.symbols) {
                return Verdict(
                    truth: .unknown,
                    reason: "\(app.sources.text(parent)) is not among the sources",
                    place: table.types[delegate]?.place)
            }
            return Verdict(
                truth: .no, reason: "the scene delegate has no \(callback.title)",
                place: table.types[delegate]?.place)
        }
        let placed = table.functions[found.index]
        guard let body = placed.function.body, placed.function.parameters.count > 1 else {
            return Verdict(truth: .unknown, reason: "", place: placed.place)
        }
        let name = placed.function.parameters[1].name
        let outcome =
            name < 0
            ? ValueFlow.Outcome() : app.flow.outcome(of: name, placed.file, in: body)
        if outcome.isUsed || outcome.isPosted {
            return Verdict(
                truth: .yes, reason: "\(callback.title) takes it", place: placed.place)
        }
        if app.flow.isMeaningful(found.index) {
            return Verdict(
                truth: callback.title == Callback.sceneShortcut.title ? .yes : .unknown,
                reason: "\(callback.title) does something without the payload",
                place: placed.place)
        }
        return Verdict(
            truth: .no, reason: "\(callback.title) does nothing with it", place: placed.place)
    }

    // MARK: - Notifications

    /// The delegate of the notification centre, which is asked with and without scenes.
    private func notificationHandler(cold: Bool) -> Verdict {
        let responses = table.implementations(of: .response).filter(app.flow.isMeaningful)
        if let response = responses.first {
            let place = table.functions[response].place
            let title = Callback.response.title
            switch registration {
            case .early:
                return Verdict(truth: .yes, reason: "\(title) takes it", place: place)
            case .late where !cold:
                return Verdict(truth: .yes, reason: "\(title) takes it", place: place)
            case .late(let late):
                return Verdict(
                    truth: .unknown,
                    reason: "the notification centre's delegate is maybe set after the launch",
                    place: late)
            case .none:
                return Verdict(
                    truth: .unknown,
                    reason: "it can't be seen who sets the notification centre's delegate",
                    place: place)
            }
        }
        if case .early = registration {
            return Verdict(
                truth: .yes, reason: "the notification centre's delegate goes on being asked")
        }
        guard let delegate = app.delegate else {
            return Verdict(
                truth: .unknown, reason: "there is no application delegate among the sources")
        }
        if let found = table.implementation(of: .remoteNotification, in: delegate),
            app.flow.isMeaningful(found.index)
        {
            return Verdict(
                truth: .yes, reason: "\(Callback.remoteNotification.title) takes it",
                place: table.functions[found.index].place)
        }
        if !cold, let found = table.implementation(of: .oldRemoteNotification, in: delegate),
            app.flow.isMeaningful(found.index)
        {
            return Verdict(
                truth: .yes, reason: "\(Callback.oldRemoteNotification.title) takes it",
                place: table.functions[found.index].place)
        }
        return Verdict(truth: .no, reason: "nothing takes a notification's response")
    }

    private enum Registration {
        /// While the app is launched.
        case early
        case late(SourcePlace)
        case none
    }

    /// When the notification centre gets its delegate.
    private var registration: Registration {
        var late: SourcePlace?
        let launch = launchFunctions
        for (index, placed) in table.functions.enumerated() {
            guard let body = placed.function.body,
                app.sources.files[placed.file].mentions(.UNUserNotificationCenter),
                let place = delegateAssignment(placed.file, body)
            else {
                continue
            }
            if launch.contains(index) {
                return .early
            }
            late = late ?? SourcePlace(file: placed.file, token: place)
        }
        return late.map { .late($0) } ?? .none
    }

    private func delegateAssignment(_ file: Int, _ body: Range<Int>) -> Int? {
        let tokens = app.sources.files[file].tokens
        let range = body.clamped(to: tokens.indices)
        guard range.contains(where: { tokens[$0].isWord(.UNUserNotificationCenter) }) else {
            return nil
        }
        return range.first { index in
            if tokens[index].isWord(.setDelegate) {
                return index > 0 && isCenter(tokens, index - 1)
            }
            return tokens[index].isWord(.delegate) && index + 1 < tokens.count
                && tokens[index + 1].isMark("=") && index > 1 && tokens[index - 1].isMark(".")
                && isCenter(tokens, index - 2)
        }
    }

    /// Whether an expression that ends at a token is the notification centre.
    private func isCenter(_ tokens: [Token], _ end: Int) -> Bool {
        var index = end
        while index > 0, tokens[index].isMark("?") || tokens[index].isMark("!") {
            index -= 1
        }
        if tokens[index].closes, tokens[index].match > 0 {
            // `UNUserNotificationCenter.current()`, `[UNUserNotificationCenter …]`
            let open = Int(tokens[index].match)
            return (max(open - 3, 0)..<index).contains {
                tokens[$0].isWord(.UNUserNotificationCenter)
            }
        }
        let name = app.sources.text(tokens[index].symbol).lowercased()
        return name.contains("center") || name.contains("centre") || name.contains("notification")
    }

    /// The functions that run while the app is launched, as far as names tell.
    private var launchFunctions: Set<Int> {
        guard let delegate = app.delegate else {
            return []
        }
        var found: Set<Int> = []
        var seen: Set<Int32> = []
        var pending = [Callback.willFinishLaunching, .didFinishLaunching].compactMap {
            table.implementation(of: $0, in: delegate)?.index
        }
        pending += table.lineage(of: delegate).flatMap { table.types[$0]?.functions ?? [] }.filter {
            table.functions[$0].function.base == Word.init_.id
                || table.functions[$0].function.isAccessor
        }
        while let index = pending.popLast(), found.count < 2_000 {
            guard found.insert(index).inserted, let body = table.functions[index].function.body
            else {
                continue
            }
            let tokens = app.sources.files[table.functions[index].file].tokens
            for place in body.clamped(to: tokens.indices) where tokens[place].kind == .word {
                let name = tokens[place].symbol
                guard seen.insert(name).inserted else {
                    continue
                }
                pending += (table.functionsByBase[name] ?? []).filter { !found.contains($0) }
                pending += (table.types[name]?.functions ?? []).filter {
                    !found.contains($0)
                        && (table.functions[$0].function.base == Word.init_.id
                            || table.functions[$0].function.isAccessor)
                }
            }
        }
        return found
    }
}
