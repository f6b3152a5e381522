import Foundation
import SceneStore
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("find, why and support")
struct SupportCommandTests {
    private func titled() throws -> EditedFixture {
        let fixture = try EditedFixture()
        let store = try fixture.open()
        for (identifier, title) in [("letter-session", "Lisbon"), ("blank-session", "Secret")] {
            let key = try #require(try store.record(identifier: identifier)).key
            try store.values.setTitle(title, key: key)
            try store.values.setUserInfo(["a.b": ["Porto", "Faro"]], key: key)
            if title == "Secret" {
                try store.marks.setPrivacy(.redacted, key: key)
            }
        }
        try store.close()
        return fixture
    }

    @Test("find looks at titles, types and identifiers, and with --values at states and keys")
    func find() throws {
        let fixture = try titled()
        func places(_ words: String...) throws -> [String] {
            var world = ToolWorld()
            world.clock = fixture.clock
            return try world.run(["find", "--json", "--store", fixture.path] + words).objects()
                .map { "\($0.text("session") ?? "") \($0.text("where") ?? "")" }
        }
        #expect(try places("lisb") == ["letter-session title"])
        #expect(try places("EXAMPLE.draft") == ["draft-session activity.type"])
        #expect(try places("blank-s") == ["blank-session session"])
        #expect(try places("faro").isEmpty)
        #expect(try places("faro", "--values") == [#"letter-session userInfo["a.b"][1]"#])
        #expect(fixture.run("find", "nothing").status == .answeredNo)
        #expect(fixture.run("find", "nothing").errors.contains("--values also searches states"))
        #expect(fixture.run("find", "nothing", "--values").errors == "nothing found\n")
        // What is private is found by its identifier alone.
        #expect(fixture.run("find", "secret").status == .answeredNo)
        #expect(fixture.run("find", "porto", "--values", "--limit", "9").output.contains("letter"))
        #expect(!fixture.run("find", "porto", "--values").output.contains("blank"))
    }

