/// Turns the text of a scenario into steps, line by line.
struct ScenarioParser {
    private let file: String
    /// The virtual time that passes in all `wait` steps so far.
    private var milliseconds: Int64 = 0

    init(file: String) {
        self.file = file
    }

    mutating func parse(_ text: [UInt8]) throws(ScenarioError) -> [ScenarioStep] {
        var lexer = try ScenarioLexer(text, file: file)
        var steps: [ScenarioStep] = []
        var words: [ScenarioWord] = []
        while try lexer.nextLine(into: &words) {
            guard let first = words.first else {
                continue
            }
            do throws(ScenarioStepError) {
                let kind = try parseStep(first, words, endColumn: lexer.endColumn)
                steps.append(ScenarioStep(line: lexer.line, column: first.column, kind: kind))
            } catch {
                throw ScenarioError(
                    file: file, line: lexer.line, column: error.column, message: error.message)
            }
        }
        return steps
    }

    private mutating func parseStep(
        _ step: ScenarioWord, _ words: [ScenarioWord], endColumn: Int
    ) throws(ScenarioStepError) -> ScenarioStep.Kind {
        guard let grammar = ScenarioGrammar.byName[step.text.keyword] else {
            let suggestion = ScenarioQuotation.suggestion(
                for: step.text, among: ScenarioGrammar.all.map(\.name))
            throw ScenarioStepError(
                column: step.column,
                message: "unknown step \(ScenarioQuotation.quoted(step.text))\(suggestion)")
        }
        var arguments = try ScenarioArguments(
            step: step, words: words.dropFirst(), endColumn: endColumn, grammar: grammar)
        let kind = try grammar.parse(&arguments)
        try arguments.finish()
        if case .wait(let duration) = kind {
            try add(duration, column: step.column)
        }
        return kind
    }

    /// Keeps the virtual clock within what every date of the store can hold.
    private mutating func add(
        _ duration: Int64, column: Int
    ) throws(ScenarioStepError) {
        let (sum, overflow) = milliseconds.addingReportingOverflow(duration)
        guard !overflow, sum <= ScenarioDuration.longest else {
            throw ScenarioStepError(
                column: column, message: "the waits add up to more than 1000000 days")
        }
        milliseconds = sum
    }
}

/// What is wrong with one step; its file and line are known to the parser.
struct ScenarioStepError: Error {
    var column: Int
    var message: String
}
