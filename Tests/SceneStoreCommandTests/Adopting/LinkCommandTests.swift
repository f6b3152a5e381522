#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange
import SceneStoreLinks
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("link")
struct LinkCommandTests {
    let folder = Folder()

    /// A folder for files of a test.
    final class Folder {
        let path = try? TemporaryDirectory.make()

        deinit {
            if let path {
                TemporaryDirectory.remove(path)
            }
        }

        func file(_ name: String, _ text: String) throws -> String {
            let path = try #require(path) + "/" + name
            try Data(text.utf8).write(to: URL(filePath: path))
            return path
        }
    }

    @Test("K-03 a line a link: match, no_match or exclude, in order; 0 only if all match")
    func match() throws {
        let file = try folder.file("aasa.json", AssociationText.notes)
        let world = ToolWorld()
        let all = world.run(
            "link", "match", "--aasa", file, "https://e.com/n/1", "https://e.com/private/x",
            "https://e.com/else")
        #expect(all.output == "match\nexclude\nno_match\n")
        #expect(all.status == .answeredNo)
        let one = world.run("link", "match", "--aasa", file, "https://e.com/n/1")
        #expect(one.output == "match\n")
        #expect(one.status == .done)
    }

    @Test("--pattern is one rule")
    func pattern() {
        let run = ToolWorld().run(
            "link", "match", "--pattern", #"{"/": "/a/*", "?": {"id": "?*"}}"#,
            "https://e.com/a/b?id=1", "https://e.com/a/b")
        #expect(run.output == "match\nno_match\n")
    }

    @Test(
        "- reads links from standard input, one a line",
        .enabled(if: CommandProcess.path != nil, "the command is not built"))
    func standardInput() throws {
        let (status, output) = try CommandProcess.run(
            ["link", "match", "--pattern", #"{"/": "/a/*"}"#, "-"],
            input: "https://e.com/a/1\r\n\nhttps://e.com/b\nhttps://e.com/a")
        #expect(output == "match\nno_match\nmatch\n")
        #expect(status == 1)
    }

    @Test("--app-id asks for one app of the file")
    func appID() throws {
        let file = try folder.file("aasa.json", AssociationText.notes)
        func status(_ id: String) -> SceneStoreCommand.ExitStatus {
            ToolWorld().run(
                "link", "match", "--aasa", file, "--app-id", id, "https://e.com/n/1"
            ).status
        }
        #expect(status(AssociationText.app) == .done)
        #expect(status("ZZZZZ12345.com.example.notes") == .answeredNo)
    }

    @Test("K-26 --why says which rule decided, or which came nearest")
    func why() throws {
        let file = try folder.file("aasa.json", AssociationText.notes)
        let run = ToolWorld().run(
            "link", "match", "--aasa", file, "--why", "https://e.com/n/1", "https://e.com/x")
        #expect(
            run.output == """
                match
                  match: applinks.details[0].components[1] decides ("notes")
                  rules before it that did not match: 1
                no_match
                  no_match: none of 2 rules matches
                  closest miss: applinks.details[0].components[0] wants "/" to match "/private/*", \
                found "/x"

                """)
    }

