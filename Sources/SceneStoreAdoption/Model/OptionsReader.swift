/// What is read of a connection's options, or of the launch options, wherever they are handed to.
struct OptionsReading {
    /// What is done with a member.
    struct Member {
        var outcome = ValueFlow.Outcome()
        var place: SourcePlace?
        /// Where only whether it is there decides about something that doesn't read it.
        var asked: SourcePlace?
        /// Where `?? session.stateRestorationActivity` stands in the same expression: the name that
        /// the value has then, and the function that goes on with it.
        var fallback: (function: Int, name: Int32, start: Int)?
        /// Whether it is used only if there is no state to restore.
        var needsNoState = false
    }

    var members: [Int32: Member] = [:]
    /// Where the options go to code that is not among the sources.
    var escapes: [SourcePlace] = []
    /// Where members are looked up by something other than a known key.
    var openLookups: [SourcePlace] = []
    /// What runs only if a launch option, or all of them, are missing; the key of an option.
    var withoutOption: [(key: Int32, place: SourcePlace, branch: Range<Int>)] = []
}

/// Reads a function's options parameter, and follows it into other functions.
struct OptionsReader {
    /// Which parameter is followed.
    enum Kind {
        case connection, launch
    }

    private static let maximumFunctions = 64

    let flow: ValueFlow
    let kind: Kind
    private var reading = OptionsReading()
    private var pending: [(function: Int, name: Int32)] = []
    private var seen: Set<Int> = []
    /// Functions that get the options only if there is no state to restore.
    private var functionsWithoutState: Set<Int> = []
    private let order: RestorationOrder

    init(_ flow: ValueFlow, _ kind: Kind) {
        self.flow = flow
        self.kind = kind
        order = RestorationOrder(sources: flow.sources, budget: flow.budget)
    }

    /// What a function does with one of its parameters.
    static func read(
        _ flow: ValueFlow, _ kind: Kind, function: Int, parameter: Int
    ) -> OptionsReading {
        var reader = OptionsReader(flow, kind)
        let parameters = flow.table.functions[function].function.parameters
        if parameter < parameters.count, parameters[parameter].name >= 0 {
            reader.pending = [(function, parameters[parameter].name)]
        }
        while let (function, name) = reader.pending.popLast(),
            reader.seen.count < maximumFunctions
        {
            if reader.seen.insert(function).inserted {
                reader.read(function, name)
            }
        }
        return reader.reading
    }

    private var table: TypeTable { flow.table }

    private mutating func read(_ index: Int, _ name: Int32) {
        let placed = table.functions[index]
        guard let body = placed.function.body else {
            return
        }
        var names: [(name: Int32, start: Int)] = [(name, body.lowerBound)]
        var seenNames: Set<Int32> = []
        while let (name, start) = names.popLast(), seenNames.count < 16 {
            guard seenNames.insert(name).inserted else {
                continue
            }
            for mention in flow.expressions.mentions(
                of: name, placed.file, start..<max(start, body.upperBound))
            {
                read(mention, name, of: index, body, &names)
            }
        }
    }

    private mutating func read(
        _ mention: Int, _ name: Int32, of index: Int, _ body: Range<Int>,
        _ names: inout [(name: Int32, start: Int)]
    ) {
        let file = table.functions[index].file
        let tokens = flow.sources.files[file].tokens
        let end = flow.expressions.expressionEnd(file, mention)
        let member = member(file, mention, end, in: body)
        if kind == .launch,
            let branch = AbsentBranch(flow.expressions).branch(
                file, member?.start ?? mention, member?.end ?? end, in: body)
        {
            reading.withoutOption.append(
                (member?.symbol ?? -1, SourcePlace(file: file, token: mention), branch))
        }
        if let member {
            if member.symbol >= 0 {
                readMember(member.symbol, member.start, member.end, of: index, body)
            } else if !flow.expressions.isLogged(file, mention) {
                reading.openLookups.append(SourcePlace(file: file, token: mention))
            }
            return
        }
        if flow.expressions.isLogged(file, mention) || isInText(tokens, mention) {
            return
        }
        switch flow.uses.use(file, mention, end, in: body) {
        case .ignored, .peeked: return
        case .posted: reading.escapes.append(SourcePlace(file: file, token: mention))
        case .bound(let other): names.append((other, end + 1))
        case .used: handOn(mention, of: index, body)
        }
    }

