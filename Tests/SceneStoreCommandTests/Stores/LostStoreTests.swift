import Foundation
import SceneStore
import Testing

@testable import SceneStoreCommand

/// What commands say of a container whose store is lost, or whose log or lock is not its own, and that
/// they say and do the same as a launch (S-15).
@Suite("commands on a lost store")
struct LostStoreTests {
    enum Loss: CaseIterable { case removed, emptied, zeroed }

    private func lose(_ loss: Loss, _ fixture: EditedFixture) throws {
        let url = URL(filePath: fixture.path + "/scenes.sqlite")
        let size = try Data(contentsOf: url).count
        switch loss {
        case .removed: try FileManager.default.removeItem(at: url)
        case .emptied: try Data().write(to: url)
        case .zeroed: try Data(count: size).write(to: url)
        }
    }

    @Test(
        "S-15 doctor and info report the loss, and repair takes the newest backup",
        arguments: Loss.allCases)
    func backup(_ loss: Loss) throws {
        let fixture = try EditedFixture()
        let sessions = fixture.run("sessions").output
        #expect(fixture.run("backup").status == .done)
        try lose(loss, fixture)
        let doctor = fixture.run("doctor")
        #expect(doctor.status == .damaged)
        #expect(doctor.output.contains("SS006") && doctor.output.contains("scenestore repair"))
        #expect(doctor.output.contains("a store was here"), "\(doctor.output)")
        let info = fixture.run("info")
        #expect(info.status == .damaged)
        #expect((info.output + info.errors).contains("a store was here"), "\(info.errors)")
        let plan = fixture.run("repair", "--dry-run")
        #expect(plan.status == .done && plan.output.contains("would"), "\(plan.errors)")
        let repair = fixture.run("repair", "--yes")
        #expect(repair.status == .done, "\(repair.errors)")
        #expect(repair.output.contains("newest backup"), "\(repair.output)")
        #expect(fixture.run("doctor", "--full").isSound)
        #expect(fixture.run("sessions").output == sessions)
        #expect(fixture.run("repair", "--yes").output.contains("nothing to repair"))
    }

    @Test("R-03 doctor and info report another store's log, and repair leaves it out")
    func foreignLog() throws {
        let fixture = try EditedFixture(seed: 2)
        let sessions = fixture.run("sessions").output
        let other = try Fixture("launch\nbackground A\nkill")
        for name in ["scenes.sqlite-wal", "owner.lock"] {
            try? FileManager.default.removeItem(atPath: "\(fixture.path)/\(name)")
            try FileManager.default.copyItem(
                atPath: "\(other.path)/\(name)", toPath: "\(fixture.path)/\(name)")
        }
        let path = fixture.path + "/scenes.sqlite-wal"
        let log = try Data(contentsOf: URL(filePath: path))
        let doctor = fixture.run("doctor")
        #expect(doctor.status == .damaged && doctor.output.contains("SS010"), "\(doctor.output)")
        #expect(
            doctor.output.contains(
                "not its own, and nothing of it is used; its own 3 open sessions"))
        // What the other store's lock says would join the two.
        let advice = doctor.lines.filter { $0.hasPrefix("    ") }
        #expect(advice.contains { $0.contains("repair") && $0.contains("no other SQLite tool") })
        #expect(!doctor.output.contains("SS032") && !doctor.output.contains("SS013"))
        let info = fixture.run("info")
        #expect(
            info.output.contains("not its own") && !info.output.contains("another store's file"))
        #expect(
            info.output.contains("KiB, not this store's: nothing of it is read\n"), "\(info.output)"
        )
        let list = fixture.run("sessions")
        #expect(list.output == sessions && list.errors.contains("not its own"))
        #expect(!list.errors.contains("another store's file"), "\(list.errors)")
        let hold = fixture.run("hold", "letter-session", "--yes")
        #expect(hold.status == .damaged, "\(hold.errors)")
        #expect(try Data(contentsOf: URL(filePath: path)) == log)
        #expect(fixture.run("repair", "--yes").status == .done)
        #expect(fixture.run("doctor").output.contains("SS010") == false)
        #expect(fixture.run("sessions").output == sessions)
        // The repaired store has another identity, and is the same one.
        #expect(fixture.run("undo", "--yes").status == .done)
        let undone = fixture.run("doctor").output
        #expect(undone.contains("SS010") && !undone.contains("SS032"), "\(undone)")
    }

    @Test("R-07 a record of an operation that can't be read is neither deleted nor written over")
    func damagedOperation() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("hold", "letter-session", "--yes").status == .done)
        let record = URL(filePath: fixture.path + "/operations/000001.json")
        var bytes = try Data(contentsOf: record)
        bytes[0] ^= 1
        try bytes.write(to: record)
        // The first changes nothing, and takes its own record back.
        for words in [["doctor", "--fix", "--yes"], ["release", "letter-session", "--yes"]] {
            #expect(ToolWorld().run(words + ["--store", fixture.path]).status != .damaged)
            #expect(try Data(contentsOf: record) == bytes)
        }
        let names = try FileManager.default.contentsOfDirectory(
            atPath: fixture.path + "/operations")
        #expect(names.sorted() == ["000001.json", "000002.json"])
    }

    @Test("R-09 S-15 simulate plays nothing where a store was, and changes nothing")
    func simulated() throws {
        let fixture = try EditedFixture()
        try lose(.removed, fixture)
        let names = try FileManager.default.subpathsOfDirectory(atPath: fixture.path)
        let scenario = fixture.folder + "/a.scenario"
        try Data("launch\n".utf8).write(to: URL(filePath: scenario))
        let run = fixture.run("simulate", scenario)
        #expect(run.status == .damaged && run.errors.contains("a store was here"), "\(run.errors)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: fixture.path) == names)
    }

    @Test("S-10 R-63 a folder in the place of the log is named", arguments: ["wal", "journal"])
    func noFile(_ name: String) throws {
        let fixture = try EditedFixture()
        let path = fixture.path + "/scenes.sqlite-" + name
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        for words in [["doctor"], ["sessions"], ["repair", "--yes"]] {
            let run = ToolWorld().run(words + ["--store", fixture.path])
            #expect(run.errors.contains("'\(path)' is not a file"), "\(run.errors)")
        }
    }

    @Test("R-02 doctor and info report a lock that can't be read")
    func junkLock() throws {
        let fixture = try EditedFixture()
        try Data(count: 256).write(to: URL(filePath: fixture.path + "/owner.lock"))
        let doctor = fixture.run("doctor")
        #expect(doctor.output.contains("SS035"), "\(doctor.output)")
        #expect(fixture.run("info").output.contains("owner.lock is damaged"))
    }
}
