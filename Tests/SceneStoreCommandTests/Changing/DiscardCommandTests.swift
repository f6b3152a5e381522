import SceneStore
import SceneStoreExchange
import Testing

@testable import SceneStoreCommand

@Suite("discard and reopen")
struct DiscardCommandTests {
    @Test("L-36 a discarded session waits to be told of, and reopen brings it back as it was")
    func discardAndReopen() throws {
        let fixture = try EditedFixture()
        let before = try fixture.read { try $0.export() }
        #expect(fixture.run("discard", "letter", "--yes").output == "discarded letter-session\n")
        try fixture.read { store throws in
            #expect(try store.openCount() == 2)
            #expect(try store.discards.pending().map(\.identifier) == ["letter-session"])
        }
        let again = fixture.run("discard", "letter", "--yes")
        #expect(again.status == .done && again.output.isEmpty)
        #expect(again.errors.contains("is discarded already; nothing to do"))
        #expect(!again.errors.contains("backup"))
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
        #expect(fixture.run("reopen", "letter", "--yes").errors.contains("nothing to do"))
        // As it was, and in front, so that the next launch connects it.
        #expect(isConnected)
        let after = String(decoding: try fixture.read { try $0.export() }, as: UTF8.self)
        let old = String(decoding: before, as: UTF8.self)
        #expect(after != old)
        #expect(
            after.replacing("\"front\":true", with: "\"front\":false")
                == old.replacing("\"front\":true", with: "\"front\":false"))
    }

    @Test("L-36 L-37 the app is told of what the command discarded as of what is told first")
    func told() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("discard", "letter", "draft", "--yes").status == .done)
        let store = try fixture.open(.owner)
        defer { try? store.close() }
        for isTold in [false, true] {
            _ = try store.launches.begin(LaunchContext(bootIdentifier: "b", processIdentifier: 1))
            let pending = try store.discards.pending()
            #expect(Set(pending.map(\.identifier)) == ["letter-session", "draft-session"])
            #expect(pending.allSatisfy { $0.isRedelivered == isTold })
            let keys = pending.map(\.key)
            try store.write(.full) { transaction throws(SceneStoreError) in
                try transaction.mark(discards: keys, .offered)
            }
        }
    }

    @Test("an unknown session exits with 3, an ambiguous one is wrong usage")
    func names() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("discard", "nothing", "--yes").status == .noStore)
        #expect(fixture.run("discard", "l", "--yes").status == .noStore)
        #expect(fixture.run("discard", "--yes").status == .usage)
    }
}
