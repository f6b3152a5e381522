/// Reads the declarations of a Swift file. What it does not understand it steps over.
struct SwiftDeclarations {
    private let tokens: [Token]
    private let symbols: SymbolTable
    private var result = Declarations()
    private var pending: [PendingScope] = []

    static func read(_ tokens: [Token], _ symbols: SymbolTable) -> Declarations {
        var reader = SwiftDeclarations(tokens: tokens, symbols: symbols)
        reader.pending = [PendingScope(range: 0..<tokens.count, type: -1)]
        while let scope = reader.pending.popLast() {
            reader.read(scope)
        }
        reader.readMain()
        reader.result.readViews(tokens, symbols)
        reader.result.nameLikeSwiftTwo(symbols)
        return reader.result
    }

    private init(tokens: [Token], symbols: SymbolTable) {
        self.tokens = tokens
        self.symbols = symbols
    }

    /// What was read in front of a declaration.
    private struct Modifiers {
        var isMain = false
        var isStatic = false
        var objectiveCName: Int32 = -1
        var objectiveCSelector: String?
    }

    private mutating func read(_ scope: PendingScope) {
        var modifiers = Modifiers()
        var index = scope.range.lowerBound
        while index < scope.range.upperBound {
            let token = tokens[index]
            if token.kind == .attribute {
                index = readAttribute(index, &modifiers, scope.range.upperBound)
                continue
            }
            guard token.kind == .word else {
                index = step(index)
                modifiers = token.isMark(".") ? modifiers : Modifiers()
                continue
            }
            // A word behind a dot is a member and begins nothing.
            if index > 0, tokens[index - 1].isMark(".") {
                index += 1
                continue
            }
            switch token.symbol {
            case Word.class_.id where isModifier(index + 1):
                modifiers.isStatic = true
                index += 1
            case Word.class_.id, Word.actor_.id:
                index = readType(index, .class_, modifiers, scope)
                modifiers = Modifiers()
            case Word.struct_.id, Word.enum_.id:
                index = readType(index, .value, modifiers, scope)
                modifiers = Modifiers()
            case Word.protocol_.id:
                index = readType(index, .protocol_, modifiers, scope)
                modifiers = Modifiers()
            case Word.extension_.id:
                index = readType(index, .extension_, modifiers, scope)
                modifiers = Modifiers()
            case Word.func_.id, Word.init_.id, Word.deinit_.id, Word.subscript_.id:
                index = readFunction(index, modifiers, scope)
                modifiers = Modifiers()
            case Word.var_.id, Word.let_.id:
                index = readProperty(index, modifiers, scope)
                modifiers = Modifiers()
            case Word.typealias_.id:
                index = readAlias(index, scope.range.upperBound)
            case Word.static_.id:
                modifiers.isStatic = true
                index += 1
            case Word.override_.id:
                if scope.type >= 0 {
                    result.types[scope.type].hasOverrides = true
                }
                index += 1
            case Word.import_.id, Word.case_.id:
                index += 2
            default:
                index += 1
            }
        }
    }

    /// The index behind a token, or behind its bracket's partner.
    private func step(_ index: Int) -> Int {
        let match = Int(tokens[index].match)
        return tokens[index].opens && match > index ? match + 1 : index + 1
    }

    /// Whether a `class` in front of a token is a member's: behind it comes a declaration or, as in
    /// `class public func`, another modifier, which a word follows.
    private func isModifier(_ index: Int) -> Bool {
        guard index + 1 < tokens.count, tokens[index].kind == .word else {
            return false
        }
        if tokens[index + 1].kind == .word {
            return true
        }
        return [Word.func_.id, Word.var_.id, Word.let_.id, Word.override_.id, Word.subscript_.id]
            .contains(tokens[index].symbol)
    }

    private func readAttribute(_ index: Int, _ modifiers: inout Modifiers, _ end: Int) -> Int {
        let symbol = tokens[index].symbol
        if symbol == Word.main.id || symbol == Word.UIApplicationMain.id {
            modifiers.isMain = true
        }
        guard index + 1 < end, tokens[index + 1].isMark("("), tokens[index + 1].match > 0 else {
            return index + 1
        }
        let close = Int(tokens[index + 1].match)
        if symbol == Word.objc.id, index + 2 < close {
            modifiers.objectiveCName = tokens[index + 2].symbol
            modifiers.objectiveCSelector = tokens[(index + 2)..<close].map {
                $0.kind == .word ? symbols.text($0.symbol) : ":"
            }.joined()
        }
        return close + 1
    }

