import SceneStore

/// Activation rules as a scenario writes them.
enum ScenarioRule {
    /// How a rule is written, for messages.
    static let notation = "always, never, =TEXT, ^PREFIX, $SUFFIX, ~CONTAINS or glob:PATTERN"

    /// Reads a rule, or several joined by `|`; nil when one of them is none.
    static func parse(_ text: String) -> ActivationConditions.Rule? {
        var rules: [ActivationConditions.Rule] = []
        for part in text.parts(separatedBy: UInt8(ascii: "|")) {
            guard let rule = single(part) else {
                return nil
            }
            rules.append(rule)
        }
        return rules.count == 1 ? rules.first : .any(rules)
    }

    private static func single(_ text: String) -> ActivationConditions.Rule? {
        switch text.keyword {
        case "always": return .always
        case "never": return .never
        default: break
        }
        if let pattern = text.dropping(prefix: "glob:") {
            return .matches(pattern)
        }
        let rest = String(decoding: text.utf8.dropFirst(), as: UTF8.self)
        switch text.utf8.first {
        case UInt8(ascii: "="): return .equals(rest)
        case UInt8(ascii: "^"): return .hasPrefix(rest)
        case UInt8(ascii: "$"): return .hasSuffix(rest)
        case UInt8(ascii: "~"): return .contains(rest)
        default: return nil
        }
    }
}
