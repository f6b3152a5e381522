import SceneStore
import SceneStoreTesting
import Testing

@Suite struct ExpectationStepTests {
    @Test("expect takes the short names of both profiles, with a session or without")
    func expect() throws {
        #expect(
            try step("expect will did config:A connect:A fg:A active:A")
                == .expect([
                    ExpectedCall(.will), ExpectedCall(.did), ExpectedCall(.config, sessions: ["A"]),
                    ExpectedCall(.connect, sessions: ["A"]), ExpectedCall(.fg, sessions: ["A"]),
                    ExpectedCall(.active, sessions: ["A"]),
                ]))
        for name in CallShortName.allCases {
            #expect(try step("expect \(name.rawValue)") == .expect([ExpectedCall(name)]))
            if name.isOfApplication {
                #expect(
                    failure("expect \(name.rawValue):A")
                        == "s:1:8: '\(name.rawValue)' is a call of the app and has no session")
            } else {
                #expect(
                    try step("expect \(name.rawValue):x.1")
                        == .expect([ExpectedCall(name, sessions: ["x.1"])]))
            }
        }
    }

    @Test("expect discard names an exact set in any order")
    func discard() throws {
        #expect(
            try step("expect discard:B,AA,A")
                == .expect([
                    ExpectedCall(.discard, sessions: ["A", "AA", "B"])
                ]))
    }

    @Test(
        "expect-session takes every key",
        arguments: [
            ("configuration=\"My Main\"", .configuration("My Main")),
            ("configuration:n=", .configuration(nil)),
            ("role=R", .role(SceneSessionRole(rawValue: "R"))),
            ("state=connected", .state(.connected)), ("state=disconnected", .state(.disconnected)),
            ("state=discarded", .state(.discarded)), ("state=held", .state(.held)),
            ("state:s=held", .state(.held)),
            ("reason=first", .reason(.first)), ("reason=launch", .reason(.launch)),
            ("reason=recover", .reason(.recover)), ("reason=restore", .reason(.restore)),
            ("reason=none", .reason(nil)),
            ("activity=com.x", .activity("com.x")), ("activity=none", .activity(nil)),
            ("activity:n=", .activity(nil)),
            ("info.a.b:i=3", .info(path: "a.b", 3)), ("info.state=x", .info(path: "state", "x")),
            ("state.k:b=true", .activityValue(key: "k", true)),
            ("store.k:d=-0.0", .stored(key: "k", .double(-0.0))),
        ] as [(String, ScenarioStep.SessionExpectation.Subject)])
    func expectSession(
        text: String, subject: ScenarioStep.SessionExpectation.Subject
    ) throws {
        let read = try #require(try step("expect-session A \(text)").expectSession)
        #expect(read.session == session("A", 16))
        #expect(read.checks.map(\.subject) == [subject])
        #expect(read.checks.map(\.column) == [18])
    }

    @Test("expect-session keeps the order and the keys of what it checks")
    func expectSessionOrder() throws {
        let read = try #require(
            try step("expect-session A store.k:i=1 state=held info.k=x").expectSession)
        #expect(read.checks.map(\.key) == ["store.k", "state", "info.k"])
    }

    @Test("expect-payload takes every part of a payload")
    func expectPayload() throws {
        let read = try #require(
            try step(
                "expect-payload A urls=app://x?a=b,c activities=T shortcut=S notification=N "
                    + "source=com.y handoff=H redelivered=true"
            ).expectPayload)
        #expect(read.session == session("A", 16))
        #expect(read.checks.map(\.key) == TranscriptPayload.Key.allCases)
        #expect(
            read.checks.map(\.value) == ["app://x?a=b,c", "T", "S", "N", "com.y", "H", "true"])
        #expect(read.checks.first?.column == 18)
    }

    @Test("expect-reason takes each reason", arguments: LaunchReason.allCases)
    func expectReason(reason: LaunchReason) throws {
        #expect(try step("expect-reason \(reason.rawValue)") == .expectReason(reason))
    }

    @Test(
        "expect-diagnostic takes codes with and without sessions, or none",
        arguments: [
            ("expect-diagnostic", []),
            ("expect-diagnostic SS001", [ExpectedDiagnostic(code: "SS001")]),
            (
                "expect-diagnostic noConfiguration roleMismatch:A",
                [
                    ExpectedDiagnostic(code: "noConfiguration"),
                    ExpectedDiagnostic(code: "roleMismatch", session: "A"),
                ]
            ),
        ] as [(String, [ExpectedDiagnostic])])
    func expectDiagnostic(line: String, diagnostics: [ExpectedDiagnostic]) throws {
        #expect(try step(line) == .expectDiagnostic(diagnostics))
    }
}
