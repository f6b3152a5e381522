import SceneStore
import SceneStoreExchange
import SceneStoreFormats

/// How the sessions of two stores differ, each change by its key path.
///
/// Both are read as exports: what an export leaves out, such as the content of private sessions,
/// is compared and shown by nobody.
struct StoreDifference {
    /// One session that differs.
    struct Session {
        var identifier: String
        var kind: StoreComparison.Difference.Kind
        /// What of it differs, by the names of an export.
        var fields: [String]
        /// The places; empty for a session that one store has alone.
        var changes: [ValueDifference] = []
    }

    private(set) var sessions: [Session] = []
    /// What else differs, by the kinds of an export's lines.
    let others: [String]

    var isSame: Bool { sessions.isEmpty && others.isEmpty }

    init(_ first: [UInt8], _ second: [UInt8]) throws {
        let comparison = try StoreComparison(first, second)
        others = comparison.others
        let changed = Set(
            comparison.sessions.filter { $0.kind == .changed }.map {
                Array($0.sessionIdentifier.rawValue.utf8)
            })
        let left = try Self.contents(first, of: changed)
        let right = try Self.contents(second, of: changed)
        for one in comparison.sessions {
            let key = Array(one.sessionIdentifier.rawValue.utf8)
            var session = Session(
                identifier: one.sessionIdentifier.rawValue, kind: one.kind, fields: one.fields)
            if one.kind == .changed {
                session.changes = ValueDifference.between(left[key], right[key])
            }
            sessions.append(session)
        }
    }

    /// What people compare of some sessions of an export: everything but what only orders them.
    private static func contents(
        _ export: [UInt8], of wanted: Set<[UInt8]>
    ) throws -> [[UInt8]: Value] {
        var contents: [[UInt8]: Value] = [:]
        for line in wanted.isEmpty ? [] : export.split(separator: 0x0A).dropFirst() {
            let json = try CanonicalJSON(parsing: Array(line), limits: .exportLine)
            guard let object = json.objectValue, object["kind"]?.stringValue == "session",
                let name = object["session"]?.stringValue, wanted.contains(Array(name.utf8))
            else {
                continue
            }
            contents[Array(name.utf8)] = try content(object)
        }
        return contents
    }

    private static func content(_ object: CanonicalJSON.Object) throws -> Value {
        var members = object.members.filter {
            !["kind", "session", "recency", "current", "states", "closed"].contains($0.key)
        }
        for key in ["active", "created"] {
            if let time = object[key]?.integerValue {
                members.append((key, .string(TimeText.iso8601(time))))
            }
        }
        if let closed = object["closed"]?.objectValue {
            members.append(("closed", closed["cause"] ?? .null))
        }
        // Of the states the current one; of those before it how many there are.
        let states = object["states"]?.arrayValue ?? []
        let current = object["current"]?.integerValue
        for state in states {
            guard let state = state.objectValue, state["rank"]?.integerValue == current else {
                continue
            }
            members.append(("state", state["activity"] ?? .null))
        }
        members.append(("states", .integer(Int64(states.count))))
        return try Value(portable: .object(CanonicalJSON.Object(members)), path: "session")
    }

    // MARK: - Showing

    /// Prints the differences, a session a line of JSON, or for people.
    ///
    /// - Parameter title: The title of the window of a session, if it has one.
    func write(
        _ invocation: Invocation, _ context: CommandContext, title: (String) throws -> String?
    ) throws {
        for session in sessions {
            try context.checkInterruption()
            let title = try title(session.identifier)
            if invocation.format == .json {
                try context.output.json(Self.json(session, title))
                continue
            }
            let name = title.map { "\($0) (\(session.identifier))" } ?? session.identifier
            switch session.kind {
            case .onlyFirst: try context.output.line("- \(name, .red)")
            case .onlySecond: try context.output.line("+ \(name, .green)")
            case .changed:
                try context.output.line("  \(name, .yellow)")
                for change in session.changes {
                    try context.output.line(Self.line(change))
                }
                if session.changes.isEmpty {
                    let fields = session.fields.joined(separator: ", ")
                    try context.output.line("      earlier \(fields)")
                }
            }
        }
        for kind in others {
            if invocation.format == .json {
                try context.output.json(Self.json(others: kind))
            } else {
                try context.output.line("  \(Self.words[kind] ?? kind, .yellow)")
            }
        }
    }

    /// What the lines of an export hold that belong to no session.
    private static let words = [
        "discard": "records of discards", "payload": "waiting payloads",
        "activity": "saved activities",
    ]

    private static func json(others kind: String) -> CanonicalJSON {
        ["session": .null, "title": .null, "kind": .string(kind), "fields": [], "changes": []]
    }

    private static func json(_ session: Session, _ title: String?) -> CanonicalJSON {
        [
            "session": .string(session.identifier), "title": .text(title),
            "kind": .string(session.kind.rawValue),
            "fields": .array(session.fields.map { .string($0) }),
            "changes": .array(
                session.changes.map {
                    [
                        "path": .string(shown($0.path)),
                        "old": $0.old.map { CanonicalJSON(stored: $0) } ?? .null,
                        "new": $0.new.map { CanonicalJSON(stored: $0) } ?? .null,
                    ]
                }),
        ]
    }

    /// A path of the export as 'show --key' takes it.
    private static func shown(_ path: String) -> String {
        switch path {
        case "state": "activity"
        case "active": "lastActive"
        default: path.hasPrefix("state.") ? ActivityPath.shown(path.dropFirst(6)) : path
        }
    }

    /// Columns of a value that are shown.
    private static let valueWidth = 60

    private static func line(_ change: ValueDifference) -> TerminalText {
        let old = change.old.map { ValueTree.text(of: $0) } ?? ""
        let new = change.new.map { ValueTree.text(of: $0) } ?? ""
        func text(_ value: String) -> TerminalText {
            TerminalText(verbatim: DisplayWidth.truncated(value, to: valueWidth))
        }
        switch (change.old != nil, change.new != nil) {
        case (false, true): return "    + \(shown(change.path), .green)  \(text(new))"
        case (true, false): return "    - \(shown(change.path), .red)  \(text(old))"
        default:
            let same = sharedStart(old, new)
            let (left, right) = (text(skipping(same, old)), text(skipping(same, new)))
            return "      \(shown(change.path))  \(left) -> \(right)"
        }
    }

    /// How many characters two texts begin with alike.
    private static func sharedStart(_ first: String, _ second: String) -> Int {
        zip(first, second).prefix { $0 == $1 }.count
    }

    /// Long texts that begin alike are shown from a little before where they part.
    private static func skipping(_ same: Int, _ text: String) -> String {
        same > valueWidth / 2 ? "…" + text.dropFirst(same - 10) : text
    }
}
