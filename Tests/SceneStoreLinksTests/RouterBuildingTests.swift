import SceneStoreTesting
import Testing

import SceneStore
import SceneStoreLinks

@Suite("Building a router")
struct RouterBuildingTests {
    static func text(_ pattern: String, _ names: String...) -> Route<Int> {
        switch names.count {
        case 0: Route(pattern, to: 0)
        case 1:
            Route(pattern, .path(names[0])) { _ in
                0
            } print: { _ in
                nil
            }
        default:
            Route(pattern, .path(names[0]), .path(names[1])) { _, _ in
                0
            } print: { _ in
                nil
            }
        }
    }

    static func codes(_ routes: [Route<Int>]) -> [Diagnostic.Code] {
        Router.problems(of: routes, schemes: ["s"]).map(\.code)
    }

    @Test(
        "K-20 a malformed pattern is a problem",
        arguments: [
            "videos", "", "/a//b", "/a/./b", "/../b", "/a?b", "/a#b", "/a%20b", "/a*b", "/:",
            "/:9x", "/:a-b", "/*rest/more", "http://example.com/a", "javascript://x", "1a://x",
            "https://", "https://exa mple/a", "https://user@example.com/", "https://[::1]/a",
            "/a\u{7}b",
        ])
    func malformed(_ pattern: String) {
        #expect(Self.codes([Self.text(pattern)]).contains(.routeBadPattern))
    }

    @Test("K-20 parameters and pattern must name the same things, once")
    func names() {
        #expect(Self.codes([Self.text("/:a")]) == [.routeBadName])
        #expect(Self.codes([Self.text("/x", "a")]) == [.routeBadName])
        #expect(Self.codes([Self.text("/:a/:a", "a")]) == [.routeBadName])
        #expect(Self.codes([Self.text("/:a", "a", "a")]) == [.routeBadName])
        #expect(Self.codes([Self.text("/*a", "a")]) == [.routeBadName])
        let inQuery = Route<Int>("/:a", .path("a"), .query("a", .integer)) { _, _ in
            0
        } print: {
            _ in
            nil
        }
        #expect(Self.codes([inQuery]).contains(.routeBadName))
        let rest = Route<Int>("/:a", .rest("a")) { _ in
            0
        } print: { _ in
            nil
        }
        #expect(Self.codes([rest]) == [.routeBadName])
        let empty = Route<Int>("/x", .query("", .integer)) { _ in
            0
        } print: { _ in
            nil
        }
        #expect(Self.codes([empty]) == [.routeBadName])
    }

    @Test("K-20 two routes for the same links are a problem, whatever their parameters are called")
    func duplicates() {
        #expect(Self.codes([Self.text("/a"), Self.text("/a/")]) == [.routeDuplicate])
        #expect(
            Self.codes([Self.text("/v/:a", "a"), Self.text("/v/:b", "b")]) == [.routeDuplicate])
        #expect(Self.codes([Self.text("s://a"), Self.text("S://a")]) == [.routeDuplicate])
        #expect(Self.codes([Self.text("/a"), Self.text("/:a", "a")]) == [])
        #expect(Self.codes([Self.text("/a"), Self.text("t://a")]) == [])
    }

    @Test("K-20 a route that others leave no link is a problem")
    func shadowed() {
        #expect(Self.codes([Self.text("/a"), Self.text("s://a")]) == [.routeShadowed])
        #expect(
            Self.codes([Self.text("https://*.example.com/a"), Self.text("https://w.example.com/a")])
                == [.routeShadowed])
        #expect(
            Self.codes([Self.text("https://w.example.com/a"), Self.text("https://*.example.com/a")])
                == [])
        enum Only: String, CaseIterable { case new, old }
        let parameter = Route<Int>("/v/:a", .path("a", .oneOf(Only.self))) { _ in
            0
        } print: { _ in
            nil
        }
        #expect(Self.codes([parameter, Self.text("/v/new")]) == [])
        #expect(
            Self.codes([parameter, Self.text("/v/new"), Self.text("/v/old")]) == [.routeShadowed])
        // Literals without an origin don't take links of a scheme that the router doesn't list.
        let foreign = Route<Int>("f://v/:a", .path("a", .oneOf(Only.self))) { _ in
            0
        } print: { _ in
            nil
        }
        #expect(Self.codes([foreign, Self.text("/v/new"), Self.text("/v/old")]) == [])
    }

    @Test("K-20 a route without any origin is unreachable, and so are bad origins")
    func unreachable() {
        #expect(Router.problems(of: [Self.text("/a")]).map(\.code) == [.routeUnreachable])
        #expect(Router.problems(of: [Self.text("s://a")]).isEmpty)
        let problems = Router<Int>.problems(
            of: [], schemes: ["https", "http", "file", "a b", "ok"],
            domains: ["exa mple", "https://example.com", "webcredentials:example.com", "ok.com"])
        #expect(
            problems.map(\.path) == [
                "https", "http", "file", "a b", "exa mple", "https://example.com",
                "webcredentials:example.com",
            ])
    }

    @Test("K-20 building reports every problem at once")
    func allAtOnce() {
        do throws(SceneStoreError) {
            _ = try Router<Int>(schemes: ["s"]) {
                Self.text("nope")
                Self.text("/a")
                Self.text("/a")
                Self.text("/:b")
            }
            Issue.record("built")
        } catch {
            #expect(error.code == .invalidRoutes)
            #expect(error.message.hasPrefix("3 problems"))
            #expect(error.message.contains("nope"))
            #expect(error.message.contains("same links"))
            #expect(error.message.contains("not declared"))
        }
    }

    @Test("K-20 routes can be gathered with conditions and loops")
    func builder() throws {
        let isBeta = true
        let router = try Router<String>(schemes: ["s"]) {
            for name in ["a", "b"] {
                Route("/\(name)", to: name)
            }
            if isBeta {
                Route("/beta", to: "beta")
            } else {
                Route("/stable", to: "stable")
            }
            if !isBeta {
                Route("/none", to: "none")
            }
            [Route("/list", to: "list")]
        }
        #expect(router.patterns == ["/a", "/b", "/beta", "/list"])
        #expect(try router.match("s://list").destination == "list")
    }
}

