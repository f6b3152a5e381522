/// Whether a body does anything beyond logging, answering, calling super and its completion.
struct BodyMeaning {
    private final class Memory {
        var isMeaningful: [Int: Bool] = [:]
    }

    let table: TypeTable
    let expressions: Expressions
    private let memory = Memory()

    init(table: TypeTable, expressions: Expressions) {
        self.table = table
        self.expressions = expressions
    }

    private var sources: SourceSet { expressions.sources }

    /// Whether a function does anything.
    func isMeaningful(_ index: Int) -> Bool {
        if let known = memory.isMeaningful[index] {
            return known
        }
        let isMeaningful = hasMeaning(index)
        memory.isMeaningful[index] = isMeaningful
        return isMeaningful
    }

    private func hasMeaning(_ index: Int) -> Bool {
        let placed = table.functions[index]
        return placed.function.body.map { hasMeaning(placed.file, $0) } ?? false
    }

    /// Whether tokens of a file do anything.
    func hasMeaning(_ file: Int, _ body: Range<Int>) -> Bool {
        let tokens = sources.files[file].tokens
        let isSwift = sources.files[file].isSwift
        for place in body.clamped(to: tokens.indices) {
            let token = tokens[place]
            if token.isMark("=") {
                // To give something a name is not yet to do anything with it.
                if expressions.declaresName(file, place, after: body.lowerBound) {
                    continue
                }
                return true
            }
            let callee: Int?
            if token.isMark("(") || (token.isMark("[") && !isSwift) {
                callee = expressions.callee(file, place)
            } else if token.isMark("{"), isSwift, place > 0, tokens[place - 1].kind == .word,
                place > body.lowerBound
            {
                // A trailing closure; `else {` and `do {` are none.
                callee =
                    tokens[place - 1].isWord(.else_) || tokens[place - 1].isWord(.do_)
                    ? nil : place - 1
            } else {
                callee = nil
            }
            guard let callee, callee >= body.lowerBound else {
                continue
            }
            let name = sources.text(tokens[callee].symbol)
            if name.lowercased().hasPrefix("completion")
                || [
                    "if", "while", "switch", "for", "guard",
                    "return", "count", "super", "handler", "self",
                ].contains(name)
                || LogCalls.isLog(name) || expressions.isLogged(file, place)
                || expressions.isLogCallee(tokens, callee) || isSuperCall(tokens, place, callee)
            {
                continue
            }
            return true
        }
        return false
    }

    private func isSuperCall(_ tokens: [Token], _ open: Int, _ callee: Int) -> Bool {
        if tokens[open].isMark("["), open + 1 < tokens.count {
            return tokens[open + 1].isWord(.super_)
        }
        return callee > 1 && tokens[callee - 1].isMark(".") && tokens[callee - 2].isWord(.super_)
    }
}
