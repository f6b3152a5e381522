/// What is done with one mention of a value.
enum ValueUse {
    /// Something is done with it.
    case used
    /// Only whether it is there is asked.
    case peeked
    /// Logged, thrown away, or kept where nobody reads it.
    case ignored
    /// It is posted as a notification at once; whether anybody listens already is not known.
    case posted
    /// It has another name from here on.
    case bound(Int32)
}

/// Says what is done with an expression, by what stands around it.
struct UseReader {
    let expressions: Expressions
    let bodies: BodyMeaning
    let budget: FlowBudget
    let storedNames: StoredNames

    private var sources: SourceSet { expressions.sources }

    /// What is done with an expression; when too much was looked at, that can't be told.
    func use(_ file: Int, _ start: Int, _ end: Int, in body: Range<Int>) -> ValueUse {
        guard budget.isLeft else {
            return .peeked
        }
        let use = useInBudget(file, start, end, in: body)
        return budget.isLeft ? use : .peeked
    }

    private func useInBudget(
        _ file: Int, _ start: Int, _ end: Int, in body: Range<Int>
    ) -> ValueUse {
        let tokens = sources.files[file].tokens
        if expressions.isLogged(file, start) {
            return .ignored
        }
        if isPosted(file, start) {
            return .posted
        }
        if let loop = loopBody(file, start, end), work(file, loop) == .nothing {
            return .ignored
        }
        switch question(file, start, end) {
        case .presence:
            return controlledWork(file, end, in: body) == .nothing ? .ignored : .peeked
        case .comparison:
            switch controlledWork(file, end, in: body) {
            case .nothing: return .ignored
            case .posts: return .posted
            case .anything, nil: return .used
            }
        case nil: break
        }
        if let converted = conversion(file, start), converted.start > body.lowerBound {
            return useInBudget(file, converted.start, converted.end, in: body)
        }
        // What stands to the left, in the same brackets and statement.
        var index = start
        let parent = tokens[start].parent
        while index > body.lowerBound, !expressions.beginsStatement(tokens, index) {
            budget.spend(1)
            index -= 1
            let token = tokens[index]
            if token.closes, Int(token.match) >= body.lowerBound {
                index = Int(token.match)
                continue
            }
            if token.opens || token.parent != parent {
                return objectiveCLoop(tokens, index, start) ?? .used
            }
            if token.isMark("=") {
                return target(tokens, file, index, calls: tokens[end].isMark(")"), in: body)
            }
            if token.isWord(.in_) {
                return index > 0 && tokens[index - 1].kind == .word
                    ? .bound(tokens[index - 1].symbol) : .used
            }
            if token.isMark(",") || token.isMark(":") || token.isWord(.return_)
                || token.isMark(";")
            {
                return .used
            }
        }
        // A statement of its own: `value.forEach { … }` uses it, `value.first` alone does not.
        let isClosureCall = end + 1 < tokens.count && tokens[end + 1].isMark("{")
        return isClosureCall || end > start + 2 ? .used : .peeked
    }

    /// The call that only gives a value another form: `URLComponents(url: value, …)`.
    private func conversion(_ file: Int, _ start: Int) -> (start: Int, end: Int)? {
        let tokens = sources.files[file].tokens
        let open = Int(tokens[start].parent)
        guard sources.files[file].isSwift, open > 0, tokens[open].isMark("("),
            Int(tokens[open].match) > start, tokens[open - 1].kind == .word,
            open < 2 || !tokens[open - 2].isMark("."),
            BodyMeaning.conversions.contains(sources.text(tokens[open - 1].symbol))
        else {
            return nil
        }
        return (open - 1, expressions.expressionEnd(file, Int(tokens[open].match)))
    }

    /// `for (Type *name in value)`.
    private func objectiveCLoop(_ tokens: [Token], _ open: Int, _ start: Int) -> ValueUse? {
        guard start > open + 2, tokens[start - 1].isWord(.in_) else {
            return nil
        }
        return .bound(tokens[start - 2].symbol)
    }

    /// What is done with each element of a value: `value.forEach { … }`,
    /// `[value enumerateObjectsUsingBlock:^{ … }]`.
    private func loopBody(_ file: Int, _ start: Int, _ end: Int) -> Range<Int>? {
        let tokens = sources.files[file].tokens
        let range: Range<Int>
        if sources.files[file].isSwift {
            guard let last = expressions.members(file, start, end).last,
                tokens[last].isWord(.forEach)
            else {
                return nil
            }
            range = (last + 1)..<min(end + 2, tokens.count)
        } else {
            guard start > 0, tokens[start - 1].isMark("["), Int(tokens[start - 1].match) > end,
                sources.text(tokens[end + 1].symbol).hasPrefix("enumerate")
            else {
                return nil
            }
            range = (end + 1)..<Int(tokens[start - 1].match)
        }
        guard let open = range.first(where: { tokens[$0].isMark("{") }),
            Int(tokens[open].match) > open
        else {
            return nil
        }
        return (open + 1)..<Int(tokens[open].match)
    }

    /// What a condition asks of a value.
    private enum Question {
        case presence, comparison
    }