    /// Steps over `<…>`.
    private func stepGenerics(_ index: Int, _ end: Int) -> Int {
        guard index < end, tokens[index].isMark("<") else {
            return index
        }
        var depth = 0
        var place = index
        while place < end {
            if tokens[place].isMark("<") {
                depth += 1
            } else if tokens[place].isMark(">") {
                depth -= 1
                if depth == 0 {
                    return place + 1
                }
            } else if tokens[place].isMark("{") {
                return index + 1
            }
            place = step(place)
        }
        return index + 1
    }

    private mutating func readType(
        _ start: Int, _ kind: TypeDeclaration.Kind, _ modifiers: Modifiers, _ scope: PendingScope
    ) -> Int {
        let end = scope.range.upperBound
        var index = start + 1
        guard index < end, tokens[index].kind == .word else {
            return index
        }
        var name = index
        index += 1
        while index + 1 < end, tokens[index].isMark("."), tokens[index + 1].kind == .word {
            name = index + 1
            index += 2
        }
        var type = TypeDeclaration(kind: kind, name: tokens[name].symbol, place: name)
        type.isMain = modifiers.isMain
        type.isImplementation = kind != .extension_
        type.otherName = modifiers.objectiveCName
        index = stepGenerics(index, end)
        if index < end, tokens[index].isMark(":") {
            index += 1
            while index < end, !tokens[index].isMark("{"), !tokens[index].isWord(.where_) {
                if tokens[index].kind == .word {
                    // Of `Module.Type` the last word counts.
                    if index + 1 < end, tokens[index + 1].isMark(".") {
                        index += 2
                        continue
                    }
                    type.supers.append(tokens[index].symbol)
                    index = stepGenerics(index + 1, end)
                } else {
                    index = step(index)
                }
            }
        }
        while index < end, !tokens[index].isMark("{") {
            index = step(index)
        }
        result.types.append(type)
        guard index < end, Int(tokens[index].match) > index else {
            return index + 1
        }
        let close = Int(tokens[index].match)
        pending.append(
            PendingScope(range: (index + 1)..<close, type: result.types.count - 1))
        return close + 1
    }

    private mutating func readFunction(
        _ start: Int, _ modifiers: Modifiers, _ scope: PendingScope
    ) -> Int {
        let end = scope.range.upperBound
        let isNamed = tokens[start].symbol == Word.func_.id
        var index = isNamed ? start + 1 : start
        guard index < end else {
            return end
        }
        let place = index
        let base = tokens[index].symbol
        index += 1
        while index < end, !tokens[index].isMark("("), !tokens[index].isMark("<"),
            !tokens[index].isMark("{"), !tokens[index].startsLine
        {
            // The rest of an operator's name; `init?`.
            index += 1
        }
        index = stepGenerics(index, end)
        var function = Function(
            owner: scope.type < 0 ? -1 : result.types[scope.type].name, base: base, name: "",
            isStatic: modifiers.isStatic, place: place)
        if index < end, tokens[index].isMark("("), Int(tokens[index].match) > index {
            let close = Int(tokens[index].match)
            function.parameters = readParameters((index + 1)..<close)
            index = close + 1
        }
        function.name =
            modifiers.objectiveCSelector.flatMap { $0.contains(":") ? $0 : nil }
            ?? swiftName(base, function.parameters)
        // What stands between the parameters and the body.
        while index < end, !tokens[index].isMark("{") {
            let token = tokens[index]
            if token.isWord(.async_) {
                function.isAsync = true
            } else if token.startsLine, startsDeclaration(index) {
                append(function, to: scope)
                return index
            }
            index = step(index)
        }
        guard index < end, Int(tokens[index].match) > index else {
            append(function, to: scope)
            return index
        }
        let close = Int(tokens[index].match)
        function.body = (index + 1)..<close
        append(function, to: scope)
        return close + 1
    }

    private func swiftName(_ base: Int32, _ parameters: [Parameter]) -> String {
        let labels = parameters.map { ($0.label < 0 ? "_" : symbols.text($0.label)) + ":" }
        return "\(symbols.text(base))(\(labels.joined()))"
    }

    private func startsDeclaration(_ index: Int) -> Bool {
        let token = tokens[index]
        if token.kind == .attribute || token.isMark("}") {
            return true
        }
        guard token.kind == .word else {
            return false
        }
        switch token.symbol {
        case Word.func_.id, Word.var_.id, Word.let_.id, Word.class_.id, Word.struct_.id,
            Word.enum_.id, Word.extension_.id, Word.init_.id, Word.deinit_.id, Word.static_.id,
            Word.subscript_.id, Word.protocol_.id, Word.typealias_.id, Word.case_.id,
            Word.override_.id, Word.optional.id:
            return true
        default:
            return false
        }
    }

