/// Whether a body does anything beyond logging, answering, calling super and its completion.
struct BodyMeaning {
    /// What a body does.
    enum Work {
        case nothing
        /// It posts notifications at once, and does nothing else.
        case posts
        case anything
    }

    /// Functions that only answer something of a text or of a dictionary.
    private static let answeringFunctions: Set<String> = [
        "components", "componentsSeparatedByString", "contains", "containsString", "hasPrefix",
        "hasSuffix", "isEqual", "isEqualToString", "lowercased", "objectForKey", "split",
        "uppercased", "valueForKey",
    ]

    /// Functions that only give a value another form.
    static let conversions: Set<String> = [
        "URLComponents", "NSURLComponents", "componentsWithURL", "componentsWithString",
        "URL", "String", "first",
    ]

    /// Calls of the app's own functions are followed this deep.
    private static let maximumDepth = 8

    private final class Memory {
        var isMeaningful: [Int: Bool] = [:]
        /// The functions that are being judged, and how deep each is.
        var open: [Int: Int] = [:]
        /// Functions that do nothing if the open function does nothing that has this depth.
        var assumed: [Int: Int] = [:]
        /// Those, in the order in which they were judged.
        var order: [Int] = []
        /// The least depth of an open function that was taken for one that does nothing.
        var least = Int.max
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
        if let depth = memory.open[index] ?? memory.assumed[index] {
            memory.least = min(memory.least, depth)
            return false
        }
        let depth = memory.open.count
        let outer = (least: memory.least, count: memory.order.count)
        memory.open[index] = depth
        memory.least = Int.max
        let isMeaningful = hasMeaning(index)
        memory.open[index] = nil
        // Of functions that call each other the outermost is known first.
        if isMeaningful || memory.least >= depth {
            memory.isMeaningful[index] = isMeaningful
            for inner in memory.order[outer.count...] {
                memory.assumed[inner] = nil
                memory.isMeaningful[inner] = isMeaningful ? nil : false
            }
            memory.order.removeSubrange(outer.count...)
            memory.least = outer.least
        } else {
            memory.assumed[index] = memory.least
            memory.order.append(index)
            memory.least = min(memory.least, outer.least)
        }
        return isMeaningful
    }

    private func hasMeaning(_ index: Int) -> Bool {
        let placed = table.functions[index]
        return placed.function.body.map { hasMeaning(placed.file, $0) } ?? false
    }

    /// Whether tokens of a file do anything.
    func hasMeaning(_ file: Int, _ body: Range<Int>) -> Bool {
        work(file, body) != .nothing
    }

    /// What tokens of a file do.
    func work(_ file: Int, _ body: Range<Int>) -> Work {
        let tokens = sources.files[file].tokens
        let isSwift = sources.files[file].isSwift
        var work = Work.nothing
        var next = body.lowerBound
        for place in body.clamped(to: tokens.indices) where place >= next {
            let token = tokens[place]
            if token.isMark("=") {
                // To give something a name is not yet to do anything with it.
                if expressions.declaresName(file, place, after: body.lowerBound) {
                    continue
                }
                return .anything
            }
            let callee: Int?
            if token.isMark("(") || (token.isMark("[") && !isSwift) {
                callee = expressions.callee(file, place)
            } else if token.isMark("{"), isSwift, place > 0, tokens[place - 1].kind == .word,
                place > body.lowerBound
            {
                // A trailing closure; `else {`, `do {` and `switch value {` are none.
                let isBlock =
                    tokens[place - 1].isWord(.else_) || tokens[place - 1].isWord(.do_)
                    || isSubject(tokens, place - 1)
                callee = isBlock ? nil : place - 1
            } else {
                callee = nil
            }
            guard let callee, callee >= body.lowerBound else {
                continue
            }
            if isPost(tokens[callee]) {
                work = .posts
                next = max(Int(token.match), place)
                continue
            }
            if isWork(file, place, callee) {
                return .anything
            }
        }
        return work
    }

    /// Whether a call does something: the bracket with its arguments, and the name of what is called.
    func isWork(_ file: Int, _ place: Int, _ callee: Int) -> Bool {
        let tokens = sources.files[file].tokens
        let name = sources.text(tokens[callee].symbol)
        let isIdle =
            name.lowercased().hasPrefix("completion")
            || [
                "if", "while", "switch", "for", "guard",
                "return", "count", "super", "handler", "self",
            ].contains(name)
            || Self.answeringFunctions.contains(name) || Self.conversions.contains(name)
            || LogCalls.isLog(name) || expressions.isLogged(file, place)
            || expressions.isLogCallee(tokens, callee) || isSuperCall(tokens, place, callee)
            || isIdleCall(file, place, callee)
        return !isIdle
    }

    /// Whether a token ends what `switch`, `if`, `while` or `for` is about.
    private func isSubject(_ tokens: [Token], _ end: Int) -> Bool {
        var index = end
        while index >= 0, tokens[index].parent == tokens[end].parent {
            let token = tokens[index]
            if token.isWord(.switch_) || token.isWord(.if_) || token.isWord(.while_)
                || token.isWord(.for_)
            {
                return true
            }
            if expressions.beginsStatement(tokens, index) {
                return false
            }
            index = token.closes && token.match >= 0 ? Int(token.match) - 1 : index - 1
        }
        return false
    }

    private func isPost(_ token: Token) -> Bool {
        token.isWord(.post) || token.isWord(.postNotificationName)
            || token.isWord(.postNotification)
    }

    /// Whether a call goes to a function of the app that does nothing.
    private func isIdleCall(_ file: Int, _ open: Int, _ callee: Int) -> Bool {
        let tokens = sources.files[file].tokens
        guard memory.open.count < Self.maximumDepth, isOwnCall(file, open, callee),
            let targets = table.functionsByBase[tokens[callee].symbol], !targets.isEmpty,
            targets.count < 16
        else {
            return false
        }
        return targets.allSatisfy { target in
            table.functions[target].function.body != nil
                && !sources.files[table.functions[target].file].tokens.isEmpty
                && !isMeaningful(target)
        }
    }

    /// Whether a call goes to `self`, to nobody, or to a type of the app.
    private func isOwnCall(_ file: Int, _ open: Int, _ callee: Int) -> Bool {
        let tokens = sources.files[file].tokens
        if tokens[open].isMark("["), !sources.files[file].isSwift {
            return expressions.sendsToSelf(file, open)
                || (callee == open + 2 && table.isDeclared(tokens[open + 1].symbol))
        }
        guard callee > 1, tokens[callee - 1].isMark(".") else {
            return true
        }
        let receiver = tokens[callee - 2]
        guard callee < 3 || !tokens[callee - 3].isMark("."), receiver.kind == .word else {
            return false
        }
        return receiver.isWord(.self_) || sources.text(receiver.symbol) == "Self"
            || table.isDeclared(receiver.symbol)
    }

    private func isSuperCall(_ tokens: [Token], _ open: Int, _ callee: Int) -> Bool {
        if tokens[open].isMark("["), open + 1 < tokens.count {
            return tokens[open + 1].isWord(.super_)
        }
        return callee > 1 && tokens[callee - 1].isMark(".") && tokens[callee - 2].isWord(.super_)
    }
}
