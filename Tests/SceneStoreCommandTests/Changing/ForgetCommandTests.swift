import SceneStore
import SceneStoreExchange
import Testing

@testable import SceneStoreCommand

@Suite("forget and reset")
struct ForgetCommandTests {
    @Test("a forgotten session is gone, and nobody is told")
    func forget() throws {
        let fixture = try EditedFixture()
        let run = fixture.run("forget", "letter", "blank", "--yes")
        #expect(run.status == .done)
        #expect(run.errors.contains("'scenestore reset --erase' removes that"), "\(run.errors)")
        try fixture.read { store throws in
            #expect(try store.openRecords().map(\.identifier) == ["draft-session"])
            #expect(try store.discards.pending().isEmpty)
            #expect(try store.discards.recentlyClosed().isEmpty)
        }
    }

    @Test("forgotten configurations leave the sessions")
    func configurations() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("forget", "--configurations", "--yes").status == .done)
        try fixture.read { store throws in
            #expect(try store.openCount() == 3)
            #expect(try store.openRecords().allSatisfy { $0.configuration.name == nil })
        }
        #expect(fixture.run("forget", "--yes").status == .usage)
        #expect(fixture.run("forget", "letter", "--configurations", "--yes").status == .usage)
    }

    @Test("a reset empties the store, and its backup brings everything back")
    func reset() throws {
        let fixture = try EditedFixture()
        let before = try fixture.read { try $0.export() }
        let run = fixture.run("reset", "--yes")
        #expect(run.output == "removed 3 sessions, 2 with state, newest 4 min old\n")
        #expect(try fixture.read { try $0.openCount() } == 0)
        let backup = try #require(fixture.backups.first)
        let restored = fixture.run("restore", fixture.path + "/" + backup, "--yes")
        #expect(restored.output == "restored 3 sessions\n", "\(restored.errors)")
        #expect(try fixture.read { try $0.export() } == before)
    }
}
