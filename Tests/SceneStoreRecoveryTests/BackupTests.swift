import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreTestContainers

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Backups")
struct BackupTests {
    private func filled(_ container: TestContainer) throws -> SceneSessionStore {
        let store = try container.open()
        try store.fill(container.clock)
        return store
    }

    @Test("R-07 a backup is whole, private, proved by its checksum and never overwrites unasked")
    func make() throws {
        let container = TestContainer()
        let store = try filled(container)
        let path = container.parent.file("backup.sqlite")
        let backup = try store.copy(to: path)
        let bytes = Array(try #require(FileManager.default.contents(atPath: path)))
        #expect(Int64(bytes.count) == backup.byteCount)
        let hash = String(ContentHash.hash(bytes), radix: 16)
        #expect(backup.checksum.hasSuffix(hash))
        #expect(try StoreBackup.checkSum(path))
        #expect(try System.status(at: path).permissions == 0o600)
        #expect(failure { try store.backUp(to: path) } == .invalidLocation)
        _ = try store.add("later")
        try store.backUp(to: path, replacing: true)
        #expect(try StoreBackup.checkSum(path))
        #expect(
            try StoreBackup.inspect(at: path).openSessions == store.openCount())
    }

    @Test("R-07 output onto the store or its side files is refused")
    func ownFiles() throws {
        let container = TestContainer()
        let store = try filled(container)
        for name in ContainerName.reserved {
            let code = failure {
                try store.backUp(to: container.path + "/" + name, replacing: true)
            }
            #expect(code == .invalidLocation, "\(name)")
        }
        try store.close()
        #expect(try container.open(.reader).verify().isSound)
    }

    @Test("S-31 a backup beside a running owner holds what was committed and changes no file")
    func beside() throws {
        let container = TestContainer()
        let store = try filled(container)
        let expected = try store.export()
        let before = container.files
        let reader = try container.open(.reader)
        let path = container.parent.file("backup.sqlite")
        try reader.backUp(to: path)
        try reader.close()
        #expect(container.files[ContainerName.store] == before[ContainerName.store])
        #expect(container.files[ContainerName.log] == before[ContainerName.log])
        let other = TestContainer()
        try SceneSessionStore.restore(from: path, to: other.location, options: other.options())
        #expect(try other.open().export() == expected)
    }

    @Test("S-61 S-11 a restore sets the old store aside whole")
    func restore() throws {
        let container = TestContainer()
        let store = try filled(container)
        let expected = try store.export()
        let path = container.parent.file("backup.sqlite")
        try store.backUp(to: path)
        _ = try store.add("later")
        store.abandon()
        let name = try SceneSessionStore.restore(
            from: path, to: container.location, options: container.options())
        let kept = try #require(name)
        #expect(container.quarantined().contains(kept + ".sqlite"))
        #expect(container.quarantined().contains(kept + ".sqlite-wal"))
        let back = try container.open()
        #expect(try back.export() == expected)
        #expect(try back.verify(.full).isSound)
        try back.close()
        // The store that was set aside is still whole.
        let target = container.parent.file("salvaged")
        let report = try SceneSessionStore.salvage(
            from: container.path + "/quarantine/" + kept + ".sqlite", to: target,
            options: container.options())
        #expect(report.isComplete)
    }

