import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreTesting
import Synchronization
import Testing

@testable import SceneStoreCommand

@Suite("watch")
struct WatchCommandTests {
    /// What another process does while the watcher sleeps, one step a sleep.
    private final class Steps: Sendable {
        private let steps: Mutex<[@Sendable () throws -> Void]>

        init(_ steps: [@Sendable () throws -> Void]) {
            self.steps = Mutex(steps)
        }

        func next() {
            let step = steps.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            do {
                try step?()
            } catch {
                Issue.record(error)
            }
        }
    }

    /// Runs `watch` while steps happen.
    private func watch(
        _ fixture: EditedFixture, _ words: [String], _ steps: [@Sendable () throws -> Void],
        isInterrupted: @escaping @Sendable () -> Bool = { false }
    ) -> ToolRun {
        let steps = Steps(steps)
        fixture.clock.whileAsleep.withLock { $0 = { steps.next() } }
        defer { fixture.clock.whileAsleep.withLock { $0 = nil } }
        var world = ToolWorld()
        world.clock = fixture.clock
        world.isInterrupted = isInterrupted
        return world.run(["watch"] + words + ["--store", fixture.path])
    }

    /// Writes as the app does, in a moment of its own.
    private func writer(_ fixture: EditedFixture, title: String) -> @Sendable () throws -> Void {
        let path = fixture.path
        let clock = fixture.clock.clock
        return {
            var options = SceneSessionStore.Options.seeded()
            options.clock = { clock.now() }
            options.ownerTimeout = 2_000
            let store = try SceneSessionStore.open(at: .directory(path), options: options)
            let key = try store.record(identifier: "letter-session")?.key
            try store.values.setTitle(title, key: key ?? 0)
            var activity = try UserActivity(activityType: "com.example.letter", title: title)
            activity.userInfo = ["text": .string(title)]
            try store.save(
                [StateToSave(key: key ?? 0, activity: activity)],
                context: SaveContext(savedAt: clock.now()))
            try store.close()
        }
    }

    @Test("--until ends it with 0 at the event, after a line for each before it")
    func until() throws {
        let fixture = try EditedFixture()
        let run = watch(
            fixture, ["--until", "save", "--timeout", "1m"],
            [{}, writer(fixture, title: "first"), {}])
        #expect(run.status == .done, "\(run.errors)")
        let events = run.lines.map { $0.split(separator: " ")[2] }
        #expect(events.last == "save")
        #expect(events.contains("change"))
        #expect(run.lines.last?.contains("letter-s com.example.letter, ") == true)
        #expect(run.errors.hasPrefix("watching "))
    }

    @Test("S-42 --until with an outcome waits for that one")
    func outcome() throws {
        let fixture = try EditedFixture()
        let steps = [writer(fixture, title: "first"), writer(fixture, title: "second")]
        let run = watch(fixture, ["--until", "save:com.example.draft", "--timeout", "5s"], steps)
        #expect(run.status == .timeLimit)
        #expect(run.lines.count { $0.contains(" save ") } == 2)
    }

    @Test("--timeout ends it with 8; what was there before is not told")
    func timeout() throws {
        let fixture = try EditedFixture()
        let before = fixture.files
        let start = fixture.clock.clock.uptime()
        let run = watch(fixture, ["--timeout", "3s"], [])
        #expect(run.status == .timeLimit)
        #expect(run.output.isEmpty)
        #expect(fixture.clock.clock.uptime() - start == .seconds(3))
        #expect(fixture.files == before)
    }

    @Test("Ctrl-C ends it with 130 and without a word")
    func interruption() throws {
        let fixture = try EditedFixture()
        let countdown = Countdown()
        let run = watch(fixture, [], []) { countdown.isOver(after: 5) }
        #expect(run.status == .interrupted)
        #expect(!run.errors.contains("scenestore:"))
    }

    @Test("S-42 JSON and CSV have the fields of log, and one session can be chosen")
    func formats() throws {
        let fixture = try EditedFixture()
        let words = ["--until", "save", "--session", "letter-session", "--json"]
        let run = watch(fixture, words, [writer(fixture, title: "a")])
        let objects = try run.objects()
        #expect(objects.last?.text("event") == "save")
        #expect(objects.allSatisfy { $0.text("session") == "letter-session" })
        let csv = watch(fixture, ["--until", "save", "--csv"], [writer(fixture, title: "b")])
        #expect(csv.output.hasPrefix("time,launch,event,session,outcome,reason,generation\n"))
    }

    @Test("a container that is made anew is followed")
    func replaced() throws {
        let fixture = try EditedFixture()
        let path = fixture.path
        let run = watch(
            fixture, ["--until", "save", "--timeout", "1m"],
            [
                { try FileManager.default.removeItem(atPath: path) }, {},
                {
                    let store = try SceneSessionStore.open(at: .directory(path))
                    let record = try store.insertSession(
                        identifier: "other-session",
                        configuration: SceneConfiguration(name: "E", role: .windowApplication),
                        becameActive: true)
                    try store.save(
                        [
                            StateToSave(
                                key: record.key, activity: try UserActivity(activityType: "a.b"))
                        ], context: SaveContext(savedAt: 0))
                    try store.close()
                },
            ])
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.output.contains(" save other-se"))
    }

    @Test("no store is exit 3, an empty event wrong usage")
    func refusals() throws {
        #expect(ToolWorld().run("watch", "--store", "/nowhere").status == .noStore)
        #expect(watch(try EditedFixture(), ["--until", ":x"], []).status == .usage)
    }

    @Test("a single file is none that an app writes")
    func looseFile() throws {
        let fixture = try EditedFixture()
        let copy = fixture.file("copy.db")
        #expect(fixture.run("backup", "-o", copy).status == .done)
        let run = ToolWorld().run("watch", "--store", copy)
        #expect(run.status == .usage)
        #expect(run.errors.contains("is a single file"), "\(run.errors)")
    }

    @Test(
        "R-09 beside a living app in another process: told, and not a byte changed",
        .enabled(if: CommandProcess.path != nil, "the command is not built"))
    func live() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open(.owner)
        defer { try? store.close() }
        let key = try #require(try store.record(identifier: "letter-session")).key
        try store.values.setTitle("before", key: key)
        let before = fixture.files
        let (status, output) = try CommandProcess.run(
            ["watch", "--timeout", "1s", "--store", fixture.path])
        #expect(status == 8)
        #expect(output.isEmpty)
        #expect(fixture.files == before)
        try store.values.setTitle("after", key: key)
    }

    @Test("the hint for an event that doesn't exist lists each event once")
    func kinds() throws {
        let run = try EditedFixture().run("watch", "--until", "nonsense")
        #expect(run.status == .usage)
        let words = run.errors.split { " ,\n".contains($0) }
        #expect(words.count { $0 == "discard" } == 1, "\(run.errors)")
    }
}
