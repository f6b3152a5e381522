import SceneStoreValues

/// Where the app's activities come from, and where they go.
struct ActivityOrigins {
    let app: AppModel

    private var table: TypeTable { app.table }

    /// Whether a domain is associated with the app for universal links.
    var isAssociated: Bool {
        app.sources.sideFiles.contains {
            ($0.kind == .entitlements || $0.kind == .project) && $0.contains("applinks:")
        }
    }

    /// Whether activities come from links, search or suggestions, which are handed over when the
    /// scene connects, and not by Handoff alone.
    var isWebExpected: Truth {
        let types = app.manifest.manifest?.activityTypes ?? []
        if isAssociated || types.contains(UserActivity.browsingWeb)
            || app.files.contains(where: takesLinks)
        {
            return .yes
        }
        if makesActivities {
            return handsActivitiesOn ? .unknown : .no
        }
        // Without activities of its own, another device has none to hand over, unless another app
        // of the same maker has.
        return types.contains { !$0.hasSuffix("Intent") } ? .unknown : .yes
    }

    /// Whether only another device hands activities over.
    var isHandoffAlone: Truth { !isWebExpected }

    /// Whether the app offers activities of declared types to other devices: each activity that is
    /// made current is offered, unless the app says that it isn't eligible.
    var offersHandoff: Bool {
        let types = app.manifest.manifest?.activityTypes ?? []
        return types.contains { !$0.hasSuffix("Intent") }
            && app.files.contains { app.sources.files[$0].mentions(.becomeCurrent) }
            && !app.files.contains(where: declinesHandoff)
    }

    /// `activity.isEligibleForHandoff = false`
    private func declinesHandoff(_ file: Int) -> Bool {
        let tokens = app.sources.files[file].tokens
        return tokens.indices.dropLast(2).contains { index in
            tokens[index].kind == .word && tokens[index + 1].isMark("=")
                && ["isEligibleForHandoff", "eligibleForHandoff"]
                    .contains(app.sources.text(tokens[index].symbol))
                && ["false", "NO"].contains(app.sources.text(tokens[index + 2].symbol))
        }
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
        if source.mentions(.NSUserActivity), source.tokens.contains(where: isIntent) {
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

    /// Whether a token names a kind of intent, whose activities an Intents extension hands over:
    /// `INPlayMediaIntent`, `INStartCallIntentIdentifier`.
    private func isIntent(_ token: Token) -> Bool {
        guard token.kind == .word || token.kind == .string, token.symbol >= 0 else {
            return false
        }
        let text = app.sources.text(token.symbol)
        return text.hasPrefix("IN")
            && (text.hasSuffix("Intent") || text.hasSuffix("IntentIdentifier"))
    }

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
            return app.flow.expressions.mentions(of: name, placed.file, body).contains { mention in
                let open = Int(tokens[mention].parent)
                guard app.flow.expressions.expressionEnd(placed.file, mention) == mention,
                    open >= body.lowerBound,
                    let callee = app.flow.expressions.callee(placed.file, open),
                    !app.flow.expressions.isLogged(placed.file, mention)
                else {
                    return false
                }
                return (table.functionsByBase[tokens[callee].symbol] ?? []).isEmpty
            }
        }
    }
}