    private func readParameters(_ range: Range<Int>) -> [Parameter] {
        var parameters: [Parameter] = []
        var index = range.lowerBound
        while index < range.upperBound {
            var words: [Int] = []
            while index < range.upperBound, !tokens[index].isMark(":"), !tokens[index].isMark(",") {
                if tokens[index].kind == .word {
                    words.append(index)
                }
                index = tokens[index].kind == .attribute ? index + 1 : step(index)
            }
            let type = index
            while index < range.upperBound, !tokens[index].isMark(",") {
                index =
                    tokens[index].isMark("<")
                    ? stepGenerics(index, range.upperBound)
                    : step(index)
            }
            let names = words.suffix(2).map { index in
                symbols.text(tokens[index].symbol) == "_" ? -1 : tokens[index].symbol
            }
            if let first = names.first, let last = names.last {
                parameters.append(
                    Parameter(label: first, name: last, type: type..<index))
            }
            index += 1
        }
        return parameters
    }

    private mutating func readProperty(
        _ start: Int, _ modifiers: Modifiers, _ scope: PendingScope
    ) -> Int {
        let end = scope.range.upperBound
        guard start + 1 < end, tokens[start + 1].kind == .word else {
            return start + 1
        }
        let name = tokens[start + 1].symbol
        var index = start + 2
        let restStart = index
        var bodies: [Range<Int>] = []
        var sawValue = false
        // To the next declaration or, at the file's top level, the next statement.
        while index < end {
            let token = tokens[index]
            if token.startsLine {
                let previous = tokens[index - 1]
                let goesOn =
                    token.isMark(".") || token.isMark("?") || token.isMark("{")
                    || token.isMark("=") || token.isMark(Token.Mark.coalesces)
                    || token.isMark("&") || previous.isMark("=") || previous.isMark(":")
                    || previous.isMark(Token.Mark.coalesces) || previous.isMark(",")
                    || previous.isMark(".") || previous.isMark("&")
                if !goesOn || startsDeclaration(index) {
                    break
                }
            } else if token.isMark(";") {
                break
            }
            sawValue = sawValue || token.isMark("=")
            if token.opens, Int(token.match) > index {
                if token.isMark("{") || sawValue {
                    bodies.append((index + 1)..<Int(token.match))
                }
            }
            index = step(index)
        }
        let rest = restStart..<index
        for place in rest.dropLast() where tokens[place].isMark("=") {
            if tokens[place + 1].kind == .string, tokens[place + 1].symbol >= 0 {
                result.constants.append((name, tokens[place + 1].symbol))
            }
            break
        }
        if scope.type >= 0 {
            result.types[scope.type].properties.append(
                Property(
                    name: name, rest: rest, place: start + 1, isStatic: modifiers.isStatic,
                    isVariable: tokens[start].symbol == Word.var_.id))
        }
        if !rest.isEmpty, sawValue || !bodies.isEmpty {
            append(
                Function(
                    owner: scope.type < 0 ? -1 : result.types[scope.type].name, base: name,
                    name: symbols.text(name), isStatic: modifiers.isStatic, place: start + 1,
                    body: rest, isAccessor: true), to: scope)
        }
        return max(index, start + 2)
    }

    private mutating func readAlias(_ start: Int, _ end: Int) -> Int {
        guard start + 1 < end, tokens[start + 1].kind == .word else {
            return start + 1
        }
        var index = stepGenerics(start + 2, end)
        var targets: [Int32] = []
        guard index < end, tokens[index].isMark("=") else {
            return index
        }
        index += 1
        while index < end,
            !tokens[index].startsLine || tokens[index].isMark("&")
                || tokens[index - 1].isMark("&") || tokens[index - 1].isMark("=")
        {
            if tokens[index].kind == .word {
                targets.append(tokens[index].symbol)
            }
            index = step(index)
        }
        result.aliases.append((tokens[start + 1].symbol, targets))
        return index
    }

    private mutating func append(_ function: Function, to scope: PendingScope) {
        if scope.type >= 0 {
            result.types[scope.type].functions.append(function)
        } else {
            result.functions.append(function)
        }
    }

    /// `UIApplicationMain(argc, argv, nil, NSStringFromClass(AppDelegate.self))`.
    private mutating func readMain() {
        result.main = MainCall(tokens, symbols)
    }
}
