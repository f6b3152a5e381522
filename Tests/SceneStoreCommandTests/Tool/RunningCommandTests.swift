import Foundation
import SceneStore
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// What only a process of its own can show: terminals, signals, other owners.
@Suite(
    "running processes",
    .enabled(if: CommandProcess.path != nil, "the command is not built beside the tests"))
struct RunningCommandTests {
    /// Stores that take commands longer and longer to go through: what shows after half a second,
    /// or is stopped half way, takes a larger one where the machine is faster.
    private static let sizes = [100, 400, 1_600]

    /// A store of so many sessions with 400 000 bytes each.
    private static func large(_ sessions: Int) throws -> EditedFixture {
        let fixture = try EditedFixture()
        let store = try fixture.open(.owner)
        let configuration = SceneConfiguration(name: "Editor", role: .windowApplication)
        var activity = try UserActivity(activityType: "com.example.large")
        activity.userInfo = ["data": .data(Data(repeating: 0x5A, count: 400_000))]
        for number in 0..<sessions {
            let record = try store.insertSession(
                identifier: "large-session-\(number)", configuration: configuration,
                becameActive: false)
            try store.save(
                [StateToSave(key: record.key, activity: activity)],
                context: SaveContext(savedAt: fixture.clock.clock.now()))
        }
        try store.close()
        return fixture
    }

    /// A picture of the bar: count, rate and time left.
    private static func isPicture(_ text: some StringProtocol, _ command: String, _ unit: String)
        -> Bool
    {
        text.hasPrefix("\(command) [") && text.contains(" % ") && text.contains(" \(unit)")
            && text.contains("/s  ") && text.hasSuffix(" s left\u{1B}[K")
            && text.count <= 79 + "\u{1B}[K".count
    }

    @Test("a terminal sees count, rate and time left of an export and a check, then nothing")
    func progress() throws {
        var left = [
            (["export", "--force", "-o", "out.ndjson"], "sessions"),
            (["doctor", "--full"], "rows"),
        ]
        for size in Self.sizes where !left.isEmpty {
            let fixture = try Self.large(size)
            for (words, unit) in left {
                let line = words.map { $0 == "out.ndjson" ? fixture.file($0) : $0 }
                let command = try RunningCommand(line + ["--store", fixture.path], isSlow: true)
                #expect(command.wait() == 0)
                let quiet = try RunningCommand(
                    line + ["--store", fixture.path], errors: .pipe, isSlow: true)
                #expect(quiet.wait() == 0)
                #expect(!quiet.errorText.contains("\r") && !quiet.errorText.contains("\u{1B}"))
                let pictures = command.errorText.split(separator: "\r")
                if !pictures.contains(where: { Self.isPicture($0, words[0], unit) }) {
                    #expect(size != Self.sizes.last, "\(words[0]): \(command.errorText)")
                    continue
                }
                // Erased before the last word, and at the end nothing of it is left.
                #expect(pictures.last { $0.hasPrefix("\u{1B}[K") } != nil)
                #expect(pictures.last?.contains("[#") == false)
                left.removeAll { $0.1 == unit }
            }
        }
        #expect(left.isEmpty)
    }

