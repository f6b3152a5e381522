import Foundation
import SceneStore
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// What holds for every command of the table, also for those that are added: it is read from the
/// table, and run on a store that somebody filled with the worst that they could think of.
@Suite("R-40 hostile stores")
struct HostileStoreTests {
    /// Pieces that act somewhere: terminals, browsers, spreadsheets, readers' eyes.
    private static let pieces = [
        "\u{1B}[2J", "\u{1B}]0;title\u{7}", "\u{9B}31m", "\u{0}", "\r\n", "\t", "\u{7F}",
        "\u{202E}gnp.exe", "\u{2066}x\u{2069}", "\u{200B}", "\u{FEFF}", "\u{2028}", "\u{E0041}",
        "<script>alert(1)</script>", "</title></style></svg>", "\"><img src=x onerror=alert(1)>",
        "' onload='alert(1)", "&lt;", "]]>", "<!--", "`${1}`", "javascript:alert(1)",
        "=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "＝1", ";=1", "\"\"", ",",
        "日本語", "e\u{301}", "👩‍👩‍👧", "\\u{1B}", "%s%n", "a",
    ]

    private static func text(_ generator: inout SeededRandom) -> String {
        (0..<Int.random(in: 1...6, using: &generator)).map { _ in
            pieces[Int.random(in: 0..<pieces.count, using: &generator)]
        }.joined()
    }

    private static func fill(_ fixture: EditedFixture, seed: UInt64) throws {
        var generator = SeededRandom(seed)
        let store = try fixture.open(.owner)
        for index in 0..<4 {
            var text: String { Self.text(&generator) }
            let record = try store.insertSession(
                identifier: "id\(index)-" + text,
                configuration: SceneConfiguration(
                    name: text, role: SceneSessionRole(rawValue: text)),
                userInfo: [text: .string(text)], isFront: true, becameActive: true)
            try store.values.setTitle(text, key: record.key)
            var activity = try UserActivity(activityType: "t" + text, title: text)
            activity.userInfo[text] = .array([.string(text)])
            try store.save(
                [StateToSave(key: record.key, activity: activity)],
                context: SaveContext(appVersion: text, systemVersion: text, savedAt: 0))
            if index == 3 {
                try store.discard([record.key], cause: .user, deliveredNow: false)
            }
        }
        try store.launches.end(.quit)
        try store.close()
    }

    /// Command lines for an entry of the table: every format, its arguments filled in.
    private static func lines(
        _ entry: CommandTable.Entry, _ fixture: EditedFixture, _ generator: inout SeededRandom
    ) -> [[String]] {
        let description = entry.command.description
        let names = Set(description.options.map(\.name))
        var ends: [[String]] = [[]]
        for format in ["json", "csv", "all", "why", "dry-run"] where names.contains(format) {
            ends.append(["--" + format])
        }
        var always: [String] = []
        if names.contains("yes") {
            always.append("--yes")
        }
        if names.contains("timeout") {
            always += ["--timeout", "1ms"]
        }
        let hostile = text(&generator)
        let fillings: [(ValueKind) -> String] = [
            { kind in
                switch kind {
                case .session: "@last"
                case .choice(let words): words.first ?? ""
                case .integer: "1"
                case .file, .directory: fixture.path
                default: "1"
                }
            },
            { _ in hostile },
            { _ in "SELECT * FROM sessions" },
        ]
        var lines: [[String]] = []
        for fill in fillings {
            let words = description.arguments.map { fill($0.kind) }
            for end in ends {
                lines.append(entry.path + words + end + always)
            }
        }
        if names.contains("with") {
            lines.append(entry.path + ["--with", fixture.folder + "/other"])
        }
        return lines
    }

    private static func check(_ run: ToolRun, _ words: [String]) {
        func isWrong(_ scalar: Unicode.Scalar) -> Bool {
            // The script for bash asks whether what it gets holds a tab.
            scalar != "\n" && TextEscaping.isHidden(scalar.value)
                && !(words.first == "completions" && scalar == "\t")
        }
        var hidden: Unicode.Scalar?
        let text = run.output + run.errors
        if text.unicodeScalars.contains(where: isWrong) {
            // Joiners between pictographs are meant to stay.
            hidden = text.lazy.flatMap { character in
                character.unicodeScalars.first?.properties.isEmojiPresentation == true
                    ? character.unicodeScalars.filter { $0 != "\u{200D}" }
                    : Array(character.unicodeScalars)
            }.first(where: isWrong)
        }
        #expect(hidden == nil, "U+\(String(hidden?.value ?? 0, radix: 16)) of \(words)")
        #expect(run.status != .internalError, "\(words): \(run.errors)")
        if words.contains("--json"), run.status == .done {
            for line in run.lines {
                #expect(throws: Never.self, "\(words)") { try CanonicalJSON(parsing: line) }
            }
        }
        if words.contains("--csv"), run.status == .done {
            let width = Set(run.lines.map { fields(of: $0).count })
            #expect(width.count <= 1, "\(words)")
            for field in run.lines.flatMap({ fields(of: $0) }) where Double(field) == nil {
                let first = field.first { $0 != " " }
                #expect(!"=+-@＝".contains(first ?? "x"), "\(field) of \(words)")
            }
        }
        if run.output.hasPrefix("<!DOCTYPE html>") {
            checkPage(run.output)
        }
    }

