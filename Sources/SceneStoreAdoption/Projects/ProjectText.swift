/// A value of a project's description, as Xcode's projects and YAML have it.
indirect enum ProjectText {
    case text(String)
    case list([ProjectText])
    case dictionary([String: ProjectText])

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The elements of a list; of one text that text.
    var list: [ProjectText] {
        switch self {
        case .list(let list): list
        case .text: [self]
        case .dictionary: []
        }
    }

    var dictionary: [String: ProjectText] {
        if case .dictionary(let dictionary) = self { dictionary } else { [:] }
    }

    subscript(_ key: String) -> ProjectText? { dictionary[key] }

    /// The value with what another one has besides: members of dictionaries, elements of lists.
    func merging(_ other: ProjectText) -> ProjectText {
        switch (self, other) {
        case (.dictionary(let own), .dictionary(let other)):
            .dictionary(own.merging(other) { $0.merging($1) })
        case (.list(let own), .list(let other)): .list(own + other)
        default: self
        }
    }

    /// The value as a property list, whose numbers are texts.
    var propertyList: [UInt8] {
        Array("<plist version=\"1.0\">\(xml)</plist>".utf8)
    }

    private var xml: String {
        switch self {
        case .text("true"), .text("YES"): "<true/>"
        case .text("false"), .text("NO"): "<false/>"
        case .text(let text): "<string>\(Self.escaped(text))</string>"
        case .list(let list): "<array>\(list.map(\.xml).joined())</array>"
        case .dictionary(let dictionary):
            "<dict>"
                + dictionary.sorted { $0.key < $1.key }.map {
                    "<key>\(Self.escaped($0.key))</key>\($0.value.xml)"
                }.joined() + "</dict>"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}

/// Reads the old property lists of Xcode's projects: `{ key = (a, "b"); }`.
struct OldPropertyList {
    /// Levels beyond these are not read.
    private static let maximumDepth = 32

    private let bytes: [UInt8]
    private var place = 0

    /// The value of a text; nil when it is of another form.
    static func read(_ bytes: [UInt8]) -> ProjectText? {
        var reader = OldPropertyList(bytes: bytes)
        return reader.value(0)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func skip() {
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                place += 1
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                while place < bytes.count, bytes[place] != UInt8(ascii: "\n") {
                    place += 1
                }
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
                place += 2
                while place < bytes.count,
                    !(bytes[place] == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/"))
                {
                    place += 1
                }
                place += 2
            default: return
            }
        }
    }

    private func peek(_ distance: Int) -> UInt8 {
        place + distance < bytes.count ? bytes[place + distance] : 0
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skip()
        guard place < bytes.count, bytes[place] == UInt8(ascii: character) else {
            return false
        }
        place += 1
        return true
    }

    private mutating func value(_ depth: Int) -> ProjectText? {
        guard depth < Self.maximumDepth else {
            return nil
        }
        if take("{") {
            var members: [String: ProjectText] = [:]
            while !take("}") {
                guard let key = text(), take("="), let value = value(depth + 1), take(";") else {
                    return nil
                }
                members[key] = value
            }
            return .dictionary(members)
        }
        if take("(") {
            var elements: [ProjectText] = []
            while !take(")") {
                guard let element = value(depth + 1) else {
                    return nil
                }
                elements.append(element)
                if !take(",") {
                    guard take(")") else {
                        return nil
                    }
                    break
                }
            }
            return .list(elements)
        }
        return text().map(ProjectText.text)
    }

    private mutating func text() -> String? {
        skip()
        guard place < bytes.count else {
            return nil
        }
        if bytes[place] == UInt8(ascii: "\"") {
            place += 1
            var content: [UInt8] = []
            while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
                if bytes[place] == UInt8(ascii: "\\") {
                    place += 1
                    content.append(peek(0) == UInt8(ascii: "n") ? UInt8(ascii: "\n") : peek(0))
                } else {
                    content.append(bytes[place])
                }
                place += 1
            }
            place += 1
            return String(decoding: content, as: UTF8.self)
        }
        let start = place
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "/"), UInt8(ascii: "$"), UInt8(ascii: "-"), UInt8(ascii: ":"),
                UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "<"), UInt8(ascii: ">"), 0x80...:
                place += 1
            default:
                return place == start
                    ? nil : String(decoding: bytes[start..<place], as: UTF8.self)
            }
        }
        return place == start ? nil : String(decoding: bytes[start..<place], as: UTF8.self)
    }
}

