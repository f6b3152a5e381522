import Foundation
import SceneStore
import Testing

@testable import SceneStoreCommand
import SceneStoreFormats

@Suite("undo and operations")
struct UndoCommandTests {
    /// Every command that writes, with something to do; `GEN` is the letter's first generation.
    static let lines: [[String]] =
        WritingCommandTests.lines.filter { $0 != ["compact"] } + [
            ["reopen", "closed"], ["prune", "--older-than", "1s"], ["restore", "BACKUP"],
            ["import", "EXPORT", "--conflict", "renumber"], ["simulate", "SCENARIO", "--in-place"],
        ]

    /// Two operations about different sessions.
    static let pairs: [([String], [String])] = [
        (["release", "draft"], ["forget", "letter"]), (["discard", "draft"], ["hold", "letter"]),
        (["forget", "draft"], ["discard", "letter"]),
        (["checkout", "letter@GEN"], ["discard", "draft"]),
        (["reopen", "closed"], ["hold", "letter", "draft"]),
    ]

    /// A store with two sessions that were closed one after the other beside the three open ones, and
    /// files to bring in.
    private func prepared() throws -> EditedFixture {
        let fixture = try EditedFixture()
        #expect(fixture.run("export", "-o", fixture.file("all.ndjson")).status == .done)
        let store = try fixture.open()
        for identifier in ["closed-session", "later-session"] {
            let record = try store.insertSession(
                identifier: identifier,
                configuration: SceneConfiguration(name: "Editor", role: .windowApplication),
                becameActive: true)
            try store.discard([record.key], cause: .user, deliveredNow: true)
        }
        // Pins are part of what comes back (S-51).
        let letter = try #require(try store.record(identifier: "letter-session"))
        let newest = try #require(try store.history.versions(key: letter.key).first)
        try store.history.pin(key: letter.key, generation: newest.generation)
        try store.close()
        #expect(fixture.run("backup", "-o", fixture.file("copy.sqlite")).status == .done)
        let other = try fixture.open()
        if let blank = try other.record(identifier: "blank-session") {
            try other.forget([blank.key])
        }
        try other.close()
        try Data("launch\nnew-scene\nbackground *\nquit\n".utf8).write(
            to: URL(filePath: fixture.file("a.scenario")))
        fixture.clock.advance(.seconds(60))
        return fixture
    }

    private func run(_ fixture: EditedFixture, _ line: [String]) throws -> ToolRun {
        let generation = try fixture.read { store throws in
            let record = try #require(try store.record(identifier: "letter-session"))
            return try store.history.versions(key: record.key).last?.generation ?? 0
        }
        var world = ToolWorld()
        world.clock = fixture.clock
        let words = line.map {
            $0.replacingOccurrences(of: "GEN", with: String(generation))
                .replacingOccurrences(of: "BACKUP", with: fixture.file("copy.sqlite"))
                .replacingOccurrences(of: "EXPORT", with: fixture.file("all.ndjson"))
                .replacingOccurrences(of: "SCENARIO", with: fixture.file("a.scenario"))
        }
        return world.run(words + ["--yes", "--store", fixture.path])
    }

    private func export(_ fixture: EditedFixture) -> String {
        fixture.run("export").output
    }

