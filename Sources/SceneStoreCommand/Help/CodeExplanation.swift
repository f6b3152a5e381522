import SceneStore

/// The meaning of one code, and what to do about it.
///
/// The pages of the documentation state both. They are built into the command, so that nothing
/// is stated a second time here.
struct CodeExplanation: Equatable, Sendable {
    /// Who prints the code.
    enum Kind: String, Sendable {
        case error = "an error"
        case diagnostic = "a diagnostic"
        case lint = "a finding of lint"
        case doctor = "a finding of doctor"
        case adopt = "a finding of adopt"
    }

    let code: String
    let kind: Kind
    /// What was found, in a few words, if the page has a heading for it.
    let title: String?
    let cause: String
    let advice: String

    /// Every code, in the order of the pages.
    static let all =
        rows(of: page(PackageResources.Errors_md)) { heading in
            heading.hasPrefix("Errors of") ? .error : .diagnostic
        } + rows(of: page(PackageResources.Linting_md)) { _ in .lint }
        + sections(of: page(PackageResources.Doctor_md), kind: .doctor)
        + sections(of: page(PackageResources.Adopting_md), kind: .adopt)

    /// What a word explains: an error and a diagnostic may have the same code.
    static func named(_ word: String) -> [CodeExplanation] {
        let word = word.lowercased()
        return all.filter { $0.code.lowercased() == word }
    }

    func text(width: Int) -> String {
        [code + ": " + (title ?? kind.rawValue), cause, "What to do: " + advice]
            .map { DisplayWidth.wrapped($0, to: width).joined(separator: "\n") + "\n" }
            .joined(separator: "\n")
    }

    var json: CanonicalJSON {
        [
            "advice": .string(advice), "cause": .string(cause), "code": .string(code),
            "kind": .string("\(kind)"), "title": .text(title),
        ]
    }
}

/// The reading of the pages.
extension CodeExplanation {
    private static func page(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// The rows of a page's tables: code, cause, advice.
    private static func rows(
        of page: String, kind: (_ heading: Substring) -> Kind
    ) -> [CodeExplanation] {
        var heading: Substring = ""
        return page.split(separator: "\n").compactMap { line in
            if line.hasPrefix("#") {
                heading = line.drop { "# ".contains($0) }
            }
            let cells = line.split(separator: "|")
            guard line.hasPrefix("| `"), cells.count == 3 else {
                return nil
            }
            return CodeExplanation(
                code: String(cells[0].filter { !" `".contains($0) }), kind: kind(heading),
                title: nil, cause: plain(cells[1]), advice: plain(cells[2]))
        }
    }

    /// The sections of a page: a heading `SS001: title`, the cause, and what to do.
    ///
    /// In a section with examples, the first paragraph is the cause. The paragraph before the
    /// repaired example is the advice.
    private static func sections(of page: String, kind: Kind) -> [CodeExplanation] {
        page.split(separator: "\n### ").dropFirst().compactMap { section in
            let lines = section.split(separator: "\n", maxSplits: 1)
            let heading = lines[0].split(separator: ": ", maxSplits: 1)
            let hasExamples = lines[1].contains("\n```")
            let parts = lines[1].split(separator: "**What to do.**").map { part in
                hasExamples ? part.split(separator: "\n\n")[0] : part
            }
            guard heading.count == 2, parts.count == 2 else {
                return nil
            }
            return CodeExplanation(
                code: String(heading[0]), kind: kind, title: plain(heading[1]),
                cause: plain(parts[0]), advice: plain(parts[1]))
        }
    }

    /// Markdown without its marks: a symbol as Swift writes it, code in quotes, a page by its name.
    private static func plain(_ text: Substring) -> String {
        let paragraphs = text.split(separator: "\n\n").map { paragraph in
            paragraph.split { "\n ".contains($0) }.joined(separator: " ")
        }
        let symbols = between("``", in: paragraphs.joined(separator: "\n\n")) {
            String($0.replacing("/", with: "."))
        }
        return between("`", in: symbols) { "'\($0)'" }
            .replacing("<doc:", with: "the page ").replacing(">", with: "")
    }

    /// The text with every part between two marks changed, and without the marks.
    private static func between(
        _ mark: String, in text: String, change: (Substring) -> String
    ) -> String {
        text.split(separator: mark, omittingEmptySubsequences: false).enumerated()
            .map { $0.offset.isMultiple(of: 2) ? String($0.element) : change($0.element) }
            .joined()
    }
}
