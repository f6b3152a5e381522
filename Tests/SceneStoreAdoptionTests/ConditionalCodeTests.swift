import Testing

@testable import SceneStoreAdoption

@Suite("Conditional code")
struct ConditionalCodeTests {
    /// The lines that are read, of lines with directives between them.
    private func read(_ lines: String) -> String {
        var code = ConditionalCode()
        var result = ""
        for line in lines.split(separator: "/") {
            let words = line.dropFirst().split(separator: " ", maxSplits: 1)
            if line.hasPrefix("#"), code.take(words[0], words.dropFirst().first ?? "") {
                continue
            }
            result += code.isLive ? line : ""
        }
        return result
    }

    @Test(
        "L-20 of conditional code what an iPhone may run is read, and nothing else",
        arguments: [
            // Decided.
            ("#if os(iOS)/a/#else/b/#endif/c", "ac"), ("#if os(macOS)/a/#else/b/#endif/c", "bc"),
            ("#if 0/a/#elseif 1/b/#else/c/#endif/d", "bd"),
            ("#if 1/a/#elseif 1/b/#else/c/#endif/d", "ad"),
            ("#if 0/a/#elseif 0/b/#else/c/#endif/d", "cd"),
            // Undecided: every branch that may be the one.
            ("#if BETA/a/#else/b/#endif/c", "abc"),
            ("#if BETA/a/#elseif DEBUG/b/#else/c/#endif/d", "abcd"),
            ("#if BETA/a/#elseif os(iOS)/b/#else/c/#endif/d", "abd"),
            ("#if BETA/a/#elseif os(macOS)/b/#else/c/#endif/d", "acd"),
            ("#if os(iOS)/a/#elseif BETA/b/#else/c/#endif/d", "ad"),
            // One in another: dead code stays dead behind what ends in it.
            ("#if os(macOS)/a/#if BETA/b/#else/c/#endif/d/#else/e/#endif/f", "ef"),
            ("#if os(iOS)/a/#if os(macOS)/b/#endif/c/#else/d/#endif/e", "ace"),
            ("#if 0/#if 1/a/#elseif 1/b/#endif/c/#endif/d", "d"),
            // The words of C.
            ("#ifdef BETA/a/#else/b/#endif/c", "abc"), ("#ifdef TARGET_OS_IOS/a/#endif/b", "ab"),
            ("#ifndef TARGET_OS_IOS/a/#else/b/#endif/c", "bc"),
            ("#if 0/a/#elif 1/b/#else/c/#endif/d", "bd"),
            // What closes nothing.
            ("#endif/a/#else/b/#elseif 0/c", "abc"),
        ])
    func lines(_ lines: String, _ read: String) {
        #expect(self.read(lines) == read)
    }

    @Test("L-20 a binary list has no directives, and of a text only directives are taken out")
    func lists() {
        let binary = Array("bplist00\n#if 0\n\u{1}".utf8)
        #expect(PreprocessedList.bytes(of: binary) == binary)
        func read(_ text: String) -> String {
            String(decoding: PreprocessedList.bytes(of: Array(text.utf8)), as: UTF8.self)
        }
        #expect(read("<a>\n#include \"b\"\n#</a>\n") == "<a>\n\n#</a>\n\n")
        #expect(read("<a>\n  # if os(macOS)\nb\n#endif\n</a>") == "<a>\n\n\n\n</a>\n")
    }

    @Test(
        "L-20 a condition is true, false or can't be told, by all of its parts",
        arguments: [
            ("os(iOS)", true), ("!os(iOS)", false), ("!!os(iOS)", true), ("BETA", nil),
            ("!BETA", nil), ("os(iOS) && BETA", nil), ("os(macOS) && BETA", false),
            ("BETA && os(macOS)", false), ("BETA && os(macOS) && DEBUG", false),
            ("os(iOS) || BETA", true), ("BETA || os(iOS)", true), ("os(macOS) || BETA", nil),
            ("os(macOS) || os(tvOS)", false), ("BETA && os(macOS) || os(iOS)", true),
            // In brackets.
            ("!(os(macOS) || os(iOS) || os(tvOS))", false),
            ("BETA && (os(macOS) || os(iOS) || os(tvOS))", nil),
            ("!(BETA && os(macOS) && DEBUG)", true), ("(os(iOS)) && !(os(macOS))", true),
            ("(BETA || (os(iOS) && !os(macOS)))", true), ("os(iOS) && (os(macOS)", nil),
            ("os(iOS) // os(macOS)", true), ("defined(TARGET_OS_IOS)", true),
            ("swift(>=5.9)", true),
        ] as [(Substring, Bool?)])
    func truth(_ condition: Substring, _ truth: Bool?) {
        #expect(ConditionalCode.truth(of: condition) == truth)
    }

    @Test(
        "L-91 a class method is one, whichever modifier stands behind `class`",
        arguments: ["class", "class public", "public class", "class final override", "class open"])
    func classMethods(_ modifiers: String) {
        var symbols = SymbolTable()
        let text = "class A { \(modifiers) func f() {} }; class B: A {}"
        var source = Lexer.lex(Array(text.utf8), .swift, &symbols)
        Brackets.pair(&source.tokens)
        let types = SwiftDeclarations.read(source.tokens, symbols).types
        #expect(types.map { symbols.text($0.name) } == ["A", "B"])
        #expect(types.map(\.functions.count) == [1, 0])
    }
}
