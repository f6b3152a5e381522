import SceneStore
import Testing

@testable import SceneStoreCommand

/// What all commands that write a store have in common.
@Suite("commands that write")
struct WritingCommandTests {
    /// Every one of them with something to do.
    static let lines: [[String]] = [
        ["discard", "letter"], ["forget", "letter"], ["forget", "--configurations"], ["reset"],
        ["hold", "letter"], ["release", "draft"], ["compact"], ["checkout", "letter@GEN"],
    ]

    private func words(_ line: [String], _ fixture: EditedFixture) throws -> [String] {
        let generation = try fixture.read { store throws in
            let record = try #require(try store.record(identifier: "letter-session"))
            return try store.history.versions(key: record.key).last?.generation ?? 0
        }
        return line.map { $0.replacingOccurrences(of: "GEN", with: String(generation)) }
    }

    private func run(
        _ fixture: EditedFixture, _ words: [String], answers: [String]? = nil
    ) -> ToolRun {
        var world = ToolWorld()
        world.clock = fixture.clock
        if let answers {
            world.answers = answers
            world.terminal.isInputTerminal = true
            world.terminal.isErrorTerminal = true
        }
        return world.run(words + ["--store", fixture.path])
    }

    @Test(
        "without --yes and without a terminal they end with 7 and change nothing",
        arguments: lines)
    func needsYes(_ line: [String]) throws {
        let fixture = try EditedFixture()
        let before = fixture.files
        let run = run(fixture, try words(line, fixture))
        #expect(run.status == .needsConfirmation)
        #expect(run.errors.contains("not done without --yes"))
        #expect(fixture.files == before)
    }

    @Test("a no changes nothing and answers 1", arguments: lines)
    func declined(_ line: [String]) throws {
        let fixture = try EditedFixture()
        let before = fixture.files
        let run = run(fixture, try words(line, fixture), answers: ["n"])
        #expect(run.status == .answeredNo)
        #expect(fixture.files == before)
    }

    @Test("--dry-run says what would happen and changes nothing", arguments: lines)
    func dryRun(_ line: [String]) throws {
        let fixture = try EditedFixture()
        let before = fixture.files
        let run = run(fixture, try words(line, fixture) + ["--dry-run"])
        #expect(run.status == .done)
        #expect(run.output.contains("would"))
        #expect(fixture.files == before)
    }

    @Test("a yes makes a backup first, and --no-backup makes none", arguments: lines)
    func backup(_ line: [String]) throws {
        let fixture = try EditedFixture()
        let run = run(fixture, try words(line, fixture), answers: ["y"])
        #expect(run.status == .done, "\(run.errors)")
        #expect(fixture.backups.count == 1)
        #expect(run.errors.contains("backup: "))
        let other = try EditedFixture()
        let second = self.run(other, try words(line, other) + ["--yes", "--no-backup"])
        #expect(second.status == .done, "\(second.errors)")
        #expect(other.backups.isEmpty)
    }

    @Test("S-31 while the app owns the store they end with 4, before they ask", arguments: lines)
    func owned(_ line: [String]) throws {
        let fixture = try EditedFixture()
        let given = try words(line, fixture)
        let owner = try fixture.open(.owner)
        let run = run(fixture, given, answers: ["y"])
        #expect(run.status == .busy)
        #expect(!run.errors.contains("[y/N]"))
        #expect(self.run(fixture, given + ["--yes", "--wait", "50ms"]).status == .busy)
        // A plan can be had all the same.
        #expect(self.run(fixture, given + ["--dry-run"]).status == .done)
        try owner.close()
    }

    @Test("the question names the loss")
    func question() throws {
        let fixture = try EditedFixture()
        let run = run(
            fixture, ["discard", "letter", "draft", "blank"], answers: ["n"])
        #expect(
            run.errors.hasPrefix(
                "Discard 3 sessions: Editor letter-s, Editor draft-se and Editor blank-se "
                    + "(3 states, last used 4 min ago)? [y/N] "), "\(run.errors)")
        let one = self.run(fixture, ["discard", "letter"], answers: ["n"])
        #expect(
            one.errors.hasPrefix(
                "Discard Editor letter-s (2 states, last used 4 min ago)? [y/N] "),
            "\(one.errors)")
    }
}
