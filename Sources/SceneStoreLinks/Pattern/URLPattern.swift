/// One compiled pattern, as indices into a ``URLPatternTable`` (K-04).
package struct URLPattern: Hashable, Sendable {
    /// Its tokens.
    package var first: Int32
    /// Behind its last token.
    package var end: Int32
    /// Fewest bytes of a text that can match.
    var minimum: Int32
    /// The last `*`, or -1.
    var lastMany: Int32
    /// The length in bytes of what follows the last `*`, or -1 when it varies.
    package var tail: Int32
    /// Compared without case; its literals are folded already.
    package var isFolded: Bool
    /// Holds a substitution variable of more than single characters.
    var hasChoice: Bool
    /// The byte that every match begins with, or -1.
    package var lead: Int16 = -1
}

/// A unit of a pattern.
struct URLPatternToken: Hashable, Sendable {
    enum Kind: UInt8, Sendable {
        /// Bytes of the table, from `start`, `count` of them.
        case literal
        /// One character.
        case one
        /// Any run of characters.
        case many
        /// One ASCII character of a set; `start` is the set's index.
        case set
        /// One of several patterns; `start` is the choice's index.
        case choice
    }

    var kind: Kind
    var start: Int32 = 0
    var count: Int32 = 0
}

/// A set of ASCII characters as 128 bits.
package struct ASCIISet: Hashable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    package mutating func insert(_ byte: UInt8) {
        if byte < 64 {
            low |= 1 << UInt64(byte)
        } else if byte < 128 {
            high |= 1 << UInt64(byte - 64)
        }
    }

    @inline(__always)
    package func contains(_ byte: UInt8) -> Bool {
        byte < 64
            ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte &- 64) & 1 == 1
    }

    /// The set with both cases of each of its letters.
    package var folded: ASCIISet {
        var result = self
        for byte in UInt8(ascii: "a")...UInt8(ascii: "z")
        where contains(byte) || contains(byte ^ 32) {
            result.insert(byte)
            result.insert(byte ^ 32)
        }
        return result
    }
}

