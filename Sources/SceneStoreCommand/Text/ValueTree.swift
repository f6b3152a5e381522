#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreFormats
import SceneStoreTesting

/// Stored values as a tree for people: a line a value, children indented.
struct ValueTree {
    /// The columns that a line may take; nil for any number.
    let width: Int?
    private(set) var lines: [TerminalText] = []

    init(width: Int?) {
        self.width = width
    }

    /// Adds a value with its key, and what is in it.
    mutating func add(_ key: String, _ value: Value, depth: Int = 0) {
        switch value {
        case .dictionary(let values):
            addHeading(key, "dictionary", values.count, depth)
            for (key, value) in Self.sorted(values) {
                add(TextEscaping.terminal(key), value, depth: depth + 1)
            }
        case .array(let values):
            addHeading(key, "array", values.count, depth)
            for (index, value) in values.enumerated() {
                add("[\(index)]", value, depth: depth + 1)
            }
        case .set(let values):
            addHeading(key, "set", values.count, depth)
            for json in CanonicalJSON(stored: value).objectValue?["$set"]?.arrayValue ?? [] {
                addLine("•", TextEscaping.terminal(json.text), depth + 1)
            }
        default: addLine(key, Self.text(of: value), depth)
        }
    }

    /// Adds a line that is no value.
    mutating func addNote(_ key: String, _ text: String) {
        addLine(key, text, 0, .dim)
    }

    /// The keys of a dictionary as people look for them.
    private static func sorted(_ values: ValueDictionary) -> [ValueDictionary.Element] {
        values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    private mutating func addHeading(_ key: String, _ kind: String, _ count: Int, _ depth: Int) {
        // What is empty has no lines below that would show what it is.
        addLine(key, count == 0 ? "empty \(kind)" : "\(kind) of \(count)", depth, .dim)
    }

    /// Adds a line of escaped text.
    private mutating func addLine(
        _ key: String, _ text: String, _ depth: Int, _ style: TerminalText.Style? = nil
    ) {
        let indentation = String(repeating: "  ", count: depth)
        var text = text
        if let width {
            let used = DisplayWidth.columns(of: indentation) + DisplayWidth.columns(of: key) + 2
            text = DisplayWidth.truncated(text, to: max(8, width - used))
        }
        var line = TerminalText(verbatim: indentation)
        line.append(TerminalText(verbatim: key, .cyan))
        line.append("  ")
        line.append(TerminalText(verbatim: text, style))
        lines.append(line)
    }

    /// A single value, escaped, in a form that shows its type.
    static func text(of value: Value) -> String {
        switch value {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .double(let value): value.description
        case .string(let value): "\"" + TextEscaping.terminal(value) + "\""
        case .data(let value):
            value.isEmpty
                ? "no data"
                : "data, \(NumberText.bytes(Int64(value.count))): "
                    + Hexadecimal.text(value.prefix(32)) + (value.count > 32 ? "…" : "")
        case .date(let value): "date " + ISO8601.text(of: value)
        case .url(let value): "URL " + TextEscaping.terminal(value.absoluteString)
        case .uuid(let value): "UUID " + value.uuidString
        case .array(let values): "array of \(values.count)"
        case .set(let values): "set of \(values.count)"
        case .dictionary(let values): "dictionary of \(values.count)"
        case .opaque(let opaque):
            value.unsignedValue.map { String($0) }
                ?? "of a newer version, \(opaque.encoded.count) bytes"
        }
    }
}
