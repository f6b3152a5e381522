/// Where expressions begin and end among a file's tokens, and what they stand in.
struct Expressions {
    private final class Memory {
        /// Whether what stands in a bracket is logged, by file and the bracket's token.
        var isLogged: [Int: [Int: Bool]] = [:]
    }

    let sources: SourceSet
    private let memory = Memory()

    init(sources: SourceSet) {
        self.sources = sources
    }

    /// Where a local name is mentioned.
    func mentions(of name: Int32, _ file: Int, _ range: Range<Int>) -> [Int] {
        let tokens = sources.files[file].tokens
        return range.clamped(to: tokens.indices).filter { index in
            guard tokens[index].kind == .word, tokens[index].symbol == name else {
                return false
            }
            if index > 0, tokens[index - 1].isMark(".") {
                return index > 1 && tokens[index - 2].isWord(.self_)
            }
            if index + 1 < tokens.count, tokens[index + 1].isMark(":") {
                // A label, unless it stands in a conditional expression.
                return index > 0 && tokens[index - 1].isMark("?")
            }
            return true
        }
    }

    /// The index of the last token of the expression that begins at a token: its members, calls
    /// and subscripts.
    func expressionEnd(_ file: Int, _ start: Int) -> Int {
        let tokens = sources.files[file].tokens
        var end = start
        while end + 1 < tokens.count {
            let next = tokens[end + 1]
            if next.isMark("?") || next.isMark("!") {
                // Of `a ? b : c` the mark stands apart; of `a?.b` a dot or bracket follows.
                guard end + 2 < tokens.count,
                    tokens[end + 2].isMark(".") || tokens[end + 2].isMark("[")
                        || next.isMark("!")
                else {
                    return end
                }
                end += 1
            } else if next.isMark("."), end + 2 < tokens.count, tokens[end + 2].kind == .word {
                end += 2
            } else if next.isMark("(") || next.isMark("["), !next.startsLine,
                Int(next.match) > end
            {
                end = Int(next.match)
            } else {
                return end
            }
        }
        return end
    }

    /// The members that are named in an expression.
    func members(_ file: Int, _ start: Int, _ end: Int) -> [Int] {
        let tokens = sources.files[file].tokens
        var found: [Int] = []
        var index = start
        while index < end {
            index += 1
            if tokens[index].opens, Int(tokens[index].match) > index {
                index = Int(tokens[index].match)
            } else if tokens[index].kind == .word {
                found.append(index)
            }
        }
        return found
    }

    /// Whether a token stands among the arguments of a call that only logs.
    func isLogged(_ file: Int, _ index: Int) -> Bool {
        let tokens = sources.files[file].tokens
        var open = Int(tokens[index].parent)
        var passed: [Int] = []
        var isLogged = false
        while open >= 0, !tokens[open].isMark("{"), !isLogged {
            if let known = memory.isLogged[file]?[open] {
                isLogged = known
                break
            }
            passed.append(open)
            isLogged = callee(file, open).map { isLogCallee(tokens, $0) } ?? false
            open = Int(tokens[open].parent)
        }
        for open in passed {
            memory.isLogged[file, default: [:]][open] = isLogged
        }
        return isLogged
    }

    /// The token that names what is called with a bracket's content; for a message the first word
    /// of its selector.
    func callee(_ file: Int, _ open: Int) -> Int? {
        let tokens = sources.files[file].tokens
        if tokens[open].isMark("(") {
            var index = open - 1
            while index >= 0, tokens[index].isMark("?") || tokens[index].isMark("!") {
                index -= 1
            }
            return index >= 0 && tokens[index].kind == .word ? index : nil
        }
        guard tokens[open].isMark("["), !sources.files[file].isSwift else {
            return nil
        }
        // `[receiver selector:argument …]`
        var index = open + 1
        guard index < tokens.count else {
            return nil
        }
        index =
            tokens[index].opens && Int(tokens[index].match) > index
            ? Int(tokens[index].match) + 1 : index + 1
        while index + 1 < tokens.count, tokens[index].isMark(".") {
            index += 2
        }
        return index < tokens.count && tokens[index].kind == .word ? index : nil
    }

