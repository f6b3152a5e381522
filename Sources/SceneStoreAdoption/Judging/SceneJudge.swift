/// Judges what the scene delegates take, when a scene connects and while it is there.
struct SceneJudge {
    let app: AppModel
    private let connections: [Connection]
    private let providerReading: OptionsReading?
    private let origins: ActivityOrigins
    private let notifications: NotificationJudge

    /// What a scene delegate does with its connection's options.
    private struct Connection {
        let delegate: Int32
        /// The method, or nil when there is none.
        let method: Int?
        let reading: OptionsReading
        /// A superclass that may do anything, and is asked.
        let unknown: Int32?
    }

    init(_ app: AppModel) {
        self.app = app
        origins = ActivityOrigins(app: app)
        notifications = NotificationJudge(app: app)
        let table = app.table
        providerReading = app.provider.map {
            OptionsReader.read(app.flow, .connection, function: $0, parameter: 2)
        }
        connections = app.sceneDelegates.map { delegate in
            let unknown = table.unknownSuperclass(of: delegate, app.sources.symbols)
            guard let method = table.implementation(of: .willConnect, in: delegate) else {
                return Connection(
                    delegate: delegate, method: nil, reading: OptionsReading(), unknown: unknown)
            }
            return Connection(
                delegate: delegate, method: method.index,
                reading: OptionsReader.read(
                    app.flow, .connection, function: method.index, parameter: 2), unknown: nil)
        }
    }

    private var table: TypeTable { app.table }

    private static let members: [PayloadKind: [Word]] = [
        .url: [.urlContexts, .URLContexts], .activity: [.userActivities],
        .shortcut: [.shortcutItem], .notification: [.notificationResponse],
    ]