    @Test("S-61 R-27 what is restored goes on in the owner's next epoch, and is nobody's rollback")
    func epochs() throws {
        let container = TestContainer()
        var store = try filled(container)
        let path = container.parent.file("backup.sqlite")
        try store.backUp(to: path)
        func epoch(_ store: SceneSessionStore) throws -> Int64 {
            try store.read { db in db.store.ownerEpoch }
        }
        for _ in 0..<5 {
            try store.close()
            store = try container.open()
        }
        let before = try epoch(store)
        try store.close()
        let bytes = Array(try #require(FileManager.default.contents(atPath: path)))
        try SceneSessionStore.restore(
            from: path, to: container.location, options: container.options())
        store = try container.open()
        #expect(try epoch(store) > before)
        #expect(store.openingDiagnostics.isEmpty && store.rollback == nil)
        try store.close()
        // A store that is put there as it is knows nothing of the owners before it.
        try StoreReplacement.replace(
            at: container.location, by: bytes, log: nil, options: container.options())
        store = try container.open()
        #expect(store.openingDiagnostics.isEmpty && store.rollback == nil)
    }

    @Test("S-61 a backup that is damaged, or is a store in use, is not restored")
    func refusals() throws {
        let container = TestContainer()
        let store = try filled(container)
        let path = container.parent.file("backup.sqlite")
        try store.backUp(to: path)
        try store.close()
        let before = container.files
        var file = try DamagedFile(path)
        file.bytes[file.bytes.count - 50] ^= 1
        try file.write()
        func attempt() -> SceneStoreError.Code? {
            failure {
                try SceneSessionStore.restore(
                    from: path, to: container.location, options: container.options())
            }
        }
        #expect(attempt() == .corrupt)
        // Also without the sum, by the rows.
        try FileManager.default.removeItem(atPath: path + StoreBackup.checksumSuffix)
        file.bytes[file.bytes.count - 50] ^= 1
        let needle = Array("com.example.edit".utf8)
        for offset in file.bytes.count / 2..<file.bytes.count - needle.count
        where file.bytes[offset..<offset + needle.count].elementsEqual(needle) {
            file.bytes[offset] ^= 1
        }
        try file.write()
        #expect(attempt() == .corrupt)
        try Data([1]).write(to: URL(fileURLWithPath: path + "-wal"))
        #expect(attempt() == .orphanedWAL)
        #expect(container.files == before)
    }

    @Test("S-04 of the backups that commands make the newest twenty stay, and what goes is said")
    func retention() throws {
        let container = TestContainer()
        let store = try filled(container)
        var made: [String] = []
        for number in 1...22 {
            container.clock.advance(1_000)
            let backup = try #require(try store.backUp(before: "discard"))
            made.append(String(backup.path.split(separator: "/").last ?? ""))
            #expect(backup.removed == (number > 20 ? [made[number - 21]] : []))
        }
        #expect(try store.backups().count == 20)
        let names = container.names.filter { $0.hasPrefix("backups/") }
        #expect(names.count == 40)
        container.clock.advance(1_000)
        let oldest = made[2]
        let kept = try #require(try store.backUp(before: "discard", keeping: [oldest]))
        #expect(!kept.removed.contains(oldest))
    }

    @Test("S-04 after 30 days the newest three of the backups that commands made are left")
    func retentionByAge() throws {
        let container = TestContainer()
        let store = try filled(container)
        for _ in 0..<5 {
            try store.backUp(before: "discard")
        }
        // The system's clock dates the files.
        let made = try store.backups().map {
            try FileManager.default.attributesOfItem(atPath: $0)[.modificationDate] as? Date
        }
        let newest = try #require(made.compactMap { $0 }.max())
        container.clock.now = Int64(newest.timeIntervalSince1970 * 1_000) + 31 * 86_400_000
        let last = try #require(try store.backUp(before: "discard"))
        #expect(last.removed.count == 3)
        #expect(try store.backups().count == 3)
    }

    @Test("S-04 the backup just made stays, and the last three are kept, whatever the clock said")
    func retentionUnderClocks() throws {
        let container = TestContainer()
        let store = try filled(container)
        var made: [String] = []
        let day: Int64 = 86_400_000
        for (number, step) in [0, 9_000 * day, day, -8_000 * day, -1_000 * day].enumerated() {
            container.clock.advance(step)
            let backup = try #require(try store.backUp(before: "discard"))
            #expect(FileManager.default.fileExists(atPath: backup.path))
            made.append(backup.path)
            _ = try store.add("session-\(number)")
        }
        #expect(try store.backups().starts(with: made.suffix(3).reversed()))
        // An older state is restored later: what is made from then on is newer all the same.
        try store.close()
        try SceneSessionStore.restore(
            from: made[2], to: container.location, options: container.options())
        let second = try container.open()
        let last = try #require(try second.backUp(before: "discard"))
        #expect(try second.backups().first == last.path)
    }

    @Test("S-11 a backup that cannot be read comes last")
    func unreadableLast() throws {
        let container = TestContainer()
        let store = try filled(container)
        let backup = try #require(try store.backUp(before: nil))
        let other = container.path + "/backups/zzz.sqlite"
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: other))
        #expect(try store.backups() == [backup.path, other])
    }

    @Test("R-07 a backup removes what killed processes left half made, and nobody else's")
    func leftovers() throws {
        let container = TestContainer()
        let store = try filled(container)
        try store.backUp(before: "discard")
        // No process has the first number; the second is always one's.
        let dead = [".scenestore.2147483647.1.tmp", ".scenestore.2147483647.1.tmp-journal"]
        let living = ".scenestore.1.1.tmp"
        for name in dead + [living] {
            try Data([1]).write(to: URL(fileURLWithPath: container.path + "/backups/" + name))
        }
        let found = try ContainerExamination(of: container.location).leftovers
        #expect(found == dead.map { "backups/" + $0 })
        try store.backUp(before: "discard")
        let names = container.names.filter { $0.hasPrefix("backups/.") }
        #expect(names == ["backups/" + living])
    }

    @Test("R-07 the owner after one that died removes what it left in every folder")
    func leftoversOfOwner() throws {
        let container = TestContainer()
        let store = try filled(container)
        try store.backUp(before: "discard")
        store.abandon()
        let names = ["", "backups/"].flatMap { folder in
            ["tmp", "tmp-journal", "tmp-wal", "tmp-shm"].map {
                folder + ".scenestore.2147483647.7." + $0
            }
        }
        for name in names {
            try Data([1]).write(to: URL(fileURLWithPath: container.path + "/" + name))
        }
        try container.open().close()
        #expect(!container.names.contains { $0.contains(".scenestore.") })
    }

    @Test("S-04 before a migration one backup for each version of the schema")
    func beforeMigration() throws {
        let container = TestContainer()
        let store = try filled(container)
        for version in [1, 2, 2, 3, 4] {
            try FileRecovery().backUpBeforeMigration(
                container.path, version: version)
        }
        let names = container.names.filter {
            $0.hasPrefix("backups/") && $0.hasSuffix(".sqlite")
        }
        #expect(
            names == [
                "backups/schema-0002.sqlite", "backups/schema-0003.sqlite",
                "backups/schema-0004.sqlite",
            ])
        try store.close()
    }
}
