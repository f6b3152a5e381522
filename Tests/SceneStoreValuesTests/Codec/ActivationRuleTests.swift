#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

import SceneStore

/// The questions that activation conditions ask.
@Suite struct ActivationRuleTests {
    typealias Rule = ActivationConditions.Rule

    @Test("L-71 L-72 without an identifier only always says yes, and what is made of it")
    func withoutIdentifier() {
        let no: [Rule] = [
            .never, .equals(""), .equals("x"), .hasPrefix(""), .hasPrefix("x"), .hasSuffix(""),
            .hasSuffix("x"), .contains(""), .contains("x"), .matches("*"), .matches(""), .any([]),
            .any([.never, .equals("")]), .all([]), .all([.always, .contains("")]), .not(.never),
            .not(.always), .not(.equals("x")), .not(.not(.always)),
        ]
        for rule in no {
            #expect(!rule.allows(nil), "\(rule)")
        }
        for rule in [Rule.always, .any([.never, .always]), .all([.always, .any([.always])])] {
            #expect(rule.allows(nil), "\(rule)")
        }
    }

    @Test(
        "L-71 each rule says yes to what it means, and no to what is next to it",
        arguments: [
            (Rule.equals("ab"), ["ab"], ["a", "abc", "AB", ""]),
            (.hasPrefix("ab"), ["ab", "abc"], ["a", "xab", ""]),
            (.hasSuffix("ab"), ["ab", "xab"], ["b", "abx", ""]),
            (.contains("ab"), ["ab", "xab", "abx", "aab", "xaabx"], ["a", "ba", "a b", ""]),
            // One that repeats its own beginning.
            (.contains("aab"), ["aab", "aaab", "aaaab", "xaaaabx"], ["aa", "abab", "axab"]),
            (.contains("abac"), ["ababac", "abaabac"], ["abab", "ababa"]),
            (.matches("a?c*"), ["abc", "abcd"], ["ac", "xabc", ""]),
            (.any([.equals("a"), .equals("b")]), ["a", "b"], ["c", ""]),
            (.all([.hasPrefix("a"), .hasSuffix("b")]), ["ab", "axb"], ["a", "b", "ba"]),
            (.not(.equals("a")), ["b", ""], ["a"]),
            // Texts that Swift calls equal and that differ in their bytes are two.
            (.equals("\u{e9}"), ["\u{e9}"], ["e\u{301}"]),
        ])
    func meanings(_ rule: Rule, _ yes: [String], _ no: [String]) {
        for text in yes {
            #expect(rule.allows(text), "\(text)")
        }
        for text in no {
            #expect(!rule.allows(text), "\(text)")
        }
        #expect(!Rule.all([]).allows("a"))
        #expect(!Rule.any([]).allows("a"))
    }

    @Test("L-65 two notifications are one by identifier, action and date, and by nothing less")
    func notifications() {
        let first = NotificationResponse(identifier: "a", date: .init(timeIntervalSince1970: 1))
        func key(_ change: (inout NotificationResponse) -> Void) -> String? {
            var other = first
            change(&other)
            return Payload.notification(other).deduplicationKey
        }
        let own = Payload.notification(first).deduplicationKey
        #expect(own != nil)
        #expect(key { $0.targetContentIdentifier = "x" } == own)
        #expect(key { $0.identifier = "b" } != own)
        #expect(key { $0.actionIdentifier = "reply" } != own)
        #expect(key { $0.date = .init(timeIntervalSince1970: 2) } != own)
        #expect(key { $0.date = nil } != own)
        #expect(Payload.shortcut(ShortcutItem(type: "a")).deduplicationKey == nil)
    }
}
