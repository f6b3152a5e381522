/// Reads the declarations of an Objective-C file. What it does not understand it steps over.
struct ObjectiveCDeclarations {
    private let tokens: [Token]
    private let symbols: SymbolTable
    private var result = Declarations()

    static func read(_ tokens: [Token], _ symbols: SymbolTable) -> Declarations {
        var reader = ObjectiveCDeclarations(tokens: tokens, symbols: symbols)
        reader.read()
        reader.result.main = MainCall(tokens, symbols)
        return reader.result
    }

    private init(tokens: [Token], symbols: SymbolTable) {
        self.tokens = tokens
        self.symbols = symbols
    }

    private mutating func read() {
        var index = 0
        while index < tokens.count {
            let token = tokens[index]
            if token.kind == .attribute, token.symbol == Word.interface.id {
                index = readInterface(index)
            } else if token.kind == .attribute, token.symbol == Word.implementation.id {
                index = readImplementation(index)
            } else {
                index = readOutside(index)
            }
        }
    }

    private func step(_ index: Int) -> Int {
        let match = Int(tokens[index].match)
        return tokens[index].opens && match > index ? match + 1 : index + 1
    }

    private func isEnd(_ index: Int) -> Bool {
        tokens[index].kind == .attribute
            && [Word.end.id, Word.interface.id, Word.implementation.id]
                .contains(tokens[index].symbol)
    }

    /// `@interface Name : Super <P, Q>`, `@interface Name (Category) <P>`.
    private mutating func readInterface(_ start: Int) -> Int {
        guard start + 1 < tokens.count, tokens[start + 1].kind == .word else {
            return start + 1
        }
        var type = TypeDeclaration(
            kind: .class_, name: tokens[start + 1].symbol, place: start + 1)
        var index = start + 2
        // Of a generic class the parameters.
        if index < tokens.count, tokens[index].isMark("<"), index > start + 1 {
            index = readProtocols(index, &type)
        }
        if index < tokens.count, tokens[index].isMark("(") {
            type.kind = .extension_
            index = step(index)
        } else if index + 1 < tokens.count, tokens[index].isMark(":"),
            tokens[index + 1].kind == .word
        {
            type.supers.append(tokens[index + 1].symbol)
            index += 2
        }
        index = readProtocols(index, &type)
        while index < tokens.count, !isEnd(index) {
            if tokens[index].kind == .attribute, tokens[index].symbol == Word.property.id {
                index = readProperty(index, &type)
            } else {
                index = step(index)
            }
        }
        result.types.append(type)
        return index < tokens.count && tokens[index].symbol == Word.end.id ? index + 1 : index
    }

    private func readProtocols(_ start: Int, _ type: inout TypeDeclaration) -> Int {
        guard start < tokens.count, tokens[start].isMark("<") else {
            return start
        }
        var index = start + 1
        while index < tokens.count, !tokens[index].isMark(">"), !isEnd(index) {
            if tokens[index].kind == .word {
                type.supers.append(tokens[index].symbol)
            }
            index += 1
        }
        return min(index + 1, tokens.count)
    }

    /// `@property (nonatomic, strong) UIWindow *window;`
    private func readProperty(_ start: Int, _ type: inout TypeDeclaration) -> Int {
        var index = start + 1
        if index < tokens.count, tokens[index].isMark("(") {
            index = step(index)
        }
        let rest = index
        var name = -1
        while index < tokens.count, !tokens[index].isMark(";"), !isEnd(index) {
            if tokens[index].kind == .word {
                name = index
            }
            index = step(index)
        }
        if name >= 0 {
            type.properties.append(
                Property(
                    name: tokens[name].symbol, rest: rest..<index, place: name, isStatic: false,
                    isVariable: true))
        }
        return index
    }

    private mutating func readImplementation(_ start: Int) -> Int {
        guard start + 1 < tokens.count, tokens[start + 1].kind == .word else {
            return start + 1
        }
        let name = tokens[start + 1].symbol
        var type = TypeDeclaration(kind: .extension_, name: name, place: start + 1)
        var index = start + 2
        if index < tokens.count, tokens[index].isMark("(") {
            index = step(index)
        } else {
            type.isImplementation = true
        }
        while index < tokens.count, !isEnd(index) {
            let token = tokens[index]
            if token.startsLine, token.isMark("-") || token.isMark("+") {
                index = readMethod(index, name, &type)
            } else {
                index = readFunction(index, owner: name) { type.functions.append($0) }
            }
        }
        result.types.append(type)
        return index < tokens.count && tokens[index].symbol == Word.end.id ? index + 1 : index
    }