    @Test("Ctrl-C in the middle of an export to a file: 130, no file, or the old one")
    func interruptedExport() throws {
        var left = [nil, "the old one"]
        for size in Self.sizes where !left.isEmpty {
            let fixture = try Self.large(size)
            let before = fixture.files
            for old in left {
                let target = fixture.file("half.ndjson")
                if let old {
                    try Data(old.utf8).write(to: URL(filePath: target))
                }
                let namesBefore = try FileManager.default.contentsOfDirectory(
                    atPath: fixture.folder)
                let command = try RunningCommand(
                    ["export", "-o", target, "--force", "--store", fixture.path], isSlow: true)
                let isSeen = command.waitForErrors("export [")
                command.interrupt()
                let status = command.wait()
                if !isSeen || status == 0, size != Self.sizes.last {
                    // It was done before the key was pressed.
                    continue
                }
                #expect(status == 130)
                // The bar is gone, and nothing is said.
                #expect(command.errorText.hasSuffix("\r\u{1B}[K"), "\(command.errorText)")
                let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder)
                #expect(Set(names) == Set(namesBefore))
                let contents = FileManager.default.contents(atPath: target)
                #expect(contents.map { String(decoding: $0, as: UTF8.self) } == old)
                #expect(fixture.files == before)
                left.removeAll { $0 == old }
            }
        }
        #expect(left.isEmpty)
    }

    @Test("Ctrl-C while a pipe's reader keeps the export waiting: 130, and at once")
    func interruptedPipe() throws {
        // More than a pipe holds.
        let fixture = try Self.large(4)
        let before = fixture.files
        let command = try RunningCommand(
            ["export", "--store", fixture.path], output: .pipe, errors: .pipe)
        // The reader takes the beginning, and no more: the pipe fills up.
        #expect(command.waitForOutput())
        command.interrupt()
        #expect(command.wait(readsOutput: false) == 130)
        #expect(command.errors.isEmpty)
        #expect(fixture.files == before)
    }

    @Test("Ctrl-C in a scenario of many processes: 130, without a word of its own")
    func interruptedProcesses() throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let file = "\(folder)/many.scenario"
        let steps = String(repeating: "launch\nnew-scene\nkill\n", count: 2_000)
        try Data(steps.utf8).write(to: URL(filePath: file))
        let command = try RunningCommand(
            ["simulate", "--processes", file], output: .pipe, errors: .pipe)
        #expect(command.waitForOutput())
        command.interrupt()
        #expect(command.wait() == 130)
        #expect(command.errors.isEmpty, "\(command.errorText)")
    }

    @Test("R-09 a temporary folder that can't be used is no damage of the store")
    func temporaryFolder() throws {
        let fixture = try EditedFixture()
        let copy = fixture.file("copy.sqlite")
        #expect(fixture.run("backup", "-o", copy).status == .done)
        let before = fixture.files
        for (words, path) in [
            (["info"], fixture.path), (["doctor"], fixture.path), (["sessions"], fixture.path),
            (["export"], fixture.path), (["info"], copy), (["why", "@last"], copy),
        ] {
            let process = Process()
            process.executableURL = CommandProcess.path.map { URL(filePath: $0) }
            process.arguments = words + ["--store", path]
            process.environment = CommandProcess.inherited.merging(
                ["TMPDIR": "/nonexistent"], uniquingKeysWith: { $1 })
            let errors = Pipe()
            process.standardOutput = FileHandle.nullDevice
            process.standardError = errors
            try process.run()
            let text = String(
                decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 2, "\(words): \(text)")
            #expect(text.contains("hint: set TMPDIR to a folder"), "\(text)")
            #expect(!text.contains("repair") && !text.contains("damaged"), "\(text)")
        }
        #expect(fixture.files == before)
    }

    @Test("a pager that is missing, or can't be run, loses nothing of the output")
    func missingPager() throws {
        for pager in ["/nonexistent/pager", "/etc/passwd", "cat"] {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", Pager.withFallback(pager)]
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            input.fileHandleForWriting.write(Data("three windows\n".utf8))
            try input.fileHandleForWriting.close()
            let text = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            #expect(text == Data("three windows\n".utf8), "\(pager)")
        }
    }

    @Test("a reader that goes away in the middle of an export ends it with 0 and without a word")
    func closedPipe() throws {
        let fixture = try Self.large(4)
        let line = "'\(CommandProcess.path ?? "")' export --store '\(fixture.path)' 2>&1 >&3"
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        let errors = Pipe()
        process.standardOutput = errors
        process.standardInput = FileHandle.nullDevice
        process.arguments = [
            "-c", "{ { \(line); echo \"status $?\"; } 3>&1 >&4 | head -n 1 >/dev/null; } 4>&1",
        ]
        try process.run()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(String(decoding: said, as: UTF8.self) == "status 0\n")
    }

    @Test("R-09 watch --until ends with 0 when an app in another process saves, and tells of it")
    func watchUntil() throws {
        let fixture = try EditedFixture()
        // The app is this process: the owner lives on while the watcher looks.
        let store = try fixture.open(.owner)
        defer { try? store.close() }
        let key = try #require(try store.record(identifier: "letter-session")).key
        let command = try RunningCommand(
            ["watch", "--until", "save:com.example.watched", "--timeout", "1d", "--json"]
                + ["--store", fixture.path], output: .pipe, errors: .pipe)
        #expect(command.waitForErrors("watching"))
        func save(_ type: String) throws {
            try store.save(
                [StateToSave(key: key, activity: try UserActivity(activityType: type))],
                context: SaveContext(savedAt: fixture.clock.clock.now()))
        }
        try save("com.example.other")
        // The first is told while the app lives on; it is not the one that is awaited.
        #expect(command.waitForOutput())
        try save("com.example.watched")
        #expect(command.wait() == 0, "\(command.errorText)")
        let events = try String(decoding: command.output, as: UTF8.self).split(separator: "\n")
            .compactMap { try CanonicalJSON(parsing: String($0)).objectValue }
        #expect(events.compactMap { $0.text("event") }.filter { $0 == "save" }.count == 2)
        #expect(events.last?.text("outcome")?.hasPrefix("com.example.watched") == true)
        #expect(events.last?.text("session") == "letter-session")
        // The owner did not notice: it still owns, and still saves.
        try save("com.example.after")
    }
}
