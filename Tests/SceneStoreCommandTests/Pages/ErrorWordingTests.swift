import Foundation
import SceneStore
import SceneStoreExchange
import Testing

@testable import SceneStoreCommand
@testable import SceneStoreTesting

/// What people read when something is wrong, and whether they can do anything with it.
@Suite("words of errors")
struct ErrorWordingTests {
    @Test("an owner is named by its process, or it is said that nobody knows which")
    func owner() {
        let known = CommandError(SceneStoreError(.owned, "x", ownerProcess: 12))
        #expect(known?.message == "owned: process 12 owns the store")
        let unknown = CommandError(SceneStoreError(.owned, "x"))
        #expect(
            unknown?.message
                == "owned: a running process owns the store; its lock file does not say which")
        #expect(unknown?.status == .busy && unknown?.hint == ExitStatus.busy.hint)
    }

    @Test("R-40 the process that owns a store is named by each command that wants it")
    func ownerOfStore() throws {
        let fixture = try EditedFixture()
        let owner = try fixture.open(.owner)
        let own = ProcessInfo.processInfo.processIdentifier
        for rest in [[], ["--wait", "20ms"]] {
            var world = ToolWorld()
            world.clock = fixture.clock
            let run = world.run(["hold", "letter", "--yes", "--store", fixture.path] + rest)
            #expect(
                run.errors.hasPrefix("scenestore: owned: process \(own) owns the store\nhint: "))
        }
        try owner.close()
    }

    @Test("a file that is missing is named whole")
    func wholePath() throws {
        let path = "/nowhere/" + String(repeating: "a-long-way/", count: 8) + "Info.plist"
        for words in [
            ["manifest", "show", path], ["salvage", path, "-o", "x"], ["restore", path, "--yes"],
        ] {
            let run = ToolWorld().run(words)
            #expect(run.status == .usage)
            #expect(run.errors.contains("cannot read '\(path)': "), "\(run.errors)")
        }
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let file = "\(folder)/a.scenario"
        try Data("manifest \"Missing.plist\"\nlaunch\n".utf8).write(to: URL(filePath: file))
        let run = ToolWorld().run("simulate", file)
        #expect(run.status == .usage)
        #expect(run.errors.contains("the manifest 'Missing.plist' can't be read"))
    }

    @Test("an output whose folder is missing is wrong usage, and no missing store")
    func missingFolder() throws {
        let fixture = try EditedFixture()
        for command in ["export", "backup", "report"] {
            let run = fixture.run(command, "-o", "/nowhere/at/all")
            #expect(run.status == .usage, "\(command): \(run.errors)")
            #expect(run.errors.hasPrefix("scenestore: cannot write '/nowhere/at/all': "))
            #expect(!run.errors.contains("--store"))
        }
    }

    @Test("an import into a container that is not there says that it needs a store")
    func importWithoutStore() throws {
        let fixture = try EditedFixture()
        let file = fixture.file("all.ndjson")
        #expect(fixture.run("export", "-o", file).status == .done)
        let target = fixture.file("nothing/there")
        let run = ToolWorld().run("import", file, "--yes", "--store", target)
        #expect(run.status == .noStore)
        #expect(
            run.errors == """
                scenestore: there is no store at '\(target)'; import needs an existing store
                hint: launch the app once, which makes it, or name another with --store PATH

                """)
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test("R-41 no statement of SQL and no heading of SQLite's stands in what is said of damage")
    func damage() throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let path = "\(folder)/damaged"
        let made = ToolWorld().run("fixture", "make", "--template", "damaged-page", "-o", path)
        #expect(made.status == .done)
        for words in [
            ["sessions"], ["info"], ["export"], ["log"], ["size"], ["show", "@last"],
            ["repair", "--dry-run"], ["doctor"],
        ] {
            let run = ToolWorld().run(words + ["--store", path])
            let text = run.output + run.errors
            for noise in ["SELECT", "***", "malformed", "main ", "?Page"] {
                #expect(!text.contains(noise), "\(words): \(text.prefix(300))")
            }
        }
        let verified = ToolWorld().run("doctor", "--store", path)
        #expect((verified.output + verified.errors).contains("the pages are damaged: page "))
        for words in [["sessions"], ["plan"]] {
            let run = ToolWorld().run(words + ["--store", path])
            #expect(
                run.errors.hasPrefix(
                    "warning: the store is damaged (pages of the store are damaged; repair it): "))
            #expect(run.errors.contains("'scenestore salvage \(path)/scenes.sqlite -o DIR'"))
            #expect(run.status == .done)
        }
        // One line a cause, and none advises the command that is running.
        let repair = ToolWorld().run("repair", "--dry-run", "--store", path)
        #expect(!repair.errors.contains("run scenestore repair"), "\(repair.errors)")
        #expect(repair.lines.count + repair.errors.split(separator: "\n").count < 30)
    }

    @Test("help names all its topics, and the question of each is answered by a command")
    func topics() {
        let help = ToolWorld().run("help", "help")
        for topic in HelpTopic.allCases {
            #expect(help.output.contains(topic.rawValue))
        }
        #expect(HelpTopic.answers.count > 10)
        for answer in HelpTopic.answers {
            let command = String(answer.commands.split(separator: " ").first ?? "")
            #expect(ToolWorld().run("help", command).status == .done, "\(command)")
        }
    }

    @Test("help scenarios has every step with its options", arguments: ScenarioGrammar.all)
    func scenarioSteps(_ step: ScenarioGrammar) throws {
        let rows = HelpTopic.scenarioSteps.flatMap(\.steps).filter {
            $0.usage.split(whereSeparator: { " …".contains($0) }).first == step.name[...]
        }
        #expect(!rows.isEmpty)
        for option in step.optionNames + (step.prefix.map { [$0 + "ROLE"] } ?? []) {
            #expect(rows.contains { ($0.usage + " " + $0.meaning).contains("\(option)=") })
        }
    }

    @Test("the example of simulate has as many launches as the help says")
    func launches() throws {
        let text = try RepositoryFile.text("Examples/Scenarios/two-windows.scenario")
        let count = text.split(separator: "\n").count { $0.hasPrefix("launch") }
        #expect(count == 5)
        #expect(ToolWorld().run("simulate", "--help").output.contains("over five launches"))
    }

    @Test("L-52 of a session that somebody held by hand it is not said that processes died")
    func heldByHand() throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let store = "\(folder)/container"
        for (name, text) in [("first", "launch\nbackground *\nquit\n"), ("second", "launch\n")] {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name).scenario"))
        }
        #expect(
            ToolWorld().run("simulate", "\(folder)/first.scenario", "--store", store).status
                == .done)
        #expect(ToolWorld().run("hold", "@last", "--yes", "--store", store).status == .done)
        let run = ToolWorld().run(
            "simulate", "\(folder)/second.scenario", "--store", store, "--json", "--in-place",
            "--yes")
        #expect(run.output.contains("sessionHeld"), "\(run.output)")
        #expect(run.output.contains("somebody held it by hand"))
        #expect(!run.output.contains("processes that restored it died"))
    }
}
