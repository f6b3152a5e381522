import Testing

import SceneStore
import SceneStoreLinks

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The screens of a video editor.
enum Screen: Equatable, Sendable {
    case videos
    case newVideo
    case account
    case video(id: String, seconds: Int?)
    case clip(UUID, Tab, speed: Double)
    case file([String])
    case deleted(Int)
    case search(String, isExact: Bool, since: Date?, page: UInt)

    enum Tab: String, CaseIterable {
        case edit
        case share
    }
}

extension Router where Destination == Screen {
    static func editor(isStrict: Bool = false) throws -> Router<Screen> {
        try Router<Screen>(
            schemes: ["deeplink"], domains: ["video.example.com"], isStrict: isStrict
        ) {
            Route("/videos", to: .videos)
            Route("/videos/:id", .path("id"), .query("t", optional: .integer(in: 0...86_400))) {
                .video(id: $0, seconds: $1)
            } print: { screen in
                if case .video(let id, let seconds) = screen { (id, seconds) } else { nil }
            }
            Route("/videos/new", to: .newVideo)
            Route("deeplink://account", to: .account)
            Route("https://video.example.com/account", to: .account)
            Route(
                "/clips/:id/:tab", .path("id", .uuid), .path("tab", .oneOf(Screen.Tab.self)),
                .query("speed", .number(in: 0...16), default: 1)
            ) {
                .clip($0, $1, speed: $2)
            } print: { screen in
                guard case .clip(let id, let tab, let speed) = screen else { return nil }
                return (id, tab, speed)
            }
            Route("/files/*path", .rest("path")) {
                .file($0)
            } print: { screen in
                if case .file(let path) = screen { path } else { nil }
            }
            Route("/projects/:id/delete", .path("id", .integer(in: 1...))) {
                .deleted($0)
            } print: { screen in
                if case .deleted(let id) = screen { id } else { nil }
            }
            .destructive()
            Route(
                "/search", .query("q", .string(length: 1...50)), .query("exact", .boolean),
                .query("since", optional: .date), .query("page", .unsigned(in: 1...100))
            ) {
                .search($0, isExact: $1, since: $2, page: $3)
            } print: { screen in
                guard case .search(let text, let isExact, let since, let page) = screen else {
                    return nil
                }
                return (text, isExact, since, page)
            }
        }
    }
}

@Suite("Routing")
struct RouterTests {
    let router: Router<Screen>

    init() throws {
        router = try .editor()
    }

