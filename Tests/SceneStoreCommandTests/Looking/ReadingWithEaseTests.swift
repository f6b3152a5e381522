import SceneStore
import Testing

@testable import SceneStoreCommand
import SceneStoreFormats

@Suite("reading with ease")
struct ReadingWithEaseTests {
    private func lines(_ words: String...) throws -> [String] {
        let fixture = try EditedFixture()
        var world = ToolWorld()
        world.clock = fixture.clock
        return world.run(words + ["--csv", "--store", fixture.path]).lines
    }

    @Test("tables choose, sort and bound their rows and columns")
    func tables() throws {
        let columns = ["--columns", "session,bytes"]
        func sessions(_ words: String...) throws -> [String] {
            let fixture = try EditedFixture()
            var world = ToolWorld()
            world.clock = fixture.clock
            return world.run(["sessions", "--csv", "--store", fixture.path] + columns + words).lines
        }
        #expect(try sessions().first == "session,bytes")
        #expect(
            try sessions("--sort", "session").map { $0.prefix(5) }
                == ["sessi", "blank", "draft", "lette"])
        #expect(
            try sessions("--sort=-session", "--limit", "1").map { $0.prefix(5) }
                == ["sessi", "lette"])
        #expect(try sessions("--limit", "0").count == 1)
        #expect(try sessions("--limit", "4").count == 4)
    }

    @Test("--since keeps what is younger, by a row's first time")
    func since() throws {
        // The letter was used four minutes ago, the others before that.
        #expect(try lines("sessions", "--since", "1s").count == 1)
        #expect(try lines("sessions", "--since", "1h").count == 4)
    }

    @Test("a column that is none is wrong usage and names those that are")
    func unknownColumn() throws {
        let fixture = try EditedFixture()
        for option in ["--columns", "--sort"] {
            let run = fixture.run("sessions", option, "colour")
            #expect(run.status == .usage)
            #expect(run.errors.contains("the columns are session, title, state"))
        }
    }

    @Test(
        "a column that is named twice, or not at all, is wrong usage",
        arguments: ["title,title", "title,session,title", "", ",", "title,"],
        ["--csv", "--json", "--wide"])
    func unclearColumns(names: String, form: String) throws {
        let fixture = try EditedFixture()
        for command in ["sessions", "size", "operations"] {
            let run = fixture.run(command, "--columns", names, form)
            #expect(run.status == .usage, "\(command)")
        }
    }

    @Test(
        "what other tools call a command is guessed",
        arguments: [
            ("ls", "sessions"), ("status", "info"), ("rm", "discard"), ("why?", "why"),
            ("verify", "doctor --full"), ("migrate", "doctor --fix"), ("version", "--version"),
            ("continue", "deliver activity"), ("shortcut", "deliver shortcut"),
            ("activate", "deliver front"),
        ])
    func synonyms(word: String, command: String) {
        let run = ToolWorld(commands: AllCommands.commands).run(word)
        #expect(run.status == .usage)
        #expect(run.errors.contains("hint: did you mean \(command)?"), "\(run.errors)")
    }

    @Test("a column is named by its heading, too")
    func heading() throws {
        let fixture = try EditedFixture()
        let named = fixture.run("sessions", "--columns", "title,reason", "--csv")
        #expect(named.status == .done && named.lines.count > 1)
        #expect(
            fixture.run("sessions", "--columns", "Title,Reason", "--csv").output == named.output)
    }

    @Test("an option that became a command is named by it")
    func formerOption() {
        let run = ToolWorld().run("open-url", "notes://x", "--deliver")
        #expect(run.status == .usage)
        #expect(run.errors.contains("hint: did you mean deliver?"), "\(run.errors)")
    }

    @Test("without a word, five lines lead on")
    func greeting() {
        let run = ToolWorld().run()
        #expect(run.status == .done && run.lines.count == 5)
        #expect(run.lines.allSatisfy { $0.hasPrefix("  scenestore ") })
        #expect(run.output.contains("scenestore help tour"))
    }

    @Test("watch refuses a word that is no event")
    func watch() throws {
        let fixture = try EditedFixture()
        let run = fixture.run("watch", "--until", "saev", "--timeout", "1ms")
        #expect(run.status == .usage)
        #expect(run.errors.contains("hint: did you mean save?"))
        #expect(fixture.run("watch", "--until", "save:x", "--timeout", "1ms").status == .timeLimit)
    }

    @Test("sql lists its tables and their columns, and still only reads")
    func sqlTables() throws {
        let fixture = try EditedFixture()
        let rows = try fixture.run("sql", "tables", "--json").objects()
        #expect(rows.first?.text("type") == "view")
        let sessions = try #require(rows.first { $0.text("name") == "sessions" })
        let columns = sessions["columns"]?.arrayValue?.prefix(2).map(\.stringValue)
        #expect(columns == ["session", "title"])
        let limited = fixture.run("sql", "tables", "--limit", "1", "--columns", "name", "--csv")
        #expect(limited.lines.count == 2)
        let described = try fixture.run("sql", "PRAGMA table_info(session)", "--json").objects()
        #expect(described.contains { $0.text("name") == "identifier" })
        #expect(fixture.run("sql", "pragma TABLE_LIST").status == .done)
        for query in [
            "PRAGMA user_version = 9", "SELECT * FROM pragma_user_version", "PRAGMA user_version",
            "PRAGMA cache_size = 5",
        ] {
            #expect(fixture.run("sql", query).status == .usage, "\(query)")
        }
    }

    @Test("R-40 a pictograph of several stays whole, and a joiner alone is shown for what it is")
    func pictographs() {
        #expect(TextEscaping.terminal("👩‍💻 ok") == "👩‍💻 ok")
        #expect(TextEscaping.terminal("🏳️‍🌈") == "🏳️‍🌈")
        #expect(TextEscaping.terminal("a\u{200D}b") == "a\\u{200D}b")
        #expect(TextEscaping.terminal("👩\u{200D}") == "👩\\u{200D}")
        #expect(TextEscaping.terminal("\u{200D}💻") == "\\u{200D}💻")
        #expect(TextEscaping.terminal("👩\u{200D}\u{200D}💻") == "👩\\u{200D}\\u{200D}💻")
        #expect(TextEscaping.terminal("👩\n\u{200D}💻") == "👩\\n\\u{200D}💻")
        #expect(DisplayWidth.columns(of: "👩‍💻") == 2)
    }

    @Test(
        "a path that diff prints can be typed into show --key; a store does not differ from itself")
    func diff() throws {
        let fixture = try EditedFixture()
        let generations = try fixture.read { store throws in
            let record = try #require(try store.record(identifier: "letter-session"))
            return try store.history.versions(key: record.key).map { String($0.generation) }
        }
        let changed = try fixture.run(
            "diff", "letter", generations[1], generations[0], "--json"
        ).objects()
        let path = try #require(changed.first?.text("path"))
        #expect(path == "activity.userInfo.number")
        #expect(fixture.run("show", "letter", "--key", path, "--raw").output == "1\n")
        let same = fixture.run("diff", "--with", fixture.path)
        #expect(same.status == .done)
        #expect(same.errors.contains("both are one store"))
    }

    @Test("times stand beside dates where several rows share a day")
    func sharedDays() throws {
        func shown(_ times: [Int64]) throws -> String {
            let command = Command(
                CommandDescription(name: "list", group: .look, summary: "List")
            ) { _, context in
                var table = try TableWriter(
                    [TableColumn("saved", "Saved")], format: .text, context: context)
                for time in times {
                    try table.append([.time(time)])
                }
                try table.finish()
                return .done
            }
            let world = ToolWorld(commands: [command])
            world.clock.advance(.seconds(200 * 86_400))
            return world.run("list").output
        }
        let day: Int64 = 1_767_225_600_000
        #expect(try shown([day, day + 86_400_000]) == "Saved\n2026-01-01\n2026-01-02\n")
        #expect(
            try shown([day, day + 61_000])
                == "Saved\n2026-01-01 00:00:00\n2026-01-01 00:01:01\n")
    }

    @Test("the output of commands that read is paged on a terminal, and of no other")
    func pages() {
        let tool = CommandLineTool(table: CommandTable(commands: AllCommands.commands))
        var terminal = Terminal()
        #expect(!tool.pages(["log"], terminal))
        terminal.isOutputTerminal = true
        #expect(tool.pages(["log"], terminal))
        #expect(!tool.pages(["log", "--no-pager"], terminal))
        #expect(tool.pages(["-s", "backup", "log"], terminal))
        #expect(!tool.pages(["-s", "log", "backup"], terminal))
        #expect(tool.pages(["log", "--help"], terminal))
        #expect(!tool.pages(["--version"], terminal))
        for words in [["discard", "x"], ["watch"], ["export"], ["undo"]] {
            #expect(!tool.pages(words, terminal), "\(words)")
        }
    }
}