    @Test(
        "undo brings back exactly what was there, and redo what came of it", arguments: lines)
    func exact(_ line: [String]) throws {
        let fixture = try prepared()
        let before = export(fixture)
        let done = try run(fixture, line)
        #expect(done.status == .done, "\(done.errors)")
        #expect(
            done.errors.contains(
                "operation 1: 'scenestore undo --store \(fixture.path)' takes it back, until "))
        let after = export(fixture)
        #expect(after != before)
        let undone = fixture.run("undo", "--yes")
        #expect(undone.status == .done, "\(undone.errors)")
        #expect(export(fixture) == before)
        let redone = fixture.run("undo", "--redo", "--yes")
        #expect(redone.status == .done, "\(redone.errors)")
        #expect(export(fixture) == after)
        #expect(fixture.run("undo", "1", "--yes").status == .done)
        #expect(export(fixture) == before)
        #expect(fixture.run("doctor", "--full").isSound)
    }

    @Test("a folder that holds no store has no operations: exit status 3")
    func operationsWithoutStore() throws {
        let empty = try EditedFixture().file("empty")
        try FileManager.default.createDirectory(
            atPath: empty, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: empty) }
        for command in [["operations"], ["undo"], ["undo", "--redo"]] {
            #expect(ToolWorld().run(command + ["--store", empty]).status == .noStore)
        }
    }

    @Test("R-07 undo lists what it changes, of at most ten sessions", arguments: [10, 11])
    func listing(count: Int) throws {
        let fixture = try EditedFixture()
        let store = try fixture.open()
        for number in try store.openCount()..<count {
            _ = try store.insertSession(
                identifier: "window-\(number)",
                configuration: SceneConfiguration(name: "Editor", role: .windowApplication))
        }
        try store.close()
        #expect(fixture.run("reset", "--yes").status == .done)
        for words in [["undo", "--dry-run"], ["undo", "--yes"]] {
            let lines = ToolWorld().run(words + ["--store", fixture.path]).lines
            #expect(lines.count { $0.hasSuffix(" comes back") } == 10, "\(lines)")
            #expect(lines.last == (count == 10 ? "  Editor window-9 comes back" : "  and 1 more"))
        }
        #expect(fixture.run("discard", "letter-session", "--yes").status == .done)
        #expect(
            fixture.run("undo", "--yes").lines
                == [
                    "undid operation 2, discard of Editor letter-s",
                    "  Editor letter-s: closed, open",
                ])
    }

    @Test("R-07 undo says which state a window has again, and whether it is withheld")
    func states() throws {
        let fixture = try EditedFixture()
        let versions = try fixture.read { store in
            let letter = try #require(try store.record(identifier: "letter-session"))
            return try store.history.versions(key: letter.key)
        }
        let earlier = try #require(versions.last)
        let current = TimeText.iso8601(try #require(versions.first).context.savedAt)
        #expect(
            fixture.run("checkout", "letter-session@\(earlier.generation)", "--yes").status == .done
        )
        #expect(
            fixture.run("undo", "--yes").lines.last
                == "  Editor letter-s: its state is again the one saved at \(current)")
        let store = try fixture.open()
        let key = try #require(try store.record(identifier: "letter-session")).key
        try store.history.withhold(key: key, .declined)
        try store.close()
        let generation = try #require(versions.first).generation
        #expect(
            fixture.run("checkout", "letter-session@\(generation)", "--yes").status == .done)
        let hold = fixture.run("hold", "letter-session", "--yes")
        #expect(hold.status == .done, "\(hold.errors)")
        #expect(fixture.run("undo", "--yes").lines.last == "  Editor letter-s: held")
    }

    @Test("operations are undone one after the other, and made again in their order")
    func several() throws {
        let fixture = try prepared()
        var states = [export(fixture)]
        for line in [["hold", "letter"], ["discard", "draft"], ["forget", "letter"]] {
            #expect(try run(fixture, line).status == .done)
            states.append(export(fixture))
        }
        let early = fixture.run("undo", "1", "--yes")
        #expect(early.status == .answeredNo)
        #expect(early.errors.contains("operation 3 came later: forget"), "\(early.errors)")
        #expect(!early.errors.contains("operation 2"))
        #expect(early.errors.contains("hint: undo the later ones first"))
        for number in [3, 2, 1] {
            let run = fixture.run("undo", "--yes")
            #expect(run.output.contains("undid operation \(number),"), "\(run.errors)")
            #expect(export(fixture) == states[number - 1])
        }
        #expect(fixture.run("undo", "--yes").errors.contains("nothing to undo"))
        for number in [1, 2, 3] {
            #expect(fixture.run("undo", "--redo", "--yes").status == .done)
            #expect(export(fixture) == states[number])
        }
        #expect(fixture.run("undo", "--redo", "--yes").errors.contains("nothing to redo"))
        #expect(fixture.run("undo", "--yes").status == .done)
        // Something else comes: what was undone can't be made again.
        #expect(try run(fixture, ["reopen", "draft"]).status == .done)
        #expect(fixture.run("undo", "--redo", "--yes").errors.contains("nothing to redo"))
        let list = try fixture.run("operations", "--json").objects()
        #expect(list.map { $0["operation"]?.integerValue } == [4, 3, 2, 1])
        #expect(list.map { $0.text("state") } == ["done", "undone", "done", "done"])
    }

    @Test("redo makes the change again that was undone last, and none from before a new change")
    func redoOrder() throws {
        let fixture = try prepared()
        #expect(try run(fixture, ["hold", "letter"]).status == .done)
        #expect(fixture.run("undo", "--yes").status == .done)
        let before = export(fixture)
        #expect(try run(fixture, ["discard", "draft"]).status == .done)
        let after = export(fixture)
        #expect(fixture.run("undo", "--yes").status == .done)
        #expect(export(fixture) == before)
        let redone = fixture.run("undo", "--redo", "--yes")
        #expect(redone.output.contains("redid operation 2, discard"), "\(redone.output)")
        #expect(export(fixture) == after)
        #expect(fixture.run("undo", "--redo", "--yes").errors.contains("nothing to redo"))
    }

    /// A session's lines; without ranks, which count through all sessions of an export.
    private func entries(_ export: String, of session: String) -> [String] {
        export.split(separator: "\n").filter { $0.contains("\"\(session)\"") }.map {
            String($0.replacing(#/"(rank|recency|current)":[0-9]+/#, with: ""))
        }
    }

    @Test(
        "an operation is undone when others came later, as long as they left its sessions alone",
        arguments: pairs)
    func besideLater(_ first: [String], _ second: [String]) throws {
        let fixture = try prepared()
        let before = export(fixture)
        #expect(try run(fixture, first).status == .done)
        #expect(try run(fixture, second).status == .done)
        let both = export(fixture)
        // The app came and went, and touched none of them.
        let store = try fixture.open(.owner)
        _ = try store.launches.begin(LaunchContext(bootIdentifier: "boot", processIdentifier: 42))
        try store.close()
        let undone = fixture.run("undo", "1", "--yes")
        #expect(undone.status == .done, "\(undone.errors)")
        #expect(undone.errors.contains("other sessions have changed since; they stay unchanged"))
        let after = export(fixture)
        for session in ["letter-session", "draft-session", "closed-session"] {
            let isFirst = first[1].hasPrefix(session.prefix(5))
            #expect(entries(after, of: session) == entries(isFirst ? before : both, of: session))
        }
        #expect(fixture.run("doctor", "--full").isSound)
        #expect(fixture.run("undo", "--redo", "--yes").status == .done)
        #expect(export(fixture) == both)
        #expect(fixture.run("undo", "2", "--yes").status == .done)
        #expect(fixture.run("undo", "1", "--yes").status == .done)
        for session in ["letter-session", "draft-session", "closed-session"] {
            #expect(entries(export(fixture), of: session) == entries(before, of: session))
        }
        #expect(fixture.run("doctor", "--full").isSound)
    }

    /// The app saves another state of a session.
    private func save(_ session: String, in fixture: EditedFixture) throws {
        let store = try fixture.open(.owner)
        _ = try store.launches.begin(LaunchContext(bootIdentifier: "boot", processIdentifier: 42))
        let record = try #require(try store.record(identifier: session))
        var activity = try UserActivity(activityType: "com.example.letter")
        activity.userInfo = ["number": 99]
        try store.save(
            [StateToSave(key: record.key, activity: activity)],
            context: SaveContext(appVersion: "1", savedAt: fixture.clock.clock.now()))
        try store.close()
    }

    @Test(
        "an import of sessions is undone when the app has changed others since",
        arguments: [
            "letter-session", "blank-session",
        ])
    func importBesideLater(changed: String) throws {
        let fixture = try prepared()
        let before = export(fixture)
        // The blank session is missing, and comes in again.
        let imported = try run(fixture, ["import", "EXPORT", "--conflict", "keep"])
        #expect(imported.status == .done, "\(imported.errors)")
        fixture.clock.advance(.seconds(60))
        try save(changed, in: fixture)
        let both = export(fixture)
        let undone = fixture.run("undo", "--yes")
        guard changed == "letter-session" else {
            #expect(undone.status == .answeredNo)
            #expect(undone.errors.contains("Editor blank-se has changed"), "\(undone.errors)")
            #expect(export(fixture) == both)
            return
        }
        #expect(undone.status == .done, "\(undone.errors)")
        let after = export(fixture)
        #expect(entries(after, of: "letter-session") == entries(both, of: "letter-session"))
        for session in ["blank-session", "draft-session", "closed-session"] {
            #expect(entries(after, of: session) == entries(before, of: session), "\(session)")
        }
        #expect(fixture.run("doctor", "--full").isSound)
        #expect(fixture.run("undo", "--redo", "--yes").status == .done)
        #expect(export(fixture) == both)
    }

    @Test("R-07 a command that opened the store and failed keeps nobody from an undo")
    func failedCommand() throws {
        let fixture = try EditedFixture()
        let before = fixture.run("export").output
        #expect(fixture.run("reset", "--yes").status == .done)
        // As a command that waited for the app leaves it: its plan no longer held.
        try fixture.open().close()
        let run = fixture.run("undo", "--yes")
        #expect(run.status == .done, "\(run.errors)")
        #expect(fixture.run("export").output == before)
    }

    @Test("what changed a whole store refuses, lists what changed since, and names the way back")
    func wholeStore() throws {
        let fixture = try prepared()
        #expect(try run(fixture, ["prune", "--older-than", "1s"]).status == .done)
        fixture.clock.advance(.seconds(60))
        try save("letter-session", in: fixture)
        let before = fixture.files
        let refused = fixture.run("undo", "--yes")
        #expect(refused.status == .answeredNo)
        #expect(refused.errors.contains("Editor letter-s has changed"), "\(refused.errors)")
        #expect(refused.errors.contains("the app was launched"))
        #expect(fixture.files == before)
        // The hint is a command that does what it says.
        let hint = try #require(
            refused.errors.firstMatch(of: #/'scenestore (restore \S+) --store/#))
        let words = hint.1.split(separator: " ").map(String.init)
        #expect(words[1].hasPrefix(fixture.path + "/backups/"))
        let present = export(fixture)
        #expect(try run(fixture, words).status == .done)
        #expect(export(fixture) != present)
        #expect(fixture.run("undo", "--yes").status == .done)
        #expect(export(fixture) == present)
    }

    @Test("undo refuses, and lists, what the app has changed since")
    func changedSince() throws {
        let fixture = try prepared()
        #expect(try run(fixture, ["hold", "letter"]).status == .done)
        #expect(try run(fixture, ["discard", "draft"]).status == .done)
        let store = try fixture.open(.owner)
        try store.discards.mark(try store.discards.pending().map(\.key), .delivered)
        _ = try store.launches.begin(LaunchContext(bootIdentifier: "boot", processIdentifier: 42))
        let record = try #require(try store.record(identifier: "letter-session"))
        var activity = try UserActivity(activityType: "com.example.letter")
        activity.userInfo = ["number": 99]
        try store.save(
            [StateToSave(key: record.key, activity: activity)],
            context: SaveContext(appVersion: "1", savedAt: fixture.clock.clock.now()))
        try store.close()
        let before = fixture.files
        let run = fixture.run("undo", "--yes")
        #expect(run.status == .answeredNo)
        #expect(run.errors.contains("the app was launched"), "\(run.errors)")
        #expect(run.errors.contains("Editor draft-se has changed"), "\(run.errors)")
        let place = "--store \(fixture.path)"
        #expect(run.errors.contains("hint: 'scenestore reopen draft-session \(place)'"))
        let held = fixture.run("undo", "1", "--yes")
        #expect(held.status == .answeredNo)
        #expect(held.errors.contains("Editor letter-s has changed"), "\(held.errors)")
        #expect(held.errors.contains("hint: 'scenestore release letter-session \(place)'"))
        #expect(fixture.files == before)
    }

    @Test("undo asks, plans with --dry-run, and says when there is no backup to undo with")
    func asking() throws {
        let fixture = try prepared()
        #expect(try run(fixture, ["hold", "letter"]).status == .done)
        let before = fixture.files
        #expect(fixture.run("undo").status == .needsConfirmation)
        #expect(fixture.run("undo", answers: ["n"]).status == .answeredNo)
        #expect(
            fixture.run("undo", "--dry-run").output
                == "would undo operation 1, hold of Editor letter-s\n  Editor letter-s: held\n")
        #expect(fixture.run("undo", "7", "--yes").status == .noStore)
        #expect(fixture.files == before)
        let owner = try fixture.open(.owner)
        #expect(fixture.run("undo", "--yes").status == .busy)
        try owner.close()
        #expect(
            fixture.run("undo", "--yes").output
                == "undid operation 1, hold of Editor letter-s\n  Editor letter-s: held\n")
        let bare = fixture.run("release", "draft", "--yes", "--no-backup")
        #expect(bare.errors.contains("operation 2, without a backup: it can't be undone"))
        #expect(fixture.run("undo", "--yes").status == .answeredNo)
        try FileManager.default.removeItem(atPath: fixture.path + "/backups")
        #expect(fixture.run("operations").status == .done)
    }

    @Test("S-70 operations are private, hold no title, and go when the store is erased")
    func erased() throws {
        let fixture = try prepared()
        #expect(try run(fixture, ["hold", "letter"]).status == .done)
        let folder = fixture.path + "/operations"
        let file = folder + "/000001.json"
        for path in [folder, file] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect((mode as? NSNumber).map { $0.intValue & 0o077 } == 0)
        }
        let asked = fixture.run("reset", "--erase", answers: ["n"])
        #expect(asked.errors.contains("This can't be undone"))
        #expect(fixture.run("reset", "--erase", "--yes").status == .done)
        #expect(!fixture.files.keys.contains { $0.hasSuffix(".json") || $0.contains("before-") })
        #expect(fixture.run("undo", "--yes").errors.contains("nothing to undo"))
        for (name, bytes) in fixture.files {
            #expect(bytes.range(of: Data("private words".utf8)) == nil, "\(name)")
        }
    }

    @Test("S-70 an erasure names each file in the container that isn't the store's and stays")
    func kept() throws {
        let fixture = try EditedFixture()
        let nothing = "nothing is left but an empty store"
        let own = fixture.path + "/last.sqlite"
        #expect(fixture.run("backup", "-o", own).status == .done)
        let inner = fixture.path + "/backups/mine"
        try FileManager.default.createDirectory(
            atPath: inner, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let left = "last.sqlite, last.sqlite.xxh64 and backups/mine"
        let plan = fixture.run("reset", "--erase", "--dry-run")
        #expect(plan.errors == "not the store's, so it stays: \(left)\n")
        let asked = fixture.run("reset", "--erase", answers: ["n"])
        #expect(asked.errors.contains("Files that aren't the store's stay (\(left))."))
        let run = fixture.run("reset", "--erase", "--yes", "--json")
        #expect(run.status == .done)
        #expect(try run.objects().first?["left"]?.arrayValue?.count == 3)
        #expect(run.errors.contains(left))
        #expect(!run.errors.contains(nothing))
        #expect(fixture.files.keys.contains("last.sqlite"))
        let clean = try EditedFixture().run("reset", "--erase", "--yes")
        #expect(clean.errors.contains(nothing))
    }

    @Test("a repair is undone with the damaged store that it set aside")
    func repair() throws {
        let fixture = try EditedFixture()
        try fixture.sqlite("UPDATE state SET saved_at = saved_at + 1")
        let before = try Data(contentsOf: URL(filePath: fixture.path + "/scenes.sqlite"))
        let run = fixture.run("repair", "--yes")
        #expect(run.errors.contains("operation 1: "), "\(run.errors)")
        #expect(fixture.run("undo", "--yes").status == .done)
        #expect(
            try Data(contentsOf: URL(filePath: fixture.path + "/scenes.sqlite")).count
                == before.count)
        #expect(fixture.run("doctor").status == .damaged)
    }
}