    func failure(_ link: String, of router: Router<Screen>? = nil) -> RouteFailure? {
        do throws(RouteFailure) {
            _ = try (router ?? self.router).match(link)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "K-21 both kinds of links lead to the same screens, literal before parameter before rest",
        arguments: [
            ("deeplink://videos", Screen.videos), ("https://video.example.com/videos", .videos),
            ("DEEPLINK://videos/", .videos), ("deeplink:///videos", .videos),
            ("deeplink:videos", .videos), ("https://VIDEO.example.com//videos//", .videos),
            ("deeplink://videos/new", .newVideo),
            ("https://video.example.com/videos/new?x=1#y", .newVideo),
            ("deeplink://account", .account), ("https://video.example.com/account", .account),
            ("deeplink://videos/42?t=12", .video(id: "42", seconds: 12)),
            ("https://video.example.com/videos/42", .video(id: "42", seconds: nil)),
            ("deeplink://videos/a%20b%2Bc", .video(id: "a b+c", seconds: nil)),
            ("deeplink://files/a/b%20c/d", .file(["a", "b c", "d"])),
        ])
    func screens(_ link: String, _ screen: Screen) throws {
        #expect(try router.match(link).destination == screen)
    }

    @Test(
        "K-21 the complete path is compared, with case, on the router's own origins",
        arguments: [
            "deeplink://", "deeplink://videos/42/more", "deeplink://Videos", "deeplink://video",
            "deeplink://files", "deeplink://files/a//b", "deeplink://videos//new",
            "other://videos", "https://example.com/videos", "https://a.video.example.com/videos",
            "deeplink://clips", "deeplink://x/account",
        ])
    func noRoute(_ link: String) {
        #expect(failure(link)?.code == .noRoute)
        #expect(!router.explain(link).lines.isEmpty)
    }

    @Test("K-21 a route that names an origin holds there alone, and outranks one that names none")
    func origins() throws {
        let router = try Router<Int>(schemes: ["a", "b"], domains: ["*.example.com"]) {
            Route("/x", to: 1)
            Route("a://x", to: 2)
            Route("https://www.example.com/x", to: 3)
            Route("c://x/y", to: 4)
        }
        #expect(try router.match("a://x").destination == 2)
        #expect(try router.match("b://x").destination == 1)
        #expect(try router.match("https://www.example.com/x").destination == 3)
        #expect(try router.match("https://api.example.com/x").destination == 1)
        #expect(try router.match("c://x/y").destination == 4)
        #expect(throws: RouteFailure.self) { try router.match("a://x/y") }
        #expect(throws: RouteFailure.self) { try router.match("c://x") }
        #expect(throws: RouteFailure.self) { try router.match("https://example.com/x") }
    }

    @Test("K-21 precedence is decided segment by segment, and goes back where a branch ends")
    func precedence() throws {
        func pair(_ pattern: String, _ value: Int) -> Route<Int> {
            Route(pattern, .path("a"), .path("b")) { _, _ in
                value
            } print: { _ in
                nil
            }
        }
        let router = try Router<Int>(schemes: ["s"]) {
            Route("/*a", .rest("a")) { _ in
                0
            } print: { _ in
                nil
            }
            pair("/:a/:b", 1)
            Route("/x/:b", .path("b")) { _ in
                2
            } print: { _ in
                nil
            }
            Route("/:a/y", .path("a")) { _ in
                3
            } print: { _ in
                nil
            }
            Route("/x/y/z", to: 4)
        }
        #expect(try router.match("s://x/y").destination == 2)
        #expect(try router.match("s://q/y").destination == 3)
        #expect(try router.match("s://q/r").destination == 1)
        #expect(try router.match("s://x/y/z").destination == 4)
        #expect(try router.match("s://x/y/q").destination == 0)
    }

    @Test(
        "K-22 a parameter that isn't right is a typed error that names it and passes nothing on",
        arguments: [
            ("deeplink://videos/42?t=", SceneStoreError.Code.malformedParameter, "t", ""),
            ("deeplink://videos/42?t=1x", .malformedParameter, "t", "1x"),
            ("deeplink://videos/42?t=+1", .malformedParameter, "t", "+1"),
            ("deeplink://videos/42?t=%201", .malformedParameter, "t", " 1"),
            ("deeplink://videos/42?t=%D9%A1", .malformedParameter, "t", "١"),
            ("deeplink://videos/42?t=86401", .parameterOutOfRange, "t", "86401"),
            ("deeplink://videos/42?t=-1", .parameterOutOfRange, "t", "-1"),
            (
                "deeplink://videos/42?t=99999999999999999999", .parameterOutOfRange, "t",
                "99999999999999999999"
            ),
            ("deeplink://videos/42?t=1&t=1", .repeatedParameter, "t", "1"),
            ("deeplink://videos/42?t=1&%74=2", .repeatedParameter, "t", "2"),
            ("deeplink://clips/1/edit", .malformedParameter, "id", "1"),
            (
                "deeplink://clips/6F9619FF-8B86-D011-B42D-00C04FC964FF/cut", .parameterOutOfRange,
                "tab", "cut"
            ),
            (
                "deeplink://clips/6F9619FF-8B86-D011-B42D-00C04FC964FF/edit?speed=nan",
                .malformedParameter, "speed", "nan"
            ),
            (
                "deeplink://clips/6F9619FF-8B86-D011-B42D-00C04FC964FF/edit?speed=16.5",
                .parameterOutOfRange, "speed", "16.5"
            ),
            ("deeplink://search?q=&exact=1&page=1", .parameterOutOfRange, "q", ""),
            ("deeplink://search?q=a&exact=yes&page=1", .malformedParameter, "exact", "yes"),
            ("deeplink://search?q=a&exact=1&page=-1", .malformedParameter, "page", "-1"),
            (
                "deeplink://search?q=a&exact=1&page=1&since=2026-02-29", .malformedParameter,
                "since",
                "2026-02-29"
            ),
        ])
    func badParameter(
        _ link: String, _ code: SceneStoreError.Code, _ parameter: String, _ value: String
    ) {
        let failure = failure(link)
        #expect(failure?.code == code)
        #expect(failure?.parameter == parameter)
        #expect(failure?.value == value)
        #expect(failure?.error.path == parameter)
    }

    @Test("K-22 a missing parameter and one that is too long are typed errors")
    func missingAndTooLong() {
        let missing = failure("deeplink://search?exact=1&page=1")
        #expect(missing?.code == .missingParameter)
        #expect(missing?.parameter == "q")
        #expect(missing?.value == nil)
        let long = failure(
            "deeplink://search?exact=1&page=1&q=\(String(repeating: "a", count: 51))")
        #expect(long?.code == .parameterTooLong)
        #expect(
            failure("deeplink://files/" + String(repeating: "a/", count: 65))?.code
                == .parameterTooLong)
        #expect(
            failure(
                "deeplink://search?exact=1&page=1&q=\(String(repeating: "a", count: 50))") == nil)
    }

    @Test("K-21 K-22 K-25 a rest takes 64 segments and not one more, and is printed so")
    func longestRest() throws {
        for (count, isTaken) in [(1, true), (64, true), (65, false)] {
            let segments = (0..<count).map(String.init)
            let link = "deeplink://files/" + segments.joined(separator: "/")
            #expect((failure(link) == nil) == isTaken, "\(count)")
            let printed = try? router.link(to: .file(segments), scheme: "deeplink")
            #expect(printed?.text == (isTaken ? link : nil), "\(count)")
        }
        // It isn't printed at all; that is not the same as a link that leads elsewhere.
        let many = (0..<65).map(String.init)
        let error = #expect(throws: SceneStoreError(.unprintableDestination, "")) {
            try router.link(to: .file(many), scheme: "deeplink")
        }
        #expect(error?.message.contains("another route") == false)
        for segment in ["", "a/b"] {
            #expect((try? router.link(to: .file(["a", segment]))) == nil)
        }
    }

    @Test("K-21 an empty segment is no parameter and no part of a rest")
    func emptySegments() throws {
        let router = try Router<Int>(schemes: ["s"]) {
            Route("/a/:id/b", .path("id")) { _ in
                1
            } print: { _ in
                nil
            }
            Route("/c/*rest", .rest("rest")) { _ in
                2
            } print: { _ in
                nil
            }
        }
        #expect(try router.match("s://a/x/b").destination == 1)
        #expect(try router.match("s://c/x/y").destination == 2)
        for link in ["s://a//b", "s://c//x", "s://c/x//y"] {
            #expect(throws: RouteFailure.self, "\(link)") { try router.match(link) }
        }
    }

    @Test("K-22 undeclared query items are ignored, and refused in strict mode")
    func strict() throws {
        #expect(try router.match("deeplink://videos?utm_source=x").destination == .videos)
        let strict = try Router<Screen>.editor(isStrict: true)
        #expect(try strict.match("deeplink://videos/1?t=1").destination != nil)
        let failure = failure("deeplink://videos?utm_source=x", of: strict)
        #expect(failure?.code == .undeclaredParameter)
        #expect(failure?.value == "utm_source=x")
    }

    @Test("R-33 a destructive route hands over its destination only once it is confirmed")
    func destructive() throws {
        let match = try router.match("deeplink://projects/7/delete")
        #expect(match.isDestructive)
        #expect(match.destination == nil)
        #expect(match.confirmed() == .deleted(7))
        let harmless = try router.match("deeplink://videos")
        #expect(!harmless.isDestructive)
        #expect(harmless.destination == .videos)
    }

    @Test("R-32 R-41 a refused link's errors are shown to a user without anything of the link")
    func localized() throws {
        let link = "deeplink://videos/secret%"
        let refusal = try #require(failure(link)?.refusal)
        #expect((refusal as any LocalizedError).errorDescription == "\(refusal)")
        #expect(refusal.failureReason == refusal.message)
        #expect(refusal.recoverySuggestion == "a percent sign itself is written %25")
        for link in [link, "deeplink://videos/1?t=secret", "deeplink://secret"] {
            let error: any Error = try #require(failure(link))
            let localized = try #require(error as? any LocalizedError)
            let texts = [
                try #require(localized.errorDescription), try #require(localized.failureReason),
                localized.recoverySuggestion ?? "",
            ]
            #expect(texts[0] == "\(error)")
            #expect(!texts.joined().contains("secret"))
        }
    }

    @Test("R-33 a link that was stored goes through today's routes when it comes back")
    func storedLink() throws {
        let stored = try router.link(to: .video(id: "42", seconds: 12)).text
        let today = try Router<Screen>(domains: ["video.example.com"]) {
            Route("/videos/:id", .path("id", .integer), .query("t", optional: .integer(in: 0...10)))
            {
                .video(id: String($0), seconds: $1)
            } print: { _ in
                nil
            }
        }
        #expect(failure(stored, of: today)?.code == .parameterOutOfRange)
    }

    @Test(
        "R-32 a link that breaks a rule is never compared with a route",
        arguments: [
            "javascript:alert(1)", "file:///videos", "data:videos", "about:videos",
            "http://video.example.com/videos", "deeplink://videos/%00",
            "deeplink://videos/../videos", "deeplink://videos/a%2Fb",
            "https://user@video.example.com/videos",
        ])
    func refused(_ link: String) {
        #expect(failure(link)?.code == .linkRefused)
        #expect(failure(link)?.refusal != nil)
        #expect(router.explain(link).refusal != nil)
    }

    @Test("K-22 a failure shows its value to the app alone, not in texts or mirrors")
    func failureIsSilent() throws {
        let failure = try #require(self.failure("deeplink://videos/1?t=canary"))
        #expect(failure.value == "canary")
        var dumped = ""
        dump(failure, to: &dumped)
        for text in ["\(failure)", String(reflecting: failure), "\(failure.error)", dumped] {
            #expect(!text.contains("canary"))
            #expect(text.contains("t"))
        }
    }
}
