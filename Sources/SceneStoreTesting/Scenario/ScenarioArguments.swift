import SceneStore

/// A `name=value` word.
struct ScenarioOption {
    var name: String
    var value: String
    /// Where the word begins.
    var column: Int
}

/// The words of one step, sorted into what stands by its place, options, and key and value.
///
/// A step takes what it knows; ``finish()`` refuses what is left.
struct ScenarioArguments {
    private let step: ScenarioWord
    private let grammar: ScenarioGrammar
    private let endColumn: Int
    private var words: [ScenarioWord] = []
    private var position = 0
    /// The options in the order in which they were written.
    private(set) var options: [ScenarioOption] = []
    /// The words with `=` that are no options, of steps that take such.
    private(set) var pairs: [ScenarioOption] = []

    init(
        step: ScenarioWord, words line: ArraySlice<ScenarioWord>, endColumn: Int,
        grammar: ScenarioGrammar
    ) throws(ScenarioStepError) {
        self.step = step
        self.grammar = grammar
        self.endColumn = endColumn
        var prefixed: Set<ExactText> = []
        for word in line {
            guard let option = Self.split(word) else {
                words.append(word)
                continue
            }
            switch grammar.role(of: option.name) {
            case .once:
                guard self.option(option.name) == nil else {
                    throw Self.duplicate(option)
                }
                options.append(option)
            case .prefixed:
                guard prefixed.insert(ExactText(option.name)).inserted else {
                    throw Self.duplicate(option)
                }
                options.append(option)
            case .repeatable: options.append(option)
            case .pair: pairs.append(option)
            case .word: words.append(word)
            }
        }
    }

    private static func split(_ word: ScenarioWord) -> ScenarioOption? {
        let text = word.text.utf8
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else {
            return nil
        }
        return ScenarioOption(
            name: String(word.text[..<equals]),
            value: String(word.text[text.index(after: equals)...]), column: word.column)
    }

    private static func duplicate(_ option: ScenarioOption) -> ScenarioStepError {
        ScenarioStepError(
            column: option.column,
            message: "option \(ScenarioQuotation.quoted(option.name)) occurs twice here")
    }

    /// An error for something missing: it points behind the last word, or to an option that the
    /// step doesn't have.
    func missing(_ what: String) -> ScenarioStepError {
        if position < words.count, let option = Self.split(words[position]) {
            return unknown(option)
        }
        return ScenarioStepError(column: endColumn, message: "'\(step.text)' needs \(what)")
    }

    /// An error for a word that should be an option.
    private func unknown(_ option: ScenarioOption) -> ScenarioStepError {
        let suggestion = ScenarioQuotation.suggestion(
            for: option.name, among: grammar.optionNames)
        let name = ScenarioQuotation.quoted(option.name)
        return ScenarioStepError(
            column: option.column, message: "'\(step.text)' has no option \(name)\(suggestion)")
    }

    // MARK: Words by their place

    /// The next word, if there is one.
    mutating func nextWord() -> ScenarioWord? {
        guard position < words.count else {
            return nil
        }
        position += 1
        return words[position - 1]
    }

    /// The next word; an empty one is as good as none.
    mutating func requiredWord(_ what: String) throws(ScenarioStepError) -> ScenarioWord {
        let word = try anyWord(what)
        guard !word.text.isEmpty else {
            throw ScenarioStepError(
                column: word.column, message: "'\(step.text)' needs \(what), not an empty word")
        }
        return word
    }

    /// The next word, which may be empty.
    mutating func anyWord(_ what: String) throws(ScenarioStepError) -> ScenarioWord {
        guard let word = nextWord() else {
            throw missing(what)
        }
        return word
    }

    /// A word that stands somewhere among those that are left, such as `background`.
    mutating func flag(_ name: String) -> Bool {
        guard position < words.count,
            let index = words[position...].firstIndex(where: { $0.text.keyword == name })
        else {
            return false
        }
        words.remove(at: index)
        return true
    }

