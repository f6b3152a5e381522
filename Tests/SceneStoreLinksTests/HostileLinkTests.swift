import SceneStoreTesting
import Testing

import SceneStore
import SceneStoreLinks

@Suite("Hostile links")
struct HostileLinkTests {
    let filter: LinkFilter
    let router: Router<Screen>
    let file: AssociationFile

    init() throws {
        router = try .editor()
        file = try AssociationFile(
            """
            {"applinks": {"defaults": {"percentEncoded": false}, "substitutionVariables":
            {"w": ["a*", "?b", "", "ab"]}, "details": [{"appIDs": ["ABCDE12345.a.b"], "components": [
                {"/": "*a*b*c*d*e*f*g*", "exclude": true}, {"/": "/$(w)$(w)*$(lang)$(w)"},
                {"/": "/*/*/*?x", "caseSensitive": false}, {"?": {"a": "*z?", "b": "?*", "c": "$(w)"}},
                {"#": "*$(region)*$(w)*"}, {"/": "/videos/*", "percentEncoded": true}]}]}}
            """.utf8)
        var policy = LinkPolicy()
        policy.maximumBytes = 4 << 20
        var filter = LinkFilter(
            schemes: ["deeplink"], domains: [try AssociatedDomain("example.com")], policy: policy)
        filter.add(file, for: try AssociatedDomain("example.com"))
        self.filter = filter
    }

    /// Everything that looks at a link; none of it may trap, and the limits are off where they
    /// can be.
    func lookAtAll(_ link: String) {
        let decision = filter.decide(link)
        #expect(decision.isAccepted == (decision.refusal == nil))
        #expect(!decision.lines.isEmpty)
        if let checked = decision.link {
            _ = checked.segments.count + checked.queryItems.count
            _ = try? router.match(checked)
        }
        _ = router.explain(link).lines
        let match = file.match(link)
        #expect(file.explain(link).match == match)
    }

    static let extremeLinks: [(name: String, link: String)] = {
        let big = 1 << 20
        return [
            ("a megabyte of path", "https://example.com/" + String(repeating: "a", count: big)),
            ("a megabyte of slashes", "https://example.com" + String(repeating: "/", count: big)),
            ("a megabyte of dots", "deeplink://x/" + String(repeating: "../", count: big / 3)),
            ("100 000 items", "https://example.com/?" + String(repeating: "a=b&", count: 100_000)),
            (
                "100 000 names",
                "deeplink://search?"
                    + (0..<100_000).map { "q\($0)=\($0)" }.joined(separator: "&")
            ),
            ("100 000 segments", "deeplink://" + String(repeating: "a/", count: 100_000)),
            (
                "a megabyte of escapes",
                "https://example.com/" + String(repeating: "%41", count: big / 3)
            ),
            (
                "a megabyte of bad escapes",
                "https://example.com/" + String(repeating: "%zz", count: big / 3)
            ),
            ("a megabyte of NUL", "https://example.com/" + String(repeating: "\0", count: big)),
            ("a megabyte of host", "https://" + String(repeating: "a.", count: big / 2) + "com/"),
            (
                "a megabyte of user",
                "https://" + String(repeating: "u@", count: big / 2) + "example.com/"
            ),
            ("a megabyte of scheme", String(repeating: "s", count: big) + "://x"),
            (
                "a megabyte of brackets",
                "https://[" + String(repeating: "[:", count: big / 2) + "]/"
            ),
            ("a megabyte of colons", "https://example.com" + String(repeating: ":", count: big)),
            ("a megabyte of hashes", "https://example.com/" + String(repeating: "#", count: big)),
            ("overrides", "https://example.com/" + String(repeating: "\u{202e}", count: 1_000)),
            ("lone combining marks", "deeplink://" + String(repeating: "\u{301}", count: 100_000)),
        ]
    }()

    @Test(
        "K-24 a link of a megabyte or 100 000 items is decided about",
        arguments: extremeLinks.map(\.name))
    func extremes(_ name: String) throws {
        let link = try #require(Self.extremeLinks.first { $0.name == name }?.link)
        lookAtAll(link)
        if link.utf8.count > 2_048 {
            #expect(LinkFilter(schemes: ["deeplink"]).decide(link).refusal?.reason == .tooLong)
        }
    }

    /// Pieces that parsers have stumbled over.
    static let pieces = [
        "https", "http", "HtTpS", "deeplink", "javascript", "file", ":", "//", "/", "///", "@", "?",
        "#", "&", "=", "[", "]", "[::1]", "%", "%2", "%2F", "%2e%2E", "%00", "%zz", "%C3%A9", "%FF",
        "%E2%80%AE", "..", ".", "...", "\\", "\0", "\u{202e}", "\u{200b}", "é", "аpple.com",
        "xn--pypal-4ve.com", "example.com", "EXAMPLE.com", "example.com.", "127.0.0.1", "0x7f.1",
        ":443", ":99999999999999999999", ":-1", "user:pass", "videos", "new", "42", "t=12", "t=",
        "q",
        "*", "$(lang)", " ", "\t", "\n", "|", "{", "\"", "'", ";", ",", "+", "~", "👩‍👧", "\u{fffd}",
        "a", "b", "c", "z", String(repeating: "a", count: 70),
    ]

