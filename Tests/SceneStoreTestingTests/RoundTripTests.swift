import SceneStore
import SceneStoreTesting
import Testing

/// An app's own types.
@Suite("Round trips")
struct RoundTripTests {
    struct Page: Codable, Equatable {
        var title = "Plans"
        var ratio = 0.1
        var lines = ["one", "two"]
    }

    /// Forgets what it encodes.
    struct Forgetful: Codable, Equatable {
        var text = ""
        var count = 0
        enum CodingKeys: CodingKey { case text }
    }

    @Test("a type that comes back equal is said to, and what it costs")
    func equal() throws {
        let report = try RoundTrip.check(Page())
        #expect(report.isEqual)
        #expect(report.byteLimit == 16 << 20)
        #expect(report.byteCount > 40 && report.byteCount < 200)
        #expect(report.share < 0.000_1)
        #expect(report.keys.map(\.key) == ["lines", "ratio", "title"])
        #expect(report.keys.map(\.byteCount) == [15, 15, 12])
    }

    @Test("L-04 L-82 a type that forgets something is found out")
    func forgetful() throws {
        #expect(try RoundTrip.check(Forgetful()).isEqual)
        #expect(try !RoundTrip.check(Forgetful(text: "a", count: 1)).isEqual)
    }

    @Test("L-82 a NaN survives, although it does not equal itself")
    func notANumber() throws {
        #expect(try RoundTrip.check(Page(ratio: .nan)).isEqual)
    }

    @Test("L-83 what exceeds a limit is an error with the key path")
    func limits() throws {
        var limits = Limits()
        limits.valueBytes = 100
        let page = Page(lines: [String(repeating: "x", count: 101)])
        let error = #expect(throws: SceneStoreError(.limitExceeded, "")) {
            try RoundTrip.check(page, limits: limits)
        }
        #expect(error?.path == "userInfo.lines[0]")
    }

    @Test("a value without keys is no state")
    func noKeys() {
        #expect(throws: SceneStoreError(.unsupportedValue, "")) {
            try RoundTrip.check([1, 2, 3])
        }
    }

    @Test("an activity comes back with all that it has")
    func activity() throws {
        var activity = try UserActivity(
            activityType: "com.example.page", title: "Plans",
            userInfo: ["nan": .double(.nan), "none": nil, "truth": true])
        activity.keywords = ["a", "b"]
        activity.targetContentIdentifier = "page-1"
        #expect(try RoundTrip.check(activity).isEqual)
    }

    @Test("a recorded encoding is read, as long as the type reads it")
    func golden() throws {
        let recorded = try GoldenEncoding(recording: Page())
        #expect(try GoldenEncoding(recorded.text).decode(Page.self) == Page())
        #expect(
            throws: SceneStoreError(.decodingFailed, ""),
            performing: { try recorded.decode(Forgetful.self) })
    }

    @Test("L-82 a text that is no encoding is an error", arguments: ["a", "zz", "ff", "a1", "é0"])
    func malformed(_ text: String) {
        #expect(throws: SceneStoreError(.malformedValue, "")) {
            try GoldenEncoding(text).decode(Page.self)
        }
    }
}
