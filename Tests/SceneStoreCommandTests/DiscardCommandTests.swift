import SceneStore
import Testing

@testable import SceneStoreCommand

@Suite("discard and reopen")
struct DiscardCommandTests {
    @Test("a discarded session waits to be told of, and reopen brings it back as it was")
    func discardAndReopen() throws {
        let fixture = try EditedFixture()
        let before = try fixture.read { try $0.export() }
        #expect(fixture.run("discard", "letter", "--yes").output == "discarded letter-session\n")
        try fixture.read { store throws in
            #expect(try store.openCount() == 2)
            #expect(try store.pendingDiscards().map(\.identifier) == ["letter-session"])
        }
        #expect(fixture.run("discard", "letter", "--yes").status == .answeredNo)
        #expect(fixture.run("reopen", "letter", "--yes").output == "reopened letter-session\n")
        #expect(fixture.run("reopen", "letter", "--yes").status == .answeredNo)
        #expect(try fixture.read { try $0.export() } == before)
    }

    @Test("an unknown session answers no, an ambiguous one is wrong usage")
    func names() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("discard", "nothing", "--yes").status == .answeredNo)
        #expect(fixture.run("discard", "l", "--yes").status == .usage)
        #expect(fixture.run("discard", "--yes").status == .usage)
    }
}
