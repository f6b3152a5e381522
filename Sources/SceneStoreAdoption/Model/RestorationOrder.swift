/// Says whether code runs only if there is no state to restore.
struct RestorationOrder {
    /// A condition is looked at for so many tokens.
    private static let maximumCondition = 64

    let sources: SourceSet
    let budget: FlowBudget

    /// Whether a token of a function's body is reached only without a state to restore: in the
    /// `else` of `if let … = session.stateRestorationActivity`, or behind it where it returns.
    func needsNoState(_ file: Int, _ token: Int, in body: Range<Int>) -> Bool {
        guard sources.files[file].mentions(.stateRestorationActivity) else {
            return false
        }
        let tokens = sources.files[file].tokens
        let names = names(file, in: body)
        var position = token
        while position > body.lowerBound, budget.spend(1) {
            let parent = Int(tokens[position].parent)
            if follows(tokens, position, names, from: max(parent + 1, body.lowerBound)) {
                return true
            }
            guard parent >= body.lowerBound else {
                return false
            }
            if tokens[parent].isMark("{"), condition(tokens, names, before: parent) == .absent {
                return true
            }
            position = parent
        }
        return false
    }

    /// What a condition asks of the state to restore.
    private enum Condition {
        case present, absent
    }

    /// Whether a condition on the state in front of a token, in the same block, keeps it from being
    /// reached.
    private func follows(
        _ tokens: [Token], _ token: Int, _ names: Set<Int32>, from start: Int
    ) -> Bool {
        var isInElse = true
        var index = token - 1
        while index >= start, budget.spend(1) {
            guard tokens[index].closes, Int(tokens[index].match) >= start else {
                if tokens[index].isMark(";") || tokens[index + 1].startsLine,
                    !tokens[index].isWord(.else_), !tokens[index + 1].isWord(.else_)
                {
                    isInElse = false
                }
                index -= 1
                continue
            }
            let open = Int(tokens[index].match)
            if tokens[index].isMark("}"), let condition = condition(tokens, names, before: open) {
                // `guard … == nil else { return }`
                let isGuard = tokens[open - 1].isWord(.else_)
                let isElse = isInElse && tokens[index + 1].isWord(.else_)
                if isGuard ? condition == .absent : condition == .present,
                    isElse || returns(tokens, open)
                {
                    return true
                }
            }
            if tokens[index].isMark("}"), !tokens[index + 1].isWord(.else_) {
                isInElse = false
            }
            index = open - 1
        }
        return false
    }

    private func returns(_ tokens: [Token], _ open: Int) -> Bool {
        let close = Int(tokens[open].match)
        budget.spend(close - open)
        return (open..<close).contains {
            tokens[$0].isWord(.return_) && Int(tokens[$0].parent) == open
        }
    }

    /// What the `if` or `guard` in front of a block asks; nil when it is another question.
    private func condition(
        _ tokens: [Token], _ names: Set<Int32>, before open: Int
    ) -> Condition? {
        var index = open - 1
        let least = max(open - Self.maximumCondition, 0)
        if index >= least, tokens[index].isWord(.else_) {
            index -= 1
        }
        var state: Int?
        while index >= least, !tokens[index].isMark("}"), !tokens[index].isMark(";") {
            if tokens[index].isWord(.if_) || tokens[index].isWord(.guard_) {
                return state.map { isAbsence(tokens, $0) ? .absent : .present }
            }
            if tokens[index].isMark("{") {
                return nil
            }
            if isState(tokens, index, names) {
                state = index
            }
            index -= 1
        }
        return nil
    }

    /// The names that a function's body gives the state to restore, and the word itself.
    func names(_ file: Int, in body: Range<Int>) -> Set<Int32> {
        let tokens = sources.files[file].tokens
        budget.spend(body.count)
        var names: Set<Int32> = [Word.stateRestorationActivity.id]
        for index in body.clamped(to: tokens.indices)
        where tokens[index].isWord(.stateRestorationActivity) {
            // `let name = session.stateRestorationActivity`, and nothing behind it.
            guard index > body.lowerBound + 4, index + 1 < tokens.count,
                tokens[index + 1].startsLine || tokens[index + 1].isMark(";"),
                tokens[index - 3].isMark("="), tokens[index - 4].kind == .word
            else {
                continue
            }
            names.insert(tokens[index - 4].symbol)
        }
        return names
    }

    private func isState(_ tokens: [Token], _ index: Int, _ names: Set<Int32>) -> Bool {
        tokens[index].kind == .word && names.contains(tokens[index].symbol)
            && (tokens[index].isWord(.stateRestorationActivity)
                || index == 0 || !tokens[index - 1].isMark("."))
    }

    /// Whether `?? state` stands behind an expression, or `state ??` before.
    func isBesideState(_ file: Int, _ start: Int, _ end: Int, in body: Range<Int>) -> Bool {
        let tokens = sources.files[file].tokens
        let behind = tokens[min(end + 1, tokens.count)..<min(end + 8, tokens.count)]
        if behind.first?.isMark(Token.Mark.coalesces) == true {
            let names = names(file, in: body)
            return behind.contains { $0.kind == .word && names.contains($0.symbol) }
        }
        return isBehindState(file, start, in: body)
    }

    /// Whether `state ??` stands before an expression.
    func isBehindState(_ file: Int, _ start: Int, in body: Range<Int>) -> Bool {
        let tokens = sources.files[file].tokens
        let ahead = tokens[max(start - 7, 0)..<start]
        guard ahead.last?.isMark(Token.Mark.coalesces) == true else {
            return false
        }
        let names = names(file, in: body)
        return ahead.contains { $0.kind == .word && names.contains($0.symbol) }
    }

    /// `session.stateRestorationActivity == nil`, `!session.stateRestorationActivity`
    private func isAbsence(_ tokens: [Token], _ state: Int) -> Bool {
        if state + 2 < tokens.count, tokens[state + 1].isMark(Token.Mark.equals) {
            return tokens[state + 2].isWord(.nil_)
        }
        return (state > 2 && tokens[state - 3].isMark("!"))
            || (state > 0 && tokens[state - 1].isMark("!"))
    }
}