/// The storage of many compiled patterns, and the compiler.
///
/// Patterns are flat: matching reads four arrays and follows no references.
package struct URLPatternTable: Sendable {
    /// Why a pattern can't be compiled; it then never matches.
    package enum Failure: Error, Hashable, Sendable {
        /// It names a variable that nothing defines.
        case undefinedVariable(String)
        /// It exceeds one of the limits.
        case tooLarge
    }

    /// The longest pattern in bytes.
    static let maximumPatternBytes = 4_096
    /// The most tokens and literal bytes of a pattern, each use of a variable counted whole.
    static let maximumPatternSize = 16_384
    /// The same for all patterns of a table.
    static let maximumTableSize = 1 << 23

    private(set) var tokens: [URLPatternToken] = []
    package private(set) var bytes: [UInt8] = []
    package private(set) var sets: [ASCIISet] = []
    /// The patterns of all choices; those of one lie together, sorted by their leads.
    package private(set) var alternatives: [URLPattern] = []
    /// For each choice its alternatives.
    package private(set) var choices: [Range<Int>] = []
    private var choiceSizes: [Int] = []
    private var known: [VariableKey: URLPatternToken] = [:]
    private var size = 0

    private struct VariableKey: Hashable {
        var name: String
        var isFolded: Bool
    }

    /// Compiles a pattern.
    ///
    /// - Parameters:
    ///   - text: `*` is any run of characters, `?` exactly one, `$(name)` a variable.
    ///   - isFolded: Whether texts are compared without case.
    ///   - variables: What `$(name)` stands for; without it `$(` is plain text.
    package mutating func add(
        _ text: some StringProtocol, isFolded: Bool = false,
        variables: SubstitutionVariables? = nil
    ) throws(Failure) -> URLPattern {
        guard text.utf8.count <= Self.maximumPatternBytes else {
            throw .tooLarge
        }
        var draft = Draft(isFolded: isFolded)
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "$"), let variables,
                let name = SubstitutionVariables.reference(at: rest)
            {
                let token = try variable(name.text, isFolded: isFolded, variables)
                draft.append(token)
                draft.size += token.kind == .choice ? choiceSizes[Int(token.start)] : 1
                rest = rest[name.end...]
                continue
            }
            draft.append(byte)
            rest.removeFirst()
        }
        let pattern = store(&draft)
        guard draft.size <= Self.maximumPatternSize, size + draft.size <= Self.maximumTableSize
        else {
            throw .tooLarge
        }
        size += draft.size
        return pattern
    }

    private mutating func variable(
        _ name: String, isFolded: Bool, _ variables: SubstitutionVariables
    ) throws(Failure) -> URLPatternToken {
        let key = VariableKey(name: name, isFolded: isFolded)
        if let token = known[key] {
            return token
        }
        guard let values = variables[name] else {
            throw .undefinedVariable(name)
        }
        guard values.reduce(1, { $0 + $1.utf8.count }) <= Self.maximumPatternSize else {
            throw .tooLarge
        }
        let token: URLPatternToken
        if let set = Self.characters(values) {
            sets.append(isFolded ? set.folded : set)
            token = URLPatternToken(kind: .set, start: Int32(clamping: sets.count - 1))
        } else {
            var total = 1
            var patterns: [URLPattern] = []
            for value in values {
                var draft = Draft(isFolded: isFolded)
                for byte in value.utf8 {
                    draft.append(byte)
                }
                patterns.append(store(&draft))
                total += draft.size
            }
            let start = alternatives.count
            alternatives += patterns.sorted { $0.lead < $1.lead }
            choices.append(start..<alternatives.count)
            choiceSizes.append(total)
            token = URLPatternToken(kind: .choice, start: Int32(clamping: choices.count - 1))
        }
        known[key] = token
        return token
    }

    /// The values as a set, when each is one ASCII character and no wildcard.
    private static func characters(_ values: [String]) -> ASCIISet? {
        var set = ASCIISet()
        for value in values {
            guard value.utf8.count == 1, let byte = value.utf8.first, byte < 128,
                byte != UInt8(ascii: "*"), byte != UInt8(ascii: "?")
            else {
                return nil
            }
            set.insert(byte)
        }
        return values.isEmpty ? nil : set
    }

    /// A pattern in the making.
    private struct Draft {
        var isFolded: Bool
        var units: [Unit] = []
        var size = 0

        enum Unit {
            case literal([UInt8])
            case token(URLPatternToken)
        }

        init(isFolded: Bool) {
            self.isFolded = isFolded
        }

        mutating func append(_ byte: UInt8) {
            size += 1
            if byte == UInt8(ascii: "*") {
                // Two in a row are one.
                if case .token(let last) = units.last, last.kind == .many {
                    return
                }
                units.append(.token(URLPatternToken(kind: .many)))
            } else if byte == UInt8(ascii: "?") {
                units.append(.token(URLPatternToken(kind: .one)))
            } else if case .literal(var literal) = units.last {
                units.removeLast()
                literal.append(byte)
                units.append(.literal(literal))
            } else {
                units.append(.literal([byte]))
            }
        }

        mutating func append(_ token: URLPatternToken) {
            units.append(.token(token))
        }
    }

    private mutating func store(_ draft: inout Draft) -> URLPattern {
        var pattern = URLPattern(
            first: Int32(clamping: tokens.count), end: 0, minimum: 0, lastMany: -1, tail: 0,
            isFolded: draft.isFolded, hasChoice: false)
        for unit in draft.units {
            switch unit {
            case .literal(let literal):
                let folded = draft.isFolded ? CaseFolding.folded(literal) : literal
                tokens.append(
                    URLPatternToken(
                        kind: .literal, start: Int32(clamping: bytes.count),
                        count: Int32(clamping: folded.count)))
                if pattern.first == Int32(clamping: tokens.count - 1), let byte = folded.first {
                    pattern.lead = Int16(byte)
                }
                bytes += folded
                pattern.minimum += Int32(clamping: folded.count)
                pattern.tail += pattern.tail < 0 ? 0 : Int32(clamping: folded.count)
            case .token(let token):
                switch token.kind {
                case .many:
                    pattern.lastMany = Int32(clamping: tokens.count)
                    pattern.tail = 0
                case .set:
                    pattern.minimum += 1
                    pattern.tail += pattern.tail < 0 ? 0 : 1
                case .one:
                    pattern.minimum += 1
                    pattern.tail = -1
                case .choice, .literal:
                    pattern.hasChoice = true
                    pattern.tail = -1
                }
                tokens.append(token)
            }
        }
        pattern.end = Int32(clamping: tokens.count)
        return pattern
    }

    /// The literal that every match begins with.
    package func literalPrefix(of pattern: URLPattern) -> ArraySlice<UInt8> {
        literal(pattern.first, of: pattern)
    }

    /// The literal that every match ends with.
    package func literalSuffix(of pattern: URLPattern) -> ArraySlice<UInt8> {
        literal(pattern.end - 1, of: pattern)
    }

    private func literal(_ place: Int32, of pattern: URLPattern) -> ArraySlice<UInt8> {
        guard pattern.first < pattern.end, tokens[Int(place)].kind == .literal else {
            return []
        }
        let token = tokens[Int(place)]
        return bytes[Int(token.start)..<Int(token.start + token.count)]
    }

    package init() {}
}
