import SceneStore
import SceneStoreTesting
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct ScenarioTextTests {
    @Test(
        "an empty scenario, blank lines and comments are no steps",
        arguments: [
            "", "\n", "\n\n\n", "   \t ", "# launch", "  \t# launch \"", "#", "\u{FEFF}",
            "\u{FEFF}#x\r\n",
            "\r\n\r\n",
        ])
    func nothing(text: String) throws {
        #expect(try Scenario(text: text, name: "s").steps.isEmpty)
    }

    @Test("each step knows its line and the column of its word")
    func places() throws {
        let scenario = try Scenario(text: "quit\n\n  kill # dead\n\t wipe\n# x\nreset", name: "s")
        #expect(
            scenario.steps == [
                ScenarioStep(line: 1, column: 1, kind: .quit),
                ScenarioStep(line: 3, column: 3, kind: .kill),
                ScenarioStep(line: 4, column: 3, kind: .wipe),
                ScenarioStep(line: 6, column: 1, kind: .reset),
            ])
        #expect(scenario.name == "s")
    }

    @Test(
        "a byte-order mark, CR before LF or at the end, tabs and a missing last LF change nothing",
        arguments: [
            "close A\nquit\n", "close A\nquit", "close A\r\nquit\r\n", "close A\r\nquit\r",
            "\u{FEFF}close A\nquit", "close\tA\nquit\t", "close \t  A  \nquit # done",
            "\"close\" \"A\"\n\"quit\"", "cl\"os\"e A\nq\"\"uit",
        ])
    func layouts(text: String) throws {
        let kinds = try Scenario(text: text, name: "s").steps.map(\.kind)
        try #require(kinds.count == 2)
        guard case .close(let selections) = kinds[0], case .one(let session)? = selections.first
        else {
            Issue.record("not a close")
            return
        }
        #expect(session.name == "A")
        #expect(kinds[1] == .quit)
    }

    @Test("text and bytes are read alike")
    func bytes() throws {
        let text = "\u{FEFF}manifest \"Größe.plist\"\r\n"
        #expect(
            try Scenario(text: text, name: "s") == Scenario(text: Array(text.utf8), name: "s"))
    }

    @Test(
        "words quote as in a shell",
        arguments: [
            (#"manifest "My App.plist""#, "My App.plist"),
            (#"manifest My" "App.plist"#, "My App.plist"),
            (#""manifest" "a"'b'"c""#, "a'b'c"),
            (#"manifest "say \"hi\" \\ \n""#, #"say "hi" \ \n"#),
            (#"manifest a\b\\c"#, #"a\b\\c"#),
            (##"manifest "#x""##, "#x"),
            ("manifest a#b", "a#b"),
            ("manifest \"a\"#b", "a#b"),
            ("manifest \"tab\there\"", "tab\there"),
            ("manifest a\rb", "a\rb"),
            ("manifest \u{A0}", "\u{A0}"),
            ("manifest a # b", "a"),
        ])
    func quoting(line: String, path: String) throws {
        let read = try step(line).manifest?.path
        #expect(read?.utf8.elementsEqual(path.utf8) == true)
    }

    @Test(
        "an option may be quoted as a whole or in part",
        arguments: [
            #"state A t title="My doc""#, #"state A t "title=My doc""#,
            #"state A t ti"tle=My doc""#,
        ])
    func quotedOption(line: String) throws {
        #expect(try step(line).state?.activity?.title == "My doc")
    }

    @Test(
        "columns count characters, not bytes",
        arguments: [
            ("manifest ä é*", "s:1:12: 'manifest'"),
            ("expect-open \u{65}\u{301} *", "s:1:13: 'e\u{301}'"),
            ("manifest 👩‍👩‍👧 x", "s:1:12: 'manifest'"),
            ("\u{FEFF}lunch", "s:1:1: unknown"),
            ("manifest \"a b\" \t x", "s:1:18: 'manifest'"),
            ("manifest \"🇩🇪🇩🇪\" x", "s:1:15: 'manifest'"),
            ("quit\nmanifest é \"x", "s:2:12: this quotation"),
            ("manifest é\"x", "s:1:11: this quotation"),
        ])
    func columns(text: String, beginning: String) {
        #expect(failure(text)?.hasPrefix(beginning) == true, "\(failure(text) ?? "none")")
    }

    @Test(
        "what is not UTF-8 is refused where it stands",
        arguments: [
            ([0xFF], "s:1:1"),
            (Array("quit\nmanifest é".utf8) + [0xC3], "s:2:11"),
            (Array("# ".utf8) + [0x80, 0x0A], "s:1:3"),
            (Array("quit\r\n".utf8) + [0xED, 0xA0, 0x80], "s:2:1"),
            ([0xEF, 0xBB, 0xBF, 0x61, 0xC0, 0x80], "s:1:2"),
            ([0xEF, 0xBB], "s:1:1"),
        ] as [([UInt8], String)])
    func encoding(text: [UInt8], place: String) {
        #expect(failure(text) == "\(place): the text is not UTF-8")
    }

    @Test("16 MiB are read, a byte more is refused")
    func size() throws {
        let comment = [UInt8](repeating: UInt8(ascii: "#"), count: Scenario.maximumBytes)
        #expect(try Scenario(text: comment, name: "s").steps.isEmpty)
        #expect(failure(comment + [0x0A]) == "s:1:1: the scenario is larger than 16 MiB")
    }

    @Test("of several errors the first one is told")
    func first() {
        #expect(
            failure("quit\nlunch\nkil") == "s:2:1: unknown step 'lunch'; did you mean 'launch'?")
    }

    @Test("R-41 an error of a scenario tells its place and message wherever errors are shown")
    func localized() {
        let error = ScenarioError(file: "s", line: 1, column: 2, message: "m")
        let localized = (error as any Error) as? any LocalizedError
        #expect(localized?.errorDescription == "s:1:2: m")
        #expect(localized?.failureReason == "m")
    }

    @Test("R-40 a file's name, words and options are escaped in errors")
    func escaping() throws {
        let error = ScenarioError(file: "a\u{1B}[2J\u{202E}\n", line: 1, column: 2, message: "m")
        #expect(error.description == #"a\u{1B}[2J\u{202E}\n:1:2: m"#)
        let hostile = "\u{1B}[2J\u{202E}\u{85}"
        for line in [
            hostile, "close \(hostile)", "launch \(hostile)=x", "delegate provider.\(hostile)=",
            "expect \(hostile)", "expect connect:\(hostile)", "expect-diagnostic \(hostile)",
            "wait \(hostile)", "state A t k:\(hostile)=x", "state A t \(hostile):i=x",
            "expect-session A \(hostile)=x", "expect-payload A \(hostile)=x",
            "delegate will=\(hostile)", "quit \(hostile)", "expect-reason \(hostile)",
            "store A \(hostile)=1 \(hostile)=2", "crash restoring=\(hostile)",
        ] {
            let text = try #require(failure(line))
            #expect(
                text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F }, "\(text)")
            #expect(text.contains(#"\u{1B}[2J\u{202E}"#) || line.hasPrefix("wait"), "\(text)")
        }
    }

    @Test("a long word is cut in an error")
    func longWord() {
        let head = String(repeating: "é", count: 48)
        #expect(failure(head + "x") == "s:1:1: unknown step '\(head)…'")
        #expect(failure(head) == "s:1:1: unknown step '\(head)'")
    }
}
