/// A source file as it was read.
struct SourceFile {
    let path: String
    let isSwift: Bool
    /// Empty when nothing in the file matters beyond its declarations.
    let tokens: [Token]
    let declarations: Declarations
    let ignores: [IgnoreComment]
    let triggers: UInt64
    private let bodies: FunctionBodies

    init(
        path: String, isSwift: Bool, tokens: [Token], declarations: Declarations,
        ignores: [IgnoreComment], triggers: UInt64
    ) {
        self.path = path
        self.isSwift = isSwift
        self.tokens = tokens
        self.declarations = declarations
        self.ignores = ignores
        self.triggers = triggers
        // Nothing asks what is around a token that was dropped.
        bodies = FunctionBodies(tokens.isEmpty ? Declarations() : declarations)
    }

    /// The functions whose body holds a token, the innermost first.
    func functions(around token: Int) -> [Function] {
        bodies.around(token).map { place in
            place.type < 0
                ? declarations.functions[place.index]
                : declarations.types[place.type].functions[place.index]
        }
    }

    func mentions(_ word: Word) -> Bool {
        triggers & (1 << UInt64(word.id)) != 0
    }
}

/// A file beside the sources that says something about the app.
struct SideFile {
    enum Kind {
        /// A property list that may be an Info.plist.
        case manifest
        /// A project or a generator's description: what the build adds to the Info.plist.
        case project
        case entitlements
    }

    let path: String
    let kind: Kind
    let bytes: [UInt8]

    func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, bytes.count >= wanted.count else {
            return false
        }
        for start in 0...(bytes.count - wanted.count) where bytes[start] == first {
            if bytes[start..<(start + wanted.count)].elementsEqual(wanted) {
                return true
            }
        }
        return false
    }
}

/// Everything that was read of a tree of sources.
struct SourceSet {
    var symbols = SymbolTable()
    var files: [SourceFile] = []
    var sideFiles: [SideFile] = []
    /// The words of the files whose tokens were dropped.
    private(set) var droppedWords: Set<Int32> = []
    /// Files that are too large to be read, or can't be read.
    var cutFiles: [String] = []

    mutating func addSource(_ path: String, _ bytes: [UInt8], _ language: Lexer.Language) {
        var source = Lexer.lex(SourceText.bytes(of: bytes), language, &symbols)
        if source.isCut {
            cutFiles.append(path)
            return
        }
        Brackets.pair(&source.tokens)
        Availability.removeOld(&source.tokens, symbols)
        let isSwift = language == .swift
        let declarations =
            isSwift
            ? SwiftDeclarations.read(source.tokens, symbols)
            : ObjectiveCDeclarations.read(source.tokens, symbols)
        // An entry point is told by its name and line.
        let isKept =
            source.triggers != 0
            || declarations.types.contains { $0.isMain || $0.supers.contains(Word.App.id) }
        if !isKept {
            for token in source.tokens where token.kind == .word {
                droppedWords.insert(token.symbol)
            }
        }
        // The lexer's array has room for more tokens, which a copy has not.
        files.append(
            SourceFile(
                path: path, isSwift: isSwift, tokens: isKept ? source.tokens.map(\.self) : [],
                declarations: declarations, ignores: source.ignores, triggers: source.triggers))
    }

    func text(_ symbol: Int32) -> String {
        symbols.text(symbol)
    }
}

/// A token of a file.
struct SourcePlace: Hashable {
    var file: Int
    var token: Int
}
