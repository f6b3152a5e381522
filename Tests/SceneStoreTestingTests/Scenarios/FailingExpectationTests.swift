import FoundationEssentials
import Testing

import SceneStore
@testable import SceneStoreTesting

/// What our own checks must not let pass: each expectation as it is met, and beside it one that is
/// not.
@Suite("Expectations that are not met")
struct FailingExpectationTests {
    /// Plays steps and answers whether all expectations were met.
    private func isMet(_ steps: String, manifest: String = "many") throws -> Bool {
        let folder = ScenarioReferenceTests.root.appending(path: "Tests/Scenarios/x.scenario")
        let container = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(container) }
        let player = try ScenarioPlayer(
            Scenario(
                text: Array("manifest \(manifest).plist\n\(steps)\n".utf8),
                name: folder.path(percentEncoded: false)),
            container: container, output: .init(line: { _ in }, failure: { _ in }))
        return try player.play()
    }

    @Test(
        "L-04 a value that is absent, or another, is no value that was expected",
        arguments: [
            ("state.text=mine", true), ("state.text=other", false), ("state.absent=mine", false),
            ("state.text:i=1", false), ("info.text=mine", false), ("store.text=mine", false),
            ("activity=com.example.edit", true), ("activity=com.example.other", false),
            ("activity=none", false), ("state=connected", true), ("state=disconnected", false),
            ("state=held", false), ("state=parked", false), ("state=discarded", false),
            ("reason=none", false), ("configuration=none", false),
        ])
    func session(_ check: String, isMet: Bool) throws {
        let begin = "launch\nstate A com.example.edit text=mine\nquit\nlaunch\n"
        let steps = begin + "expect-session A \(check)"
        #expect(try self.isMet(steps) == isMet)
    }

    @Test(
        "L-18 L-52 a session that is parked, held or without a scene is that, and nothing else",
        arguments: ["connected", "disconnected", "held", "parked", "discarded"])
    func states(_ state: String) throws {
        let begin = "launch\nstate A com.example.edit n:i=1\n"
        let crash = "crash restoring=A\nlaunch\n"
        for (name, steps, manifest) in [
            ("connected", "launch\n", "many"),
            ("disconnected", "launch\nbackground A\nevict A\n", "many"),
            ("held", begin + "new-scene\nquit\n" + crash + crash + crash + "launch\n", "many"),
            ("parked", "launch\nquit\npolicy launch=fresh\nlaunch\n", "single"),
            ("discarded", "launch\nclose A\n", "many"),
        ] {
            let isMet = try isMet("\(steps)expect-session A state=\(state)", manifest: manifest)
            #expect(isMet == (name == state), "\(name) \(state)")
        }
    }

    @Test(
        "L-01 L-63 callbacks are compared from the last comparison on, to the last one",
        arguments: [
            ("expect will did config:A connect:A fg:A active:A\nexpect-none", true),
            ("expect will did config:A connect:A fg:A active:A\nbackground A\nexpect-none", false),
            (
                "expect will did config:A connect:A fg:A active:A\nbackground A\n"
                    + "expect inactive:A bg:A", true
            ),
            ("expect-none", false), ("expect will did config:A connect:A fg:A", false),
            ("expect will did config:A connect:A fg:A active:A active:A", false),
            ("expect will did config:A connect:A fg:A active:B", false),
        ])
    func calls(_ steps: String, isMet: Bool) throws {
        #expect(try self.isMet("delegate provider=Editor\nlaunch\n\(steps)") == isMet)
    }

    @Test("L-52 a session without a withheld state is not among those with one")
    func withheld() throws {
        #expect(try isMet("launch\nexpect-withheld"))
        #expect(try !isMet("launch\nexpect-withheld A"))
        let crash =
            "launch\nstate A com.example.edit text=1\nquit\nkill during=restore:A\nlaunch\nlaunch\n"
        #expect(try isMet(crash + "new-scene\nexpect-withheld A"))
        #expect(try !isMet(crash + "expect-withheld"))
        #expect(try !isMet(crash + "new-scene\nexpect-withheld A B"))
    }

    @Test("L-65 what is set aside waits no longer")
    func waiting() throws {
        let deadly = "policy inbox=on\nlaunch url=app://a\nkill\nlaunch\nkill\nlaunch\n"
        for (check, isMet) in [
            ("0 aside=1", true), ("1 aside=1", false), ("1", false), ("0", false),
        ] {
            #expect(try self.isMet(deadly + "expect-waiting \(check)") == isMet, "\(check)")
        }
        #expect(try isMet("policy inbox=on\nlaunch url=app://a\nexpect-waiting 1"))
    }

    @Test("S-24 a duration of a million days is read, and a longer one is none")
    func durations() {
        #expect(ScenarioDuration.parse("1000000d") == 86_400_000_000_000)
        #expect(ScenarioDuration.parse("1000001d") == nil)
        #expect(ScenarioDuration.parse("86400000000001ms") == nil)
        #expect(ScenarioDuration.parse("99999999999999999999d") == nil)
    }
}