    private func isInText(_ tokens: [Token], _ index: Int) -> Bool {
        let open = Int(tokens[index].parent)
        return open >= 0 && tokens[open].isMark(Token.Mark.interpolation)
    }

    // MARK: - Members

    /// The member that a mention reads, and the expression that holds it; a negative symbol when
    /// it is looked up by an unknown key; nil when the options themselves are meant.
    private func member(
        _ file: Int, _ mention: Int, _ end: Int, in body: Range<Int>
    ) -> (symbol: Int32, start: Int, end: Int)? {
        let tokens = flow.sources.files[file].tokens
        switch kind {
        case .connection:
            if let first = flow.expressions.members(file, mention, end).first {
                return (tokens[first].symbol, mention, end)
            }
            // `[connectionOptions URLContexts]`
            if mention > 0, tokens[mention - 1].isMark("["), !flow.sources.files[file].isSwift,
                mention + 1 < tokens.count, tokens[mention + 1].kind == .word
            {
                let close = Int(tokens[mention - 1].match)
                return (
                    tokens[mention + 1].symbol, mention - 1,
                    close > mention ? flow.expressions.expressionEnd(file, close) : end
                )
            }
            return nil
        case .launch:
            if let key = lookup(file, mention, end, in: body) {
                return (key, mention, end)
            }
            if mention > 0, tokens[mention - 1].isMark("["), !flow.sources.files[file].isSwift,
                mention + 1 < tokens.count, tokens[mention + 1].kind == .word
            {
                // A bracket that two branches of a condition open has no other one.
                let close = max(Int(tokens[mention - 1].match), mention + 1)
                return (self.key(file, (mention + 1)..<close, in: body), mention - 1, close)
            }
            return nil
        }
    }

    /// The key of `launchOptions?[.url]`, `launchOptions?.keys.contains(.url)`.
    private func lookup(
        _ file: Int, _ mention: Int, _ end: Int, in body: Range<Int>
    ) -> Int32? {
        guard end > mention else {
            return nil
        }
        let tokens = flow.sources.files[file].tokens
        var index = mention + 1
        while index <= end {
            if tokens[index].isMark("[") || tokens[index].isMark("("), tokens[index].match > 0 {
                return key(file, (index + 1)..<Int(tokens[index].match), in: body)
            }
            index += 1
        }
        return flow.expressions.members(file, mention, end).isEmpty ? nil : -1
    }

    /// The launch option that tokens name, or that a local constant has.
    private func key(_ file: Int, _ range: Range<Int>, in body: Range<Int>) -> Int32 {
        let tokens = flow.sources.files[file].tokens
        // A key may also be written as its text: `@"UIApplicationLaunchOptionsURLKey"`.
        for index in range.clamped(to: tokens.indices).reversed()
        where tokens[index].kind == .word || tokens[index].kind == .string {
            if LaunchKey.named(flow.sources.text(tokens[index].symbol)) != nil {
                return tokens[index].symbol
            }
        }
        // `let key = UIApplication.LaunchOptionsKey.url`
        guard range.count == 1, let word = range.first, tokens[word].kind == .word,
            let equals = body.first(where: {
                tokens[$0].isMark("=") && $0 > body.lowerBound + 1
                    && tokens[$0 - 1].symbol == tokens[word].symbol
                    && tokens[$0 - 2].isWord(.let_)
            }), equals + 1 < body.upperBound
        else {
            return -1
        }
        let last = tokens[flow.expressions.expressionEnd(file, equals + 1)].symbol
        return last >= 0 && LaunchKey.named(flow.sources.text(last)) != nil ? last : -1
    }

