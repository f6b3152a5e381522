import Testing

import SceneStore
import SceneStoreLinks

@Suite("Filtering links")
struct LinkFilterTests {
    static func filter() throws -> LinkFilter {
        var filter = LinkFilter(
            schemes: ["DeepLink", "javascript", "http"],
            domains: try [
                "applinks:example.com", "applinks:*.example.com?mode=developer",
                "xn--bcher-kva.example",
            ]
            .map { try AssociatedDomain($0) },
            appID: "ABCDE12345.com.example.app")
        filter.add(
            try AssociationFile(
                """
                {"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app"], "components":
                    [{"/": "/private/*", "exclude": true}, {"/": "/videos/*"}]},
                    {"appIDs": ["ABCDE12345.com.example.other"], "components": [{"/": "/other"}]}]}}
                """.utf8), for: try AssociatedDomain("example.com"))
        return filter
    }

    @Test(
        "K-01 custom schemes are the manifest's, compared without case",
        arguments: [
            ("deeplink://videos", LinkRefusal.Reason?.none), ("DEEPLINK:x", nil),
            ("deeplinks://videos", .unknownScheme), ("other:", .unknownScheme),
            ("javascript:alert(1)", .forbiddenScheme), ("videos/1", .missingScheme),
        ])
    func schemes(_ link: String, _ reason: LinkRefusal.Reason?) throws {
        let decision = try Self.filter().decide(link)
        #expect(decision.refusal?.reason == reason)
        #expect(decision.isAccepted == (reason == nil))
        #expect(!decision.lines.isEmpty)
    }

    @Test(
        "K-02 https links need a host of the associated domains and a rule of its file",
        arguments: [
            ("https://example.com/videos/42", LinkRefusal.Reason?.none),
            ("https://EXAMPLE.COM:443/videos", nil),
            ("http://example.com/videos/42", .insecureScheme),
            ("https://example.com/private/42", .excluded),
            ("https://example.com/other", .notAssociated),
            ("https://example.com/", .notAssociated),
            ("https://other.com/videos/42", .foreignHost),
            ("https://example.com.evil.com/videos/42", .foreignHost),
            ("https://evilexample.com/videos/42", .foreignHost),
            // No file was given for the hosts below; the domain is enough.
            ("https://www.example.com/anything", nil),
            ("https://a.b.example.com/anything", nil),
            ("https://xn--bcher-kva.example/", nil),
            ("https://xn--pypal-4ve.example.com/", .internationalizedHost),
            ("https://user@example.com/videos/42", .userInfo),
            ("https://example.com:444/videos/42", .port),
            ("https://example.com./videos/42", .trailingDot),
        ])
    func universalLinks(_ link: String, _ reason: LinkRefusal.Reason?) throws {
        #expect(try Self.filter().decide(link).refusal?.reason == reason)
    }

    @Test("K-02 a file can be required for every host")
    func required() throws {
        let domain = try AssociatedDomain("*.example.com")
        var filter = LinkFilter(domains: [domain], requiresAssociation: true)
        #expect(filter.decide("https://www.example.com/x").refusal?.reason == .missingAssociation)
        filter.add(try AssociationFile(component: #"{"/": "/x"}"#), for: domain)
        #expect(filter.decide("https://www.example.com/x").isAccepted)
        #expect(filter.decide("https://www.example.com/y").refusal?.reason == .notAssociated)
    }

    @Test(
        "K-02 entries of the associated domains are read as the entitlement writes them",
        arguments: [
            ("applinks:example.com", "example.com", true),
            ("applinks:example.com", "EXAMPLE.com", true),
            ("example.com", "www.example.com", false), ("*.example.com", "www.example.com", true),
            ("*.example.com", "a.b.example.com", true), ("*.example.com", "example.com", false),
            ("*.example.com", "evilexample.com", false), ("*.example.com", ".example.com", false),
            ("applinks:example.com?mode=developer", "example.com", true),
            ("applinks:*.example.com?mode=developer+managed", "x.example.com", true),
        ])
    func domains(_ entry: String, _ host: String, _ expected: Bool) throws {
        let domain = try AssociatedDomain(entry)
        #expect(domain.contains(host) == expected)
        #expect(try AssociatedDomain(domain.description) == domain)
    }

    @Test(
        "K-02 what is no entry of the associated domains is a typed error",
        arguments: [
            "", "webcredentials:example.com", "https://example.com", "example.com/path",
            "example.com:443", "*.", "*", "a.*.com", "applinks:", "example.com?mode=x",
            "example.com?developer", "bücher.example", "127.0.0.1", "example.com.",
        ])
    func badDomains(_ entry: String) {
        #expect(throws: SceneStoreError(.invalidAssociatedDomain, "")) {
            try AssociatedDomain(entry)
        }
    }

    @Test("K-02 the longest entry decides for a host")
    func bestDomain() throws {
        let domains = try ["*.example.com", "*.users.example.com", "www.users.example.com"].map {
            try AssociatedDomain($0)
        }
        #expect(AssociatedDomain.best(of: domains, for: "a.users.example.com") == 1)
        #expect(AssociatedDomain.best(of: domains, for: "www.users.example.com") == 2)
        #expect(AssociatedDomain.best(of: domains, for: "b.example.com") == 0)
        #expect(AssociatedDomain.best(of: domains, for: "example.com") == nil)
    }

    @Test("R-32 a decision's description holds the scheme and host at most")
    func descriptionIsSilent() throws {
        var refused = 0
        for link in [
            "https://example.com/canary?canary", "https://example.com/videos/canary",
            "deeplink://canary", "canary", "https://example.com/private/canary",
        ] {
            let decision = try Self.filter().decide(link)
            #expect(!"\(decision)".contains("canary"), "\(decision)")
            if let refusal = decision.refusal {
                refused += 1
                #expect(!"\(refusal.error)".contains("canary"))
            }
        }
        #expect(refused >= 2)
    }

    @Test("K-26 a decision says what was asked, what failed and what to do")
    func explained() throws {
        let filter = try Self.filter()
        let decision = filter.decide("https://example.com/Videos/42")
        #expect(
            decision.lines.prefix(2) == [
                "✓ bytes: 29 bytes, every rule holds",
                "✓ domain: example.com belongs to applinks:example.com",
            ])
        #expect(decision.steps.map(\.isPassed) == [true, true, false])
        let lines = decision.lines.joined(separator: "\n")
        #expect(
            lines.contains(
                "closest miss: applinks.details[0].components[1] wants \"/\" to match \"/videos/*\", found \"/Videos/42\""
            ))
        #expect(lines.contains("\"caseSensitive\": false would match"))
        #expect(
            filter.decide("gopher://x").lines.last
                == "hint: declare it in CFBundleURLTypes if it is")
    }
}

