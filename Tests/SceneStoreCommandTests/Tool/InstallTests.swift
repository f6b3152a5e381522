import Foundation
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite(
    "Scripts/install.sh",
    .enabled(if: CommandProcess.path != nil, "the command is not built beside the tests"))
struct InstallTests {
    private func install(_ words: String...) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [RepositoryFile.path("Scripts/install.sh")] + words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test("--remove leaves no file and no folder that the script made, and every other one")
    func remove() throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let prefix = folder + "/a prefix"
        let manual = prefix + "/share/man"
        try FileManager.default.createDirectory(
            atPath: manual, withIntermediateDirectories: true)
        let program = try #require(CommandProcess.path)
        for _ in 0..<2 {
            #expect(try install("--prefix", prefix, "--program", program) == 0)
        }
        let command = prefix + "/bin/scenestore"
        #expect(FileManager.default.isExecutableFile(atPath: command))
        #expect(FileManager.default.fileExists(atPath: manual + "/man1/scenestore.1"))
        try Data("x".utf8).write(to: URL(filePath: prefix + "/bin/other"))
        #expect(try install("--prefix", prefix, "--remove") == 0)
        let left = try FileManager.default.subpathsOfDirectory(atPath: prefix).sorted()
        #expect(left == ["bin", "bin/other", "share", "share/man"])
    }
}
