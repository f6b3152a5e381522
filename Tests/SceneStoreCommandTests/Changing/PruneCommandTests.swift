import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import Testing

@testable import SceneStoreCommand

@Suite("prune and compact")
struct PruneCommandTests {
    @Test("S-52 prune lists what goes and why, and never touches what is open, pinned or held")
    func prune() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("prune", "--yes").errors == "nothing to prune\n")
        _ = fixture.run("discard", "letter", "blank", "--yes")
        _ = fixture.run("discard", "draft", "--yes")
        let store = try fixture.open()
        let pinned = try #require(try store.record(identifier: "blank-session"))
        try store.marks.setPinned(true, key: pinned.key)
        try store.close()
        fixture.clock.advance(.seconds(3 * 86_400))
        #expect(fixture.run("prune", "--dry-run").output.isEmpty)
        let plan = fixture.run("prune", "--older-than", "2d", "--dry-run")
        #expect(
            plan.output
                == "would remove discarded session letter-session: closed longer ago than asked for\n"
        )
        let run = fixture.run("prune", "--older-than", "2d", "--yes")
        #expect(run.status == .done, "\(run.errors)")
        try fixture.read { store throws in
            #expect(
                try store.discards.recentlyClosed().map(\.record.identifier)
                    == ["draft-session", "blank-session"])
            #expect(try store.verify(.full).isSound)
        }
    }

    @Test("S-50 prune never takes the windows that were closed last, however old they are")
    func closedLast() throws {
        let fixture = try EditedFixture()
        _ = fixture.run("discard", "draft", "--yes")
        _ = fixture.run("discard", "letter", "blank", "--yes")
        fixture.clock.advance(.seconds(3 * 86_400))
        let run = fixture.run("prune", "--older-than", "1s", "--yes")
        #expect(
            run.output
                == "removed discarded session draft-session: closed longer ago than asked for\n",
            "\(run.errors)")
        try fixture.read { store throws in
            #expect(
                try store.discards.recentlyClosed().map(\.record.identifier).sorted()
                    == ["blank-session", "letter-session"])
        }
    }

    @Test("compact gives room back and changes nothing that is stored")
    func compact() throws {
        let fixture = try EditedFixture()
        let before = try fixture.read { try $0.export() }
        let run = fixture.run("compact", "--yes", "--no-backup")
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.output.contains(" -> "))
        #expect(try fixture.read { try $0.export() } == before)
    }

    @Test("compact is no operation, and what was done before can still be undone")
    func compactIsNoOperation() throws {
        let fixture = try EditedFixture()
        let before = try fixture.read { try $0.export() }
        #expect(fixture.run("reset", "--yes").status == .done)
        let run = fixture.run("compact", "--yes")
        #expect(run.status == .done, "\(run.errors)")
        #expect(!run.errors.contains("undo"), "\(run.errors)")
        let operations = try fixture.run("operations", "--json").objects()
        #expect(operations.map { $0.text("command") } == ["reset"])
        let undone = fixture.run("undo", "--yes")
        #expect(undone.status == .done, "\(undone.errors)")
        #expect(try fixture.read { try $0.export() } == before)
    }
}
