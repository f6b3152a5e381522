import SceneStoreMigrations
import Testing

import SceneStore
import SceneStoreTestContainers
import SceneStoreExchange
import SceneStoreRecovery
import enum SceneStoreSQLite.ContainerName

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Stores as each version of the schema wrote them, kept in `Tests/Golden/<version>` with the
/// export that they had: what was stored once can be read for ever (S-03).
@Suite("Golden stores")
struct GoldenStoreTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Golden").path(
            percentEncoded: false)

    /// The versions that there are stores of.
    static let versions: [Int] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { Int($0) }.sorted()
    }()

    /// What the app of the golden stores declares (S-43).
    private static let declaration =
        #"{"UIApplicationSceneManifest":{"UIApplicationSupportsMultipleScenes":true}}"#

    private static func file(_ name: String, _ version: Int) throws -> Data {
        try #require(FileManager.default.contents(atPath: "\(folder)/\(version)/\(name)"))
    }

    /// A copy of a golden store: the tests leave the original as it is.
    private static func copy(_ version: Int) throws -> TestContainer {
        let container = TestContainer(.fail)
        try container.folder.create()
        try container.folder.write(try file(ContainerName.store, version))
        return container
    }

    @Test("S-03 there is a golden store of the current version of the schema")
    func current() throws {
        #expect(Self.versions.last == SchemaMigration.currentVersion)
        for version in Self.versions {
            let container = try Self.copy(version)
            let stored = try RawDatabase(container.folder.file()).value("PRAGMA user_version")
            #expect(stored == String(version))
        }
    }

    @Test(
        "S-03 a store of any version opens, migrates, is sound and exports equal",
        arguments: versions)
    func opens(_ version: Int) throws {
        let container = try Self.copy(version)
        let store = try container.open()
        #expect(try store.export() == Array(try Self.file("export.jsonl", version)))
        let report = try store.verify(.full)
        #expect(report.findings.isEmpty)
        #expect(try store.openRecords().map(\.identifier) == ["C", "B", "A"])
        #expect(try store.launches.lastDeclaration() == Self.declaration)
        try store.close()
        let now = try RawDatabase(container.folder.file()).value("PRAGMA user_version")
        #expect(now == String(SchemaMigration.currentVersion))
        // Of what was migrated there is a backup (S-04).
        #expect(container.folder.names.contains("backups") == (version < Int(now) ?? 0))
    }

    @Test(
        "S-03 what a golden store holds can be written on",
        arguments: versions)
    func goesOn(_ version: Int) throws {
        let container = try Self.copy(version)
        var store = try container.open()
        try store.launch()
        let record = try #require(try store.record(identifier: "B"))
        try store.save(record, activity(99))
        _ = try store.discards.reopen(identifier: "D")
        try store.close()
        store = try container.open()
        #expect(try store.restorationActivity(key: record.key) == activity(99))
        #expect(try store.history.versions(key: record.key).count == 4)
        #expect(try store.openRecords().count == 4)
        #expect(try store.verify(.full).isSound)
    }

    @Test(
        "S-03 S-04 a store of any version can be restored as a backup, and repaired",
        arguments: versions)
    func restored(_ version: Int) throws {
        let source = try Self.copy(version)
        let bytes = source.folder.bytes()
        let container = TestContainer(.fail)
        try container.folder.create()
        try SceneSessionStore.restore(
            from: source.folder.file(), to: .directory(container.folder.path),
            options: container.options())
        #expect(source.folder.bytes() == bytes)
        let store = try container.open()
        #expect(try store.export() == Array(try Self.file("export.jsonl", version)))
        #expect(try store.verify(.full).isSound)
        try store.close()
        let report = try SceneSessionStore.repair(
            at: .directory(source.folder.path), options: source.options())
        #expect(report.findings.allSatisfy { $0.severity < .warning })
        #expect(source.folder.bytes() == bytes)
    }

    /// Not a check: `Scripts/golden.sh` runs this once for each new version of the schema.
    @Test(
        "writes the golden store of the current version",
        .enabled(if: ProcessInfo.processInfo.environment["SCENESTORE_WRITE_GOLDEN"] != nil))
    func write() throws {
        let target = "\(Self.folder)/\(SchemaMigration.currentVersion)"
        try #require(
            !FileManager.default.fileExists(atPath: target),
            "a golden store is never written again: what it proves is that it was written then")
        let container = try TestContainer.filled()
        let store = try container.open()
        _ = try store.launches.begin(
            LaunchContext(
                declared: Self.declaration, bootIdentifier: "boot", processIdentifier: 42))
        let export = try store.export()
        try store.close()
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try #require(container.folder.bytes()).write(
            to: URL(filePath: "\(target)/\(ContainerName.store)"))
        try Data(export).write(to: URL(filePath: "\(target)/export.jsonl"))
    }
}