@Suite("Printing links")
struct RouterPrintingTests {
    @Test(
        "K-25 following a printed link gives the destination again",
        arguments: [
            Screen.videos, .newVideo, .account, .video(id: "42", seconds: 12),
            .video(id: "a b/", seconds: nil), .video(id: "é?#&=%+👩", seconds: 0),
            .clip(.init(), .share, speed: 0.1), .clip(.init(), .edit, speed: 1e-7),
            .file(["a", "b c", "…"]), .deleted(9_007_199_254_740_993),
            .search("a+b&c=d", isExact: true, since: nil, page: 1),
            .search(
                "x", isExact: false, since: .init(timeIntervalSinceReferenceDate: 8e8 + 0.1),
                page: 100),
            .search(
                "x", isExact: false, since: .init(timeIntervalSince1970: -62_135_596_800),
                page: 2),
        ])
    func roundTrip(_ screen: Screen) throws {
        let router = try Router<Screen>.editor()
        for scheme in [nil, "deeplink", "https"] {
            if case .video(let id, _) = screen, id.contains("/") {
                // An escaped slash is refused on the way in, so it is never printed.
                #expect(throws: SceneStoreError(.unprintableDestination, "")) {
                    try router.link(to: screen, scheme: scheme)
                }
                continue
            }
            let link = try router.link(to: screen, scheme: scheme)
            #expect(try router.match(link.text).confirmed() == screen)
            #expect(link.scheme == scheme ?? "https" || (scheme == nil && screen == .account))
        }
    }

    @Test("K-25 links are printed as people expect them")
    func texts() throws {
        let router = try Router<Screen>.editor()
        #expect(try router.link(to: .videos).text == "https://video.example.com/videos")
        #expect(try router.link(to: .newVideo, scheme: "deeplink").text == "deeplink://videos/new")
        #expect(
            try router.link(to: .video(id: "a b", seconds: 12), scheme: "DeepLink").text
                == "deeplink://videos/a%20b?t=12")
    }

    @Test("K-25 what would not come back is an error, not another link")
    func unprintable() throws {
        let router = try Router<Screen>.editor()
        for screen in [
            Screen.video(id: "new", seconds: nil), .video(id: "", seconds: nil),
            .video(id: "..", seconds: nil), .video(id: "\u{202e}", seconds: nil),
            .video(id: "a", seconds: -1), .file([]), .file(["a", ""]), .file(["a/b"]),
            .clip(.init(), .edit, speed: .nan), .search("", isExact: true, since: nil, page: 1),
            .search(
                "x", isExact: true, since: .init(timeIntervalSinceReferenceDate: 1e300), page: 1),
        ] {
            #expect(throws: SceneStoreError(.unprintableDestination, "")) {
                try router.link(to: screen)
            }
        }
        #expect(throws: SceneStoreError(.unprintableDestination, "")) {
            try router.link(to: .videos, scheme: "other")
        }
    }

    @Test("K-25 4 000 random destinations come back as they were printed")
    func randomRoundTrips() throws {
        let router = try Router<Screen>.editor()
        var random = SeededRandom(25)
        let letters: [Character] = [
            "a", "Z", "0", " ", "é", "👩‍👧", "+", "%", "&", "=", "?", "#", ";", ".",
        ]
        for _ in 0..<1_000 {
            func word() -> String {
                "x"
                    + String(
                        (0..<random.below(8)).map { _ in letters[random.below(letters.count)] })
            }
            let seconds = Double(bitPattern: random.next())
            let date: Screen = .search(
                word(), isExact: random.below(2) == 0,
                since: .init(
                    timeIntervalSinceReferenceDate: Double(random.below(1 << 36)) / 64
                        + Double(random.below(1 << 20)) / Double(1 << 20)),
                page: UInt(1 + random.below(100)))
            for screen in [
                .video(id: word(), seconds: random.below(86_401)), date,
                .file((0...random.below(5)).map { _ in word() }),
                .clip(.init(), .share, speed: (0...16).contains(seconds) ? seconds : 1),
            ] as [Screen] {
                let link = try router.link(to: screen, scheme: "deeplink")
                #expect(try router.match(link).destination == screen)
            }
        }
    }
}
