import SceneStore
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("info")
struct InfoCommandTests {
    private func fixture() throws -> Fixture {
        try Fixture(
            """
            manifest many.plist
            app id=com.example.notes version=1.2
            delegate provider=Editor
            launch
            state A com.example.edit n:i=1
            new-scene
            background A
            wait 2m
            quit
            wait 1m
            launch
            kill
            close B
            """)
    }

    @Test("one screen says where, how large, which sessions, whose, and how it ended")
    func page() throws {
        let fixture = try fixture()
        let run = fixture.run("info")
        #expect(run.status == .done)
        #expect(run.errors == "")
        let page = run.lines.filter { line in
            !["Size", "WAL", "Identity"].contains { line.hasPrefix($0) }
        }
        #expect(
            page == [
                "Store          \(fixture.path)",
                "Schema         1, written by SceneStore 1.0 for com.example.notes",
                "Created        just now",
                "Sessions       1 open, 1 recently closed",
                "Waiting        1 discard to be told",
                "Owner          nobody, the app is not running",
                "Last launch    number 2, launch: the process before it ended cleanly; in 3 min, "
                    + "died, app 1.2",
                "Ledger         as launch 2 began: 1 of 2 windows is back, 1 is without a window",
                "Durability     saves survive a power cut unless the app chose mode normal "
                    + "(write-ahead log)",
                "Health         nothing found; 'scenestore doctor' checks more",
            ])
        #expect(run.lines.contains { $0.hasPrefix("Size") && $0.contains("scenes.sqlite ") })
    }

    @Test("--json is one object with stable names")
    func json() throws {
        let fixture = try fixture()
        let object = try #require(fixture.run("info", "--json").objects().first)
        #expect(
            object.members.map(\.key) == [
                "app", "bytes", "counts", "created", "files", "findings", "generation", "healthy",
                "lastLaunch", "owner", "path", "payloadsSetAside", "schema", "uuid",
                "waitingPayloads", "wal",
                "writtenBy",
            ])
        #expect(
            object["counts"] == [
                "closed": 1, "declined": 0, "earlier": 0, "held": 0, "inFront": 0, "lost": 0,
                "open": 1, "parked": 0,
                "pendingDiscards": 1, "stale": 0, "withheld": 0,
            ])
        #expect(object["owner"] == ["process": nil, "running": false])
        let launch = try #require(object["lastLaunch"]?.objectValue)
        #expect(launch.text("ending") == "died")
        #expect(launch.text("started") == "2026-01-01T00:03:00.000Z")
    }

    @Test("S-30 a running owner is named by its process, and its launch runs")
    func owned() throws {
        let device = try SimulatedDevice(storage: .temporaryDirectory)
        _ = try device.launch { Recorder() }
        let run = ToolWorld().run("info", "--store", device.containerPath)
        #expect(run.lines.contains { $0.hasPrefix("Owner          process ") })
        #expect(run.lines.contains { $0.hasSuffix("just now, running") })
        let json = ToolWorld().run("info", "--json", "--store", device.containerPath)
        let owner = try #require(json.objects().first?["owner"]?.objectValue)
        #expect(owner["running"] == true)
    }

    @Test("commits that only the WAL holds are counted after a kill and gone after a clean end")
    func log() throws {
        let killed = try Fixture("manifest many.plist\nlaunch\nkill")
        let wal = try #require(killed.run("info", "--json").objects().first?["wal"]?.objectValue)
        #expect((wal["commits"]?.integerValue ?? 0) > 0)
        #expect(killed.run("info").lines.contains { $0.contains("not yet in the file") })
        let closed = try Fixture("manifest many.plist\nlaunch\nquit")
        #expect(try closed.run("info", "--json").objects().first?["wal"] == .null)
        #expect(closed.run("info").lines.contains("WAL            empty"))
    }

    @Test("held sessions and withheld states are counted")
    func held() throws {
        let fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            new-scene
            kill
            crash restoring=A
            launch
            """)
        try fixture.edit { store in
            let record = try #require(try store.record(identifier: Fixture.b))
            try store.marks.setHeld(true, key: record.key)
        }
        // The launch that is planned blames A.
        #expect(
            fixture.run("info").lines.contains(
                "Sessions       2 open (2 in front, 1 held, 1 with state withheld), 0 recently closed"
            ))
    }

    @Test("no store answers 3 and names the place")
    func missing() {
        let run = ToolWorld().run("info", "--store", "/nowhere/at/all")
        #expect(run.status == .noStore)
        #expect(
            run.errors == """
                scenestore: there is no store at '/nowhere/at/all'
                hint: name a store with --store PATH, or set SCENESTORE

                """)
    }

    @Test("S-10 what is no store answers 3, a damaged one 5")
    func notAStore() throws {
        let fixture = try Fixture("manifest many.plist\nlaunch\nquit")
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let junk = try fixture.file("scenes.sqlite", "this is no database at all, only text")
        #expect(ToolWorld().run("info", "--store", junk).status == .noStore)
        #expect(ToolWorld().run("info", "--store", folder).status == .noStore)
    }

    // HELP-BEGIN
    @Test("help info")
    func helpInfo() {
        var world = ToolWorld()
        world.terminal.width = 80
        #expect(
            world.run("help", "info").output == #"""
                Usage: scenestore info [--json]

                Show the store on one screen.

                Shows where the store is, its size, its sessions, the process that owns it, and
                how the last launch began and ended.

                The last line shows whether anything looks wrong: sessions that are held after
                crashes or parked, states that are declined, stale or withheld, payloads that
                are set aside, several launches in a row that died, or a problem met while
                opening the store. 'scenestore doctor' names each of them with its cause, and
                also checks the files, every row and the limits.

                Options
                      --json  Print one JSON value a line, keys sorted

                Options of every command: see 'scenestore help'.

                Examples
                  scenestore info
                      The store of --store, $SCENESTORE or this directory
                  scenestore info --store ~/app/scenes.sqlite --json
                      For scripts

                """#)
    }

    // HELP-END
}
