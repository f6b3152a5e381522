import Foundation
import Testing

@testable import SceneStoreCommand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What commands that end before their time leave in the temporary folder: nothing for long.
@Suite(
    "Private folders of commands",
    .enabled(if: CommandProcess.path != nil, "the command is not built beside the tests"))
struct PrivateFolderTests {
    /// A store, its file by itself, and the temporary folder of the commands that read them.
    private struct Place {
        let fixture: EditedFixture
        let temporary: String

        init() throws {
            fixture = try EditedFixture()
            temporary = fixture.file("temporary")
            try FileManager.default.createDirectory(
                atPath: temporary, withIntermediateDirectories: false)
        }

        var names: [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
        }

        /// The store's file by itself, or one whose first page is destroyed.
        func looseFile(isDamaged: Bool) throws -> String {
            let path = fixture.file("loose.sqlite")
            var bytes = try Data(contentsOf: URL(filePath: fixture.path + "/scenes.sqlite"))
            if isDamaged {
                bytes.resetBytes(in: 0..<4_096)
            }
            try bytes.write(to: URL(filePath: path))
            return path
        }

        /// A command that reads a file, and waits for the reader of its output.
        func waitingReader(of file: String) throws -> RunningCommand {
            let rows =
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
            return try waiting(["sql", rows, "--csv", "--store", file])
        }

        /// A command that plays a scenario, which needs a folder, and waits for its output's reader.
        func waitingPlayer() throws -> RunningCommand {
            let path = fixture.file("long.scenario")
            let text = String(repeating: "launch\nbackground A\nkill\n", count: 2_000)
            try Data("delegate provider=Editor\n\(text)".utf8).write(to: URL(filePath: path))
            return try waiting(["simulate", path])
        }

        private func waiting(_ words: [String]) throws -> RunningCommand {
            let command = try RunningCommand(
                words, output: .pipe, errors: .pipe, temporaryFolder: temporary)
            #expect(command.waitForOutput(), "\(command.errorText)")
            return command
        }

        /// Another command reads a store.
        func read() throws -> Int32? {
            try RunningCommand(
                ["info", "--store", fixture.path], errors: .pipe, temporaryFolder: temporary
            ).wait()
        }
    }

    /// The signals that this process, and so its children, don't ignore.
    private static let endings = [SIGTERM, SIGHUP].filter { number in
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Darwin)
            return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) != 1
        #else
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 1
        #endif
    }

    @Test(
        "R-09 a copy of a file by itself, or of what is left of one, has no name",
        arguments: [false, true])
    func nameless(isDamaged: Bool) throws {
        let place = try Place()
        let command = try place.waitingReader(of: place.looseFile(isDamaged: isDamaged))
        #expect(place.names.isEmpty)
        command.send(SIGKILL)
        #expect(command.wait(readsOutput: false) == nil)
    }

    @Test(
        "R-09 a command that is told to end removes its folder, and ends by the signal",
        arguments: endings)
    func ended(by signal: Int32) throws {
        let place = try Place()
        let command = try place.waitingPlayer()
        #expect(place.names.count == 1)
        command.send(signal)
        #expect(command.wait(readsOutput: false) == nil)
        #expect(command.errors.isEmpty, "\(command.errorText)")
        #expect(place.names.isEmpty)
    }

    @Test(
        "R-09 the next command removes the folder of one that was killed, and none that is in use")
    func killed() throws {
        let place = try Place()
        let command = try place.waitingPlayer()
        let names = place.names
        #expect(names.count == 1)
        #expect(try place.read() == 0)
        #expect(place.names == names)
        command.send(SIGKILL)
        #expect(command.wait(readsOutput: false) == nil)
        #expect(place.names == names)
        // What others have there stays.
        let other = place.temporary + "/scenestore-command"
        try FileManager.default.createDirectory(
            atPath: other, withIntermediateDirectories: false)
        #expect(try place.read() == 0)
        #expect(place.names == ["scenestore-command"])
    }

    @Test("R-09 a process spares its own folders, until they are removed")
    func ownFolders() throws {
        let folder = try PrivateFolder.make()
        PrivateFolder.sweep()
        #expect(FileManager.default.fileExists(atPath: folder))
        // A container that a scenario moves away, and makes again.
        try FileManager.default.moveItem(atPath: folder, toPath: folder + ".moved")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        PrivateFolder.sweep()
        #expect(FileManager.default.fileExists(atPath: folder))
        #expect(FileManager.default.fileExists(atPath: folder + ".moved"))
        PrivateFolder.remove(folder)
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(!FileManager.default.fileExists(atPath: folder + ".moved"))
    }
}