    /// The fields of a line of CSV, unquoted.
    private static func fields(of line: String) -> [String] {
        var fields = [""]
        var isQuoted = false
        for character in line {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: fields.append("")
            default: fields[fields.count - 1].append(character)
            }
        }
        return fields
    }

    /// A page holds the tags that its writer has, each closed, and no other attribute than its own.
    private static func checkPage(_ page: String) {
        let tags = Set(
            page.components(separatedBy: "<").dropFirst().map { piece in
                String(piece.prefix { $0.isLetter || $0.isNumber || $0 == "/" || $0 == "!" })
            }.map { $0.hasPrefix("/") ? String($0.dropFirst()) : $0 })
        let known: Set<String> = [
            "!DOCTYPE", "html", "head", "meta", "title", "style", "body", "a", "svg", "defs",
            "circle", "path", "use", "rect", "text", "desc", "g", "header", "h1", "p", "dl", "dt",
            "dd", "div", "main", "section", "h2", "figure", "ul", "li", "details", "summary", "b",
            "span", "table", "caption", "thead", "tbody", "tr", "th", "td", "time", "bdi", "footer",
        ]
        #expect(tags.subtracting(known) == [])
        for tag in page.components(separatedBy: "<").dropFirst() {
            let inside = tag.prefix { $0 != ">" }
            let parts = inside.components(separatedBy: "\"")
            #expect(!parts.count.isMultiple(of: 2), "\(inside)")
            // What stands outside of quotes are the names of attributes.
            for index in stride(from: 0, to: parts.count, by: 2) {
                #expect(!parts[index].contains(" on"), "\(inside)")
            }
        }
    }

    @Test("R-40 every command of the table writes harmless text in every format", arguments: 0..<2)
    func everyCommand(seed: Int) throws {
        var generator = SeededRandom(UInt64(seed))
        let original = try EditedFixture()
        try Self.fill(original, seed: UInt64(seed))
        // What changes a store changes a copy of its own.
        let other = original.folder + "/other"
        try FileManager.default.copyItem(atPath: original.path, toPath: other)
        for entry in CommandTable(commands: AllCommands.commands).visibleEntries
        where entry.command.run != nil {
            let copy = original.folder + "/copy"
            for words in Self.lines(entry, original, &generator) where !words.contains("\u{0}") {
                try? FileManager.default.removeItem(atPath: copy)
                try FileManager.default.copyItem(atPath: original.path, toPath: copy)
                var world = ToolWorld()
                world.clock = original.clock
                world.terminal.width = 60
                let isWatch = entry.name == "watch"
                world.isInterrupted = { isWatch }
                Self.check(world.run(words + ["--store", copy]), words)
            }
        }
    }

    @Test("R-40 names as long as they may be, and a megabyte of state, come out cut or whole")
    func large() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open(.owner)
        let piece = "<b>\u{202E}=1\u{1B}[2J"
        let record = try #require(try store.record(identifier: "letter-session"))
        // A title of a megabyte is refused where it comes in; one at the limit is stored.
        #expect(throws: SceneStoreError.self) {
            try store.values.setTitle(String(repeating: piece, count: 100_000), key: record.key)
        }
        try store.values.setTitle(String(repeating: piece, count: 5_000), key: record.key)
        var activity = try UserActivity(activityType: "com.example.lette")
        activity.userInfo["text"] = .string(String(repeating: piece, count: 100_000))
        try store.save(
            [StateToSave(key: record.key, activity: activity)], context: SaveContext(savedAt: 0))
        try store.close()
        let lines = [
            ["sessions"], ["sessions", "--json"], ["sessions", "--csv"], ["show", "letter"],
            ["show", "letter", "--json"], ["timeline"], ["timeline", "--json"],
            ["timeline", "--csv"], ["report"], ["plan"], ["log", "letter"], ["info"],
        ]
        for words in lines {
            var world = ToolWorld()
            world.terminal.width = 80
            let run = world.run(words + ["--store", fixture.path])
            #expect(run.status == .done, "\(words): \(run.errors)")
            Self.check(run, words)
            // Pictures cut what they show; programs get all of it.
            if words == ["report"] || words == ["timeline"] {
                #expect(run.output.utf8.count < 100_000)
            }
        }
    }
}
