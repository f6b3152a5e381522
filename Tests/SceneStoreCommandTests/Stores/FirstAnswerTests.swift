import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// The first answer of `doctor` and `why` names the cause, and the way back.
@Suite("the first answer")
struct FirstAnswerTests {
    /// A link of which two processes died.
    static let fatalLink = """
        manifest many.plist
        delegate provider=Editor
        policy inbox=on
        launch
        wait 20s
        quit
        launch url=app://join
        wait 1s
        kill
        launch
        wait 1s
        kill
        launch
        wait 20s
        quit

        """

    /// The number of the payload that is set aside.
    private func setAside(_ fixture: Fixture) throws -> Int64 {
        var number: Int64?
        try fixture.edit { number = try $0.inbox.pending().first?.id }
        return try #require(number)
    }

    @Test(
        "S-44 L-65 doctor, why, info, plan and log name a payload that is set aside, and its cause")
    func payload() throws {
        let fixture = try Fixture(Self.fatalLink)
        let doctor = fixture.run("doctor", "--json")
        #expect(doctor.status == .answeredNo)
        let finding = try #require(
            try doctor.objects().first { $0.text("code") == "SS039" }, "\(doctor.output)")
        #expect(finding.text("session") == Fixture.a)
        let number = try setAside(fixture)
        #expect(
            finding.text("message")
                == "a link, payload \(number), is set aside: two processes died while they delivered it"
        )
        #expect(finding.text("fix")?.contains("release --payload \(number)") == true)
        let why = try #require(try fixture.run("why", Fixture.a, "--json").objects().first)
        #expect(why["findings"]?.arrayValue?.first?.objectValue?.text("code") == "SS039")
        let info = try #require(try fixture.run("info", "--json").objects().first)
        #expect(info["healthy"] == false)
        #expect(info["payloadsSetAside"] == 1 && info["waitingPayloads"] == 0)
        #expect(fixture.run("info").lines.contains("Waiting        1 payload set aside"))
        let plan = try fixture.run("plan", "--json").objects().filter {
            $0.text("step") == "payload"
        }
        #expect(plan.map { $0.text("outcome") } == ["set-aside"])
        #expect(
            plan.first?.text("reason") == "a link: two processes died while they delivered it")
        let log = try fixture.run("log", "--json").objects().filter { $0.text("event") == "inbox" }
        #expect(log.allSatisfy { $0.text("session") == Fixture.a }, "\(log)")
        let ended = log.filter { $0.text("outcome") == "delivery ended" }
        #expect(
            ended.map { $0.text("reason") } == [
                "a process died while it delivered the payload",
                "two processes died while they delivered it",
            ])
    }

    @Test(
        "S-44 L-65 release lets the next launch deliver a payload that was set aside, and undo not")
    func releasedPayload() throws {
        let fixture = try Fixture(Self.fatalLink)
        let number = String(try setAside(fixture))
        func outcomes() throws -> [String?] {
            try fixture.run("plan", "--json").objects().filter { $0.text("step") == "payload" }
                .map { $0.text("outcome") }
        }
        #expect(fixture.run("release", "--payload", "999", "--yes").status == .noStore)
        #expect(fixture.run("release", Fixture.a, "--payload", number, "--yes").status == .usage)
        #expect(fixture.run("release").status == .usage)
        #expect(fixture.run("release", "--payload", number, "--dry-run").status == .done)
        #expect(try outcomes() == ["set-aside"])
        let run = fixture.run("release", "--payload", number, "--yes")
        #expect(run.status == .done, "\(run.errors)")
        #expect(try outcomes() == ["connect"])
        #expect(fixture.run("doctor").isSound)
        #expect(fixture.run("undo", "--yes").status == .done)
        #expect(try outcomes() == ["set-aside"])
    }
}