/// Reads the part of YAML that descriptions of projects use: mappings and lists by indentation or
/// in brackets, and texts.
struct YAMLReader {
    private static let maximumDepth = 32
    private static let maximumLines = 20_000

    private var lines: [(indent: Int, text: Substring)] = []
    private var next = 0

    static func read(_ bytes: [UInt8]) -> ProjectText {
        var reader = YAMLReader(String(decoding: bytes, as: UTF8.self))
        return reader.block(0, 0)
    }

    private init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline).prefix(Self.maximumLines) {
            let content = Self.withoutComment(line)
            let indent = content.prefix { $0 == " " }.count
            let rest = content.dropFirst(indent)
            if !rest.isEmpty, rest != "---" {
                lines.append((indent, rest))
            }
        }
    }

    private static func withoutComment(_ line: Substring) -> Substring {
        var quote: Character?
        var before: Character = " "
        var end = line.endIndex
        for index in line.indices {
            let character = line[index]
            if let open = quote {
                quote = character == open ? nil : open
            } else if character == "\"" || character == "'",
                before == " " || before == "[" || before == ","
            {
                quote = character
            } else if character == "#", before == " " {
                end = index
                break
            }
            before = character
        }
        var content = line[..<end]
        while let last = content.last, last.isWhitespace {
            content.removeLast()
        }
        return content
    }

    /// What is indented at least this far.
    private mutating func block(_ indent: Int, _ depth: Int) -> ProjectText {
        guard next < lines.count, lines[next].indent >= indent, depth < Self.maximumDepth else {
            return .text("")
        }
        let own = lines[next].indent
        if lines[next].text == "-" || lines[next].text.hasPrefix("- ") {
            var elements: [ProjectText] = []
            while next < lines.count, lines[next].indent == own,
                lines[next].text == "-" || lines[next].text.hasPrefix("- ")
            {
                let rest = lines[next].text.dropFirst().drop { $0 == " " }
                if rest.isEmpty {
                    next += 1
                    elements.append(block(own + 1, depth + 1))
                } else if Self.key(rest) != nil {
                    // `- key: value`: the mapping begins behind the mark.
                    lines[next] = (own + lines[next].text.count - rest.count, rest)
                    elements.append(block(own + 1, depth + 1))
                } else {
                    next += 1
                    elements.append(Self.scalar(rest))
                }
            }
            return .list(elements)
        }
        var members: [String: ProjectText] = [:]
        while next < lines.count, lines[next].indent == own {
            guard let (key, rest) = Self.key(lines[next].text) else {
                next += 1
                continue
            }
            next += 1
            if rest.isEmpty || rest.hasPrefix("&") {
                let isList =
                    next < lines.count && lines[next].indent == own
                    && lines[next].text.hasPrefix("-")
                members[key] = block(isList ? own : own + 1, depth + 1)
            } else if rest.hasPrefix("|") || rest.hasPrefix(">") {
                while next < lines.count, lines[next].indent > own {
                    next += 1
                }
            } else {
                members[key] = Self.scalar(rest)
            }
            // What is indented by nothing that was understood is passed over.
            while next < lines.count, lines[next].indent > own {
                next += 1
            }
        }
        return .dictionary(members)
    }

    /// `key: rest`.
    private static func key(_ text: Substring) -> (String, Substring)? {
        guard
            let colon = text.firstRange(of: ": ")?.lowerBound
                ?? (text.hasSuffix(":") ? text.index(before: text.endIndex) : nil),
            text.first != "[", text.first != "{"
        else {
            return nil
        }
        return (
            unquoted(text[..<colon]), text[text.index(after: colon)...].drop { $0 == " " }
        )
    }

    private static func unquoted(_ text: Substring) -> String {
        guard let first = text.first, first == "\"" || first == "'", text.last == first,
            text.count > 1
        else {
            return String(text)
        }
        return String(text.dropFirst().dropLast())
    }

    /// A text, or a list in brackets.
    private static func scalar(_ text: Substring) -> ProjectText {
        if text.first == "[", text.last == "]" {
            return .list(
                text.dropFirst().dropLast().split(separator: ",").map { part in
                    var part = part.drop { $0 == " " }
                    while part.last == " " {
                        part.removeLast()
                    }
                    return .text(unquoted(part))
                })
        }
        if text.first == "{", text.last == "}" {
            var members: [String: ProjectText] = [:]
            for part in text.dropFirst().dropLast().split(separator: ",") {
                if let (key, rest) = key(part.drop { $0 == " " }) {
                    members[key] = .text(unquoted(rest))
                }
            }
            return .dictionary(members)
        }
        return .text(unquoted(text))
    }
}
