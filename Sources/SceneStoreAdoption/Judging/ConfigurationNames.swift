/// The names of configurations that code makes.
struct ConfigurationNames {
    let sources: SourceSet
    let files: [Int]
    let table: TypeTable
    let expressions: Expressions

    /// The names that the provider answers with, and where they are written; nil when one of them
    /// is not written in the code, or the provider leaves the answer to another function.
    func chosen(by provider: Int) -> [String: SourcePlace]? {
        let placed = table.functions[provider]
        guard let body = placed.function.body, answersItself(placed.file, body) else {
            return nil
        }
        var names: [String: SourcePlace] = [:]
        for file in files {
            let tokens = sources.files[file].tokens
            for index in tokens.indices where isName(tokens, index) {
                guard let found = text(tokens, index + 2) else {
                    return nil
                }
                for name in found where names[name] == nil {
                    names[name] = SourcePlace(file: file, token: index + 2)
                }
            }
        }
        return names
    }

    /// Whether each `return` of the provider makes a configuration, or answers with a local name.
    private func answersItself(_ file: Int, _ body: Range<Int>) -> Bool {
        let tokens = sources.files[file].tokens
        let range = body.clamped(to: tokens.indices)
        guard range.contains(where: { tokens[$0].isWord(.UISceneConfiguration) }) else {
            return false
        }
        return range.allSatisfy { index in
            guard tokens[index].isWord(.return_), index + 2 < tokens.count else {
                return true
            }
            let answer = tokens[index + 1]
            let isMade =
                answer.isWord(.UISceneConfiguration)
                || (answer.isMark("[") && tokens[index + 2].isWord(.UISceneConfiguration))
            let end = expressions.expressionEnd(file, index + 1)
            return isMade || (answer.kind == .word && end == index + 1)
        }
    }

    /// Whether a label's value is the name: `UISceneConfiguration(name:`, `configurationWithName:`.
    private func isName(_ tokens: [Token], _ index: Int) -> Bool {
        guard tokens[index].kind == .word, index + 2 < tokens.count, tokens[index + 1].isMark(":")
        else {
            return false
        }
        switch sources.text(tokens[index].symbol) {
        case "name":
            return index > 1 && tokens[index - 1].isMark("(")
                && tokens[index - 2].isWord(.UISceneConfiguration)
        case "configurationWithName": return true
        default: return false
        }
    }

    /// The texts that a value may be; nil when they are not known.
    private func text(_ tokens: [Token], _ index: Int) -> Set<String>? {
        guard index + 1 < tokens.count else {
            return nil
        }
        let next = tokens[index + 1]
        let isAlone = next.isMark(",") || next.closes || next.kind == .word
        if tokens[index].isWord(.nil_) {
            return []
        }
        if tokens[index].kind == .string, tokens[index].symbol >= 0, isAlone {
            return [sources.text(tokens[index].symbol)]
        }
        guard tokens[index].kind == .word, isAlone,
            let constants = table.constants[tokens[index].symbol]
        else {
            return nil
        }
        return Set(constants.map(sources.text))
    }
}
