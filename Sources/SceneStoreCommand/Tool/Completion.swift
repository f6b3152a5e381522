/// A word that may stand at the cursor, for the shells.
struct CompletionCandidate: Sendable, Equatable {
    let word: String
    /// Shown beside it by zsh and fish.
    let explanation: String
}

/// Completes words that only a running command can know, such as session identifiers.
///
/// The shells call `scenestore __complete NAME -- WORDS…`, where WORDS are those of the command
/// line so far, the one at the cursor last.
struct CompletionSource: Sendable {
    /// The name; `sessions` serves ``ValueKind/session``, others ``ValueKind/dynamic(_:)``.
    let name: String
    /// Finds candidates; those that do not begin with the word at the cursor are dropped. What it
    /// throws is swallowed: a shell prompt is no place for errors.
    let candidates: @Sendable (CompletionRequest, CommandContext) throws -> [CompletionCandidate]
}

/// What is known while a word is being typed.
struct CompletionRequest: Sendable {
    /// The word at the cursor, as far as it is typed.
    let prefix: String
    /// The store that the line names, absolute.
    let storePath: String
    /// All words, the one at the cursor last.
    let words: [String]
}

/// The three scripts are made of these facts about the table.
struct CompletionModel {
    let table: CommandTable

    /// What completes a value.
    enum Action: Equatable {
        case nothing
        case words([String])
        case files
        case directories
        /// A ``CompletionSource``.
        case source(String)
    }

    static func action(for kind: ValueKind) -> Action {
        switch kind {
        case .text, .duration: .nothing
        case .choice(let words), .integer(_, let words): words.isEmpty ? .nothing : .words(words)
        case .file: .files
        case .directory: .directories
        case .session: .source("sessions")
        case .dynamic(let name): .source(name)
        }
    }

    /// The options with a value, as they may stand on the line; the same for all commands.
    var valueOptions: [String] {
        var names: Set<String> = []
        for option in table.optionsByName.values where option.value != nil {
            names.insert("--\(option.name)")
            if let letter = option.letter {
                names.insert("-\(letter)")
            }
        }
        return names.sorted()
    }

    /// Commands that are followed by another word of theirs.
    var parents: [String] {
        table.visibleEntries.filter { !$0.command.subcommands.isEmpty }.map(\.name)
    }

    /// The forms of an option on the line.
    static func forms(of option: OptionDescription) -> [String] {
        ["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])
    }

    /// A text in single quotes, for all three shells, with the shell's way to write a quote.
    static func quoted(_ text: String, quote: String = "'\\''") -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: quote)
            + "'"
    }
}
