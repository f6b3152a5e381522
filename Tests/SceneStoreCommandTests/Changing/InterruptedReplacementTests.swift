import Foundation
import SceneStore
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// What commands do after a restore or repair that was killed while it exchanged the store.
@Suite("an interrupted restore")
struct InterruptedReplacementTests {
    /// Leaves the container as a kill does between the old store's way out and the new one's way
    /// in.
    private func interrupt(
        _ fixture: EditedFixture, moving names: [String] = ["scenes.sqlite"]
    ) throws {
        let manager = FileManager.default
        let folder = fixture.path + "/quarantine"
        try manager.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let base = folder + "/20260101T000000.000Z-replaced"
        for (name, text) in [(".json", "{}\n"), (".unfinished", "null\n")] {
            #expect(
                manager.createFile(
                    atPath: base + name, contents: Data(text.utf8),
                    attributes: [.posixPermissions: 0o600]))
        }
        for name in names {
            try manager.moveItem(
                atPath: fixture.path + "/" + name,
                toPath: base + ".sqlite" + name.dropFirst("scenes.sqlite".count))
        }
    }

    private func sessions(_ fixture: EditedFixture) throws -> [String] {
        try fixture.read { try $0.openRecords().map(\.identifier).sorted() }
    }

    private static let all = ["blank-session", "draft-session", "letter-session"]

    @Test("S-11 reading commands say where the store is, and what puts it back")
    func reading() throws {
        let fixture = try EditedFixture()
        try interrupt(fixture)
        let before = fixture.files
        for words in [["sessions"], ["discard", "letter", "--dry-run"], ["repair", "--dry-run"]] {
            var world = ToolWorld()
            world.clock = fixture.clock
            let run = world.run(words + ["--store", fixture.path])
            #expect(run.status == .noStore, "\(words)")
            #expect(run.errors.contains("a restore or repair was interrupted: the store of"))
            #expect(run.errors.contains("quarantine/20260101T000000.000Z-replaced.sqlite"))
            #expect(
                run.errors.contains(
                    "hint: 'scenestore doctor --fix --store \(fixture.path)' puts it back"))
        }
        #expect(fixture.files == before)
    }

    @Test("S-11 a log that has not gone yet is not taken for an orphan")
    func logStillThere() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open(.owner)
        let key = try #require(try store.record(identifier: "letter-session")).key
        try store.marks.setPinned(true, key: key)
        store.abandon()
        #expect(fixture.files["scenes.sqlite-wal"] != nil)
        try interrupt(fixture)
        let run = fixture.run("sessions")
        #expect(run.status == .noStore)
        #expect(run.errors.contains("a restore or repair was interrupted"))
        #expect(fixture.run("hold", "letter", "--yes").status == .done)
        #expect(try sessions(fixture) == Self.all)
        #expect(
            try fixture.read { try $0.record(identifier: "letter-session")?.isPinned } == true)
    }

    @Test("S-11 commands that write put the store back and go on")
    func writing() throws {
        for words in [["discard", "letter"], ["compact"], ["repair"]] {
            let fixture = try EditedFixture()
            try interrupt(fixture)
            var world = ToolWorld()
            world.clock = fixture.clock
            let run = world.run(words + ["--yes", "--store", fixture.path])
            #expect(run.status == .done, "\(words): \(run.errors)")
            #expect(run.errors.contains("the store is back in its place"))
            let kept = words[0] == "discard" ? Array(Self.all.dropLast()) : Self.all
            #expect(try sessions(fixture) == kept)
            #expect(!fixture.files.keys.contains { $0.hasSuffix(".unfinished") })
        }
    }

    @Test("S-11 a restore that is begun again names the store that it replaces")
    func restoring() throws {
        let fixture = try EditedFixture()
        let backup = fixture.file("backup.sqlite")
        #expect(fixture.run("backup", "-o", backup).status == .done)
        try interrupt(fixture)
        let run = fixture.run("restore", backup, answers: ["n"])
        #expect(run.status == .answeredNo)
        #expect(run.errors.contains("Replace 3 sessions, 2 with state"), "\(run.errors)")
        #expect(fixture.run("restore", backup, "--yes").status == .done)
        #expect(try sessions(fixture) == Self.all)
    }

    @Test("SS029 doctor names it, advises to remove nothing, and --fix puts the store back")
    func doctor() throws {
        let fixture = try EditedFixture()
        try interrupt(fixture)
        let before = fixture.files
        let found = try fixture.run("doctor", "--json").objects()
        let codes = found.filter { $0.text("severity") != "ok" }.compactMap { $0.text("code") }
        #expect(codes == ["SS029"])
        let run = fixture.run("doctor")
        #expect(run.status == .damaged)
        #expect(!run.output.contains("remove"))
        #expect(
            run.output.contains("'scenestore doctor --fix --store \(fixture.path)' puts it back"))
        #expect(fixture.files == before)
        let fixed = fixture.run("doctor", "--fix", "--yes", "--no-backup")
        #expect(fixed.status == .done, "\(fixed.output)\(fixed.errors)")
        #expect(try sessions(fixture) == Self.all)
    }

    @Test("SS016 while the store itself is damaged nothing is advised to be removed")
    func onlyCopy() throws {
        let fixture = try EditedFixture()
        try interrupt(fixture, moving: [])
        try FileManager.default.removeItem(
            atPath: fixture.path + "/quarantine/20260101T000000.000Z-replaced.unfinished")
        #expect(fixture.run("doctor").output.contains("then remove them"))
        try fixture.damage()
        let run = fixture.run("doctor")
        #expect(run.output.contains("! SS016") && run.output.contains("keep them until"))
        #expect(!run.output.contains("remove them"))
    }

    @Test("S-30 while a restore goes on commands answer 4")
    func running() throws {
        let fixture = try EditedFixture()
        let lock = try fixture.open(.owner)
        try interrupt(fixture)
        let before = fixture.files
        #expect(fixture.run("sessions").status == .busy)
        #expect(fixture.run("discard", "letter", "--yes").status == .busy)
        #expect(fixture.files == before)
        lock.abandon()
    }
}
