/// The call of `UIApplicationMain`, which starts an app.
struct MainCall {
    /// The token of the call.
    let place: Int
    /// Names that may be the application delegate's class: the one that is handed over, else each
    /// that the file has.
    let names: [Int32]

    /// Names in a file beyond these are not looked at.
    private static let maximumNames = 1_000
    private static let maximumCalls = 16

    init?(_ tokens: [Token], _ symbols: SymbolTable) {
        let calls = tokens.indices.dropLast().filter {
            tokens[$0].isWord(.UIApplicationMain) && tokens[$0 + 1].isMark("(")
                && Int(tokens[$0 + 1].match) > $0
        }
        guard let place = calls.first else {
            return nil
        }
        self.place = place
        // A call for tests may hand over none.
        let handed = calls.prefix(Self.maximumCalls).flatMap { call in
            let open = call + 1
            let close = Int(tokens[open].match)
            let last = (open..<close).last {
                Int(tokens[$0].parent) == open && tokens[$0].isMark(",")
            }
            return Self.names(tokens, ((last ?? open) + 1)..<close, symbols)
        }
        names = handed.isEmpty ? Self.names(tokens, tokens.indices, symbols) : handed.unique()
    }

    /// Classes and texts among tokens, each once.
    private static func names(
        _ tokens: [Token], _ range: Range<Int>, _ symbols: SymbolTable
    ) -> [Int32] {
        var found: [Int32] = []
        var seen: Set<Int32> = [Word.NSStringFromClass.id, Word.UIApplicationMain.id]
        for index in range where tokens[index].symbol >= 0 && found.count < maximumNames {
            let token = tokens[index]
            let text = symbols.text(token.symbol)
            let symbol: Int32
            if token.kind == .string {
                // `Module.Class`
                symbol =
                    text.split(separator: ".").last.flatMap { symbols.known(String($0)) }
                    ?? token.symbol
            } else if token.kind == .word, text.first?.isUppercase == true, text != "CommandLine",
                text != "NSClassFromString"
            {
                symbol = token.symbol
            } else {
                continue
            }
            if seen.insert(symbol).inserted {
                found.append(symbol)
            }
        }
        return found
    }
}

extension Array where Element: Hashable {
    /// The elements without those that are there already.
    func unique() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
