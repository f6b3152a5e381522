/// Whether what is kept under a name may be read: in the app, or by code that is not among the
/// sources, where the name is declared.
struct StoredNames {
    /// What the app does with what is kept.
    enum Reading {
        case none
        /// Only whether it is there is asked: `if let url = pendingURL { refresh() }`.
        case asked
        case read
    }

    private final class Memory {
        var readings: [Int32: Reading] = [:]
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

    func reading(of name: Int32) -> Reading {
        if let known = memory.readings[name] {
            return known
        }
        let reading = findReading(of: name)
        memory.readings[name] = reading
        return reading
    }

    private func findReading(of name: Int32) -> Reading {
        let names = spellings(of: name)
        guard names.isDisjoint(with: sources.droppedWords) else {
            return .read
        }
        guard budget.spend(1_000_000) else {
            return .read
        }
        var isDeclared = false
        var isAsked = false
        for file in appFiles {
            let tokens = sources.files[file].tokens
            for index in tokens.indices
            where tokens[index].kind == .word && names.contains(tokens[index].symbol) {
                switch mention(tokens, index) {
                case .read:
                    guard bindsUnusedName(tokens, index) else {
                        return .read
                    }
                    isAsked = true
                case .declared: isDeclared = true
                case .written: break
                }
            }
        }
        return !isDeclared ? .read : isAsked ? .asked : .none
    }

    /// Whether a condition gives what is kept a new name that nothing mentions:
    /// `if let url = pendingURL {` without `url`.
    private func bindsUnusedName(_ tokens: [Token], _ index: Int) -> Bool {
        guard index > 3, index + 1 < tokens.count else {
            return false
        }
        let next = tokens[index + 1]
        let hasSelf = tokens[index - 1].isMark(".") && tokens[index - 2].isWord(.self_)
        let equals = hasSelf ? index - 3 : index - 1
        guard equals > 2, tokens[equals].isMark("="), tokens[equals - 2].isWord(.let_),
            tokens[equals - 3].isWord(.if_) || tokens[equals - 3].isMark(","),
            next.isMark("{") || next.isMark(",")
        else {
            return false
        }
        let name = tokens[equals - 1].symbol
        // The rest of the condition, and its branch.
        guard
            let open = (index + 1..<tokens.count).first(where: {
                tokens[$0].isMark("{") && tokens[$0].parent == tokens[index].parent
            }), Int(tokens[open].match) > open, budget.spend(Int(tokens[open].match) - index)
        else {
            return false
        }
        return !(index + 1..<Int(tokens[open].match)).contains {
            tokens[$0].kind == .word && tokens[$0].symbol == name
        }
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
