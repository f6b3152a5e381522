/// What becomes of a value in a function: whether it is used, only looked at, only logged, or
/// handed on.
struct ValueFlow {
    /// What is done with one mention of a value.
    enum Use {
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

    /// Names that are followed from one to the next.
    private static let maximumNames = 16

    /// What is known already, so that nothing is worked out twice.
    private final class Memory {
        /// How much is looked at for one app; beyond, nothing can be told.
        var tokens = 10_000_000
        var outcomes: [Argument: Outcome] = [:]
        var meaningful: [Int: Bool] = [:]
        var readSomewhere: [Int32: Bool] = [:]
    }

    /// A function, and the name that a value has in it.
    private struct Argument: Hashable {
        let function: Int
        let name: Int32
    }

    let sources: SourceSet
    let table: TypeTable
    /// The files of the app.
    let appFiles: [Int]
    private let memory = Memory()

    init(sources: SourceSet, table: TypeTable, appFiles: [Int]) {
        self.sources = sources
        self.table = table
        self.appFiles = appFiles
    }

    // MARK: - Mentions

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

    // MARK: - Where a mention stands

    /// Whether a token stands among the arguments of a call that only logs.
    func isLogged(_ file: Int, _ index: Int) -> Bool {
        let tokens = sources.files[file].tokens
        var open = Int(tokens[index].parent)
        while open >= 0, !tokens[open].isMark("{") {
            if let callee = callee(file, open), isLogCallee(tokens, callee) {
                return true
            }
            open = Int(tokens[open].parent)
        }
        return false
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

    private func isLogCallee(_ tokens: [Token], _ callee: Int) -> Bool {
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
        return index >= 0 && tokens[index].kind == .word
            && LogCalls.isLog(sources.text(tokens[index].symbol))
    }

    /// Whether a token begins a statement.
    private func beginsStatement(_ tokens: [Token], _ index: Int) -> Bool {
        guard index > 0 else {
            return true
        }
        let token = tokens[index]
        let previous = tokens[index - 1]
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

    /// What is done with an expression.
    func use(_ file: Int, _ start: Int, _ end: Int, in body: Range<Int>) -> Use {
        let tokens = sources.files[file].tokens
        if isLogged(file, start) {
            return .ignored
        }
        if isPosted(file, start) {
            return .posted
        }
        switch question(file, start, end) {
        case .presence:
            return controlsWork(file, end, in: body) == false ? .ignored : .peeked
        case .comparison:
            return controlsWork(file, end, in: body) == false ? .ignored : .used
        case nil: break
        }
        // What stands to the left, in the same brackets and statement.
        var index = start
        let parent = tokens[start].parent
        while index > body.lowerBound, !beginsStatement(tokens, index) {
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

    /// `for (Type *name in value)`.
    private func objectiveCLoop(_ tokens: [Token], _ open: Int, _ start: Int) -> Use? {
        guard start > open + 2, tokens[start - 1].isWord(.in_) else {
            return nil
        }
        return .bound(tokens[start - 2].symbol)
    }

    /// What a condition asks of a value.
    private enum Question {
        case presence, comparison
    }

    private func question(_ file: Int, _ start: Int, _ end: Int) -> Question? {
        let tokens = sources.files[file].tokens
        if end > start, let last = members(file, start, end).last,
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

    /// Whether what a condition decides about does any work; nil when it is no condition.
    private func controlsWork(_ file: Int, _ end: Int, in body: Range<Int>) -> Bool? {
        let tokens = sources.files[file].tokens
        var index = end + 1
        var parent = Int(tokens[end].parent)
        while parent >= body.lowerBound, !tokens[parent].isMark("{"), Int(tokens[parent].match) > 0
        {
            index = Int(tokens[parent].match) + 1
            parent = Int(tokens[parent].parent)
        }
        while index < body.upperBound {
            let token = tokens[index]
            if token.isWord(.else_), index + 1 < tokens.count, Int(tokens[index + 1].match) > index
            {
                // `guard … else {}`: what follows it.
                let close = Int(tokens[index + 1].match)
                let last =
                    parent >= 0 && Int(tokens[parent].match) > close
                    ? Int(tokens[parent].match) : body.upperBound
                return hasMeaning(file, (close + 1)..<max(last, close + 1))
            }
            if token.isMark("{"), Int(token.match) > index {
                return hasMeaning(file, (index + 1)..<Int(token.match))
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
            if tokens[open].isMark("{") {
                // What happens later may find somebody who listens.
                if isPost, let before = closureCallee(tokens, open),
                    [Word.dispatch_async.id, Word.asyncAfter.id, Word.async_.id, Word.Task.id]
                        .contains(before)
                {
                    return false
                }
            } else if let callee = callee(file, open) {
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
            while index > 0, tokens[index].kind != .mark || !tokens[index].isMark("(") {
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
    ) -> Use {
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
        if !sources.files[file].isSwift, before.isMark("*") || before.kind == .word {
            return .bound(name.symbol)
        }
        let isLocal = (body.lowerBound..<equals - 1).contains { index in
            tokens[index].isWord(.var_) && tokens[index + 1].symbol == name.symbol
        }
        if isLocal && !before.isMark(".") {
            return .bound(name.symbol)
        }
        return isReadSomewhere(name.symbol) ? .used : .ignored
    }

    /// Whether a stored name is read anywhere in the app.
    func isReadSomewhere(_ name: Int32) -> Bool {
        if let known = memory.readSomewhere[name] {
            return known
        }
        let isRead = findRead(name)
        memory.readSomewhere[name] = isRead
        return isRead
    }

    private func findRead(_ name: Int32) -> Bool {
        if sources.droppedWords.contains(name) {
            return true
        }
        memory.tokens -= 1_000_000
        guard memory.tokens > 0 else {
            return true
        }
        for file in appFiles {
            let tokens = sources.files[file].tokens
            for index in tokens.indices
            where tokens[index].kind == .word && tokens[index].symbol == name {
                let next = index + 1 < tokens.count ? tokens[index + 1] : tokens[index]
                let isWritten = next.isMark("=") || next.isMark(":") || next.isMark(";")
                let isDeclared =
                    index > 0
                    && (tokens[index - 1].isWord(.var_) || tokens[index - 1].isWord(.let_)
                        || tokens[index - 1].isMark("*"))
                if !isWritten, !isDeclared {
                    return true
                }
                // `return name;`, `x = name;`
                if next.isMark(";"), !isDeclared {
                    return true
                }
            }
        }
        return false
    }

    // MARK: - A value from its name on

    /// What a function does with a local value.
    struct Outcome {
        var isUsed = false
        var isPeeked = false
        var isPosted = false
        /// Where it is used, else where it is mentioned.
        var place: Int?

        var truth: Truth {
            isUsed ? .yes : isPosted || isPeeked ? .unknown : .no
        }
    }

    /// Calls that are followed from one to the next.
    private static let maximumDepth = 4

    /// What becomes of a name from a token on.
    func outcome(
        of name: Int32, _ file: Int, in body: Range<Int>, from start: Int? = nil, depth: Int = 0
    ) -> Outcome {
        var outcome = Outcome()
        var names: [(name: Int32, start: Int)] = [(name, start ?? body.lowerBound)]
        var seen: Set<Int32> = []
        while let (name, start) = names.popLast(), seen.count < Self.maximumNames {
            guard seen.insert(name).inserted else {
                continue
            }
            memory.tokens -= body.count
            guard memory.tokens > 0 else {
                outcome.isPeeked = true
                break
            }
            for mention in mentions(of: name, file, start..<max(body.upperBound, start)) {
                guard !outcome.isUsed else {
                    return outcome
                }
                let end = expressionEnd(file, mention)
                take(
                    followed(file, mention, end, in: body, depth: depth), at: mention, end: end,
                    &outcome, &names)
            }
        }
        return outcome
    }

    /// What is done with an expression, also by the app's function that it is handed to.
    func followed(
        _ file: Int, _ start: Int, _ end: Int, in body: Range<Int>, depth: Int = 0
    ) -> Use {
        let use = use(file, start, end, in: body)
        guard case .used = use, depth < Self.maximumDepth,
            let targets = argumentTargets(file, start, end), !targets.isEmpty, targets.count < 16
        else {
            return use
        }
        var result = Outcome()
        for (index, name) in targets {
            let target = table.functions[index]
            guard let body = target.function.body, !sources.files[target.file].tokens.isEmpty else {
                return use
            }
            guard name >= 0 else {
                continue
            }
            let argument = Argument(function: index, name: name)
            let inner: Outcome
            if let known = memory.outcomes[argument] {
                inner = known
            } else {
                // A function that calls itself adds nothing.
                memory.outcomes[argument] = Outcome()
                inner = outcome(of: name, target.file, in: body, depth: depth + 1)
                memory.outcomes[argument] = inner
            }
            result.isUsed = result.isUsed || inner.isUsed
            result.isPosted = result.isPosted || inner.isPosted
            result.isPeeked = result.isPeeked || inner.isPeeked
        }
        if result.isUsed {
            return .used
        }
        // A function that does its work without looking at the value may be enough.
        if result.isPosted {
            return .posted
        }
        let isIdle = targets.allSatisfy { !isMeaningful($0.function) }
        return isIdle && !result.isPeeked ? .ignored : .peeked
    }

    /// The functions among the sources that get an expression for an argument, each with the name
    /// that it has there; nil when the expression is no argument alone, or the function is not
    /// known.
    private func argumentTargets(
        _ file: Int, _ start: Int, _ end: Int
    ) -> [(function: Int, name: Int32)]? {
        let tokens = sources.files[file].tokens
        let open = Int(tokens[start].parent)
        guard start > 0, end + 1 < tokens.count, open >= 0, let callee = callee(file, open) else {
            return nil
        }
        // What another object does with it is not to be seen: its class is not known.
        let receiver = tokens[max(callee - 1, 0)]
        let isOwn =
            tokens[open].isMark("[")
            ? tokens[open + 1].isWord(.self_)
            : !receiver.isMark(".") || tokens[max(callee - 2, 0)].isWord(.self_)
        guard isOwn else {
            return nil
        }
        let label: Int32
        let before = tokens[start - 1]
        if before.isMark(":"), start > 1, tokens[start - 2].kind == .word {
            label = tokens[start - 2].symbol
        } else if before.isMark("(") || (before.isMark(",") && sources.files[file].isSwift) {
            label = -1
        } else {
            return nil
        }
        let next = tokens[end + 1]
        guard
            next.isMark(",") || next.closes || (!sources.files[file].isSwift && next.kind == .word)
        else {
            return nil
        }
        let isMessage = tokens[open].isMark("[")
        let position = label >= 0 || isMessage ? -1 : commas(tokens, open, start)
        let base = tokens[callee].symbol
        var candidates = table.functionsByBase[base] ?? []
        for function in table.types[base]?.functions ?? []
        where table.functions[function].function.base == Word.init_.id {
            candidates.append(function)
        }
        let targets = candidates.compactMap { index -> (function: Int, name: Int32)? in
            let parameters = table.functions[index].function.parameters
            if label >= 0 {
                // In Objective-C the label of the first argument is the method's own name.
                return parameters.first { $0.label == label }.map { (index, $0.name) }
            }
            guard position >= 0, position < parameters.count, parameters[position].label < 0 else {
                return nil
            }
            return (index, parameters[position].name)
        }
        return targets.isEmpty ? nil : targets
    }

    private func commas(_ tokens: [Token], _ open: Int, _ end: Int) -> Int {
        (open..<end).count { Int(tokens[$0].parent) == open && tokens[$0].isMark(",") }
    }

    func take(
        _ use: Use, at place: Int, end: Int, _ outcome: inout Outcome,
        _ names: inout [(name: Int32, start: Int)]
    ) {
        switch use {
        case .used:
            if !outcome.isUsed {
                outcome.place = place
            }
            outcome.isUsed = true
        case .peeked:
            outcome.isPeeked = true
            outcome.place = outcome.place ?? place
        case .posted:
            outcome.isPosted = true
            outcome.place = outcome.place ?? place
        case .ignored: outcome.place = outcome.place ?? place
        case .bound(let name): names.append((name, end + 1))
        }
    }

    // MARK: - Bodies

    /// Whether a body does anything beyond logging, answering, calling super and its completion.
    func isMeaningful(_ index: Int) -> Bool {
        if let known = memory.meaningful[index] {
            return known
        }
        let isMeaningful = hasMeaning(index)
        memory.meaningful[index] = isMeaningful
        return isMeaningful
    }

    private func hasMeaning(_ index: Int) -> Bool {
        let placed = table.functions[index]
        return placed.function.body.map { hasMeaning(placed.file, $0) } ?? false
    }

    private func hasMeaning(_ file: Int, _ body: Range<Int>) -> Bool {
        let tokens = sources.files[file].tokens
        let isSwift = sources.files[file].isSwift
        for place in body.clamped(to: tokens.indices) {
            let token = tokens[place]
            if token.isMark("=") {
                return true
            }
            let callee: Int?
            if token.isMark("(") || (token.isMark("[") && !isSwift) {
                callee = self.callee(file, place)
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
                || LogCalls.isLog(name) || isLogged(file, place)
                || isLogCallee(tokens, callee) || isSuperCall(tokens, place, callee)
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
