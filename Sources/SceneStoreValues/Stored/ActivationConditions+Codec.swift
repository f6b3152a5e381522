/// The stored form of activation conditions: a map of the rules that differ from the default.
///
/// A rule without an operand is its name, any other an array of its name and its operands:
/// `{"prefers": ["any", ["equals", "note-1"], ["prefix", "note-1/"]]}`.
extension ActivationConditions {
    /// The value that is stored.
    ///
    /// Throws ``SceneStoreError/Code/limitExceeded`` when a rule is nested too deeply.
    package func storedValue(limits: Limits = .standard) throws(SceneStoreError) -> Value {
        let levels = limits.clamped.depth - 1
        var fields = ValueDictionary()
        if canActivate != .always {
            fields["can"] = try canActivate.storedValue(levels: levels, path: "canActivate")
        }
        if prefersToActivate != .never {
            fields["prefers"] = try prefersToActivate.storedValue(
                levels: levels, path: "prefersToActivate")
        }
        return .dictionary(fields)
    }

    /// Makes conditions of what was stored.
    ///
    /// Throws ``SceneStoreError/Code/malformedValue`` for a rule that this version does not know:
    /// guessing at its answer would bring links to the wrong session.
    package init(storedValue: Value) throws(SceneStoreError) {
        let fields = try StoredFields(storedValue, path: "")
        self.init()
        if let rule = fields.fields["can"] {
            canActivate = try Rule(storedValue: rule, path: "can")
        }
        if let rule = fields.fields["prefers"] {
            prefersToActivate = try Rule(storedValue: rule, path: "prefers")
        }
    }
}

extension ActivationConditions.Rule {
    /// The value that is stored; each rule with operands takes one level.
    fileprivate func storedValue(levels: Int, path: String) throws(SceneStoreError) -> Value {
        switch self {
        case .always: return "always"
        case .never: return "never"
        default: break
        }
        guard levels > 0 else {
            throw SceneStoreError(
                .limitExceeded, "the rule is nested too deeply; flatten it", path: path)
        }
        switch self {
        case .always, .never: return .null
        case .equals(let text): return ["equals", .string(text)]
        case .hasPrefix(let text): return ["prefix", .string(text)]
        case .hasSuffix(let text): return ["suffix", .string(text)]
        case .contains(let text): return ["contains", .string(text)]
        case .matches(let text): return ["matches", .string(text)]
        case .not(let rule):
            return ["not", try rule.storedValue(levels: levels - 1, path: path)]
        case .any(let rules):
            return try Self.storedValue("any", rules, levels: levels, path: path)
        case .all(let rules):
            return try Self.storedValue("all", rules, levels: levels, path: path)
        }
    }

    private static func storedValue(
        _ name: String, _ rules: [Self], levels: Int, path: String
    ) throws(SceneStoreError) -> Value {
        var values: [Value] = [.string(name)]
        for (index, rule) in rules.enumerated() {
            values.append(
                try rule.storedValue(
                    levels: levels - 1, path: KeyPathText.text(path, .index(index))))
        }
        return .array(values)
    }

    /// Makes a rule of a value that the decoder has bounded in depth.
    fileprivate init(storedValue: Value, path: String) throws(SceneStoreError) {
        switch storedValue {
        case .string("always"): self = .always
        case .string("never"): self = .never
        case .array(let values):
            guard case .string(let name) = values.first else {
                throw StoredFields.malformed(path)
            }
            self = try Self(name, Array(values.dropFirst()), path: path)
        default: throw StoredFields.malformed(path)
        }
    }

    private init(_ name: String, _ operands: [Value], path: String) throws(SceneStoreError) {
        switch name {
        case "any": self = .any(try Self.rules(operands, path: path))
        case "all": self = .all(try Self.rules(operands, path: path))
        case "not" where operands.count == 1:
            self = .not(try Self(storedValue: operands[0], path: path))
        default:
            guard operands.count == 1, case .string(let text) = operands[0] else {
                throw StoredFields.malformed(path)
            }
            switch name {
            case "equals": self = .equals(text)
            case "prefix": self = .hasPrefix(text)
            case "suffix": self = .hasSuffix(text)
            case "contains": self = .contains(text)
            case "matches": self = .matches(text)
            default: throw StoredFields.malformed(path)
            }
        }
    }

    private static func rules(_ values: [Value], path: String) throws(SceneStoreError) -> [Self] {
        var rules: [Self] = []
        rules.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            rules.append(
                try Self(storedValue: value, path: KeyPathText.text(path, .index(index))))
        }
        return rules
    }
}

extension ValueCodec {
    /// The bytes of activation conditions.
    package static func encode(
        _ conditions: ActivationConditions, limits: Limits = .standard
    ) throws(SceneStoreError) -> [UInt8] {
        try encode(conditions.storedValue(limits: limits), limits: limits, path: "")
    }

    /// The activation conditions that bytes stand for.
    package static func decodeConditions(
        _ bytes: [UInt8], limits: Limits = .standard
    ) throws(SceneStoreError) -> ActivationConditions {
        try ActivationConditions(storedValue: decode(bytes, limits: limits))
    }
}
