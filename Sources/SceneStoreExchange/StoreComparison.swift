import SceneStoreFormats
import SceneStoreValues

/// How two stores differ, session by session.
package struct StoreComparison: Sendable, Hashable {
    /// One session that is not the same in both.
    package struct Difference: Sendable, Hashable {
        /// How it differs.
        package enum Kind: String, Sendable, Hashable {
            /// It is in the first store only.
            case onlyFirst = "only-first"
            /// It is in the second store only.
            case onlySecond = "only-second"
            /// It is in both, and not the same.
            case changed
        }

        /// The session.
        package var sessionIdentifier: SceneSession.ID
        /// How it differs.
        package var kind: Kind
        /// What of it differs, by the names of an export.
        package var fields: [String]
    }

    /// The sessions that differ, by identifier.
    package var sessions: [Difference] = []
    /// What else differs, by the kinds of an export's lines: `discard`, `payload`, `activity`.
    package var others: [String] = []
    /// Whether nothing differs.
    package var isSame: Bool { sessions.isEmpty && others.isEmpty }

    /// Compares two exports.
    package init(_ first: [UInt8], _ second: [UInt8]) throws(SceneStoreError) {
        let (left, leftOthers) = try Self.read(first)
        let (right, rightOthers) = try Self.read(second)
        others = Set(leftOthers.keys).union(rightOthers.keys).filter {
            leftOthers[$0] != rightOthers[$0]
        }.sorted { $0.precedes($1) }
        var names = Dictionary(
            left.map { (Array($0.name.utf8), $0.name) }, uniquingKeysWith: { first, _ in first })
        for line in right {
            names[Array(line.name.utf8)] = line.name
        }
        let leftByName = Dictionary(
            left.map { (Array($0.name.utf8), $0.fields) }, uniquingKeysWith: { $1 })
        let rightByName = Dictionary(
            right.map { (Array($0.name.utf8), $0.fields) }, uniquingKeysWith: { $1 })
        for (key, name) in names.sorted(by: { $0.value.precedes($1.value) }) {
            switch (leftByName[key], rightByName[key]) {
            case (let old?, let new?) where old != new:
                sessions.append(
                    Difference(
                        sessionIdentifier: SceneSession.ID(name), kind: .changed,
                        fields: Self.changed(old, new)))
            case (.some, nil):
                sessions.append(
                    Difference(
                        sessionIdentifier: SceneSession.ID(name), kind: .onlyFirst, fields: []))
            case (nil, .some):
                sessions.append(
                    Difference(
                        sessionIdentifier: SceneSession.ID(name), kind: .onlySecond, fields: []))
            default: break
            }
        }
    }

    private static func changed(_ old: [String: String], _ new: [String: String]) -> [String] {
        Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
            .sorted { $0.precedes($1) }
    }

    /// The sessions of an export with the texts of their fields, and the other lines by kind.
    private static func read(
        _ bytes: [UInt8]
    ) throws(SceneStoreError) -> (
        sessions: [(name: String, fields: [String: String])], others: [String: [[UInt8]]]
    ) {
        var sessions: [(name: String, fields: [String: String])] = []
        var others: [String: [[UInt8]]] = [:]
        for line in bytes.split(separator: 0x0A).dropFirst() {
            let json = try CanonicalJSON(parsing: Array(line), limits: .exportLine)
            let kind = json.objectValue?["kind"]?.stringValue ?? ""
            guard let object = json.objectValue, kind == "session",
                let name = object["session"]?.stringValue
            else {
                others[kind, default: []].append(Array(line))
                continue
            }
            var fields: [String: String] = [:]
            for member in object.members {
                fields[member.key] = member.value.text
            }
            // What one transaction saved twice and another once is the same to a person.
            fields["states"] = object["states"]?.arrayValue.map { states in
                states.map { $0.objectValue?["activity"]?.text ?? "" }.joined(separator: "\n")
            }
            fields["recency"] = nil
            fields["current"] = nil
            if let closed = object["closed"]?.objectValue {
                fields["closed"] = closed["cause"]?.text
            }
            sessions.append((name, fields))
        }
        return (sessions, others)
    }
}