@Suite("Explanations")
struct ExplanationTests {
    @Test("K-26 a match names the rule that decided, with its author's comment")
    func match() throws {
        let file = try AssociationFile(
            """
            {"applinks": {"details": [{"appIDs": ["ABCDE12345.a.b"], "components": [
                {"/": "/a"}, {"/": "/b", "exclude": true, "comment": "stays on the web"}]}]}}
            """.utf8)
        #expect(
            file.explain("https://example.com/b").lines == [
                "exclude: applinks.details[0].components[1] decides (\"stays on the web\")",
                "rules before it that did not match: 1",
            ])
    }

    @Test(
        "K-26 a miss names the rule that came nearest, its part, and what would help",
        arguments: [
            ("https://example.com/videos/42?id=481", "components[0]", "?.id", "????", "481", nil),
            ("https://example.com/Help", "components[1]", "/", "/help", "/Help", "caseSensitive"),
            ("https://example.com/help/me", "components[1]", "/", "/help", "/help/me", "/help*"),
            (
                "https://example.com/caf%C3%A9", "components[2]", "/", "/café", "/caf%C3%A9",
                "percentEncoded"
            ),
            ("https://example.com/frag#x", "components[3]", "#", "y", "x", nil),
        ] as [(String, String, String, String, String, String?)])
    func miss(
        _ link: String, _ rule: String, _ part: String, _ pattern: String, _ found: String,
        _ hint: String?
    ) throws {
        let file = try AssociationFile(
            """
            {"applinks": {"details": [{"appIDs": ["ABCDE12345.a.b"], "components": [
                {"/": "/videos/*", "?": {"id": "????"}}, {"/": "/help"}, {"/": "/café"},
                {"/": "/frag", "#": "y"}]}]}}
            """.utf8)
        let explanation = file.explain(link)
        let miss = try #require(explanation.closestMiss)
        #expect(explanation.triedCount == 4)
        #expect(miss.keyPath.hasSuffix(rule))
        #expect(miss.failedPart == part)
        #expect(miss.pattern == pattern)
        #expect(miss.found == found)
        #expect(hint.map { miss.hint?.contains($0) ?? false } ?? (miss.hint == nil))
    }

    @Test("K-26 when no rule is tried, the reason is said")
    func obstacles() throws {
        let file = try AssociationFile(component: "{}")
        #expect(file.explain("http://example.com/").lines.first?.contains("use https") == true)
        #expect(file.explain("nonsense").obstacle != nil)
        #expect(file.explain("https://example.com/", appID: "x").obstacle?.contains("app") == true)
    }

    @Test(
        "K-26 a router says which route came nearest, and why it did not take the link",
        arguments: [
            ("deeplink://vidoes", "/videos", "typing mistake"),
            ("deeplink://Videos/new", "/videos/new", "typing mistake"),
            ("deeplink://videos/42/edit", "/videos/:id", "the complete path is compared"),
            ("deeplink://clips/42", "/clips/:id/:tab", "2 of 3 segments"),
            ("other://videos", "/videos", "other: is not among the router's origins"),
            ("https://evil.com/account", "deeplink://account", "https://evil.com is not among"),
        ])
    func routes(_ link: String, _ pattern: String, _ outcome: String) throws {
        let explanation = try Router<Screen>.editor().explain(link)
        let miss = try #require(explanation.closestMiss)
        #expect(miss.pattern == pattern)
        #expect(miss.outcome.contains(outcome), "\(miss.outcome)")
        #expect(explanation.chosen == nil)
        #expect(explanation.lines.count == 2)
    }

    @Test("K-26 a match names its route, a bad parameter its type and text")
    func chosen() throws {
        let router = try Router<Screen>.editor()
        #expect(router.explain("deeplink://videos/new").lines == ["match: /videos/new"])
        let explanation = router.explain("deeplink://videos/new")
        #expect(
            explanation.attempts.first { $0.pattern == "/videos/:id" }?.outcome
                == "has the shape too, but a more literal route comes first")
        #expect(
            router.explain("deeplink://videos/1?t=x").lines == [
                "refused: /videos/:id takes the link, but the parameter t is malformed; "
                    + "/videos/:id wants integer in 0...86400",
                "found: \"x\"",
            ])
        #expect(router.explain("javascript:x").lines.first?.hasPrefix("refused:") == true)
    }
}
