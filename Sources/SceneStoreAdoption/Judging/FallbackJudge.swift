/// Judges `userActivities.first ?? session.stateRestorationActivity`: what follows decides whether
/// a link is taken, too.
struct FallbackJudge {
    let app: AppModel

    private var table: TypeTable { app.table }

    func verdict(
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
        for mention in app.flow.expressions.mentions(of: name, file, range) {
            let open = Int(tokens[mention].parent)
            guard open >= range.lowerBound, let callee = app.flow.expressions.callee(file, open),
                !app.flow.expressions.isLogged(file, mention),
                app.flow.expressions.expressionEnd(file, mention) == mention
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
}
