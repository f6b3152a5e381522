import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreLinks
import SceneStoreTesting
import Synchronization
import Testing

@testable import SceneStoreCommand

/// A secret word stands in everything private that a store holds; every command is run on it, well
/// and badly, and the word never comes out where the contract does not show values.
@Suite("R-41 canary")
struct CanaryTests {
    static let word = "canary7f3a"
    private static let link = "https://ada:\(word)@example.com/\(word)?q=\(word)#\(word)"

    /// Everything that is private, of three open sessions and a closed one.
    static func fill(_ fixture: EditedFixture) throws {
        let store = try fixture.open(.owner)
        for name in ["letter-session", "draft-session", "blank-session"] {
            let key = try #require(try store.record(identifier: name)).key
            try store.values.setUserInfo(["text": .string(word)], key: key)
            try store.values.setTitle("Title \(word)", key: key)
            try store.values.setPresentedValue(.string(word), key: key)
            try store.values.setStorage(["text": .string(word)], key: key)
            try store.values.setConditions(
                ActivationConditions(prefersToActivate: .hasPrefix("https://x/\(word)")), key: key)
            for number in 0..<3 {
                try store.save(
                    [StateToSave(key: key, activity: try activity(number))],
                    context: SaveContext(savedAt: fixture.clock.clock.now()))
            }
            _ = try store.inbox.keep(
                .urls([OpenURLContext(url: link)]), dedupe: word + name)
        }
        try store.saveActivity(try activity(9))
        let closed = try store.insertSession(
            identifier: "closed-session",
            configuration: SceneConfiguration(name: "Editor", role: .windowApplication),
            userInfo: ["text": .string(word)], becameActive: true)
        try store.values.setTitle("Closed \(word)", key: closed.key)
        try store.discard([closed.key], cause: .user, deliveredNow: true)
        try store.launches.end(.quit)
        try store.close()
    }

    static func activity(_ number: Int) throws -> UserActivity {
        var activity = try UserActivity(
            activityType: "com.example.edit", title: "Activity \(word) \(number)")
        activity.userInfo = [
            "text": .string("\(word) \(number)"), "list": .array([.string(word)]),
            "data": .data(Data(word.utf8)),
        ]
        activity.targetContentIdentifier = "https://example.com/\(word)"
        activity.keywords = [word]
        activity.persistentIdentifier = "\(word)-\(number)"
        try activity.setWebpageURL(URL(string: link))
        activity.referrerURL = URL(string: link)
        return activity
    }

    /// What shows values by the contract: what a session holds, and titles to know it by.
    private static let showing: Set<String> = [
        "show", "sessions", "plan", "find", "why", "diff", "sql", "export", "report", "size",
        "timeline", "log",
    ]

    /// Command lines for an entry, each of its formats and redactions, good ones and bad ones:
    /// every option with one set of arguments, every set without options, and a quarter of the rest;
    /// with `SCENESTORE_LONG` all of it.
    private static func lines(
        _ entry: CommandTable.Entry, _ fixture: EditedFixture
    ) throws -> [[String]] {
        let description = entry.command.description
        let names = Set(description.options.map(\.name))
        var ends: [[String]] = [[]]
        for flag in ["json", "csv", "all", "why", "dry-run", "full", "fix", "graph", "raw"]
        where names.contains(flag) {
            ends.append(["--" + flag])
        }
        if names.contains("redact") {
            ends += [["--redact", "values"], ["--redact", "all"]]
        }
        if names.contains("by") {
            ends += [["--by", "key"], ["--by", "type"], ["--by", "session"]]
        }
        if names.contains("session") {
            ends += [["--session", "letter"]]
        }
        if names.contains("older-than") {
            ends += [["--older-than", "0s"]]
        }
        if names.contains("with") {
            ends += [["--with", fixture.folder + "/other"]]
        }
        if entry.name == "import" {
            ends += ImportMerge.allCases.map { ["--conflict", $0.rawValue] }
        }
        var always = names.contains("yes") ? ["--yes"] : []
        if names.contains("timeout") {
            always += ["--timeout", "1ms"]
        }
        if ["salvage", "merge", "fixture make"].contains(entry.name) {
            always += ["-o", fixture.folder + "/made"]
        }
        var fillings: [[String]] = [
            description.arguments.map { argument in
                switch argument.kind {
                case .session: "letter"
                case .choice(let words): words.first ?? ""
                case .integer: "3"
                case .file, .directory: fixture.path
                default: link
                }
            },
            description.arguments.map { _ in link },
            [],
        ]
        switch entry.name {
        case "import":
            fillings = ["bad.ndjson", "good.ndjson", "cut.ndjson"].map { [fixture.file($0)] }
        case "salvage", "restore": fillings.append([fixture.path + "/scenes.sqlite"])
        case "checkout": fillings = [["letter@2"], ["letter@999"], ["letter@x"]]
        case "find": fillings = [["title"], ["title", "--values"], [link]]
        case "diff":
            let states = try? fixture.read { store in
                try store.history.versions(
                    key: try store.record(identifier: "letter-session")?.key ?? 0)
            }.map { String($0.generation) }
            fillings.append(["letter"] + (states?.prefix(2) ?? ["2", "3"]))
        case "show": fillings.append(["letter", "--key", "activity.userInfo.text.deeper"])
        case "sql":
            // SQLite's own words about a value that is no path, no JSON, no number.
            fillings += [
                "SELECT * FROM sessions", "SELECT json_extract('{}', title) FROM sessions",
                "SELECT json(title) FROM sessions", "SELECT abs(title || 'x') FROM sessions",
                "SELECT title MATCH 'x' FROM sessions", "SELECT * FROM pragma_table_info(title)",
                "SELECT json_each.value FROM sessions, json_each(title)",
                "SELECT decoded(title) FROM sessions",
                "SELECT '' LIKE '' ESCAPE title FROM sessions",
                "SELECT printf('%n', title) FROM sessions",
            ].map { [$0] }
        default: break
        }
        var lines: [[String]] = []
        for (filling, words) in fillings.enumerated() {
            for (number, end) in ends.enumerated()
            where isLong || filling == 0 || number == 0 || (filling + number).isMultiple(of: 4) {
                lines.append(entry.path + words + end + always)
            }
        }
        return lines
    }