    @Test(
        "K-24 2 100 links made of hostile pieces: a decision each, never a trap", arguments: 0..<3)
    func fuzz(_ seed: UInt64) {
        var random = SeededRandom(seed)
        var accepted = 0
        for round in 0..<700 {
            var link =
                ["", "https://example.com", "deeplink://", "https://", "deeplink:"][round % 5]
            for _ in 0..<random.below(12) {
                link += Self.pieces[random.below(Self.pieces.count)]
            }
            lookAtAll(link)
            accepted += accepts(link) ? 1 : 0
        }
        #expect(accepted > 17)
    }

    /// Whether a link is accepted; what is accepted holds what the rules promise.
    private func accepts(_ link: String) -> Bool {
        guard let checked = filter.decide(link).link else {
            return false
        }
        #expect(checked.text.utf8.allSatisfy { (0x21...0x7e).contains($0) })
        #expect(checked.url.absoluteString == checked.text)
        #expect(!checked.segments.contains { $0 == ".." || $0 == "." })
        #expect(!checked.segments.contains { $0.utf8.contains(UInt8(ascii: "/")) })
        #expect(!["http", "javascript", "file"].contains(checked.scheme))
        #expect(checked.host?.contains("@") != true)
        return true
    }

    @Test("K-24 random bytes: a decision each, never a trap, and never what the rules forbid")
    func randomBytes() {
        var random = SeededRandom(24)
        var accepted = 0
        for round in 0..<1_000 {
            // Any byte, or those of a link alone, or few of them: most are refused, some are links.
            let most = [256, 128, 26][round % 3]
            var bytes = (0..<random.below(most == 256 ? 60 : 6)).map { _ in
                UInt8(truncatingIfNeeded: random.below(most) + (most == 26 ? 97 : 0))
            }
            let isLink = random.below(2) == 0
            if isLink {
                let start = most == 26 ? "deeplink://x/" : "https://example.com/"
                bytes = Array(start.utf8) + bytes
            }
            let link = String(decoding: bytes, as: UTF8.self)
            lookAtAll(link)
            accepted += accepts(link) ? 1 : 0
            // Letters are a path, and no link by themselves.
            if most == 26 {
                #expect(accepts(link) == isLink, "\(link)")
            }
            // What begins with no brace is no file of associations.
            if bytes.first != UInt8(ascii: "{") {
                #expect(throws: (any Error).self) { try AssociationFile(bytes) }
            }
        }
        #expect(accepted > 125)
    }

