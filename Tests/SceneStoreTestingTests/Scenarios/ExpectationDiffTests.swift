import SceneStore
import SceneStoreTesting
import Testing

@Suite struct ExpectationDiffTests {
    private func calls(_ text: String) throws -> [ExpectedCall] {
        guard case .expect(let calls) = try step("expect \(text)") else {
            return []
        }
        return calls
    }

    private func observed(_ text: String) throws -> [ObservedCall] {
        try calls(text).map { ObservedCall($0.name, sessions: $0.sessions ?? []) }
    }

    @Test(
        "L-36 a word without a session matches any, with one only that",
        arguments: [
            ("connect:A", "connect:A", true), ("connect", "connect:A", true),
            ("connect:A", "connect:B", false), ("connect:A", "fg:A", false),
            ("did", "did", true), ("response:A", "response", false), ("response", "response", true),
            ("discard:A,B", "discard:B,A", true), ("discard:A", "discard:A,B", false),
            ("discard", "discard:A,B", true),
        ])
    func matching(expected: String, actual: String, matches: Bool) throws {
        let expected = try #require(try calls(expected).first)
        let actual = try #require(try observed(actual).first)
        #expect(expected.matches(actual) == matches)
        #expect(ExpectationDiff(expected: [expected], actual: [actual]).isMatch == matches)
    }

    @Test(
        "the diff shows what is missing and what was not expected",
        arguments: [
            ("will did", "will did", "  will\n  did\n"),
            (
                "will did config:A connect:A", "will did connect:A fg:A",
                "  will\n  did\n- config:A\n  connect:A\n+ fg:A\n"
            ),
            (
                "connect:B fg active", "connect:A fg:A active:A",
                """
                - connect:B
                + connect:A
                  fg:A
                  active:A

                """
            ),
            (
                "inactive:A bg:A save:A", "bg:A save:A inactive:A",
                """
                - inactive:A
                  bg:A
                  save:A
                + inactive:A

                """
            ),
            ("discard:A,B", "discard:A", "- discard:A,B\n+ discard:A\n"),
        ])
    func lines(expected: String, actual: String, text: String) throws {
        let diff = ExpectationDiff(expected: try calls(expected), actual: try observed(actual))
        #expect(diff.text == text)
        #expect(diff.isMatch == (text == "  will\n  did\n"))
    }

    @Test("nothing expected, nothing happened, and each alone")
    func empty() throws {
        let none = ExpectationDiff(expected: [ExpectedCall](), actual: [])
        #expect(none.isMatch)
        #expect(none.text == "")
        #expect(ExpectationDiff(expected: [], actual: try observed("will")).text == "+ will\n")
        #expect(ExpectationDiff(expected: try calls("will"), actual: []).text == "- will\n")
    }

    @Test("the common part is a longest one", arguments: 0..<200)
    func longest(seed: Int) {
        var random = SeededRandom(UInt64(seed))
        let names: [CallShortName] = [.fg, .active, .bg]
        let expected = (0..<Int(random.next() % 8)).map { _ in
            ExpectedCall(
                names[Int(random.next() % 3)], sessions: random.next() % 3 == 0 ? nil : ["A"])
        }
        let actual = (0..<Int(random.next() % 8)).map { _ in
            ObservedCall(
                names[Int(random.next() % 3)], sessions: random.next() % 3 == 0 ? ["B"] : ["A"])
        }
        let diff = ExpectationDiff(expected: expected, actual: actual)
        var same = 0
        var missing: [String] = []
        var unexpected: [String] = []
        for line in diff.lines {
            switch line {
            case .same: same += 1
            case .missing(let text): missing.append(text)
            case .unexpected(let text): unexpected.append(text)
            }
        }
        #expect(same == Self.longestCommon(expected[...], actual[...]))
        #expect(same + missing.count == expected.count)
        #expect(same + unexpected.count == actual.count)
        #expect(diff.isMatch == (same == expected.count && same == actual.count))
    }

    /// The definition, without any cleverness.
    private static func longestCommon(
        _ expected: ArraySlice<ExpectedCall>, _ actual: ArraySlice<ObservedCall>
    ) -> Int {
        guard let first = expected.first, !actual.isEmpty else {
            return 0
        }
        var best = longestCommon(expected.dropFirst(), actual)
        if let index = actual.firstIndex(where: { first.matches($0) }) {
            best = max(best, 1 + longestCommon(expected.dropFirst(), actual[(index + 1)...]))
        }
        return best
    }

    @Test("lists that are too long to align are shown whole")
    func long() {
        let expected = Array(repeating: ExpectedCall(.fg), count: 3000)
        let actual = Array(repeating: ObservedCall(.bg), count: 3000)
        let diff = ExpectationDiff(expected: expected, actual: actual)
        #expect(diff.lines.count == 6000)
        #expect(diff.lines.first == .missing("fg"))
        #expect(diff.lines.last == .unexpected("bg"))
    }

    @Test(
        "L-52 diagnostics match by code, and by session when one is named",
        arguments: [
            (ExpectedDiagnostic(code: "a"), nil, true), (ExpectedDiagnostic(code: "a"), "A", true),
            (ExpectedDiagnostic(code: "a", session: "A"), "A", true),
            (ExpectedDiagnostic(code: "a", session: "A"), "B", false),
            (ExpectedDiagnostic(code: "a", session: "A"), nil, false),
            (ExpectedDiagnostic(code: "b"), nil, false),
        ] as [(ExpectedDiagnostic, String?, Bool)])
    func diagnostics(expected: ExpectedDiagnostic, session: String?, matches: Bool) {
        let actual = TranscriptDiagnostic(code: "a", message: "m", session: session)
        #expect(expected.matches(actual) == matches)
        #expect(ExpectationDiff(expected: [expected], actual: [actual]).isMatch == matches)
    }

    @Test("diagnostics show with their sessions")
    func diagnosticText() {
        let diff = ExpectationDiff(
            expected: [ExpectedDiagnostic(code: "a")],
            actual: [
                TranscriptDiagnostic(code: "b", message: "m", session: "A"),
                TranscriptDiagnostic(code: "a", message: "m"),
            ])
        #expect(diff.text == "+ b:A\n  a\n")
    }

    @Test("sessions are compared as sets")
    func sets() {
        #expect(ExpectationDiff(expectedSessions: ["B", "A"], actualSessions: ["A", "B"]).isMatch)
        #expect(
            ExpectationDiff(expectedSessions: ["B", "A"], actualSessions: ["C", "B"]).text
                == "- A\n  B\n+ C\n")
    }
}
