import SceneStore
import Testing

@testable import SceneStoreCommand

@Suite("hold and release")
struct HoldCommandTests {
    @Test("hold and release set and clear the mark")
    func holdAndRelease() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("hold", "letter", "--yes").output == "held letter-session\n")
        #expect(fixture.run("release", "draft", "--yes").output == "released draft-session\n")
        try fixture.read { store throws in
            #expect(try store.record(identifier: "letter-session")?.isHeldByHand == true)
            #expect(try store.record(identifier: "draft-session")?.isHeldByHand == false)
        }
        let backups = fixture.backups.count
        for words in [["hold", "letter"], ["release", "draft"]] {
            let run = fixture.run(words[0], words[1], "--yes")
            #expect(run.status == .done && run.output.isEmpty)
            #expect(run.errors.contains("already; nothing to do"))
        }
        #expect(fixture.backups.count == backups)
    }
}