    /// `- (BOOL)application:(UIApplication *)app openURL:(NSURL *)url {…}`
    private func readMethod(
        _ start: Int, _ owner: Int32, _ type: inout TypeDeclaration
    ) -> Int {
        var index = start + 1
        if index < tokens.count, tokens[index].isMark("(") {
            index = step(index)
        }
        guard index < tokens.count, tokens[index].kind == .word else {
            return start + 1
        }
        var function = Function(
            owner: owner, base: tokens[index].symbol, name: "",
            isStatic: tokens[start].isMark("+"), place: index)
        var name = ""
        while index < tokens.count, !tokens[index].isMark("{"), !tokens[index].isMark(";"),
            !isEnd(index)
        {
            guard tokens[index].kind == .word else {
                index = step(index)
                continue
            }
            let label = tokens[index].symbol
            guard index + 1 < tokens.count, tokens[index + 1].isMark(":") else {
                if name.isEmpty {
                    name = symbols.text(label)
                }
                index += 1
                continue
            }
            name += symbols.text(label) + ":"
            index += 2
            var parameter = Parameter(label: label, name: -1, type: index..<index)
            if index < tokens.count, tokens[index].isMark("(") {
                parameter.type = (index + 1)..<max(Int(tokens[index].match), index + 1)
                index = step(index)
            }
            // `__unused`, `nullable` and such may stand before the name, `API_AVAILABLE(…)` behind.
            while index < tokens.count, tokens[index].kind == .word {
                if index + 1 < tokens.count, tokens[index + 1].isMark(":"), parameter.name >= 0 {
                    break
                }
                if parameter.name >= 0, isAnnotation(index) {
                    break
                }
                parameter.name = tokens[index].symbol
                index += 1
            }
            function.parameters.append(parameter)
        }
        function.name = name
        // A definition may have a semicolon in front of its body, too.
        if index + 1 < tokens.count, tokens[index].isMark(";"), tokens[index + 1].isMark("{") {
            index += 1
        }
        if index < tokens.count, tokens[index].isMark("{"), Int(tokens[index].match) > index {
            function.body = (index + 1)..<Int(tokens[index].match)
            index = Int(tokens[index].match)
        }
        type.functions.append(function)
        return index + 1
    }

    /// Whether a word is a macro that says something of a declaration: `API_AVAILABLE(…)`,
    /// `NS_REQUIRES_SUPER`.
    private func isAnnotation(_ index: Int) -> Bool {
        if index + 1 < tokens.count, tokens[index + 1].isMark("(") {
            return true
        }
        let text = symbols.text(tokens[index].symbol)
        return text.contains("_") && !text.contains { $0.isLowercase }
    }

    private mutating func readOutside(_ start: Int) -> Int {
        var functions: [Function] = []
        let next = readFunction(start, owner: -1) { functions.append($0) }
        result.functions += functions
        return next
    }

    /// `static void name(int a) {…}`, and constants; any other token is stepped over.
    private mutating func readFunction(
        _ index: Int, owner: Int32, _ found: (Function) -> Void
    ) -> Int {
        let token = tokens[index]
        if token.isMark("="), index > 0, index + 1 < tokens.count, tokens[index - 1].kind == .word,
            tokens[index + 1].kind == .string, tokens[index + 1].symbol >= 0
        {
            result.constants.append((tokens[index - 1].symbol, tokens[index + 1].symbol))
            return index + 2
        }
        guard token.isMark("{"), Int(token.match) > index else {
            return token.isMark("(") ? step(index) : index + 1
        }
        let close = Int(token.match)
        if index > 1, tokens[index - 1].isMark(")"), tokens[index - 1].match > 0 {
            let open = Int(tokens[index - 1].match)
            if open > 0, tokens[open - 1].kind == .word {
                found(
                    Function(
                        owner: owner, base: tokens[open - 1].symbol,
                        name: symbols.text(tokens[open - 1].symbol), isStatic: true,
                        place: open - 1, body: (index + 1)..<close))
            }
        }
        return close + 1
    }
}
