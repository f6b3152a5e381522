import SceneStoreTesting
import Testing

import SceneStore
import SceneStoreLinks

@Suite("Wildcards")
struct GlobTests {
    @Test(
        "K-04 * is any run of characters, ? exactly one, ?* one or more",
        arguments: [
            ("", "", true), ("", "a", false), ("*", "", true), ("*", "a/b", true),
            ("?", "a", true), ("?", "", false), ("?", "ab", false), ("?", "é", true),
            ("?", "👩", true), ("??", "é", false), ("?*", "", false), ("?*", "a", true),
            ("?*", "abc", true), ("a*b", "ab", true), ("a*b", "axxb", true),
            ("a*b", "axxbc", false), ("*a*b*", "xxaxxbxx", true), ("*a*b*", "xxbxxaxx", false),
            ("**", "x", true), ("*?b", "aab", true), ("*é?", "éééx", true), ("a*?", "a", false),
            ("*ab?cd*", "abxabxcdx", true), ("*.example.com", "a.example.com", true),
        ])
    func matching(_ pattern: String, _ text: String, _ expected: Bool) throws {
        #expect(ActivationConditions.Rule.matches(pattern).allows(text) == expected)
        var work = 0
        #expect(try Self.matches(pattern, text, &work) == expected)
    }

    /// What the patterns of association files find.
    private static func matches(
        _ pattern: String, _ text: String, _ work: inout Int
    ) throws -> Bool {
        var table = URLPatternTable()
        let compiled = try table.add(pattern)
        var text = text
        return text.withUTF8 { table.matches(compiled, $0, isASCII: false, work: &work) }
    }

    /// The definition, written as such.
    static func reference(_ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>)
        -> Bool
    {
        guard let first = pattern.first else {
            return text.isEmpty
        }
        if first == "*" {
            return (text.startIndex...text.endIndex).contains {
                reference(pattern.dropFirst(), text[$0...])
            }
        }
        guard let character = text.first, first == "?" || first == character else {
            return false
        }
        return reference(pattern.dropFirst(), text.dropFirst())
    }

    @Test("K-04 matching agrees with its definition on 20 000 random patterns, by all ways")
    func agreesWithDefinition() throws {
        var random = SeededRandom(4)
        let letters: [Unicode.Scalar] = ["a", "b", "é", "👩"]
        let marks: [Unicode.Scalar] = ["a", "b", "é", "?", "*"]
        for _ in 0..<20_000 {
            let pattern = (0..<random.below(7)).map { _ in marks[random.below(marks.count)] }
            let text = (0..<random.below(9)).map { _ in letters[random.below(letters.count)] }
            let expected = Self.reference(pattern[...], text[...])
            let patternText = String(String.UnicodeScalarView(pattern))
            var subject = String(String.UnicodeScalarView(text))
            #expect(ActivationConditions.Rule.matches(patternText).allows(subject) == expected)
            var work = 0
            #expect(try Self.matches(patternText, subject, &work) == expected)
            var table = URLPatternTable()
            let compiled = try table.add(patternText)
            let followed = subject.withUTF8 { bytes in
                var follower = PositionFollower(text: bytes, isFolded: false)
                return follower.matches(compiled, of: table)
            }
            #expect(followed == expected, "\(patternText) \(subject)")
        }
    }

    @Test(
        "K-24 patterns made to backtrack stay within the documented bound",
        arguments: [
            String(repeating: "*a", count: 500) + "b",
            "*" + String(repeating: "a", count: 1_000) + "b*",
            String(repeating: "*a?", count: 300) + "b",
            "*" + String(repeating: "?", count: 1_000) + "b*",
        ])
    func bounded(_ pattern: String) throws {
        for count in [1_000, 10_000, 100_000] {
            let text = String(repeating: "a", count: count)
            var work = 0
            #expect(try !Self.matches(pattern, text, &work))
            let size = pattern.utf8.count
            // First the classical scan up to its budget, then the bit sets.
            let bound = 17 * (count + size) + size * (5 * count / 64 + 16) + 8 * count
            #expect(work <= bound, "\(count): \(work) steps, \(bound) allowed")
        }
    }
}
