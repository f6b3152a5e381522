/// Whether what is kept under a name may be read: in the app, or by code that is not among the
/// sources, where the name is declared.
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

    func isRead(_ name: Int32) -> Bool {
        if let known = memory.isRead[name] {
            return known
        }
        let isRead = findRead(name)
        memory.isRead[name] = isRead
        return isRead
    }

    private func findRead(_ name: Int32) -> Bool {
        let names = spellings(of: name)
        guard names.isDisjoint(with: sources.droppedWords) else {
            return true
        }
        guard budget.spend(1_000_000) else {
            return true
        }
        var isDeclared = false
        for file in appFiles {
            let tokens = sources.files[file].tokens
            for index in tokens.indices
            where tokens[index].kind == .word && names.contains(tokens[index].symbol) {
                switch mention(tokens, index) {
                case .read: return true
                case .declared: isDeclared = true
                case .written: break
                }
            }
        }
        return !isDeclared
    }

    /// A name, and the variable behind a property of Objective-C: `name`, `_name`.
    private func spellings(of name: Int32) -> Set<Int32> {
        let text = sources.text(name)
        let other = text.hasPrefix("_") ? String(text.dropFirst()) : "_" + text
        return Set([name, sources.symbols.known(other)].compactMap { $0 })
    }

    private enum Mention {
        case declared, written, read
    }

    private func mention(_ tokens: [Token], _ index: Int) -> Mention {
        let next = index + 1 < tokens.count ? tokens[index + 1] : tokens[index]
        if index > 0,
            tokens[index - 1].isWord(.var_) || tokens[index - 1].isWord(.let_)
                || tokens[index - 1].isMark("*")
        {
            return .declared
        }
        // `return name;`, `x = name;` are read, `name = x;` is not.
        return next.isMark("=") || next.isMark(":") ? .written : .read
    }
}
