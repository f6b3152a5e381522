/// Finds what runs only if a value is missing: the branch of `value == nil`, or the other one of
/// `if let name = value`.
struct AbsentBranch {
    private let expressions: Expressions

    init(_ expressions: Expressions) {
        self.expressions = expressions
    }

    /// The tokens of that branch; nil when no condition asks for the value.
    func branch(_ file: Int, _ start: Int, _ end: Int, in body: Range<Int>) -> Range<Int>? {
        let tokens = expressions.sources.files[file].tokens
        let isSwift = expressions.sources.files[file].isSwift
        guard body.contains(start), end < body.upperBound, body.upperBound <= tokens.count else {
            return nil
        }
        guard let condition = condition(tokens, start, isSwift, in: body) else {
            return nil
        }
        var isPresent = true
        if end + 2 < tokens.count, tokens[end + 2].isWord(.nil_) {
            if tokens[end + 1].isMark(Token.Mark.equals) {
                isPresent = false
            } else if !tokens[end + 1].isMark(Token.Mark.differs) {
                return nil
            }
        } else if isSwift {
            // `if let name = value`, also with a cast behind it.
            guard start > 2, tokens[start - 1].isMark("="), tokens[start - 2].kind == .word,
                tokens[start - 3].isWord(.let_) || tokens[start - 3].isWord(.var_)
            else {
                return nil
            }
        } else {
            // `if (value)`, `if (!value)`.
            guard let next = tokens.indices.contains(end + 1) ? tokens[end + 1] : nil,
                next.isMark(")") || next.isMark(Token.Mark.other)
            else {
                return nil
            }
            if tokens[start - 1].isMark("!") {
                isPresent = false
            } else if !tokens[start - 1].isMark("(") && !tokens[start - 1].isMark(Token.Mark.other)
            {
                return nil
            }
        }
        return branch(file, condition, end, isPresent: isPresent, in: body)
    }

    /// The `if` or `guard` in whose condition a token stands.
    private func condition(
        _ tokens: [Token], _ start: Int, _ isSwift: Bool, in body: Range<Int>
    ) -> Int? {
        if !isSwift {
            let open = Int(tokens[start].parent)
            guard open > body.lowerBound, tokens[open].isMark("("), tokens[open - 1].isWord(.if_)
            else {
                return nil
            }
            return open - 1
        }
        var index = start
        while index > body.lowerBound {
            index -= 1
            if tokens[index].isWord(.if_) || tokens[index].isWord(.guard_) {
                return tokens[index].parent == tokens[start].parent ? index : nil
            }
            if tokens[index].closes, Int(tokens[index].match) > body.lowerBound {
                if tokens[index].isMark("}") {
                    return nil
                }
                index = Int(tokens[index].match)
            } else if tokens[index].opens || tokens[index].isMark(";") {
                return nil
            }
        }
        return nil
    }

    private func branch(
        _ file: Int, _ condition: Int, _ end: Int, isPresent: Bool, in body: Range<Int>
    ) -> Range<Int>? {
        let tokens = expressions.sources.files[file].tokens
        let isGuard = tokens[condition].isWord(.guard_)
        let parent = tokens[condition].parent
        // `if (…) statement;`
        if tokens[condition + 1].isMark("("), Int(tokens[condition + 1].match) > end,
            !isPresent, !expressions.sources.files[file].isSwift
        {
            let first = Int(tokens[condition + 1].match) + 1
            let last = (first..<body.upperBound).first {
                tokens[$0].isMark(";") && tokens[$0].parent == parent
            }
            if first < tokens.count, !tokens[first].isMark("{"), let last {
                return first..<last
            }
        }
        guard
            let open = (end + 1..<body.upperBound).first(where: {
                tokens[$0].isMark("{") && tokens[$0].parent == parent
                    && Int(tokens[$0].match) > $0
            })
        else {
            return nil
        }
        let close = Int(tokens[open].match)
        let inside = (open + 1)..<close
        if isGuard {
            let last = parent >= 0 ? Int(tokens[Int(parent)].match) : body.upperBound
            return isPresent ? inside : (close + 1)..<max(last, close + 1)
        }
        guard isPresent else {
            return inside
        }
        guard close + 2 < tokens.count, tokens[close + 1].isWord(.else_),
            tokens[close + 2].isMark("{"), Int(tokens[close + 2].match) > close
        else {
            return nil
        }
        return (close + 3)..<Int(tokens[close + 2].match)
    }
}
