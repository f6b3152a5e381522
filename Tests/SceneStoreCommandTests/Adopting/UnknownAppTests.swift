import SceneStore
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// Commands without a manifest say what the last launch judged, not what a friendlier app would do;
/// also where the store doesn't remember what that launch declared, as older libraries left it.
@Suite("Without a manifest")
struct UnknownAppTests {
    private func row(_ fixture: Fixture, _ session: String) throws -> [String?] {
        let rows = try fixture.run("sessions", "--json").objects()
        let row = try #require(rows.first { $0.text("session") == session })
        let outcome = row["reconnects"] == true ? row.text("outcome") : nil
        return [row.text("state"), outcome, row.text("reason")]
    }

    /// B took the place of A.
    private func oneWindow(_ more: String = "") throws -> Fixture {
        try Fixture(
            """
            manifest single.plist
            delegate provider=Editor
            launch
            state A com.example.edit
            quit
            policy launch=fresh
            launch
            state B com.example.edit
            quit
            \(more)
            """)
    }

    /// A launch that declares nothing.
    private func forget(_ fixture: Fixture) throws {
        try fixture.edit { store in
            _ = try store.launches.begin(
                LaunchContext(bootIdentifier: "boot", processIdentifier: 42))
        }
        #expect(fixture.run("plan").output.contains("No launch declared a manifest"))
    }

    @Test(
        "L-12 L-18 a window that another one displaced is said to wait, by every command",
        arguments: [true, false])
    func displaced(isDeclared: Bool) throws {
        let fixture = try oneWindow()
        if !isDeclared {
            try forget(fixture)
        }
        #expect(
            try row(fixture, Fixture.b)
                == ["parked", nil, "the app supports one scene, and another session has its place"])
        #expect(try row(fixture, Fixture.a)[1] == "active")
        let steps = try fixture.run("plan", "--json").objects().map { $0.text("step") }
        #expect(steps == ["launch", "connect", "park"])
        // An app that allows several gives it back.
        let many = try fixture.run("plan", "--json", "--manifest", fixture.manifest("many"))
            .objects()
        #expect(many.map { $0.text("step") }.contains("park") == false)
    }

    @Test(
        "L-52 L-18 when the window in use is held, the displaced one is said to come back",
        arguments: [true, false])
    func heldInUse(isDeclared: Bool) throws {
        let fixture = try oneWindow("hold B")
        if !isDeclared {
            try forget(fixture)
        }
        #expect(try row(fixture, Fixture.b)[0] == "held")
        #expect(try row(fixture, Fixture.a)[1] == "active")
    }

    @Test(
        "L-50 a window that the last launch could not show is not said to come back",
        arguments: [true, false])
    func noEntry(isDeclared: Bool) throws {
        let fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            quit
            update manifest=car.plist
            launch
            quit
            """)
        if !isDeclared {
            try forget(fixture)
        }
        #expect(try row(fixture, Fixture.a)[0] == "parked")
        #expect(try row(fixture, Fixture.a)[1] == nil)
        // A scenario that goes on there judges as its launches do.
        let next = try fixture.file(
            "next.scenario", "launch\nexpect-parked A\nexpect-session A state=parked\n")
        let run = fixture.run("simulate", next)
        #expect(run.status == .done, "\(run.output)")
    }

    @Test("L-12 several windows come back while nothing was parked")
    func several() throws {
        let fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            new-scene
            quit
            """)
        #expect(try row(fixture, Fixture.a)[0] == "disconnected")
        #expect(
            try fixture.run("plan", "--json").objects().allSatisfy { $0.text("step") != "park" })
    }
}