    @Test("K-24 damaged association files: read or refused, never a trap")
    func damagedFiles() throws {
        let text = Array(
            """
            {"applinks":{"defaults":{"/":"/a*"},"substitutionVariables":{"x":["\\u00e9","b*"]},
            "details":[{"appIDs":["ABCDE12345.a.b"],"components":[{"/":"/$(x)/*","?":{"a":"?*"}},
            {"#":"*","exclude":true,"caseSensitive":false,"comment":"c"}],"paths":["NOT /x","*"]}]}}
            """.utf8)
        var random = SeededRandom(2)
        var read = 0
        for _ in 0..<5_000 {
            var damaged = text
            for _ in 0...random.below(3) {
                let place = random.below(damaged.count)
                switch random.below(3) {
                case 0: damaged[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: damaged.remove(at: place)
                default: damaged.insert(text[random.below(text.count)], at: place)
                }
            }
            if let file = try? AssociationFile(damaged) {
                read += 1
                _ = file.explain("https://example.com/a/b?a=1#x").lines
            }
        }
        #expect(read > 500)
    }

    @Test("K-24 the matcher's steps grow no faster than the link")
    func linear() {
        let matcher = file.matcher()
        for unit in ["a", "ab/", "%41", "a=z&", "?", "é", "abcdefg"] {
            var steps: [Int] = []
            for count in [2_000, 4_000, 8_000] {
                var work = 0
                let link =
                    "https://example.com/x?"
                    + String(repeating: unit, count: count / unit.utf8.count) + "#"
                    + String(repeating: unit, count: count / unit.utf8.count)
                _ = matcher.match(link.replacing("é", with: "%C3%A9"), work: &work)
                var path = 0
                _ = matcher.match(
                    "https://example.com/" + String(repeating: unit, count: count), work: &path)
                steps.append(work + path)
            }
            for (small, large) in zip(steps, steps.dropFirst()) {
                #expect(large < small * 5 / 2, "\(unit): \(steps)")
            }
        }
    }

    @Test("K-24 the matcher's steps grow no faster than the rules")
    func linearInRules() throws {
        func work(_ count: Int) throws -> Int {
            let rules = (0..<count).map { "{\"/\":\"/a/*/\($0)\"}" }.joined(separator: ",")
            let file = try AssociationFile(
                "{\"applinks\":{\"details\":[{\"appIDs\":[\"A\"],\"components\":[\(rules)]}]}}".utf8
            )
            var work = 0
            _ = file.matcher().match("https://example.com/a/b/c/none", work: &work)
            return work
        }
        let few = try work(500)
        #expect(try work(1_000) < few * 5 / 2)
        #expect(try work(2_000) < few * 5)
    }

    @Test(
        "K-24 rules that begin with a wildcard cost a search by what they end with",
        arguments: [
            ("", "x"), (", \"caseSensitive\": false", "X"), (", \"percentEncoded\": false", "x"),
        ])
    func suffixes(_ option: String, _ letter: String) throws {
        let rules = (0..<1_000).map { #"{"/":"*/page\#($0).htmlx"\#(option)}"# }
            .joined(separator: ",")
        let file = try AssociationFile(
            "{\"applinks\":{\"details\":[{\"appIDs\":[\"A\"],\"components\":[\(rules)]}]}}".utf8)
        for (link, component) in [("a/page999.html\(letter)", 999), ("page7.html\(letter)", 7)] {
            var work = 0
            #expect(
                file.matcher().match("https://example.com/\(link)", work: &work).component
                    == component)
            #expect(work < 250, "\(work) steps")
        }
        #expect(file.match("https://example.com/a/page999.htmly").component == nil)
        #expect(file.match("https://example.com/xpage999.html\(letter)").component == nil)
    }

    @Test("K-24 rules with prefixes of their own cost a search, not a scan")
    func prefixes() throws {
        let rules = (0..<1_000).map { "{\"/\":\"/section\($0)/*\"}" }.joined(separator: ",")
        let file = try AssociationFile(
            "{\"applinks\":{\"details\":[{\"appIDs\":[\"A\"],\"components\":[\(rules)]}]}}".utf8)
        var work = 0
        #expect(
            file.matcher().match("https://example.com/section999/x", work: &work).component == 999)
        #expect(work < 100, "\(work) steps")
    }

    @Test("K-24 a router's steps grow no faster than its routes, whatever the link")
    func routerSteps() throws {
        // Every segment is a literal and a parameter at once.
        let depth = 8
        let router = try Router<Int>(schemes: ["s"]) {
            for mask in 0..<(1 << depth) {
                let names = (0..<depth).map { mask >> $0 & 1 == 0 ? "a" : ":p\($0)" }
                let pattern = "/" + names.joined(separator: "/") + "/end"
                Self.route(
                    pattern, names.filter { $0.hasPrefix(":") }.map { String($0.dropFirst()) })
            }
        }
        let link = try CheckedLink("s://" + String(repeating: "a/", count: depth) + "none")
        var work = 0
        #expect(router.route(for: link, segments: link.segments, work: &work) == nil)
        // One visit for each node of the tree at most.
        #expect(work <= (1 << depth) * 4, "\(work) steps")
    }

    private static func route(_ pattern: String, _ names: [String]) -> Route<Int> {
        func name(_ index: Int) -> RouteParameter<String> { .path(names[index]) }
        switch names.count {
        case 0: return Route(pattern, to: 0)
        case 1:
            return Route(pattern, name(0)) { _ in
                1
            } print: { _ in
                nil
            }
        case 2:
            return Route(pattern, name(0), name(1)) { _, _ in
                2
            } print: { _ in
                nil
            }
        case 3:
            return Route(pattern, name(0), name(1), name(2)) { _, _, _ in
                3
            } print: { _ in
                nil
            }
        case 4:
            return Route(pattern, name(0), name(1), name(2), name(3)) { _, _, _, _ in
                4
            } print: {
                _ in
                nil
            }
        case 5:
            return Route(pattern, name(0), name(1), name(2), name(3), name(4)) {
                _, _, _, _, _ in
                5
            } print: { _ in
                nil
            }
        case 6:
            return Route(pattern, name(0), name(1), name(2), name(3), name(4), name(5)) {
                _, _, _, _, _, _ in
                6
            } print: { _ in
                nil
            }
        case 7:
            return Route(pattern, name(0), name(1), name(2), name(3), name(4), name(5), name(6)) {
                _, _, _, _, _, _, _ in
                7
            } print: { _ in
                nil
            }
        default:
            return Route(
                pattern, name(0), name(1), name(2), name(3), name(4), name(5), name(6), name(7)
            ) { _, _, _, _, _, _, _, _ in
                8
            } print: { _ in
                nil
            }
        }
    }
}
