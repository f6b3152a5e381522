import SceneStoreFormats
import SceneStoreValues

extension AssociationReader {
    private static let ruleKeys: Set<String> = [
        "/", "?", "#", "exclude", "comment", "comments", "caseSensitive", "percentEncoded",
    ]

    /// Reads what a `defaults` object says; it has the keys of a rule, and they apply (K-07).
    mutating func readDefaults(_ json: CanonicalJSON?, at path: String) -> Defaults {
        var result = Defaults()
        guard let json else {
            return result
        }
        guard json.objectValue != nil else {
            noteMalformed(path, "an object")
            return result
        }
        noteUnknownKeys(json, at: path)
        result.path = text(json["/"], at: "\(path)[\"/\"]")
        result.fragment = text(json["#"], at: "\(path)[\"#\"]")
        result.query = query(json["?"], at: "\(path)[\"?\"]")
        result.isExcluded = flag(json["exclude"], at: "\(path).exclude")
        result.isCaseSensitive = flag(json["caseSensitive"], at: "\(path).caseSensitive")
        result.isPercentEncoded = flag(json["percentEncoded"], at: "\(path).percentEncoded")
        return result
    }

    /// Reads rules; of the defaults the first that says something counts.
    mutating func readComponents(
        _ list: [CanonicalJSON], at path: String, defaults: [Defaults],
        into components: inout [AssociationComponent]
    ) {
        for (index, json) in list.enumerated() {
            let place = "\(path)[\(index)]"
            guard json.objectValue != nil else {
                noteMalformed(place, "an object")
                continue
            }
            noteUnknownKeys(json, at: place)
            var rule = AssociationComponent(keyPath: place)
            rule.path = text(json["/"], at: "\(place)[\"/\"]") ?? Self.first(defaults, \.path)
            rule.query = query(json["?"], at: "\(place)[\"?\"]") ?? Self.first(defaults, \.query)
            rule.fragment =
                text(json["#"], at: "\(place)[\"#\"]") ?? Self.first(defaults, \.fragment)
            rule.isExcluded =
                flag(json["exclude"], at: "\(place).exclude")
                ?? Self.first(defaults, \.isExcluded) ?? false
            rule.isCaseSensitive =
                flag(json["caseSensitive"], at: "\(place).caseSensitive")
                ?? Self.first(defaults, \.isCaseSensitive) ?? true
            rule.isPercentEncoded =
                flag(json["percentEncoded"], at: "\(place).percentEncoded")
                ?? Self.first(defaults, \.isPercentEncoded) ?? true
            rule.comment = (json["comment"] ?? json["comments"])?.stringValue
            components.append(rule)
        }
    }

    private static func first<Value>(
        _ defaults: [Defaults], _ key: KeyPath<Defaults, Value?>
    ) -> Value? {
        defaults.lazy.compactMap { $0[keyPath: key] }.first
    }

    private mutating func text(_ json: CanonicalJSON?, at path: String) -> String? {
        guard let json else {
            return nil
        }
        if json.stringValue == nil {
            noteMalformed(path, "a string")
        }
        return json.stringValue
    }

    private mutating func flag(_ json: CanonicalJSON?, at path: String) -> Bool? {
        guard let json else {
            return nil
        }
        if json.booleanValue == nil {
            noteMalformed(path, "true or false")
        }
        return json.booleanValue
    }

    private mutating func query(
        _ json: CanonicalJSON?, at path: String
    ) -> AssociationComponent.Query? {
        switch json {
        case nil:
            return nil
        case .string(let pattern):
            return .whole(pattern)
        case .object(let object):
            var items: [AssociationComponent.Item] = []
            var isWhole = true
            for member in object.members {
                if let pattern = member.value.stringValue {
                    items.append(AssociationComponent.Item(name: member.key, pattern: pattern))
                } else {
                    isWhole = false
                    note(
                        .associationQueryIgnored, .error,
                        "a predicate is not a string, so the system ignores the complete dictionary",
                        KeyPathText.text(path, .key(member.key)),
                        fix: "write the value as a string")
                }
            }
            return isWhole ? .items(items) : nil
        default:
            noteMalformed(path, "a string or an object of strings")
            return nil
        }
    }

    private mutating func noteUnknownKeys(_ json: CanonicalJSON, at path: String) {
        for member in json.objectValue?.members ?? [] where !Self.ruleKeys.contains(member.key) {
            let lower = member.key.lowercased()
            let likely =
                Self.ruleKeys.sorted().first { $0.lowercased() == lower }
                ?? ["path": "/", "query": "?", "fragment": "#", "excluded": "exclude"][lower]
            note(
                .associationUnknownKey, likely == nil ? .note : .warning,
                "an unknown key has no effect", KeyPathText.text(path, .key(member.key)),
                fix: likely.map { "did you mean \"\($0)\"?" } ?? "remove it, or check its spelling")
        }
    }
}