    /// Whether what is called only logs.
    func isLogCallee(_ tokens: [Token], _ callee: Int) -> Bool {
        if LogCalls.isLog(sources.text(tokens[callee].symbol)) {
            return true
        }
        var index = callee - 1
        if index >= 0, tokens[index].isMark(".") {
            index -= 1
            while index >= 0, tokens[index].isMark("?") || tokens[index].isMark("!") {
                index -= 1
            }
            if index > 0, tokens[index].closes, tokens[index].match > 0 {
                index = Int(tokens[index].match) - 1
            }
        }
        guard index >= 0, tokens[index].kind == .word else {
            return false
        }
        if LogCalls.isLog(sources.text(tokens[index].symbol)) {
            return true
        }
        // `Logger.network.info(…)` is a log by the first name.
        guard LogCalls.isLevel(sources.text(tokens[callee].symbol)) else {
            return false
        }
        while index > 1, tokens[index - 1].isMark("."), tokens[index - 2].kind == .word {
            index -= 2
        }
        return LogCalls.isLog(sources.text(tokens[index].symbol))
    }

    /// Whether a message goes to `self`, and not to what one of its properties holds.
    func sendsToSelf(_ file: Int, _ open: Int) -> Bool {
        let tokens = sources.files[file].tokens
        return open + 2 < tokens.count && tokens[open + 1].isWord(.self_)
            && !tokens[open + 2].isMark(".")
    }

    /// Whether what stands left of `=` is a name that is declared there.
    func declaresName(_ file: Int, _ equals: Int, after start: Int) -> Bool {
        let tokens = sources.files[file].tokens
        guard sources.files[file].isSwift else {
            guard equals > start + 1, tokens[equals - 1].kind == .word else {
                return false
            }
            return tokens[equals - 2].isMark("*") || tokens[equals - 2].kind == .word
        }
        var index = equals - 1
        while index >= start, equals - index < 16 {
            if tokens[index].isWord(.let_) || tokens[index].isWord(.var_) {
                return true
            }
            if tokens[index].startsLine || tokens[index].isMark(",") {
                return false
            }
            index -= 1
        }
        return false
    }

    /// Whether an expression names what came along with a link, and not the link:
    /// `context.options.sourceApplication`.
    func isBesideLink(_ file: Int, _ start: Int, _ end: Int) -> Bool {
        let tokens = sources.files[file].tokens
        let members = members(file, start, end)
        return zip(members, members.dropFirst()).contains { option, detail in
            sources.text(tokens[option].symbol) == "options"
                && ["sourceApplication", "annotation", "openInPlace", "eventAttribution"]
                    .contains(sources.text(tokens[detail].symbol))
        }
    }

    /// Whether a token begins a statement.
    func beginsStatement(_ tokens: [Token], _ index: Int) -> Bool {
        guard index > 0 else {
            return true
        }
        let token = tokens[index]
        let previous = tokens[index - 1]
        // `first(where: { … })` ends behind the closure.
        if token.isMark(")") || token.isMark("]") {
            return false
        }
        if previous.isMark(";") || previous.isMark("{") || previous.isMark("}") {
            return true
        }
        guard token.startsLine else {
            return false
        }
        if token.kind == .mark, !token.opens, !token.isMark("!"), !token.isMark("-") {
            return false
        }
        if previous.kind == .mark {
            return previous.closes || previous.isMark("!") || previous.isMark("?")
        }
        return !previous.isWord(.in_) && !previous.isWord(.return_) && !previous.isWord(.try_)
            && !previous.isWord(.await_) && !previous.isWord(.as_) && !previous.isWord(.is_)
            && !previous.isWord(.let_) && !previous.isWord(.if_) && !previous.isWord(.guard_)
    }
}
