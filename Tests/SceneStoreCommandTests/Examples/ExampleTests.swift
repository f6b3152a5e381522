import Foundation
import Testing

@testable import SceneStoreCommand

/// Every example in the help and in the documentation is run, and what it shows is compared.
@Suite(
    "examples",
    .enabled(if: CommandProcess.path != nil, "the command is not built beside the tests"))
struct ExampleTests {
    // MARK: - Help

    /// An example of a command's help.
    struct HelpExample: CustomTestStringConvertible {
        var command: String
        var line: String
        var status: Int32

        var testDescription: String { line }

        static let all = CommandTable(commands: AllCommands.commands).visibleEntries.flatMap {
            entry in
            entry.command.description.examples.map { example in
                HelpExample(
                    command: entry.name, line: "scenestore \(example.commandLine)",
                    status: example.status.rawValue)
            }
        }
    }

    @Test("every example of every command's help ends as it says", arguments: HelpExample.all)
    func help(example: HelpExample) throws {
        let workspace = try ExampleWorkspace.copy()
        defer { workspace.remove() }
        let outcome = try workspace.run(example.line)
        #expect(
            outcome.status == example.status,
            "exit \(outcome.status)\n\(outcome.output)\(outcome.errors)")
        // Whoever tries an example must see something come of it; programs may get no line.
        #expect(
            !(outcome.output + outcome.errors).isEmpty || example.line.contains(">")
                || example.line.contains("--json"), "it says nothing")
    }

    @Test("no command is without an example, and each is called the way its help says")
    func coverage() {
        let names = Set(HelpExample.all.map(\.command))
        for entry in CommandTable(commands: AllCommands.commands).visibleEntries {
            #expect(names.contains(entry.name))
        }
    }

    // MARK: - Documentation

    /// Pages with examples: the README, the catalogs, what stands beside the examples.
    static let pages: [String] = {
        var pages: [String] = []
        for folder in ["", "Sources", "Examples", "Fuzz"] {
            let root = URL(filePath: RepositoryFile.root + (folder.isEmpty ? "" : "/" + folder))
                .resolvingSymlinksInPath().path(percentEncoded: false)
            let names =
                folder.isEmpty
                ? ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? [])
                : ((try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? [])
            pages += names.filter {
                ($0.hasSuffix(".md") || $0.hasSuffix(".tutorial")) && !$0.contains(".build/")
            }.map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
        }
        return pages.sorted()
    }()

    static let examples: [MarkdownExample] = pages.flatMap {
        (try? MarkdownExample.all(in: $0)) ?? []
    }

    /// Blocks that are no commands.
    private static let otherLanguages: Set<String> = ["swift", "xml", "json", "text", "yaml"]

    /// Scripts that a test cannot run, by their first words, each with its reason.
    static let exceptions: [String: String] = [
        "Scripts/demo.sh": "builds the package, as do the tests themselves; CI runs it",
        "Scripts/install.sh": "builds for release",
        "Scripts/test.sh": "runs these tests",
        "Scripts/benchmark.sh": "builds for release and measures for minutes; CI gates the counts",
        "Scripts/rigs.sh": "takes minutes; RigTests run the rigs in small",
        "find stores": "needs a fleet; Scripts/recipes/fleet.sh runs it",
        "datasette": "serves until it is ended; Scripts/recipes/fleet.sh asks it",
        "Scripts/simulator.sh": "needs a Mac with Xcode",
        "Scripts/notes.sh": "opens windows on a screen of its own; CI runs it",
        "Scripts/terminal.sh": "builds an app of its own; CI runs it",
        "swift run --package-path Examples/Survivor":
            "builds a package of its own; Scripts/survivor.sh runs and kills its app",
    ]

    /// Pages whose blocks build on one another, each with the script that plays it.
    private static let played = [
        "Sources/SceneStore/Documentation.docc/Tutorial.md": "Scripts/tutorial.sh"
    ]

    @Test("continuous integration plays each page whose blocks build on one another")
    func playedPages() throws {
        let integration = try RepositoryFile.text(".ci/run")
        for (page, script) in Self.played {
            #expect(Self.pages.contains(page))
            #expect(integration.split(separator: "\n").contains { $0 == script })
            #expect(try RepositoryFile.text(script).contains("$PWD/\(page)"))
        }
    }

    static func exception(_ example: MarkdownExample) -> String? {
        let commands = example.text.filter { !$0.isEmpty }
        let known = commands.compactMap { line in
            exceptions.keys.first { line.hasPrefix($0) }
        }
        return known.count == commands.count ? known.first.flatMap { exceptions[$0] } : nil
    }

    static let runnable = examples.filter {
        ["console", "sh"].contains($0.language) && exception($0) == nil && played[$0.page] == nil
    }

    @Test("every example of the documentation runs, and prints what it shows", arguments: runnable)
    func page(example: MarkdownExample) throws {
        let workspace = try ExampleWorkspace.copy()
        defer { workspace.remove() }
        for step in example.steps {
            let outcome = try workspace.run(step.command)
            #expect(
                outcome.status == step.status,
                "\(step.command)\n\(outcome.output)\(outcome.errors)")
            guard var shown = step.output else {
                continue
            }
            while shown.last?.isEmpty == true {
                shown.removeLast()
            }
            var printed = (outcome.output + outcome.errors).components(separatedBy: "\n")
            while printed.last?.isEmpty == true {
                printed.removeLast()
            }
            #expect(
                MarkdownExample.matches(printed, shown: shown),
                "\(step.command) prints\n\(printed.joined(separator: "\n"))")
        }
    }

    @Test("a block is run, or of a language that is not, or excepted with a reason")
    func everyBlock() {
        for example in Self.examples {
            let isRun = ["console", "sh"].contains(example.language)
            #expect(
                isRun || Self.otherLanguages.contains(example.language),
                "\(example.testDescription) has no language")
            // Nothing that can be typed hides in a block that is not run.
            if !isRun {
                #expect(
                    !example.text.contains {
                        $0.hasPrefix("$ ") || $0.hasPrefix("scenestore ")
                    }, "\(example.testDescription)")
            }
        }
        let lines = Self.examples.flatMap(\.text)
        for name in Self.exceptions.keys {
            #expect(lines.contains { $0.hasPrefix(name) }, "\(name) stands on no page any more")
        }
    }

    /// The compiler, if it stands where the tests can find it.
    static let compiler: String? = {
        let places = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return places.map { "\($0)/swiftc" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }()

    @Test(
        "Swift in the documentation is Swift",
        .enabled(if: compiler != nil, "there is no swiftc on the path"))
    func swift() throws {
        let workspace = try ExampleWorkspace.copy()
        defer { workspace.remove() }
        let blocks = Self.examples.filter { $0.language == "swift" }
        #expect(!blocks.isEmpty)
        var line = "'\(Self.compiler ?? "")' -frontend -parse"
        for (index, example) in blocks.enumerated() {
            let file = "block\(index).swift"
            var text = example.text.joined(separator: "\n")
            if text.hasSuffix(",") {
                // An element of a list, such as a target of a package.
                text.removeLast()
            }
            try Data(text.utf8).write(to: URL(filePath: "\(workspace.path)/\(file)"))
            line += " \(file)"
        }
        try Data("let wrong = )".utf8).write(to: URL(filePath: "\(workspace.path)/wrong.swift"))
        // Started once: it parses each file by itself, and tells of each what is wrong.
        let outcome = try workspace.run(line + " wrong.swift")
        let wrong = outcome.errors.split(separator: "\n").filter {
            // Of several files none is a script, whose code may stand at the top level.
            $0.contains(": error: ") && !$0.hasSuffix(" are not allowed at the top level")
        }
        #expect(wrong.contains { $0.hasPrefix("wrong.swift:1:") })
        for (index, example) in blocks.enumerated() {
            let own = wrong.filter { $0.hasPrefix("block\(index).swift:") }
            #expect(own.isEmpty, "\(example.testDescription)\n\(own)")
        }
    }

    @Test("no page hides a command in an indented block")
    func indented() throws {
        for page in Self.pages {
            let lines = try RepositoryFile.text(page).split(separator: "\n")
            for line in lines {
                let isCommand =
                    line.hasPrefix("    scenestore ") || line.hasPrefix("    Scripts/")
                    || line.hasPrefix("    $ ") || line.hasPrefix("    sqlite3 ")
                #expect(!isCommand, "\(page): \(line)")
            }
        }
    }

    @Test("what is shown is compared line by line; an ellipsis stands for the rest")
    func matching() {
        let printed = ["a", "b 12 c", "d"]
        #expect(MarkdownExample.matches(printed, shown: ["a", "b 12 c", "d"]))
        #expect(MarkdownExample.matches(printed, shown: ["a", "…"]))
        #expect(MarkdownExample.matches(printed, shown: ["…", "d"]))
        #expect(MarkdownExample.matches(printed, shown: ["a", "b … c", "d"]))
        #expect(!MarkdownExample.matches(printed, shown: ["a", "b … x", "d"]))
        #expect(!MarkdownExample.matches(printed, shown: ["a", "b 12 c"]))
        #expect(!MarkdownExample.matches(printed, shown: ["…", "e"]))
    }
}