    private func question(_ file: Int, _ start: Int, _ end: Int) -> Question? {
        let tokens = sources.files[file].tokens
        if end > start, let last = expressions.members(file, start, end).last,
            tokens[last].isWord(.isEmpty) || tokens[last].isWord(.count)
        {
            return .presence
        }
        let next = end + 1
        if next + 1 < tokens.count,
            tokens[next].isMark(Token.Mark.equals) || tokens[next].isMark(Token.Mark.differs)
        {
            return tokens[next + 1].isWord(.nil_) ? .presence : .comparison
        }
        if start > 0,
            tokens[start - 1].isMark(Token.Mark.equals)
                || tokens[start - 1].isMark(Token.Mark.differs)
                || tokens[start - 1].isWord(.switch_)
        {
            return .comparison
        }
        if start > 0, tokens[start - 1].isMark("["), !sources.files[file].isSwift,
            next < tokens.count, sources.text(tokens[next].symbol).hasPrefix("isEqual")
        {
            return .comparison
        }
        // `if (value) {`, alone or between `&&`.
        let open = Int(tokens[start].parent)
        guard !sources.files[file].isSwift, open > 0, tokens[open].isMark("("),
            tokens[open - 1].isWord(.if_) || tokens[open - 1].isWord(.while_), next < tokens.count,
            tokens[next].isMark(")") || tokens[next].isMark(Token.Mark.other)
        else {
            return nil
        }
        let before = tokens[start - 1]
        return before.isMark("(") || before.isMark("!") || before.isMark(Token.Mark.other)
            ? .presence : nil
    }

    private func work(_ file: Int, _ range: Range<Int>) -> BodyMeaning.Work {
        budget.spend(range.count) ? bodies.work(file, range) : .anything
    }

    /// What a condition decides about; nil when it is no condition.
    private func controlledWork(
        _ file: Int, _ end: Int, in body: Range<Int>
    ) -> BodyMeaning.Work? {
        let tokens = sources.files[file].tokens
        var index = end + 1
        var parent = Int(tokens[end].parent)
        while parent >= body.lowerBound, !tokens[parent].isMark("{"), Int(tokens[parent].match) > 0
        {
            budget.spend(1)
            index = Int(tokens[parent].match) + 1
            parent = Int(tokens[parent].parent)
        }
        while index < body.upperBound {
            budget.spend(1)
            let token = tokens[index]
            if token.isWord(.else_), index + 1 < tokens.count, Int(tokens[index + 1].match) > index
            {
                // `guard … else {}`: what follows it.
                let close = Int(tokens[index + 1].match)
                let last =
                    parent >= 0 && Int(tokens[parent].match) > close
                    ? Int(tokens[parent].match) : body.upperBound
                return work(file, (close + 1)..<max(last, close + 1))
            }
            if token.isMark("{"), Int(token.match) > index {
                return work(file, (index + 1)..<Int(token.match))
            }
            if token.isMark(";") || token.isMark("}") {
                return nil
            }
            if token.startsLine, token.kind == .word, !tokens[index - 1].isMark(","),
                tokens[index - 1].kind != .mark || tokens[index - 1].closes
            {
                return nil
            }
            index = token.opens && Int(token.match) > index ? Int(token.match) + 1 : index + 1
        }
        return nil
    }

    private func isPosted(_ file: Int, _ start: Int) -> Bool {
        let tokens = sources.files[file].tokens
        var open = Int(tokens[start].parent)
        var isPost = false
        while open >= 0 {
            budget.spend(1)
            if tokens[open].isMark("{") {
                // What happens later may find somebody who listens.
                if isPost, let before = closureCallee(tokens, open),
                    [Word.dispatch_async.id, Word.asyncAfter.id, Word.async_.id, Word.Task.id]
                        .contains(before)
                {
                    return false
                }
            } else if let callee = expressions.callee(file, open) {
                isPost =
                    isPost || tokens[callee].isWord(.post)
                    || tokens[callee].isWord(.postNotificationName)
                    || tokens[callee].isWord(.postNotification)
            }
            open = Int(tokens[open].parent)
        }
        return isPost
    }

    /// The name of what is called with a trailing closure.
    private func closureCallee(_ tokens: [Token], _ open: Int) -> Int32? {
        var index = open - 1
        if index > 0, tokens[index].isMark("^") {
            index -= 1
            while index > 0, !tokens[index].isMark("(") {
                budget.spend(1)
                index -= 1
            }
            index -= 1
        } else if index > 0, tokens[index].closes, tokens[index].match > 0 {
            index = Int(tokens[index].match) - 1
        }
        return index >= 0 && tokens[index].kind == .word ? tokens[index].symbol : nil
    }

    /// What stands left of `=`.
    private func target(
        _ tokens: [Token], _ file: Int, _ equals: Int, calls: Bool, in body: Range<Int>
    ) -> ValueUse {
        guard equals > body.lowerBound else {
            return .used
        }
        // Swift's `let name: Type =`.
        var index = equals - 1
        while index >= body.lowerBound, equals - index < 16 {
            if tokens[index].isWord(.let_) || tokens[index].isWord(.var_) {
                let name = tokens[index + 1]
                return name.kind == .word
                    ? (sources.text(name.symbol) == "_" ? .peeked : .bound(name.symbol)) : .used
            }
            if tokens[index].startsLine || tokens[index].isMark(",") {
                break
            }
            index -= 1
        }
        let name = tokens[equals - 1]
        guard name.kind == .word else {
            return .used
        }
        if sources.text(name.symbol) == "_" {
            return calls ? .used : .ignored
        }
        let before = equals > 1 ? tokens[equals - 2] : name
        // Swift 2's `if let first = value, second = first.member`.
        if sources.files[file].isSwift, before.isMark(",") {
            return .bound(name.symbol)
        }
        if !sources.files[file].isSwift, before.isMark("*") || before.kind == .word {
            return .bound(name.symbol)
        }
        budget.spend(equals - body.lowerBound)
        let isLocal = (body.lowerBound..<equals - 1).contains { index in
            tokens[index].isWord(.var_) && tokens[index + 1].symbol == name.symbol
        }
        if isLocal && !before.isMark(".") {
            return .bound(name.symbol)
        }
        switch storedNames.reading(of: name.symbol) {
        case .none: return .ignored
        case .asked: return .peeked
        case .read: return .used
        }
    }
}
