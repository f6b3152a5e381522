import Foundation
import SceneStore
import Testing

@testable import SceneStoreCommand

/// The command where the system limits the size of files, which is like a full disk.
@Suite(
    "Limited sizes of files",
    .enabled(if: CommandProcess.path != nil, "the command is not built beside the tests"))
struct FileSizeLimitTests {
    /// Runs the command where no file may get longer than so many blocks of 512 bytes.
    private static func run(
        _ words: [String], on fixture: EditedFixture, blocks: Int = 8
    ) throws -> (status: Int32?, errors: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments =
            ["-c", "ulimit -f \(blocks); exec \"$@\"", "sh", CommandProcess.path ?? ""]
            + words + ["--store", fixture.path]
        let errors = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationReason == .exit ? process.terminationStatus : nil,
            String(decoding: text, as: UTF8.self)
        )
    }

    private static let lines = [
        ["export", "-o", "OUT"], ["backup"], ["hold", "letter-session", "--yes"],
        ["discard", "letter-session", "--yes"], ["reset", "--yes"],
    ]

    @Test(
        "R-04 R-07 beyond the size that files may have a command says so, with 2, and loses nothing",
        arguments: lines)
    func refused(_ words: [String]) throws {
        let fixture = try EditedFixture()
        let before = fixture.run("export").output
        let line = words.map { $0 == "OUT" ? fixture.file("out.ndjson") : $0 }
        // The first copy, the index of the log, and what is written after both.
        let size = try #require(fixture.files["scenes.sqlite"]?.count)
        for blocks in [8, size / 512, size / 512 + 1] {
            let (status, errors) = try Self.run(line, on: fixture, blocks: blocks)
            guard status != 0 else {
                return
            }
            #expect(status == 2, "\(errors)")
            #expect(errors.contains("scenestore: diskFull: "), "\(errors)")
            #expect(fixture.run("export").output == before)
        }
        #expect(fixture.run("doctor", "--full").isSound)
        #expect(!FileManager.default.fileExists(atPath: fixture.file("out.ndjson")))
        // And once there is room.
        #expect(fixture.run(line).status == .done)
    }

    @Test(
        "L-43 where opening finds no room, an erasure says what remains, and the next one ends it")
    func erasure() throws {
        let fixture = try EditedFixture()
        for _ in 0..<2 {
            fixture.clock.advance(.seconds(1))
            #expect(fixture.run("backup").status == .done)
        }
        #expect(fixture.run("hold", "letter-session", "--yes").status == .done)
        #expect(fixture.backups.count == 3)
        let before = fixture.run("export").output
        let (status, errors) = try Self.run(["reset", "--erase", "--yes"], on: fixture)
        #expect(status == 2, "\(errors)")
        #expect(
            errors.contains(
                "the backups, set-aside files and operations are erased, the sessions remain"),
            "\(errors)")
        #expect(fixture.files.keys.allSatisfy { !$0.contains("/") })
        #expect(fixture.run("export").output == before)

        let run = fixture.run("reset", "--erase", "--yes")
        #expect(run.status == .done)
        #expect(run.errors.contains("nothing is left but an empty store"), "\(run.errors)")
        #expect(try fixture.read { try $0.openCount() } == 0)
    }
}
