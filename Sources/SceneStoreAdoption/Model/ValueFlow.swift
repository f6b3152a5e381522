/// What becomes of a value in a function: whether it is used, only looked at, only logged, or
/// handed on.
struct ValueFlow {
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

    /// Names that are followed from one to the next.
    private static let maximumNames = 16
    /// Calls that are followed from one to the next.
    private static let maximumDepth = 4

    private final class Memory {
        var outcomes: [Argument: Outcome] = [:]
    }

    /// A function, and the name that a value has in it.
    private struct Argument: Hashable {
        let function: Int
        let name: Int32
    }

    let sources: SourceSet
    let table: TypeTable
    let expressions: Expressions
    let bodies: BodyMeaning
    let uses: UseReader
    let storedNames: StoredNames
    let budget = FlowBudget()
    private let memory = Memory()

    init(sources: SourceSet, table: TypeTable, appFiles: [Int]) {
        self.sources = sources
        self.table = table
        expressions = Expressions(sources: sources)
        bodies = BodyMeaning(table: table, expressions: expressions)
        storedNames = StoredNames(sources: sources, appFiles: appFiles, budget: budget)
        uses = UseReader(
            expressions: expressions, bodies: bodies, budget: budget, storedNames: storedNames)
    }

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
            guard budget.spend(body.count) else {
                outcome.isPeeked = true
                break
            }
            for mention in expressions.mentions(of: name, file, start..<max(body.upperBound, start))
            {
                guard !outcome.isUsed else {
                    return outcome
                }
                let end = expressions.expressionEnd(file, mention)
                if expressions.isBesideLink(file, mention, end) {
                    continue
                }
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
    ) -> ValueUse {
        let use = uses.use(file, start, end, in: body)
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
        // Of a quick action that it is there may be all that is asked.
        let shortcuts = Callback.sceneShortcut.names + Callback.appShortcut.names
        if targets.contains(where: {
            shortcuts.contains(table.functions[$0.function].function.name)
                && bodies.isMeaningful($0.function)
        }) {
            return .used
        }
        // A function that does its work without looking at the value may be enough.
        if result.isPosted {
            return .posted
        }
        let isIdle = targets.allSatisfy { !bodies.isMeaningful($0.function) }
        return isIdle && !result.isPeeked ? .ignored : .peeked
    }

    /// The functions among the sources that get an expression for an argument, each with the name
    /// that it has there; nil when the expression is no argument alone, or the function is not
    /// known.
    func argumentTargets(
        _ file: Int, _ start: Int, _ end: Int
    ) -> [(function: Int, name: Int32)]? {
        let tokens = sources.files[file].tokens
        let open = Int(tokens[start].parent)
        guard start > 0, end + 1 < tokens.count, open >= 0,
            let callee = expressions.callee(file, open)
        else {
            return nil
        }
        // What another object does with it is not to be seen: its class is not known.
        let receiver = tokens[max(callee - 1, 0)]
        let isOwn =
            tokens[open].isMark("[")
            ? expressions.sendsToSelf(file, open)
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
        _ use: ValueUse, at place: Int, end: Int, _ outcome: inout Outcome,
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
}

/// How much is looked at for one app; beyond, nothing can be told.
final class FlowBudget {
    private var tokens = 10_000_000

    /// Whether there is anything left.
    var isLeft: Bool { tokens > 0 }

    /// Takes from it; false when nothing is left.
    @discardableResult
    func spend(_ count: Int) -> Bool {
        tokens -= min(count, tokens)
        return isLeft
    }
}