    private mutating func readMember(
        _ symbol: Int32, _ start: Int, _ end: Int, of index: Int, _ body: Range<Int>
    ) {
        let file = table.functions[index].file
        var member = reading.members[symbol] ?? OptionsReading.Member()
        let before = member.outcome
        let use = flow.followed(file, start, end, in: body)
        if case .peeked = use, !decidesAboutItself(symbol, file, end, in: body) {
            member.asked = member.asked ?? SourcePlace(file: file, token: start)
        }
        var names: [(name: Int32, start: Int)] = []
        var outcome = ValueFlow.Outcome()
        var used = start
        flow.take(use, at: start, end: end, &outcome, &names)
        if case .bound(let name) = use {
            let inner = flow.outcome(of: name, file, in: body, from: end + 1)
            used = inner.place ?? start
            outcome.isUsed = inner.isUsed
            outcome.isPeeked = inner.isPeeked
            outcome.isPosted = inner.isPosted
            if order.isBesideState(file, start, end, in: body) {
                member.fallback = (index, name, end + 1)
            } else if let fallback = namedBesideRestoration(name, file, from: end + 1, in: body) {
                member.fallback = (index, fallback.name, fallback.start)
                used = fallback.place
            }
        }
        if case .used = use, order.isBesideState(file, start, end, in: body) {
            member.fallback = handedOnBesideRestoration(file, start, end)
        }
        if outcome.isUsed, kind == .connection {
            let needsNoState =
                functionsWithoutState.contains(index) || order.needsNoState(file, start, in: body)
                || order.needsNoState(file, used, in: body)
                || order.isBehindState(file, used, in: body)
                || order.isBehindState(file, start, in: body)
            member.needsNoState = needsNoState && (member.needsNoState || !before.isUsed)
        }
        outcome.isUsed = outcome.isUsed || before.isUsed
        outcome.isPeeked = outcome.isPeeked || before.isPeeked
        outcome.isPosted = outcome.isPosted || before.isPosted
        outcome.place = before.isUsed ? before.place : start
        member.place = before.isUsed ? member.place : SourcePlace(file: file, token: start)
        member.outcome = outcome
        reading.members[symbol] = member
    }

    /// Whether the block that a condition decides about reads the same member.
    private func decidesAboutItself(
        _ symbol: Int32, _ file: Int, _ end: Int, in body: Range<Int>
    ) -> Bool {
        let tokens = flow.sources.files[file].tokens
        guard
            let open = (min(end + 1, body.upperBound)..<body.upperBound).first(where: {
                tokens[$0].isMark("{")
            }), Int(tokens[open].match) > open
        else {
            return false
        }
        return (open..<Int(tokens[open].match)).contains { tokens[$0].symbol == symbol }
    }

    /// Where `let value = activity ?? state` stands for an activity that has a name of its own, and
    /// the name that the value has then.
    private func namedBesideRestoration(
        _ name: Int32, _ file: Int, from start: Int, in body: Range<Int>
    ) -> (place: Int, name: Int32, start: Int)? {
        for place in flow.expressions.mentions(
            of: name, file, start..<max(body.upperBound, start))
        {
            let end = flow.expressions.expressionEnd(file, place)
            if order.isBesideState(file, place, end, in: body),
                case .bound(let value) = flow.uses.use(file, place, end, in: body)
            {
                return (place, value, end + 1)
            }
        }
        return nil
    }

    /// Where `make(activity: userActivities.first ?? session.stateRestorationActivity)` goes on: the
    /// function among the sources, and the name that the value has there.
    private func handedOnBesideRestoration(
        _ file: Int, _ start: Int, _ end: Int
    ) -> (function: Int, name: Int32, start: Int)? {
        let tokens = flow.sources.files[file].tokens
        guard end + 2 < tokens.count, tokens[end + 1].isMark(Token.Mark.coalesces) else {
            return nil
        }
        let last = flow.expressions.expressionEnd(file, end + 2)
        guard let targets = flow.argumentTargets(file, start, last), targets.count == 1,
            let target = targets.first, target.name >= 0,
            let body = table.functions[target.function].function.body
        else {
            return nil
        }
        return (target.function, target.name, body.lowerBound)
    }

    // MARK: - Handing on

