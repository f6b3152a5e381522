#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore

/// A scenario that cannot be played, and the place that is wrong.
///
/// An error in the text is thrown before anything runs. An error that appears only while the
/// scenario is played, such as an unknown session, is thrown by whoever plays it.
///
/// ```swift
/// do {
///     _ = try Scenario(text: "lunch", name: "typo.scenario")
/// } catch {
///     message = error.description
/// }
/// ```
public struct ScenarioError: Error, Hashable, Sendable {
    /// The scenario's name, as its reader gave it.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// The character in the line, from 1.
    public var column: Int
    /// The problem and its remedy, safe for a terminal.
    public var message: String

    /// Makes an error.
    package init(file: String, line: Int, column: Int, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }
}

extension ScenarioError: CustomStringConvertible {
    /// `FILE:LINE:COLUMN: message`, in one line and harmless for a terminal.
    public var description: String {
        "\(TextEscaping.terminal(file)):\(line):\(column): \(message)"
    }
}

extension ScenarioError: LocalizedError {
    /// The place and the message in one line.
    public var errorDescription: String? { description }
    /// The problem and its remedy.
    public var failureReason: String? { message }
}

/// Words of a scenario as they may stand in a message.
enum ScenarioQuotation {
    /// The longest part of a word that is shown, in scalars.
    private static let longest = 48

    /// A word in quotes, escaped, its end cut off when it is long.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let end = scalars.index(scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex)
        guard let end, end < scalars.endIndex else {
            return "'\(TextEscaping.terminal(text))'"
        }
        return "'\(TextEscaping.terminal(String(scalars[..<end])))…'"
    }

    /// `a`, `a or b`, `a, b or c`.
    static func alternatives(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else {
            return words.first ?? ""
        }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    /// `; did you mean 'x'?` when one of the candidates is near enough, else nothing.
    static func suggestion(for word: String, among candidates: [String]) -> String {
        NearestWord.find(word, among: candidates).map { "; did you mean '\($0)'?" } ?? ""
    }
}