    @Test("--json is an object a link")
    func json() throws {
        let file = try folder.file("aasa.json", AssociationText.notes)
        let object = try #require(
            ToolWorld().run("link", "match", "--aasa", file, "--json", "https://e.com/private/1")
                .objects().first)
        #expect(
            object.members.map(\.key)
                == ["answer", "closestMiss", "comment", "obstacle", "rule", "url"])
        #expect(object.text("answer") == "exclude")
        #expect(object.text("comment") == "stays in the browser")
    }

    @Test(
        "wrong usage: neither, both, no rule, no file, an app without a file",
        arguments: [
            ["https://e.com"], ["--pattern", "{}", "--aasa", "x", "https://e.com"],
            ["--pattern", "[]", "https://e.com"], ["--pattern", "{", "https://e.com"],
            ["--aasa", "/nowhere.json", "https://e.com"],
            ["--pattern", "{}", "--app-id", "x", "https://e.com"], ["--pattern", "{}"],
        ])
    func usage(words: [String]) {
        #expect(ToolWorld().run(["link", "match"] + words).status == .usage)
    }

    @Test("an association file that can't be parsed is wrong usage")
    func malformedFile() throws {
        for text in ["{", "[1,"] {
            let file = try folder.file("malformed.json", text)
            let run = ToolWorld().run("link", "match", "--aasa", file, "https://e.com")
            #expect(run.status == .usage, "\(text)")
            #expect(run.errors.contains("as an association file"))
            #expect(
                ToolWorld().run("open-url", "https://e.com", "--aasa", file).status == .usage)
        }
    }

    @Test("lint finds what keeps rules from working, with code, place and what to do")
    func lint() throws {
        let file = try folder.file(
            "bad.json",
            """
            {"applinks": {"details": [{"appIDs": ["\(AssociationText.app)"], "components": [
            {"/": "*"}, {"/": "/n/*"}]}]}}
            """)
        let run = ToolWorld().run("link", "lint", file)
        #expect(run.status == .answeredNo)
        #expect(
            run.output == """
                warning associationUnreachable at applinks.details[0].components[1]: the rule is \
                never reached: applinks.details[0].components[0] matches every link
                  fix: the first match decides, so put the narrower rule first

                """)
        #expect(run.errors == "1 warning\n")
        let good = try folder.file("good.json", AssociationText.notes)
        let clean = ToolWorld().run("link", "lint", good)
        #expect(clean.status == .done)
        #expect(clean.output == "")
        #expect(clean.errors == "nothing found\n")
    }

    @Test("lint of a file that is no association file and of a missing one is wrong usage")
    func lintUnreadable() throws {
        let junk = try folder.file("junk.json", "{")
        let run = ToolWorld().run("link", "lint", junk, "--json")
        #expect(run.status == .usage)
        #expect(try run.objects().first?.text("code") == "associationMalformed")
        #expect(ToolWorld().run("link", "lint", "/nowhere.json").status == .usage)
    }

    @Test("notes alone are no reason to fail")
    func notes() throws {
        let file = try folder.file(
            "notes.json",
            """
            {"applinks": {"details": [{"appIDs": ["\(AssociationText.app)"], "components": [
            {"/": "/n/*"}], "odd": 1}]}}
            """)
        let run = ToolWorld().run("link", "lint", file)
        #expect(run.status == .done)
        #expect(run.output.hasPrefix("note associationUnknownKey"))
    }

    static let testData = ProcessInfo.processInfo.environment["SCENESTORE_TEST_DATA"]

    @Test(
        "K-10 the command answers as Apple's checker did",
        .enabled(if: testData != nil, "set SCENESTORE_TEST_DATA to the recorded answers"))
    func recordedAnswers() throws {
        let folder = try #require(Self.testData)
        let bytes = try Data(contentsOf: URL(filePath: folder + "/aasa/swcutil-answers.tsv"))
        var count = 0
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        where !line.hasPrefix("#") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(
                String.init)
            guard fields.count == 6 else {
                continue
            }
            var words = ["link", "match"]
            if fields[2] == "component" {
                words += ["--pattern", fields[3]]
            } else {
                words += ["--aasa", try self.folder.file("document.json", fields[3])]
                words += ["--app-id", AssociationTextApp.recorded]
            }
            let run = ToolWorld().run(words + ["--", fields[4]])
            #expect(run.output == fields[5] + "\n", "\(fields[0])/\(fields[1])")
            count += 1
        }
        #expect(count > 50)
    }

    /// The app of the recorded documents.
    enum AssociationTextApp {
        static let recorded = "ABCDE12345.com.example.app"
    }

    // HELP-BEGIN
    @Test("help link")
    func helpLink() {
        var world = ToolWorld()
        world.terminal.width = 80
        #expect(
            world.run("help", "link").output == #"""
                Usage: scenestore link COMMAND

                Match links against association rules, and check association files.

                Commands
                  match  Print match, no_match or exclude for each link
                  lint   Find what is wrong in association files

                Example
                  scenestore link match --pattern '{"/": "/n/*"}' https://example.com/n/42
                      Prints match

                """#)
    }

    @Test("help link match")
    func helpLinkMatch() {
        var world = ToolWorld()
        world.terminal.width = 80
        #expect(
            world.run("help", "link", "match").output == #"""
                Usage: scenestore link match URL… [--pattern JSON] [--aasa FILE]
                           [--app-id ID] [--why] [--json]

                Print match, no_match or exclude for each link.

                Prints a line for each link, in order. The exit status is 0 when every link
                matches, else 1. '-' reads links from standard input, one a line.

                A pattern is one entry of 'components': {"/": "/n/*", "?": {"id": "?*"}}. --aasa
                reads apple-app-site-association, and Android's assetlinks.json too. The host is
                not compared, because the file doesn't contain the domain that serves it.

                Arguments
                  URL…  A link, or -

                Options
                      --pattern JSON  One rule
                      --aasa FILE     An association file
                      --app-id ID     The app in the file; without it, any app
                      --why           Show which rule decided, or which came nearest
                      --json          Print one JSON value a line, keys sorted

                Options of every command: see 'scenestore help'.

                Examples
                  scenestore link match --pattern '{"/": "/n/*"}' https://example.com/n/42
                      Prints match
                  scenestore link match --aasa aasa.json --why https://example.com/m
                      Shows why (exit status 1)

                """#)
    }

    @Test("help link lint")
    func helpLinkLint() {
        var world = ToolWorld()
        world.terminal.width = 80
        #expect(
            world.run("help", "link", "lint").output == #"""
                Usage: scenestore link lint FILE… [--json] [--csv]

                Find what is wrong in association files.

                Prints a line for each finding: severity, code, place, what is wrong and what to
                do. The exit status is 1 when there is a warning or an error, and 2 when a file
                can't be parsed.

                Arguments
                  FILE…  An association file

                Options
                      --json  Print one JSON value a line, keys sorted
                      --csv   Print the table as CSV

                Options of every command: see 'scenestore help'.

                Example
                  scenestore link lint apple-app-site-association
                      Finds mistakes

                """#)
    }

    // HELP-END
}