    /// The name of one session.
    mutating func session() throws(ScenarioStepError) -> ScenarioStep.SessionReference {
        switch try selection() {
        case .one(let reference): return reference
        case .all(let column):
            throw ScenarioStepError(
                column: column, message: "'\(step.text)' needs one session by its name, not '*'")
        }
    }

    /// The name of one session, or `*`.
    mutating func selection() throws(ScenarioStepError) -> ScenarioStep.SessionSelection {
        try selection(of: requiredWord("a session"))
    }

    /// One session or more, or `*`.
    mutating func selections() throws(ScenarioStepError) -> [ScenarioStep.SessionSelection] {
        var result = [try selection()]
        while let word = nextWord() {
            result.append(try selection(of: word))
        }
        return result
    }

    /// Sessions by their names, perhaps none.
    mutating func sessions() throws(ScenarioStepError) -> [ScenarioStep.SessionReference] {
        var result: [ScenarioStep.SessionReference] = []
        while position < words.count {
            result.append(try session())
        }
        return result
    }

    private func selection(
        of word: ScenarioWord
    ) throws(ScenarioStepError) -> ScenarioStep.SessionSelection {
        if word.text.keyword == "*" {
            return .all(column: word.column)
        }
        if let option = Self.split(word) {
            throw unknown(option)
        }
        return .one(try Self.reference(word.text, column: word.column))
    }

    /// A session's name, checked.
    static func reference(
        _ text: String, column: Int
    ) throws(ScenarioStepError) -> ScenarioStep.SessionReference {
        guard SessionNamer.isName(text) else {
            let name = ScenarioQuotation.quoted(text)
            throw ScenarioStepError(
                column: column,
                message:
                    "\(name) is not a session name; use up to 64 letters, digits, '-', '_' and '.'")
        }
        return ScenarioStep.SessionReference(name: text, column: column)
    }

    // MARK: Options

    /// An option, if it is there.
    func option(_ name: String) -> ScenarioOption? {
        options.first { $0.name.keyword == name }
    }

    /// An option's text, which may be empty.
    func text(_ name: String) -> String? {
        option(name)?.value
    }

    /// An option's text, which must not be empty.
    func filledText(_ name: String) throws(ScenarioStepError) -> String? {
        guard let option = option(name) else {
            return nil
        }
        return try Self.filled(option)
    }

    /// An option's text, which must not be empty.
    static func filled(_ option: ScenarioOption) throws(ScenarioStepError) -> String {
        guard !option.value.isEmpty else {
            throw ScenarioStepError(
                column: option.column,
                message: "option \(ScenarioQuotation.quoted(option.name)) needs a value")
        }
        return option.value
    }

    /// An option that has one of a few values.
    func choice<Choice>(
        _ name: String, _ choices: KeyValuePairs<String, Choice>
    ) throws(ScenarioStepError) -> Choice? {
        guard let option = option(name) else {
            return nil
        }
        return try Self.choice(option.value, column: option.column, choices, of: "'\(name)='")
    }

    /// What a word stands for among a few.
    static func choice<Choice>(
        _ text: String, column: Int, _ choices: KeyValuePairs<String, Choice>, of what: String
    ) throws(ScenarioStepError) -> Choice {
        let word = text.keyword
        if let choice = choices.first(where: { $0.key == word }) {
            return choice.value
        }
        let names = choices.map(\.key)
        let suggestion = ScenarioQuotation.suggestion(for: text, among: names)
        throw ScenarioStepError(
            column: column,
            message: "\(what) is \(ScenarioQuotation.alternatives(names)), "
                + "not \(ScenarioQuotation.quoted(text))\(suggestion)")
    }

    /// Refuses words that nobody took.
    mutating func finish() throws(ScenarioStepError) {
        guard let word = nextWord() else {
            return
        }
        if let option = Self.split(word) {
            throw unknown(option)
        }
        throw ScenarioStepError(
            column: word.column,
            message: "'\(step.text)' takes no further word \(ScenarioQuotation.quoted(word.text))")
    }
}
