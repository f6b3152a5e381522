import SceneStore
import Testing

@testable import SceneStoreCommand

@Suite("history, diff and checkout")
struct HistoryCommandTests {
    private func generations(_ fixture: EditedFixture) throws -> [String] {
        try fixture.read { store throws in
            let record = try #require(try store.record(identifier: "letter-session"))
            return try store.history(key: record.key).map { String($0.generation) }
        }
    }

    @Test("S-51 history lists the states, newest first, in every format")
    func history() throws {
        let fixture = try EditedFixture()
        let generations = try generations(fixture)
        let run = fixture.run("history", "letter", "--json")
        #expect(
            try run.objects().map { $0["generation"]?.integerValue.map(String.init) } == generations
        )
        #expect(try run.objects().map { $0["current"]?.booleanValue } == [true, false])
        #expect(fixture.run("history", "letter").lines.count == 3)
        #expect(fixture.run("history", "letter", "--csv").lines.count == 3)
        #expect(fixture.run("history", "blank").errors == "the session has no states\n")
    }

    @Test("S-51 diff shows what changed by key path, and answers 1 when anything did")
    func diff() throws {
        let fixture = try EditedFixture()
        let generations = try generations(fixture)
        let run = fixture.run("diff", "letter", generations[1], generations[0])
        #expect(run.status == .answeredNo)
        #expect(run.output == "  info.number  0 -> 1\n")
        let same = fixture.run("diff", "letter", generations[0], generations[0])
        #expect(same.status == .done)
        #expect(same.output.isEmpty)
        let json = fixture.run("diff", "letter", generations[1], generations[0], "--json")
        #expect(json.output == #"{"new":1,"old":0,"path":"info.number"}"# + "\n")
        #expect(fixture.run("diff", "letter", "x", "1").status == .usage)
        #expect(fixture.run("diff", "letter", "99999", "1").status == .answeredNo)
        #expect(fixture.run("diff", "letter").status == .usage)
    }

    @Test("diff --with compares two stores")
    func stores() throws {
        let fixture = try EditedFixture()
        let other = try EditedFixture()
        #expect(fixture.run("diff", "--with", other.path).status == .done)
        _ = other.run("hold", "letter", "--yes")
        _ = other.run("forget", "blank", "--yes")
        let run = fixture.run("diff", "--with", other.path)
        #expect(run.status == .answeredNo)
        #expect(run.output == "- blank-session\n  letter-session  held\n")
    }

    @Test("S-51 checkout goes back to a state, and the history stays")
    func checkout() throws {
        let fixture = try EditedFixture()
        let generations = try generations(fixture)
        let run = fixture.run("checkout", "letter@\(generations[1])", "--yes")
        #expect(run.status == .done, "\(run.errors)")
        try fixture.read { store throws in
            let record = try #require(try store.record(identifier: "letter-session"))
            let state = try store.restorationActivity(key: record.key)
            #expect(state?.userInfo["number"] == 0)
            #expect(try store.history(key: record.key).count == 2)
        }
        #expect(fixture.run("checkout", "@last@\(generations[0])", "--yes").status == .done)
        let again = fixture.run("checkout", "@last@\(generations[0])", "--yes")
        #expect(again.errors == "generation \(generations[0]) is the current state already\n")
        #expect(fixture.run("checkout", "letter", "--yes").status == .usage)
        #expect(fixture.run("checkout", "letter@77777", "--yes").status == .answeredNo)
    }
}