    private static let isLong = ProcessInfo.processInfo.environment["SCENESTORE_LONG"] != nil

    /// What may be the matter with a store.
    private enum Trouble: String, CaseIterable {
        case none, damagedRows, damagedPages, damagedStart, foreignTable, owned, cutShort, gone

        /// The lines that are run: all of them on a sound store, and a sixteenth on any other, a
        /// different one for each command; with `SCENESTORE_LONG` all on every store.
        func share(of lines: [[String]], beginningAt number: Int) -> [[String]] {
            guard self != .none, !CanaryTests.isLong else {
                return lines
            }
            let first = (Self.allCases.firstIndex(of: self) ?? 0) + number
            return lines.enumerated().filter { ($0.offset + first).isMultiple(of: 16) }.map(
                \.element)
        }
    }

    private static func make(_ trouble: Trouble, in fixture: EditedFixture) throws {
        let path = fixture.path + "/scenes.sqlite"
        switch trouble {
        case .none, .owned: break
        case .damagedRows:
            // Values of other types and rows whose checksums fail, also those with titles.
            try fixture.sqlite(
                """
                UPDATE state SET saved_at = saved_at + 1 WHERE id IN (SELECT max(id) FROM state);
                UPDATE session_value SET payload = CAST('\(word)' AS BLOB)
                    WHERE id IN (SELECT min(id) FROM session_value);
                UPDATE event SET detail = '\(word)' WHERE id IN (SELECT max(id) FROM event);
                UPDATE saved_activity SET content_hash = 1;
                """)
        case .foreignTable:
            try fixture.sqlite("CREATE TABLE \(word) (a); INSERT INTO \(word) VALUES ('\(word)')")
        case .damagedPages, .damagedStart, .cutShort:
            var bytes = try Data(contentsOf: URL(filePath: path))
            switch trouble {
            case .damagedStart:
                for offset in 100..<4_096 {
                    bytes[offset] = 0x5A
                }
            case .cutShort: bytes = bytes.prefix(bytes.count / 2 / 4_096 * 4_096)
            default:
                for page in stride(from: 3, to: bytes.count / 4_096, by: 3) {
                    for offset in 0..<16 {
                        bytes[page * 4_096 + offset] ^= 0xFF
                    }
                }
            }
            try bytes.write(to: URL(filePath: path))
        case .gone: try FileManager.default.removeItem(atPath: path)
        }
    }

    /// Files that an import is given: an export with faults of each kind, each beside the word.
    private static func writeImports(_ fixture: EditedFixture) throws {
        let good = try fixture.read { try $0.export() }
        try Data(good).write(to: URL(filePath: fixture.file("good.ndjson")))
        try Data(good.dropLast(good.count / 3)).write(
            to: URL(filePath: fixture.file("cut.ndjson")))
        let text = String(decoding: good, as: UTF8.self)
        let head = text.prefix { $0 != "\n" } + "\n"
        var bad = String(head)
        for line in text.split(separator: "\n").dropFirst() {
            bad += line.replacing("\"open\":true", with: "\"open\":\"\(word)\"") + "\n"
            bad += line.replacing("\"created\":", with: "\"created\":\"\(word)\",\"x\":") + "\n"
            bad += line.replacing("\"role\":\"", with: "\"role\":\"\u{0}\(word)") + "\n"
            bad += line.replacing("\"type\":\"com", with: "\"type\":[\"\(word)\"],\"y\":\"") + "\n"
            bad += line.replacing("{\"kind\"", with: "{\"kind\":\"\(word)\",\"kind\"") + "\n"
            bad += line.dropLast(5) + "\(word)\n"
        }
        bad += "\(word)\n{\"kind\":\"\(word)\"}\n[\"\(word)\"]\n\"\(word)\"\n"
        try Data(bad.utf8).write(to: URL(filePath: fixture.file("bad.ndjson")))
    }

