/// The content that a session can show, and the content that it prefers, as data.
///
/// The counterpart of
/// [UISceneActivationConditions](https://developer.apple.com/documentation/uikit/uisceneactivationconditions).
/// The conditions are data that is stored with the session, so they also apply to disconnected
/// sessions after a relaunch. By default a session can show anything and prefers nothing.
///
/// ```swift
/// let conditions = ActivationConditions(
///     canActivate: .hasPrefix("note/"), prefersToActivate: .equals("note/12"))
/// try scene.setActivationConditions(conditions)
/// let takes7 = conditions.canActivate.allows("note/7")  // true
/// ```
public struct ActivationConditions: Hashable, Sendable {
    /// Whether the session can show a target.
    public var canActivate: Rule
    /// Whether the session wants to show a target.
    public var prefersToActivate: Rule

    /// Makes conditions; the defaults are UIKit's.
    public init(canActivate: Rule = .always, prefersToActivate: Rule = .never) {
        self.canActivate = canActivate
        self.prefersToActivate = prefersToActivate
    }

    /// A question about a target identifier.
    public indirect enum Rule: Hashable, Sendable {
        /// Yes, also without an identifier.
        case always
        /// No.
        case never
        /// The identifier is this text.
        case equals(String)
        /// The identifier begins with this text.
        case hasPrefix(String)
        /// The identifier ends with this text.
        case hasSuffix(String)
        /// The identifier holds this text.
        case contains(String)
        /// The identifier matches a pattern: `*` any run, `?` one character.
        case matches(String)
        /// One of the rules says yes.
        case any([Rule])
        /// All of the rules say yes.
        case all([Rule])
        /// The rule says no. Without an identifier only `always` says yes, so this says no too.
        case not(Rule)

        /// Returns whether the rule allows an identifier.
        ///
        /// A missing identifier is allowed only by ``always``, and by rules that `any` and `all`
        /// make from ``always``.
        public func allows(_ identifier: String?) -> Bool {
            switch self {
            case .always: true
            case .never: false
            case .equals(let text): identifier?.hasSameBytes(as: text) ?? false
            case .hasPrefix(let text): identifier?.utf8.starts(with: text.utf8) ?? false
            case .hasSuffix(let text):
                identifier?.utf8.reversed().starts(with: text.utf8.reversed()) ?? false
            case .contains(let text): identifier.map { Glob.contains(text, in: $0) } ?? false
            case .matches(let text): identifier.map { Glob.matches(pattern: text, $0) } ?? false
            case .any(let rules): rules.contains { $0.allows(identifier) }
            case .all(let rules): !rules.isEmpty && rules.allSatisfy { $0.allows(identifier) }
            case .not(let rule): identifier != nil && !rule.allows(identifier)
            }
        }
    }
}

/// Wildcards: `*` is any run of characters, also none, `?` exactly one.
enum Glob {
    private enum Part: Equatable {
        case run, any
        case scalar(Unicode.Scalar)
    }

    /// Whether a pattern matches a whole text.
    static func matches(pattern: String, _ text: String) -> Bool {
        matches(
            pattern.unicodeScalars.map { $0 == "*" ? .run : $0 == "?" ? .any : .scalar($0) }, text)
    }

    /// Whether a text stands in another one, which is UTF-8 as well.
    static func contains(_ needle: String, in text: String) -> Bool {
        matches([.run] + needle.unicodeScalars.map { .scalar($0) } + [.run], text)
    }

    /// By scalars; at most as many steps as the product of both lengths, because a mismatch goes back
    /// to the last run alone.
    private static func matches(_ pattern: [Part], _ text: String) -> Bool {
        let text = Array(text.unicodeScalars)
        var (place, next) = (0, 0)
        // Behind the last run, and where the text goes on behind what it stands for.
        var retry: (place: Int, next: Int)?
        while next < text.count {
            if place < pattern.count, pattern[place] == .run {
                place += 1
                retry = (place, next)
            } else if place < pattern.count,
                pattern[place] == .any || pattern[place] == .scalar(text[next])
            {
                place += 1
                next += 1
            } else if let last = retry {
                retry = (last.place, last.next + 1)
                (place, next) = (last.place, last.next + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == .run }
    }
}

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
        guard levels > 0 || self == .always || self == .never else {
            throw SceneStoreError(
                .limitExceeded, "the rule is nested too deeply; flatten it", path: path)
        }
        switch self {
        case .always: return "always"
        case .never: return "never"
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
        let values = try rules.enumerated().map { (index, rule) throws(SceneStoreError) in
            try rule.storedValue(levels: levels - 1, path: KeyPathText.text(path, .index(index)))
        }
        return .array([.string(name)] + values)
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
        let only = operands.count == 1 ? operands.first : .none
        switch (name, only) {
        case ("any", _): self = .any(try Self.rules(operands, path: path))
        case ("all", _): self = .all(try Self.rules(operands, path: path))
        case ("not", let rule?): self = .not(try Self(storedValue: rule, path: path))
        case ("equals", .string(let text)): self = .equals(text)
        case ("prefix", .string(let text)): self = .hasPrefix(text)
        case ("suffix", .string(let text)): self = .hasSuffix(text)
        case ("contains", .string(let text)): self = .contains(text)
        case ("matches", .string(let text)): self = .matches(text)
        default: throw StoredFields.malformed(path)
        }
    }

    private static func rules(_ values: [Value], path: String) throws(SceneStoreError) -> [Self] {
        try values.enumerated().map { (index, value) throws(SceneStoreError) in
            try Self(storedValue: value, path: KeyPathText.text(path, .index(index)))
        }
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
        _ bytes: [UInt8]
    ) throws(SceneStoreError) -> ActivationConditions {
        try ActivationConditions(storedValue: decode(bytes))
    }
}