    @Test("S-31 find --values looks at values of each kind, also in sets")
    func findKinds() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open()
        let key = try #require(try store.record(identifier: "letter-session")).key
        var activity = try UserActivity(activityType: "com.example.letter")
        activity.userInfo = [
            "tags": .set([.string("thesis"), .string("draft")]), "zoom": .double(1.25),
            "when": .date(Date(timeIntervalSince1970: 1_000_000_000)), "pinned": .boolean(true),
        ]
        try store.save(
            [StateToSave(key: key, activity: activity)],
            context: SaveContext(appVersion: "1", savedAt: fixture.clock.clock.now()))
        try store.close()
        for (text, place) in [
            ("thesis", "tags"), ("1.25", "zoom"), ("2001-09-09", "when"), ("true", "pinned"),
        ] {
            let found = try fixture.run("find", text, "--values", "--json").objects()
            #expect(found.map { $0.text("where") } == ["activity.userInfo.\(place)"], "\(text)")
        }
        #expect(fixture.run("find", "e", "--limit", "0").status == .done)
    }

    @Test("S-70 an archive on standard output is alone there")
    func standardOutput() throws {
        let fixture = try titled()
        for words in [[], ["--json"]] {
            let run = fixture.run(["support", "-o", "-"] + words)
            #expect(run.output.hasPrefix("PK"), "\(words)")
            #expect(run.errors.contains("info.json"), "\(words)")
        }
    }

    @Test("why joins plan, ledger, journal and doctor for one window")
    func why() throws {
        let fixture = try titled()
        let held = fixture.run("why", "draft")
        #expect(held.status == .done, "\(held.errors)")
        #expect(held.lines.contains { $0.hasPrefix("Next launch    it is held: ") })
        #expect(held.lines.contains { $0.hasPrefix("Doctor         ") })
        let json = try #require(try fixture.run("why", "Lisbon", "--json").objects().first)
        #expect(json.text("session") == "letter-session")
        #expect(json["nextLaunch"]?.objectValue?["reconnects"]?.booleanValue != nil)
        #expect(json["journal"]?.arrayValue?.isEmpty == false)
        #expect(fixture.run("why", "nobody").status == .noStore)
        #expect(fixture.run("discard", "letter", "--yes").status == .done)
        #expect(fixture.run("why", "letter").output.contains("it does not come back: user"))
        let next = fixture.run("why", "letter", "--json")
        #expect(
            try next.objects().first?.text("next")?.hasPrefix(
                "'scenestore reopen letter-session --store ") == true)
    }

    @Test("S-70 a support archive holds every answer, and by default nothing that people wrote")
    func support() throws {
        let fixture = try titled()
        #expect(fixture.run("hold", "letter", "--yes").status == .done)
        let file = fixture.file("support.zip")
        let run = fixture.run("support", "-o", file)
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.lines.contains { $0.hasPrefix("report.html  ") })
        let bytes = try content(of: file)
        #expect(bytes.range(of: Data(#""command":"hold""#.utf8)) != nil)
        for word in ["Lisbon", "private words", "Porto", "Secret"] {
            #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)")
        }
        #expect(bytes.range(of: Data("com.example.lette".utf8)) != nil)
        #expect(fixture.run("support", "-o", file).status == .usage)
        let all = fixture.run("support", "-o", file, "--force", "--redact", "all")
        #expect(all.status == .done)
        let redacted = try content(of: file)
        for word in ["Lisbon", "com.example", fixture.path] {
            #expect(redacted.range(of: Data(word.utf8)) == nil, "\(word)")
        }
        #expect(bytes.range(of: Data(fixture.path.utf8)) == nil)
        #expect(fixture.run("support", "-o", file, "--force", "--redact", "none").status == .done)
        #expect(try content(of: file).range(of: Data("Lisbon".utf8)) != nil)
        #expect(fixture.run("support").status == .usage)
        #expect(ToolWorld().run("support", "-o", file, "--store", "/nowhere").status == .noStore)
    }

    /// All files of an archive, one after the other.
    private func content(of archive: String) throws -> Data {
        let bytes = Array(try Data(contentsOf: URL(filePath: archive)))
        let files = try #require(ZipArchive.files(in: bytes, limit: 1 << 30))
        return Data(files.flatMap(\.content))
    }

    @Test("R-63 an archive of a damaged store says what it lacks, and each file of values parses")
    func damaged() throws {
        let fixture = try titled()
        try fixture.damage()
        let file = fixture.file("broken.zip")
        let run = fixture.run("support", "-o", file)
        // What is not salvaged can't be exported.
        #expect(run.status == .damaged)
        #expect(run.errors.contains("not complete: export.ndjson"), "\(run.errors)")
        let bytes = Array(try Data(contentsOf: URL(filePath: file)))
        let files = try #require(ZipArchive.files(in: bytes, limit: 1 << 30))
        for (name, content, _) in files where name.contains("json") {
            for line in content.split(separator: 0x0A) {
                #expect(throws: Never.self, "\(name)") {
                    try CanonicalJSON(parsing: String(decoding: line, as: UTF8.self))
                }
            }
        }
        let errors = try #require(files.first { $0.name == "errors.txt" }?.content)
        let text = String(decoding: errors, as: UTF8.self)
        #expect(text.contains("info.json:\nwarning: the store is damaged"), "\(text)")
        #expect(!text.contains(fixture.path))
    }

    @Test("S-70 no file of an archive has the container's path, however it is escaped there")
    func path() throws {
        let fixture = try titled()
        let place = fixture.file("Zoë's \"A&B\" \u{7F}store")
        try FileManager.default.moveItem(atPath: fixture.path, toPath: place)
        // Each of the commands that tell of a finding or of a file names the path.
        try ForeignTool.run(
            "UPDATE state SET saved_at = saved_at + 1", on: place + "/scenes.sqlite")
        let file = fixture.file("support.zip")
        var world = ToolWorld()
        world.clock = fixture.clock
        _ = world.run("support", "-o", file, "--store", place)
        let text = String(decoding: try content(of: file), as: UTF8.self)
        #expect(text.contains("CONTAINER"))
        for name in ["Zoë", "A&B", "A&amp;B", "Zo\\u"] {
            #expect(!text.contains(name), "\(name)")
        }
    }

    @Test("log --last and export --limit give the newest alone")
    func newest() throws {
        let fixture = try titled()
        let all = fixture.run("log", "--csv").lines
        let last = fixture.run("log", "--csv", "--last", "3").lines
        #expect(last.count == 4 && Array(last.dropFirst()) == all.suffix(3))
        #expect(fixture.run("log", "--last", "0").errors == "no entries\n")
        let open = try fixture.run("sessions", "--json", "--columns", "session").objects()
            .compactMap { $0.text("session") }
        func exported(_ limit: Int) throws -> [String] {
            try fixture.run("export", "--limit", "\(limit)").objects()
                .filter { $0.text("kind") == "session" }.compactMap { $0.text("session") }
        }
        #expect(open.count > 1)
        #expect(try exported(1) == Array(open.prefix(1)))
        #expect(
            fixture.run("export", "--limit", "\(open.count)").output == fixture.run("export").output
        )
    }

    @Test("a ZIP archive is compressed, and gives back what was put into it")
    func compression() throws {
        var generator = SeededRandom(7)
        let texts: [[UInt8]] = [
            [], [0], Array("abc".utf8), [UInt8](repeating: 65, count: 100_000),
            Array(
                String(repeating: "{\"session\":\"letter\",\"title\":null}\n", count: 5_000).utf8),
            (0..<40_000).map { _ in UInt8.random(in: 0...255, using: &generator) },
            (0..<70_000).map { _ in UInt8.random(in: 0...3, using: &generator) },
        ]
        for text in texts {
            let packed = Deflate.compressed(text)
            #expect(Deflate.expanded(packed[...], limit: text.count) == text)
            #expect(packed.count <= text.count / 8 * 9 + 16)
            if !text.isEmpty {
                #expect(Deflate.expanded(packed[...], limit: text.count - 1) == nil)
                #expect(Deflate.expanded(packed.dropLast(), limit: text.count) == nil)
            }
        }
        #expect(Deflate.compressed(texts[4]).count < texts[4].count / 20)
        // As zlib writes it: a block with codes of its own, and one that is stored.
        let own: [UInt8] = [
            0x1D, 0xC6, 0x49, 0x01, 0x00, 0x00, 0x10, 0x40, 0xC0, 0xAC, 0xA3, 0x7F, 0x88, 0x3D,
            0x3C, 0x20,
            0x2A, 0x97, 0x9D, 0x37, 0x5E, 0x1D, 0x0C,
        ]
        #expect(
            Deflate.expanded(own[...], limit: 99)
                == Array("abaabbbabaababbaababaaaabaaabbbbbaa".utf8))
        let stored: [UInt8] = [1, 3, 0, 0xFC, 0xFF, 1, 2, 3]
        #expect(Deflate.expanded(stored[...], limit: 9) == [1, 2, 3])
    }

    @Test("a ZIP archive has the checksums and places that its readers look for")
    func zip() {
        #expect(CRC32.checksum(of: Array("123456789".utf8)) == 0xCBF4_3926)
        var archive = ZipArchive(time: 1_767_225_600_000)
        let isAdded = archive.add("a.txt", Array("hello".utf8))
        #expect(isAdded)
        let bytes = archive.finished()
        #expect(bytes.starts(with: [0x50, 0x4B, 3, 4]))
        #expect(bytes.suffix(22).starts(with: [0x50, 0x4B, 5, 6]))
        #expect(bytes[10..<14].elementsEqual([0, 0, 0x21, 0x5C]))
        let place = Int(bytes[bytes.count - 6]) | Int(bytes[bytes.count - 5]) << 8
        #expect(bytes[place...].starts(with: [0x50, 0x4B, 1, 2]))
    }

    @Test("L-52 L-14 why names the launches that died while they restored the window")
    func deaths() throws {
        let fixture = try Fixture(Fixture.withheldState + "launch\nkill\nlaunch\n")
        let page = try #require(try fixture.run("why", Fixture.a, "--json").objects().first)
        let launches = (page["launches"]?.arrayValue ?? []).compactMap(\.objectValue)
        #expect(launches.compactMap { $0.text("outcome") } == ["withheld", "withheld", "died"])
        #expect(launches.last?.text("reason") == "the process died while it restored the window")
    }

    @Test("S-44 a window that saves no state any more has its earlier ones, and why names them")
    func cleared() throws {
        let fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            state A com.example.edit n:i=1
            background A
            wait 10s
            foreground A
            state A nil
            background A
            quit
            """)
        let why = fixture.run("why", Fixture.a)
        #expect(why.lines.contains("Restoration    nothing: it has no current state"))
        #expect(why.lines.contains { $0.hasPrefix("Next           'scenestore checkout ") })
        let show = fixture.run("show", Fixture.a)
        #expect(show.lines.contains("Restoration    nothing: it has no current state"))
        #expect(!show.output.contains("never saved"), "\(show.output)")
    }

    @Test("L-16 why tells nothing of launches after the one that closed the window")
    func closedBefore() throws {
        let fixture = try Fixture(
            "manifest many.plist\nlaunch\nnew-scene\nclose A\nquit\nlaunch\nquit\nlaunch\n")
        let page = try #require(try fixture.run("why", Fixture.a, "--json").objects().first)
        #expect(page["launches"]?.arrayValue?.isEmpty == true, "\(page)")
    }
}
