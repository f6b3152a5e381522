import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreSQLite
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// What another process or version left.
extension DoctorCommandTests {
    @Test("SS009 an older schema, which migrate brings up to date")
    func olderSchema() throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let path = "\(folder)/store"
        #expect(
            ToolWorld().run("fixture", "make", "--template", "three-windows", "-o", path).status
                == .done)
        let world = ToolWorld(migrations: MadeMigrations.all)
        let run = world.run("doctor", "--store", path, "--json")
        #expect(run.status == .answeredNo, "\(run.errors)")
        #expect(try codes(run) == ["SS009"], "\(run.output)")
        #expect(
            try run.objects().contains {
                $0.text("fix")?.hasPrefix("'scenestore doctor --fix --store /") == true
            })
        #expect(world.run("doctor", "--fix", "--yes", "--store", path).status == .done)
        #expect(try !codes(world.run("doctor", "--store", path, "--json")).contains("SS009"))
    }

    /// Copies a container as it is while its owner lives, as if that had died now.
    private func copyOfLiving(
        _ fixture: EditedFixture, _ work: (SceneSessionStore) throws -> Void
    ) throws -> String {
        let store = try fixture.open(.owner)
        defer { try? store.close() }
        try work(store)
        let copy = fixture.file("copy")
        try FileManager.default.copyItem(atPath: fixture.path, toPath: copy)
        return copy
    }

    private func save(
        _ store: SceneSessionStore, bytes: Int, _ fixture: EditedFixture
    ) throws {
        let key = try #require(try store.record(identifier: "letter-session")).key
        var activity = try UserActivity(activityType: "com.example.large")
        activity.userInfo = [
            "data": .data(Data(repeating: 0x5A, count: bytes)),
            "generation": .integer(store.currentGeneration()),
        ]
        try store.save(
            [StateToSave(key: key, activity: activity)],
            context: SaveContext(savedAt: fixture.clock.clock.now()))
    }

    @Test("SS011 commits stand behind a damage of the log")
    func lostCommits() throws {
        let fixture = try EditedFixture()
        let copy = try copyOfLiving(fixture) { store in
            for _ in 0..<6 {
                try save(store, bytes: 100, fixture)
            }
        }
        var world = ToolWorld()
        world.clock = fixture.clock
        #expect(try !codes(world.run("doctor", "--store", copy, "--json")).contains("SS011"))
        // One bit of the first frame: SQLite drops it, and all that come after.
        let log = copy + "/scenes.sqlite-wal"
        var bytes = try Data(contentsOf: URL(filePath: log))
        bytes[100] ^= 1
        try bytes.write(to: URL(filePath: log))
        let run = world.run("doctor", "--store", copy, "--json")
        #expect(run.status == .damaged, "\(run.errors)")
        #expect(try codes(run).contains("SS011"), "\(run.output)")
        let finding = try run.objects().first { $0.text("code") == "SS011" }
        #expect(finding?.text("fix")?.hasPrefix("'scenestore repair --store /") == true)
    }

    @Test("SS012 a log of 16 MiB, which --fix copies into the file")
    func largeLog() throws {
        let fixture = try EditedFixture()
        let copy = try copyOfLiving(fixture) { store in
            // One state, nearly as large as a state may be: saving it fills the log.
            try save(store, bytes: 16_700_000, fixture)
            // Beside a living app it is the app that does it.
            let beside = fixture.run("doctor", "--json")
            let finding = try #require(
                try beside.objects().first { $0.text("code") == "SS012" }, "\(beside.output)")
            #expect(finding.text("fix")?.hasPrefix("let the app be idle") == true)
        }
        var world = ToolWorld()
        world.clock = fixture.clock
        let run = world.run("doctor", "--store", copy, "--json")
        #expect(try codes(run).contains("SS012"), "\(run.output)\(run.errors)")
        let fixed = world.run(
            "doctor", "--fix", "--yes", "--no-backup", "--store", copy, "--json")
        #expect(try !codes(fixed).contains("SS012"), "\(fixed.output)\(fixed.errors)")
    }

    @Test("SS017 a session is gone, now or at an earlier launch")
    func lostSessions() throws {
        let fixture = try EditedFixture()
        try fixture.sqlite("DELETE FROM session WHERE identifier = 'blank-session'")
        let run = fixture.run("doctor", "--json")
        #expect(run.status == .damaged)
        #expect(try codes(run).contains("SS017"), "\(run.output)")
        // The app starts, notes the loss in its ledger, and goes on: it is still told.
        let store = try fixture.open(.owner)
        _ = try store.launches.begin(LaunchContext(bootIdentifier: "boot", processIdentifier: 43))
        _ = try store.openRecords()
        try store.launches.record(
            LaunchLedger(
                counts: [.restored: 2, .lost: 1],
                exceptions: [
                    LaunchLedger.Entry(
                        sessionIdentifier: "blank-session", outcome: .lost, reason: "lost")
                ]))
        try store.launches.end(.quit)
        try store.close()
        let later = fixture.run("doctor")
        #expect(later.output.contains("SS017 launch 2 missed 1 session"), "\(later.output)")
    }

    @Test("SS023 an erasure that a reader kept from its end, and --fix")
    func erasurePending() throws {
        let fixture = try EditedFixture()
        let path = URL(filePath: fixture.path + "/scenes.sqlite").resolvingSymlinksInPath()
            .path(percentEncoded: false)
        let store = try fixture.open(.owner)
        let key = try #require(try store.record(identifier: "letter-session")).key
        try store.values.setTitle("in the log", key: key)
        let reader = try Connection(path: path, options: Connection.Options(.reader))
        try reader.read { _ throws(SQLiteError) in
            _ = try reader.pragma("SELECT count(*) FROM session")
            #expect(throws: SceneStoreError.self) {
                try store.marks.setPrivacy(.ephemeral, key: key)
            }
        }
        let copy = fixture.file("copy")
        try FileManager.default.copyItem(atPath: fixture.path, toPath: copy)
        try reader.close()
        try store.close()
        var world = ToolWorld()
        world.clock = fixture.clock
        #expect(try codes(world.run("doctor", "--store", copy, "--json")).contains("SS023"))
        let fixed = world.run(
            "doctor", "--fix", "--yes", "--no-backup", "--store", copy, "--json")
        #expect(try !codes(fixed).contains("SS023"), "\(fixed.output)\(fixed.errors)")
    }
}