    private static func check(
        _ run: ToolRun, _ words: [String], _ entry: CommandTable.Entry, _ trouble: Trouble
    ) {
        #expect(!run.errors.contains(word), "\(trouble) \(words): \(run.errors)")
        let isRedacted = words.contains("--redact")
        let echoes = words.contains { $0.contains(word) }
        if isRedacted || !(showing.contains(entry.path[0]) || echoes) {
            #expect(!run.output.contains(word), "\(trouble) \(words): \(run.output.prefix(2_000))")
        }
        #expect(run.status != .internalError, "\(trouble) \(words): \(run.errors)")
    }

    @Test(
        "no command says the word in an error, nor names a file by it, whatever is wrong",
        arguments: Trouble.allCases)
    private func commands(trouble: Trouble) throws {
        let original = try EditedFixture()
        try Self.fill(original)
        try FileManager.default.copyItem(atPath: original.path, toPath: original.file("other"))
        try Self.writeImports(original)
        try Self.make(trouble, in: original)
        let copy = original.file("copy")
        var shown: Set<String> = []
        let entries = CommandTable(commands: AllCommands.commands).visibleEntries
        for (number, entry) in entries.enumerated() where entry.command.run != nil {
            let lines = try Self.lines(entry, original)
            for words in trouble.share(of: lines, beginningAt: number) {
                for name in ["copy", "made", "merged"] {
                    try? FileManager.default.removeItem(atPath: original.file(name))
                }
                try FileManager.default.copyItem(atPath: original.path, toPath: copy)
                var owner: SceneSessionStore?
                if trouble == .owned {
                    var options = SceneSessionStore.Options.seeded()
                    options.ownerTimeout = 2_000
                    owner = try SceneSessionStore.open(at: .directory(copy), options: options)
                }
                defer { try? owner?.close() }
                var world = ToolWorld()
                world.clock = original.clock
                world.terminal.width = 200
                let isWatch = entry.name == "watch"
                world.isInterrupted = { isWatch }
                let run = world.run(words + ["--store", copy])
                Self.check(run, words, entry, trouble)
                if run.output.contains(Self.word),
                    !words.contains(where: { $0.contains(Self.word) })
                {
                    shown.insert(entry.path[0])
                }
                let names = try FileManager.default.subpathsOfDirectory(atPath: original.folder)
                #expect(!names.contains { $0.contains(Self.word) }, "\(words): \(names)")
            }
        }
        // The list above is of those that do show values, and of no others.
        if trouble == .none {
            #expect(shown == Self.showing)
        }
    }

    @Test("links of every kind: an error, a reason and a finding show scheme and host at most")
    func links() throws {
        let fixture = try EditedFixture()
        let world = ToolWorld()
        let word = Self.word
        let links = [
            Self.link, "notes://\(word)", "notes:\(word)", "javascript:\(word)",
            "https://example.com/\(word)\u{0}", "https://example.com/%zz\(word)",
            "https://exa mple.com/\(word)", "//\(word)", word, "https:///\(word)",
            "https://example.com:99999/\(word)", "https://\(word)@/\(word)",
            "file:///\(word)", "data:text/plain,\(word)", "https://[::1/\(word)",
            "https://example.com/" + String(repeating: word, count: 2_000),
        ]
        let file = fixture.file("aasa.json")
        try Data(AssociationText.notes.utf8).write(to: URL(filePath: file))
        for link in links where !link.contains("\u{0}") {
            for words in [
                ["open-url", link, "--store", fixture.path],
                ["open-url", link, "--why", "--store", fixture.path],
                ["open-url", link, "--store", "/nowhere"],
                [
                    "open-url", link, "--aasa", file, "--domain", "example.com", "--store",
                    fixture.path,
                ],
                ["open-url", link, "--domain", link], ["open-url", link, "--manifest", file],
                ["link", "match", "--aasa", file, link], ["link", "match", link],
                ["link", "match", "--pattern", "{", link], ["show", link, "--store", fixture.path],
            ] {
                let run = world.run(words)
                let isHost =
                    link.hasPrefix("notes://") || link == word || link.hasPrefix("https://\(word)")
                // A word that is no link, and a host, may be repeated.
                if !isHost, !link.hasPrefix("//") {
                    #expect(!run.errors.contains(word), "\(words): \(run.errors)")
                }
                #expect(run.status != .internalError, "\(words): \(run.errors)")
            }
        }
    }
}