    private mutating func handOn(_ mention: Int, of index: Int, _ body: Range<Int>) {
        let file = table.functions[index].file
        let tokens = flow.sources.files[file].tokens
        let place = SourcePlace(file: file, token: mention)
        if mention > 1, tokens[mention - 1].isMark("=") {
            follow(property: tokens[mention - 2].symbol, place)
            return
        }
        let open = Int(tokens[mention].parent)
        guard open >= body.lowerBound - 1, open >= 0,
            let callee = flow.expressions.callee(file, open)
        else {
            reading.escapes.append(place)
            return
        }
        let isSuper =
            tokens[open].isMark("[")
            ? tokens[open + 1].isWord(.super_)
            : callee > 1 && tokens[callee - 2].isWord(.super_)
        let isForeign =
            !isSuper
            && (tokens[open].isMark("[")
                ? !flow.expressions.sendsToSelf(file, open)
                : callee > 1 && tokens[callee - 1].isMark(".")
                    && !tokens[callee - 2].isWord(.self_))
        let isLabelled = tokens[mention - 1].isMark(":") && tokens[mention - 2].kind == .word
        let targets = self.targets(
            tokens[callee].symbol, label: isLabelled ? tokens[mention - 2].symbol : -1,
            from: index, isSuper: isSuper, isForeign: isForeign)
        guard !targets.isEmpty else {
            reading.escapes.append(place)
            return
        }
        if functionsWithoutState.contains(index) || order.needsNoState(file, mention, in: body) {
            functionsWithoutState.formUnion(targets.map(\.function).filter { !seen.contains($0) })
        }
        pending += targets
    }

    /// Functions among the sources that a call may mean and that take options.
    private func targets(
        _ callee: Int32, label: Int32, from index: Int, isSuper: Bool, isForeign: Bool
    ) -> [(function: Int, name: Int32)] {
        var candidates = table.functionsByBase[callee] ?? []
        // An initializer is called by its type's name, too.
        for function in table.types[callee]?.functions ?? []
        where table.functions[function].function.base == Word.init_.id {
            candidates.append(function)
        }
        let caller = table.functions[index].function
        if isSuper {
            let lineage = Set(table.lineage(of: caller.owner).dropFirst())
            candidates = candidates.filter { lineage.contains(table.functions[$0].function.owner) }
        }
        return candidates.compactMap { candidate in
            let placed = table.functions[candidate]
            // Another object's callback is not the one of a scene delegate of the app.
            let isCallback =
                Callback.willConnect.names.contains(placed.function.name)
                || Callback.didFinishLaunching.names.contains(placed.function.name)
            guard candidate != index, !(isForeign && isCallback) else {
                return nil
            }
            guard
                let parameter = placed.function.parameters.first(where: {
                    label >= 0
                        ? $0.label == label && $0.name >= 0 : takesOptions($0, placed.file)
                })
            else {
                return nil
            }
            return (candidate, parameter.name)
        }
    }

    private func takesOptions(_ parameter: Parameter, _ file: Int) -> Bool {
        let tokens = flow.sources.files[file].tokens
        return parameter.type.clamped(to: tokens.indices).contains { index in
            switch kind {
            case .connection:
                tokens[index].isWord(.ConnectionOptions)
                    || tokens[index].isWord(.UISceneConnectionOptions)
            case .launch:
                tokens[index].isWord(.LaunchOptionsKey) || tokens[index].isWord(.NSObject)
                    || flow.sources.text(tokens[index].symbol).hasPrefix("NSDictionary")
                    || flow.sources.text(tokens[index].symbol)
                        .hasPrefix("UIApplicationLaunchOptionsKey")
            }
        }
    }

    /// The options are kept; everything that mentions the property reads on.
    private mutating func follow(property: Int32, _ place: SourcePlace) {
        guard !flow.sources.droppedWords.contains(property), flow.budget.spend(1_000_000) else {
            reading.escapes.append(place)
            return
        }
        for (index, placed) in table.functions.enumerated()
        where !seen.contains(index) && placed.function.body != nil {
            guard let body = placed.function.body,
                !flow.expressions.mentions(of: property, placed.file, body).isEmpty
            else {
                continue
            }
            pending.append((index, property))
        }
    }
}
