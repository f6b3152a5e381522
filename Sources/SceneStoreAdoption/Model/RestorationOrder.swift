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
        var position = token
        while position > body.lowerBound, budget.spend(1) {
            let parent = Int(tokens[position].parent)
            if follows(tokens, position, from: max(parent + 1, body.lowerBound)) {
                return true
            }
            guard parent >= body.lowerBound else {
                return false
            }
            if tokens[parent].isMark("{"), condition(tokens, before: parent) == .absent {
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
    private func follows(_ tokens: [Token], _ token: Int, from start: Int) -> Bool {
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
            if tokens[index].isMark("}"), let condition = condition(tokens, before: open) {
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
    private func condition(_ tokens: [Token], before open: Int) -> Condition? {
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
            if tokens[index].isWord(.stateRestorationActivity) {
                state = index
            }
            index -= 1
        }
        return nil
    }

    /// `session.stateRestorationActivity == nil`, `!session.stateRestorationActivity`
    private func isAbsence(_ tokens: [Token], _ state: Int) -> Bool {
        if state + 2 < tokens.count, tokens[state + 1].isMark(Token.Mark.equals) {
            return tokens[state + 2].isWord(.nil_)
        }
        return state > 2 && tokens[state - 3].isMark("!")
    }
}
