import SceneStore
import Testing

@testable import SceneStoreCommand

@Suite("tables")
struct ToolTableTests {
    static let columns = [
        TableColumn("id", "Session", priority: 0, minimumWidth: 4, cut: .middle),
        TableColumn("title", "Title", priority: 2, minimumWidth: 8),
        TableColumn("size", "Size", alignment: .trailing, priority: 3),
        TableColumn("seen", "Active", priority: 4),
        TableColumn("state", "State", priority: 1),
    ]

    static let now: Int64 = 1_767_225_600_000

    static let rows: [[TableCell]] = [
        [
            .text("3F2504E0-4F89-41D3"), .text("A letter to the editor, second draft"),
            .bytes(2_048), .time(now - 130_000), .text("connected", .green),
        ],
        [
            .text("日本語のノート"), .text("\u{1B}[31m=1+1"), .bytes(15), .time(nil),
            .text("held", .red),
        ],
    ]

    func render(
        width: Int?, format: OutputFormat = .text, colored: Bool = false, rows: [[TableCell]] = rows
    ) throws -> ToolRun {
        let output = CapturedBytes()
        let errors = CapturedBytes()
        var world = ToolWorld()
        world.terminal.width = width
        world.terminal.isOutputColored = colored
        world.terminal.isErrorTerminal = true
        let context = world.context(output, errors)
        var writer = try TableWriter(Self.columns, format: format, context: context)
        for row in rows {
            try writer.append(row)
        }
        try writer.finish(empty: "no sessions")
        try context.output.flush()
        return ToolRun(status: .done, output: output.text, errors: errors.text)
    }

    @Test("at 200 columns everything is whole")
    func wide() throws {
        let run = try render(width: 200)
        #expect(
            run.output == """
                Session             Title                                    Size  Active     State
                3F2504E0-4F89-41D3  A letter to the editor, second draft  2.0 KiB  2 min ago  connected
                日本語のノート      \\u{1B}[31m=1+1                           15 B             held

                """)
        #expect(run.errors.isEmpty)
    }

    @Test("at 80 columns the widest is cut first")
    func medium() throws {
        let run = try render(width: 80)
        #expect(
            run.output == """
                Session             Title                             Size  Active     State
                3F2504E0-4F89-41D3  A letter to the editor, seco…  2.0 KiB  2 min ago  connected
                日本語のノート      \\u{1B}[31m=1+1                    15 B             held

                """)
    }

    @Test("at 40 columns the least important are left out and named")
    func narrow() throws {
        let run = try render(width: 40)
        #expect(
            run.output == """
                Session    Title         Size  State
                3F25…41D3  A letter…  2.0 KiB  connected
                日本…ート  \\u{1B}[3…     15 B  held

                """)
        #expect(run.errors == "too narrow for: active; --wide shows all\n")
    }

    @Test("no line is wider than the terminal, at any width", arguments: 1...120)
    func neverWider(width: Int) throws {
        let run = try render(width: width)
        for line in run.output.split(separator: "\n") {
            #expect(DisplayWidth.columns(of: line) <= width)
        }
        #expect(!run.output.isEmpty)
    }

    @Test("without a terminal nothing is cut")
    func unlimited() throws {
        #expect(try render(width: nil).output == render(width: 200).output)
    }

    @Test("looks stand around the text, not around the blanks")
    func colored() throws {
        let lines = try render(width: 200, colored: true).output.split(separator: "\n")
        #expect(lines[0].hasPrefix("\u{1B}[1mSession\u{1B}[0m    "))
        #expect(lines[1].hasSuffix("  \u{1B}[32mconnected\u{1B}[0m"))
    }

    @Test("R-40 JSON has sorted keys, whole numbers, ISO times and null")
    func json() throws {
        #expect(
            try render(width: 40, format: .json).output == """
                {"id":"3F2504E0-4F89-41D3","seen":"2025-12-31T23:57:50.000Z","size":2048,\
                "state":"connected","title":"A letter to the editor, second draft"}
                {"id":"日本語のノート","seen":null,"size":15,"state":"held",\
                "title":"\\u001b[31m=1+1"}

                """)
    }

    @Test("R-40 CSV has a heading line and guarded fields")
    func csv() throws {
        let rows: [[TableCell]] = [
            [.text("=cmd"), .none, .integer(-5), .time(Self.now), .boolean(true)],
            [.text("a,b"), .custom("shown", ["k": 1]), .double(-0.5), .none, .custom("x", "-y")],
        ]
        #expect(
            try render(width: 40, format: .csv, rows: rows).output == """
                id,title,size,seen,state
                "'=cmd",,-5,2026-01-01T00:00:00.000Z,true
                "a,b","{""k"":1}",-0.5,,"'-y"

                """)
    }

    @Test("an empty table is a word on standard error, and nothing for programs")
    func empty() throws {
        let text = try render(width: 80, rows: [])
        #expect(text.output.isEmpty)
        #expect(text.errors == "no sessions\n")
        #expect(try render(width: 80, format: .json, rows: []).output.isEmpty)
        #expect(
            try render(width: 80, format: .csv, rows: []).output == "id,title,size,seen,state\n")
    }

    @Test("Ctrl-C ends a table in the middle")
    func interruption() throws {
        var world = ToolWorld()
        world.isInterrupted = { true }
        let context = world.context(CapturedBytes(), CapturedBytes())
        var writer = try TableWriter(Self.columns, format: .json, context: context)
        #expect(throws: Interrupted.self) {
            try writer.append(Self.rows[0])
        }
    }

    @Test(
        "columns of text",
        arguments: [
            ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｶﾅ", 2), ("한글", 4), ("👩", 2),
            ("❤️", 2), ("🇩🇪", 2), ("…", 1), ("", 0), ("─", 1), ("✓!✗", 3),
        ])
    func displayWidth(text: String, columns: Int) {
        #expect(DisplayWidth.columns(of: text) == columns)
    }

    @Test("a cut text fits and says that it is cut")
    func truncation() {
        #expect(DisplayWidth.truncated("abcdef", to: 6) == "abcdef")
        #expect(DisplayWidth.truncated("abcdef", to: 5) == "abcd…")
        #expect(DisplayWidth.truncated("abcdef", to: 5, cut: .middle) == "ab…ef")
        #expect(DisplayWidth.truncated("日本語", to: 4) == "日…")
        #expect(DisplayWidth.truncated("abc", to: 1) == "…")
        #expect(DisplayWidth.truncated("abc", to: 0) == "")
    }
}