    /// What becomes of a payload that starts the app.
    ///
    /// - Parameter ownHandler: Whether the app's application delegate takes the kind itself.
    func cold(_ kind: PayloadKind, ownHandler: Truth) -> Verdict {
        let verdicts = connections.map {
            (app.sources.text($0.delegate), cold(kind, $0, ownHandler))
        }
        var result =
            Verdict.agree(verdicts) ?? Verdict(truth: .no, reason: "there is no scene delegate")
        if kind == .notification, result.truth != .yes {
            let other = notifications.handler(cold: true)
            if other.truth != .no {
                result = Verdict(
                    truth: result.truth || other.truth, reason: other.reason, place: other.place)
            }
        }
        if kind == .activity, result.truth != .yes {
            switch origins.isHandoffAlone {
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

    private func cold(
        _ kind: PayloadKind, _ connection: Connection, _ ownHandler: Truth
    ) -> Verdict {
        let method = Callback.willConnect.title
        guard let index = connection.method else {
            if let unknown = connection.unknown {
                if FlutterSceneDelegate.isNamed(app.sources.text(unknown)) {
                    return FlutterSceneDelegate.verdict(
                        kind, ownHandler: ownHandler, table.types[connection.delegate]?.place)
                }
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
            if member.outcome.isUsed, member.needsNoState, !app.stateSavers.isEmpty {
                return Verdict(
                    truth: .no,
                    reason: "\(method) takes \(word.text) only if there is no state to restore",
                    place: member.place)
            }
            if member.outcome.isUsed, kind == .activity, let fallback = member.fallback,
                origins.isWebExpected != .no
            {
                return FallbackJudge(app: app).verdict(fallback, member.place ?? place)
            }
            if member.outcome.isUsed, kind == .url || kind == .activity, startsReactWithoutOptions {
                return Verdict(
                    truth: .unknown,
                    reason: "RCTLinkingManager gets it before JavaScript runs, and React Native is "
                        + "started with launchOptions: nil", place: member.place)
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
                    truth: .unknown, reason: "\(method) checks only whether there is one",
                    place: member.place)
            }
            return Verdict(
                truth: .no, reason: "\(method) only logs \(word.text), or drops it",
                place: member.place)
        }
        let escapes = connection.reading.escapes
        if !escapes.isEmpty, isOfFlutter(connection.delegate),
            escapes.allSatisfy({ FlutterSceneDelegate.isCall($0, app) })
        {
            return FlutterSceneDelegate.verdict(kind, ownHandler: ownHandler, place)
        }
        if let escape = escapes.first {
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

    /// Whether React Native gets links from `RCTLinkingManager`, and is started without the launch
    /// options, in which it looks for the first one.
    private var startsReactWithoutOptions: Bool {
        let symbols = app.sources.symbols
        guard let manager = symbols.known("RCTLinkingManager"),
            app.files.contains(where: { file in
                app.sources.files[file].tokens.contains { $0.symbol == manager && $0.kind == .word }
            })
        else {
            return false
        }
        return app.files.contains { file in
            let tokens = app.sources.files[file].tokens
            return tokens.indices.dropLast(2).contains {
                tokens[$0].isWord(.launchOptions) && tokens[$0 + 1].isMark(":")
                    && tokens[$0 + 2].isWord(.nil_)
            }
        }
    }

    /// Whether a scene delegate is Flutter's, or passes its callbacks on as that does.
    private func isOfFlutter(_ delegate: Int32) -> Bool {
        table.lineage(of: delegate).contains {
            let name = app.sources.text($0)
            return FlutterSceneDelegate.isNamed(name) || name == "FlutterSceneLifeCycleProvider"
        }
    }

    private func providerRead(_ kind: PayloadKind) -> SourcePlace? {
        for word in Self.members[kind] ?? [] {
            if let member = providerReading?.members[word.id], member.outcome.isUsed {
                return member.place
            }
        }
        return nil
    }

    /// Whether a kind is taken from the options of the connection itself.
    func takesWhenConnecting(_ kind: PayloadKind) -> Bool {
        connections.contains { connection in
            Self.members[kind]?.contains {
                connection.reading.members[$0.id]?.outcome.isUsed == true
            } == true
        }
    }

    /// Whether activities are read beside the state to restore alone.
    func isFallbackAlone(_ kind: PayloadKind) -> Bool {
        kind == .activity
            && connections.contains {
                $0.reading.members[Word.userActivities.id]?.fallback != nil
            }
    }

    private static let callbacks: [PayloadKind: Callback] = [
        .url: .sceneOpen, .activity: .sceneContinue, .shortcut: .sceneShortcut,
    ]

    /// What becomes of a payload that reaches the running app.
    ///
    /// - Parameter ownHandler: Whether the app's application delegate takes the kind itself.
    func warm(_ kind: PayloadKind, ownHandler: Truth) -> Verdict {
        guard let callback = Self.callbacks[kind] else {
            return notifications.handler(cold: false)
        }
        let verdicts = app.sceneDelegates.map {
            (app.sources.text($0), warm(kind, callback, $0, ownHandler))
        }
        let result =
            Verdict.agree(verdicts) ?? Verdict(truth: .no, reason: "there is no scene delegate")
        guard result.truth == .no, app.manifest.supportsMultipleScenes != .no,
            app.declinesEvents
        else {
            return result
        }
        // Each event makes a new scene, which connects with it.
        let connecting = cold(kind, ownHandler: ownHandler)
        guard app.manifest.supportsMultipleScenes == .unknown else {
            return connecting
        }
        return Verdict(
            truth: connecting.truth && .unknown, reason: connecting.reason,
            place: connecting.place)
    }

    private func warm(
        _ kind: PayloadKind, _ callback: Callback, _ delegate: Int32, _ ownHandler: Truth
    ) -> Verdict {
        guard let found = table.implementation(of: callback, in: delegate) else {
            if let parent = table.unknownSuperclass(of: delegate, app.sources.symbols) {
                if FlutterSceneDelegate.isNamed(app.sources.text(parent)) {
                    return FlutterSceneDelegate.verdict(
                        kind, ownHandler: ownHandler, table.types[delegate]?.place)
                }
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
        if app.flow.bodies.isMeaningful(found.index) {
            return Verdict(
                truth: callback.title == Callback.sceneShortcut.title ? .yes : .unknown,
                reason: "\(callback.title) does something without the payload",
                place: placed.place)
        }
        return Verdict(
            truth: .no, reason: "\(callback.title) is implemented, but does nothing with it",
            place: placed.place)
    }
}
