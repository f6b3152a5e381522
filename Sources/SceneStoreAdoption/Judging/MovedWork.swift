/// Compares what a method of the application delegate does with what replaces it.
struct MovedWork {
    let app: AppModel

    private var table: TypeTable { app.table }

    /// What a function does: a call, or a property that it sets.
    private struct Deed: Hashable {
        let name: Int32
        /// Who gets it, by its last name; -1 for `self` and nobody.
        let receiver: Int32
        let isCall: Bool
    }

    /// What a method does and the methods that replace it do not, in order, by its names.
    func undone(_ old: Int, by replacements: [Int]) -> [String] {
        guard !replacements.isEmpty else {
            return []
        }
        let done = words(of: NotificationJudge.reachable(from: replacements, app))
        let deeds = deeds(of: old)
        let receivers = Dictionary(grouping: deeds.filter { $0.receiver >= 0 }, by: \.name)
        func isDone(_ deed: Deed) -> Bool {
            // A property that nobody reads need not be set.
            done.contains(text(deed.name))
                || (!deed.isCall && app.flow.storedNames.reading(of: deed.name) == .none)
        }
        return deeds.filter { deed in
            guard isDone(deed) else {
                // Of a function of the app what it does counts as well.
                let inner =
                    deed.isCall ? (table.functionsByBase[deed.name] ?? []).flatMap(self.deeds) : []
                return inner.isEmpty || !inner.allSatisfy(isDone)
            }
            // Of two objects that get the same call, each has to be mentioned.
            return deed.receiver >= 0 && receivers[deed.name]?.count ?? 0 > 1
                && !done.contains(text(deed.receiver))
        }.map { deed in
            let name = app.sources.text(deed.name)
            return deed.receiver >= 0 && receivers[deed.name]?.count ?? 0 > 1
                ? "\(app.sources.text(deed.receiver)).\(name)" : name
        }.unique()
    }

    /// A name as it is compared: what is of a class or of a property is written in either way.
    private func text(_ name: Int32) -> String {
        app.sources.text(name).lowercased()
    }

    private func words(of functions: Set<Int>) -> Set<String> {
        var found: Set<Int32> = []
        for index in functions {
            let placed = table.functions[index]
            let tokens = app.sources.files[placed.file].tokens
            for token in (placed.function.body ?? 0..<0).clamped(to: tokens.indices)
            where tokens[token].kind == .word {
                found.insert(tokens[token].symbol)
            }
        }
        var words = Set(found.map(text))
        // The badge has a new name.
        if words.contains("setbadgecount") {
            words.insert("applicationiconbadgenumber")
        }
        return words
    }

    /// What a function does beyond logging and local names, each once.
    private func deeds(of index: Int) -> [Deed] {
        let placed = table.functions[index]
        let file = placed.file
        let tokens = app.sources.files[file].tokens
        let body = (placed.function.body ?? 0..<0).clamped(to: tokens.indices)
        return body.compactMap { place -> Deed? in
            if tokens[place].isMark("=") {
                return assignment(file, place, in: body)
            }
            guard tokens[place].isMark("(") || tokens[place].isMark("["),
                let callee = app.flow.expressions.callee(file, place),
                app.sources.text(tokens[callee].symbol).first?.isLowercase == true,
                app.flow.bodies.isWork(file, place, callee)
            else {
                return nil
            }
            return Deed(
                name: tokens[callee].symbol, receiver: receiver(tokens, callee, in: body),
                isCall: true)
        }.unique()
    }

    /// What is set left of `=`, if it is a property.
    private func assignment(_ file: Int, _ equals: Int, in body: Range<Int>) -> Deed? {
        let tokens = app.sources.files[file].tokens
        guard equals > body.lowerBound, tokens[equals - 1].kind == .word,
            !app.flow.expressions.declaresName(file, equals, after: body.lowerBound),
            !app.flow.expressions.isLogged(file, equals),
            case let name = tokens[equals - 1].symbol, app.sources.text(name) != "_",
            !body.contains(where: {
                tokens[$0].symbol == name && $0 > body.lowerBound
                    && tokens[$0 - 1].isWord(.var_)
            })
        else {
            return nil
        }
        return Deed(name: name, receiver: -1, isCall: false)
    }

    private func receiver(_ tokens: [Token], _ callee: Int, in body: Range<Int>) -> Int32 {
        var index = callee - 1
        if index > body.lowerBound, tokens[index].isMark(".") {
            index -= 1
            while index > body.lowerBound, tokens[index].isMark("?") || tokens[index].isMark("!") {
                index -= 1
            }
        } else if tokens[callee].startsLine || !body.contains(index)
            || tokens[index].kind != .word && !tokens[index].isMark("]")
        {
            return -1
        }
        guard body.contains(index), tokens[index].kind == .word, !tokens[index].isWord(.self_),
            !tokens[index].isWord(.super_), !tokens[index].isWord(.shared)
        else {
            return -1
        }
        return tokens[index].symbol
    }
}
