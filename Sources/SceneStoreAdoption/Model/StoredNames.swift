/// Whether what is kept under a name is read anywhere in the app.
struct StoredNames {
    private final class Memory {
        var isRead: [Int32: Bool] = [:]
    }

    let sources: SourceSet
    /// The files of the app.
    let appFiles: [Int]
    let budget: FlowBudget
    private let memory = Memory()

    init(sources: SourceSet, appFiles: [Int], budget: FlowBudget) {
        self.sources = sources
        self.appFiles = appFiles
        self.budget = budget
    }

    /// Whether a stored name is read anywhere in the app.
    func isRead(_ name: Int32) -> Bool {
        if let known = memory.isRead[name] {
            return known
        }
        let isRead = findRead(name)
        memory.isRead[name] = isRead
        return isRead
    }

    private func findRead(_ name: Int32) -> Bool {
        if sources.droppedWords.contains(name) {
            return true
        }
        budget.tokens -= 1_000_000
        guard budget.tokens > 0 else {
            return true
        }
        for file in appFiles {
            let tokens = sources.files[file].tokens
            for index in tokens.indices
            where tokens[index].kind == .word && tokens[index].symbol == name {
                let next = index + 1 < tokens.count ? tokens[index + 1] : tokens[index]
                let isWritten = next.isMark("=") || next.isMark(":") || next.isMark(";")
                let isDeclared =
                    index > 0
                    && (tokens[index - 1].isWord(.var_) || tokens[index - 1].isWord(.let_)
                        || tokens[index - 1].isMark("*"))
                if !isWritten, !isDeclared {
                    return true
                }
                // `return name;`, `x = name;`
                if next.isMark(";"), !isDeclared {
                    return true
                }
            }
        }
        return false
    }
}
