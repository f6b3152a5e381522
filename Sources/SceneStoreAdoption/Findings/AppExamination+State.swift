extension AppExamination {
    mutating func examineState() {
        examineSaving()
        examineActivityTypes()
        examineDiscards()
    }

    // MARK: - Saving and restoring

    private mutating func examineSaving() {
        let hasUnknown = app.sceneDelegates.contains {
            table.unknownSuperclass(of: $0, app.sources.symbols) != nil
        }
        let savers = app.stateSavers
        let reads = restorationReads()
        let restores = app.sceneDelegates.contains {
            table.implementation(of: .restore, in: $0) != nil
        }
        if let saver = savers.first, reads.isEmpty, !restores, !hasUnknown {
            report(
                .neverRestored, at: table.functions[saver].place, Callback.save.title,
                "the state is saved and never restored",
                why: "at a launch that reconnects the scene, the activity is in "
                    + "session.stateRestorationActivity, which nothing reads",
                fix: "read session.stateRestorationActivity in scene(_:willConnectTo:options:)")
        }
        if let read = reads.first, table.implementations(of: .save).isEmpty, !hasUnknown,
            !app.sceneDelegates.isEmpty, !setsSessionState
        {
            report(
                .neverSaved, at: read, "stateRestorationActivity",
                "the state is restored and never saved",
                why: "without stateRestorationActivity(for:) the session has no activity at any "
                    + "launch",
                fix: "return the state in stateRestorationActivity(for:) of the scene delegate")
        }
    }

    /// Whether some code gives a session its state itself: `session.stateRestorationActivity = …`.
    private var setsSessionState: Bool {
        app.files.contains { file in
            guard app.sources.files[file].mentions(.stateRestorationActivity) else {
                return false
            }
            let tokens = app.sources.files[file].tokens
            return tokens.indices.dropFirst().dropLast(2).contains {
                tokens[$0].isWord(.stateRestorationActivity) && tokens[$0 - 1].isMark(".")
                    && tokens[$0 + 1].isMark("=") && !tokens[$0 + 2].isWord(.nil_)
            }
        }
    }

    /// Where a session is asked for its state.
    private func restorationReads() -> [SourcePlace] {
        app.files.flatMap { file -> [SourcePlace] in
            guard app.sources.files[file].mentions(.stateRestorationActivity) else {
                return []
            }
            let tokens = app.sources.files[file].tokens
            return tokens.indices.compactMap { index in
                guard tokens[index].isWord(.stateRestorationActivity), index > 0 else {
                    return nil
                }
                let before = tokens[index - 1]
                let isMessage =
                    !app.sources.files[file].isSwift
                    && (before.kind == .word || before.isMark("]")) && index + 1 < tokens.count
                    && tokens[index + 1].isMark("]")
                let isCall = index + 1 < tokens.count && tokens[index + 1].isMark("(")
                guard before.isMark(".") && !isCall || isMessage,
                    !app.flow.expressions.isLogged(file, index)
                else {
                    return nil
                }
                return SourcePlace(file: file, token: index)
            }
        }
    }

    // MARK: - Activity types

    private mutating func examineActivityTypes() {
        guard let declared = app.manifest.activityTypes else {
            return
        }
        for file in app.files where app.sources.files[file].mentions(.NSUserActivity) {
            let tokens = app.sources.files[file].tokens
            for index in tokens.indices
            where tokens[index].isWord(.activityType)
                || tokens[index].isWord(.initWithActivityType)
            {
                guard let type = activityType(file, index), !type.hasPrefix("NSUserActivityType"),
                    type.contains("."), !declared.contains(type)
                else {
                    continue
                }
                let place = SourcePlace(file: file, token: index + 2)
                // What another target declares may be that target's alone.
                guard !isForRequestAlone(place),
                    !app.sources.sideFiles.contains(where: {
                        $0.kind == .manifest && $0.path != app.manifest.path
                            && $0.contains("<string>\(type)</string>")
                    })
                else {
                    continue
                }
                report(
                    .undeclaredActivity, at: place, type,
                    "NSUserActivityTypes of the Info.plist does not have \(type)",
                    why: "the system neither continues nor restores an activity of a type that "
                        + "is not declared",
                    fix: "add \(type) to NSUserActivityTypes")
            }
        }
    }

    /// The type of `NSUserActivity(activityType: …)`, when it is one text.
    private func activityType(_ file: Int, _ index: Int) -> String? {
        let tokens = app.sources.files[file].tokens
        guard index > 1, index + 3 < tokens.count, tokens[index + 1].isMark(":") else {
            return nil
        }
        if tokens[index].isWord(.activityType),
            !(tokens[index - 1].isMark("(") && tokens[index - 2].isWord(.NSUserActivity))
        {
            return nil
        }
        if tokens[index + 2].kind == .string {
            let next = tokens[index + 3]
            return next.closes || next.isMark(",")
                ? app.sources.text(tokens[index + 2].symbol) : nil
        }
        let end = app.flow.expressions.expressionEnd(file, index + 2)
        guard tokens[end].kind == .word, end + 1 < tokens.count,
            tokens[end + 1].closes || tokens[end + 1].isMark(",")
        else {
            return nil
        }
        guard let texts = table.constants[tokens[end].symbol], texts.count == 1,
            let text = texts.first
        else {
            return nil
        }
        return app.sources.text(text)
    }

    /// An activity that only asks for a window need not be declared.
    private func isForRequestAlone(_ place: SourcePlace) -> Bool {
        functions(at: place).first?.body.map { sceneRequests.contains(place.file, $0) } ?? false
    }

    // MARK: - Discards

    static let storingWords: Set<String> = [
        "UserDefaults", "NSUserDefaults", "standardUserDefaults", "write", "writeToFile",
        "writeToURL", "FileManager", "NSFileManager", "createFile", "setObject",
        "createDirectory", "NSKeyedArchiver", "setValue",
    ]

    /// Identifiers of sessions beyond these are not followed.
    private static let maximumIdentifiers = 1_000

    private mutating func examineDiscards() {
        let isHandled = table.implementations(of: .didDiscard).contains(
            where: app.flow.bodies.isMeaningful)
        guard !isHandled, app.delegate != nil else {
            return
        }
        var escape: SourcePlace?
        for place in identifiers().prefix(Self.maximumIdentifiers) {
            guard let function = functions(at: place).first, let body = function.body else {
                continue
            }
            let fate = storing.contains(place.file, body) ? Truth.yes : fate(ofArgument: place)
            if fate == .unknown {
                escape = escape ?? place
            }
            guard fate == .yes else {
                continue
            }
            report(
                .unhandledDiscards, at: place, function.name,
                "data is stored for each session, and discards are never handled",
                why: "application(_:didDiscardSceneSessions:) tells which sessions never come "
                    + "back, at the next launch too",
                fix: "remove the session's data in application(_:didDiscardSceneSessions:)")
            return
        }
        if let escape {
            ask(
                "whether data is stored for each session, which "
                    + "application(_:didDiscardSceneSessions:) would have to remove: the session's "
                    + "identifier is passed on", at: escape)
        }
    }

    /// Where the identifier of a session is read, and not only logged.
    private func identifiers() -> [SourcePlace] {
        app.files.flatMap { file -> [SourcePlace] in
            guard app.sources.files[file].mentions(.persistentIdentifier) else {
                return []
            }
            let tokens = app.sources.files[file].tokens
            return tokens.indices.lazy.filter { tokens[$0].isWord(.persistentIdentifier) }.filter {
                isOfSession(tokens, $0) && !app.flow.expressions.isLogged(file, $0)
            }.prefix(Self.maximumIdentifiers).map { SourcePlace(file: file, token: $0) }
        }
    }

    /// Functions that only look something up.
    private static let lookups: Set<String> = [
        "contains", "containsObject", "first", "firstIndex", "hasPrefix", "hasSuffix", "isEqual",
        "isEqualToString", "objectForKey", "objectForKeyedSubscript", "removeValue",
        "removeObjectForKey", "if", "while", "switch", "guard", "for", "return",
    ]

    /// Whether a value is stored by the function that gets it as an argument.
    private func fate(ofArgument place: SourcePlace) -> Truth {
        let tokens = app.sources.files[place.file].tokens
        var open = Int(tokens[place.token].parent)
        while open >= 0, !tokens[open].isMark("{") {
            if let callee = app.flow.expressions.callee(place.file, open), callee != place.token,
                !Self.lookups.contains(app.sources.text(tokens[callee].symbol))
            {
                return fate(ofArgumentTo: tokens[callee].symbol)
            }
            open = Int(tokens[open].parent)
        }
        return .no
    }

    /// Whether a function of the app stores what it gets; what others do can't be told.
    private func fate(ofArgumentTo name: Int32) -> Truth {
        let targets = table.functionsByBase[name] ?? []
        guard !targets.isEmpty, targets.count < 16 else {
            return .unknown
        }
        if targets.allSatisfy({ target in
            let placed = table.functions[target]
            return placed.function.body.map { storing.contains(placed.file, $0) } == true
        }) {
            return .yes
        }
        return targets.contains { target in
            let placed = table.functions[target]
            return placed.function.body == nil || app.sources.files[placed.file].tokens.isEmpty
                || app.flow.bodies.isMeaningful(target)
        } ? .unknown : .no
    }

    private func isOfSession(_ tokens: [Token], _ index: Int) -> Bool {
        var place = index - 1
        while place >= 0, tokens[place].kind == .mark, !tokens[place].opens,
            !tokens[place].isMark(","), index - place < 4
        {
            place -= 1
        }
        return place >= 0 && tokens[place].kind == .word
            && app.sources.text(tokens[place].symbol).lowercased().hasSuffix("session")
    }
}
