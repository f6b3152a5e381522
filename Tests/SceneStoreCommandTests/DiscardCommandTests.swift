import SceneStore
import SceneStoreExchange
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
        let reopened = fixture.run("reopen", "letter", "--yes")
        #expect(reopened.output == "reopened letter-session\n")
        // Whoever brings a window back is told when it comes; 'plan' says the same.
        let plan = fixture.run("plan", "--json").output
        let isConnected = plan.contains("letter-session")
        #expect(
            reopened.errors.contains(
                isConnected
                    ? "the next launch connects letter-session: "
                    : "letter-session waits until the app activates it: "), "\(reopened.errors)")
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
