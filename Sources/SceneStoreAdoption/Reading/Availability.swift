/// Takes out what systems with scenes never run: the other side of a check for iOS 13 or earlier.
enum Availability {
    /// The newest system that has no scenes, plus one.
    private static let firstWithScenes = 13

    /// Removes the tokens and pairs the brackets anew.
    static func removeOld(_ tokens: inout [Token], _ symbols: SymbolTable) {
        var dead: [Range<Int>] = []
        for index in tokens.indices where index >= dead.last?.upperBound ?? 0 {
            let token = tokens[index]
            let isCheck = token.kind == .directive || token.kind == .attribute
            guard isCheck,
                token.symbol == Word.available.id || token.symbol == Word.unavailable.id,
                let range = deadRange(tokens, index, symbols)
            else {
                continue
            }
            dead.append(range)
        }
        guard !dead.isEmpty else {
            return
        }
        var isDead = [Bool](repeating: false, count: tokens.count)
        for range in dead {
            for index in range {
                isDead[index] = true
            }
        }
        var kept: [Token] = []
        kept.reserveCapacity(tokens.count)
        for index in tokens.indices where !isDead[index] {
            kept.append(tokens[index])
        }
        tokens = kept
        Brackets.pair(&tokens)
    }

    private static func deadRange(
        _ tokens: [Token], _ check: Int, _ symbols: SymbolTable
    ) -> Range<Int>? {
        guard check > 0, check + 1 < tokens.count, tokens[check + 1].isMark("("),
            tokens[check + 1].match > 0,
            isOld(tokens, (check + 2)..<Int(tokens[check + 1].match), symbols)
        else {
            return nil
        }
        var before = check - 1
        var after = Int(tokens[check + 1].match) + 1
        var isNegated = tokens[check].symbol == Word.unavailable.id
        if tokens[before].isMark("!") {
            isNegated.toggle()
            before -= 1
        }
        if tokens[check].kind == .attribute {
            // `if (@available(iOS 13, *)) {`
            guard before > 0, tokens[before].isMark("("), after < tokens.count,
                tokens[after].isMark(")")
            else {
                return nil
            }
            before -= 1
            after += 1
        }
        guard before >= 0, after < tokens.count else {
            return nil
        }
        if tokens[before].isWord(.guard_) {
            guard tokens[after].isWord(.else_), after + 1 < tokens.count, !isNegated else {
                return nil
            }
            return inside(tokens, after + 1)
        }
        guard tokens[before].isWord(.if_), tokens[after].isMark("{"), tokens[after].match > 0 else {
            return nil
        }
        if isNegated {
            return inside(tokens, after)
        }
        let close = Int(tokens[after].match)
        if close + 1 < tokens.count, tokens[close + 1].isWord(.else_) {
            return (close + 1)..<chainEnd(tokens, close + 1)
        }
        guard returns(tokens, after) else {
            return nil
        }
        let outer = Int(tokens[after].parent)
        guard outer >= 0, tokens[outer].isMark("{"), Int(tokens[outer].match) > close else {
            return nil
        }
        return (close + 1)..<sectionEnd(tokens, close + 1, in: outer)
    }

    /// Where the statements end that stand in one block, or in one case of a `switch`.
    private static func sectionEnd(_ tokens: [Token], _ start: Int, in block: Int) -> Int {
        let end = Int(tokens[block].match)
        return (start..<end).first { index in
            guard Int(tokens[index].parent) == block else {
                return false
            }
            let before = tokens[index - 1]
            if tokens[index].isWord(.case_) {
                // In a condition `case` is a pattern's.
                return ![Word.if_, .guard_, .while_, .for_].contains(where: before.isWord)
                    && !before.isMark(",")
            }
            return tokens[index].isWord(.default_) && tokens[index + 1].isMark(":")
        } ?? end
    }

    /// Whether the check asks for iOS 13 or an earlier one.
    private static func isOld(
        _ tokens: [Token], _ range: Range<Int>, _ symbols: SymbolTable
    ) -> Bool {
        for index in range.dropLast() where tokens[index].isWord(.iOS) {
            let version = symbols.text(tokens[index + 1].symbol)
            guard let major = Int(version.prefix { $0 != "." }) else {
                return false
            }
            return major <= firstWithScenes
        }
        return false
    }

    private static func inside(_ tokens: [Token], _ open: Int) -> Range<Int>? {
        guard tokens[open].isMark("{"), Int(tokens[open].match) > open else {
            return nil
        }
        return (open + 1)..<Int(tokens[open].match)
    }

    /// The end of `else if … {} else {}`, from its first `else`.
    private static func chainEnd(_ tokens: [Token], _ start: Int) -> Int {
        var index = start
        while index < tokens.count, tokens[index].isWord(.else_) {
            index += 1
            while index < tokens.count, !tokens[index].isMark("{"), !tokens[index].isMark("}") {
                index =
                    tokens[index].opens && tokens[index].match > 0
                    ? Int(tokens[index].match) + 1 : index + 1
            }
            guard index < tokens.count, tokens[index].isMark("{"), tokens[index].match > 0 else {
                return index
            }
            index = Int(tokens[index].match) + 1
        }
        return index
    }

    /// Whether a block's last statement leaves the function.
    private static func returns(_ tokens: [Token], _ open: Int) -> Bool {
        var index = Int(tokens[open].match) - 1
        while index > open {
            if tokens[index].closes, tokens[index].match > open {
                index = Int(tokens[index].match)
            }
            if tokens[index].startsLine {
                return tokens[index].isWord(.return_)
            }
            index -= 1
        }
        return false
    }
}
