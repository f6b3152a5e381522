import SceneStore
import SceneStoreFormats

/// A column of a table: how it is called in each format, and what happens when room is scarce.
struct TableColumn: Sendable {
    enum Alignment: Sendable {
        case leading
        case trailing
    }

    /// The JSON key and the CSV heading; stable.
    var key: String
    /// The heading for people.
    var title: String
    var alignment: Alignment
    /// Columns of greater numbers are left out first; those with 0 stay whatever happens.
    var priority: Int
    /// The least columns it may be cut to; nil when it is shown whole or not at all.
    var minimumWidth: Int?
    var cut: DisplayWidth.Cut
    /// Whether people see it only when they ask for it with `--columns`.
    var isForPrograms: Bool

    init(
        _ key: String, _ title: String, alignment: Alignment = .leading, priority: Int = 1,
        minimumWidth: Int? = nil, cut: DisplayWidth.Cut = .end, isForPrograms: Bool = false
    ) {
        self.key = key
        self.title = title
        self.alignment = alignment
        self.priority = priority
        self.minimumWidth = minimumWidth
        self.cut = cut
        self.isForPrograms = isForPrograms
    }
}

/// One value of a row, for all formats at once.
struct TableCell: Sendable {
    enum Content: Sendable {
        /// Nothing: blank, null.
        case none
        /// Stored or foreign text; escaped for each format.
        case text(String)
        case integer(Int64)
        case double(Double)
        case boolean(Bool)
        /// A number of bytes: `1.5 KiB`, else whole.
        case bytes(Int64)
        /// Milliseconds since 1970: `2 min ago`, else ISO 8601.
        case time(Int64)
        /// A time that people read as a text of its own.
        case moment(String, Int64)
        /// Something that people read otherwise than programs do.
        case custom(String, CanonicalJSON)
    }

    let content: Content
    let style: TerminalText.Style?

    init(_ content: Content, _ style: TerminalText.Style? = nil) {
        self.content = content
        self.style = style
    }

    static let none = TableCell(.none)

    static func text(_ text: String?, _ style: TerminalText.Style? = nil) -> TableCell {
        TableCell(text.map { .text($0) } ?? .none, style)
    }

    static func integer(
        _ number: some BinaryInteger, _ style: TerminalText.Style? = nil
    ) -> TableCell {
        TableCell(.integer(Int64(clamping: number)), style)
    }

    static func double(_ number: Double) -> TableCell {
        TableCell(.double(number))
    }

    static func boolean(_ value: Bool, _ style: TerminalText.Style? = nil) -> TableCell {
        TableCell(.boolean(value), style)
    }

    static func bytes(_ count: some BinaryInteger) -> TableCell {
        TableCell(.bytes(Int64(clamping: count)))
    }

    static func time(_ time: Int64?) -> TableCell {
        TableCell(time.map { .time($0) } ?? .none)
    }

    static func moment(_ text: String, _ time: Int64) -> TableCell {
        TableCell(.moment(text, time))
    }

    static func custom(
        _ text: String, _ json: CanonicalJSON, _ style: TerminalText.Style? = nil
    ) -> TableCell {
        TableCell(.custom(text, json), style)
    }

    /// For people, escaped.
    func text(now: Int64) -> String {
        switch content {
        case .none: ""
        case .text(let text), .custom(let text, _), .moment(let text, _):
            TextEscaping.terminal(text)
        case .integer(let number): String(number)
        case .double(let number): number.description
        case .boolean(let value): value ? "yes" : "no"
        case .bytes(let count): NumberText.bytes(count)
        case .time(let time): TimeText.relative(time, to: now)
        }
    }

    func appendJSON(to output: inout [UInt8]) {
        switch content {
        case .none: output.append(contentsOf: "null".utf8)
        case .text(let text): CanonicalJSON.string(text).append(to: &output)
        case .integer(let number), .bytes(let number):
            CanonicalJSON.integer(number).append(to: &output)
        case .double(let number): CanonicalJSON.double(number).append(to: &output)
        case .boolean(let value): CanonicalJSON.boolean(value).append(to: &output)
        case .time(let time), .moment(_, let time):
            CanonicalJSON.string(TimeText.iso8601(time)).append(to: &output)
        case .custom(_, let json): json.append(to: &output)
        }
    }

    func appendCSV(to output: inout [UInt8]) {
        switch content {
        case .none, .custom(_, .null): break
        case .text(let text), .custom(_, .string(let text)):
            TextEscaping.appendCSVField(text, to: &output)
        case .custom(_, let json): TextEscaping.appendCSVField(json.text, to: &output)
        case .time(let time), .moment(_, let time):
            output.append(contentsOf: TimeText.iso8601(time).utf8)
        // Numbers are the command's own: a minus is no formula.
        case .integer, .double, .boolean, .bytes: appendJSON(to: &output)
        }
    }
}
