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

/// The order in which a store's files change places, and what a repair leaves as it is.
@Suite("Replacing a store")
struct ReplacingTests {
    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    @Test("L-43 S-70 what an app erases after its store was recovered is in no file any more")
    func erased() throws {
        let container = TestContainer()
        let truth = try damaged(container, backsUp: true)
        let store = try container.open()
        #expect(try store.openCount() > truth.numbers.count)
        #expect(!container.quarantined().isEmpty)
        try store.erase()
        try store.close()
        for (name, bytes) in container.files {
            for identifier in truth.numbers.keys {
                #expect(bytes.range(of: Data(identifier.utf8)) == nil, "\(name)")
            }
        }
        #expect(container.quarantined().isEmpty)
    }

    @Test(
        "L-43 S-70 an erasure that is killed once an empty store is there is finished by idle work")
    func erasedAnew() throws {
        let container = TestContainer()
        let truth = try damaged(container)
        let folder = try ContainerFolder.open(container.path, access: .owner)
        let file = try AtomicFile(in: folder, name: ContainerName.store, replacing: true)
        let maker = StoreMaker(options: container.options(), ownerEpoch: 40, isErasing: true)
        try maker.buildEmpty(at: file.temporaryPath, losing: 0, commits: 0)
        let quarantine = try folder.folder(ContainerName.quarantine, createsMissing: true)
        try folder.move(ContainerName.store, to: quarantine, as: "T-erased.sqlite")
        try file.commit()
        let store = try container.open()
        #expect(try store.openCount() == 0)
        while try store.upkeep.perform(budgetMilliseconds: 60_000) {}
        try store.close()
        for (name, bytes) in container.files {
            for identifier in truth.numbers.keys {
                #expect(bytes.range(of: Data(identifier.utf8)) == nil, "\(name)")
            }
        }
        #expect(container.quarantined().isEmpty)
    }

    @Test("S-11 R-07 that a new store's log is gone is on the disk before its marker changes")
    func newLog() throws {
        let container = TestContainer()
        let folder = try container.closed(holding: "A")
        let quarantine = try folder.folder(ContainerName.quarantine, createsMissing: true)
        // As a process leaves it that died when it had put the new store's log in its place.
        let base = "20260101T000000.000Z-replaced"
        try folder.move(ContainerName.store, to: quarantine, as: base + ".sqlite")
        try write("\"log\"\n", quarantine.path + "/\(base).unfinished")
        try write("log", container.path + "/" + ContainerName.log)
        let recorded = try recordedCalls { try SetAside.finishInterrupted(folder) }
        #expect(try container.open().openRecords().map(\.identifier) == ["A"])
        if let recorded {
            #expect(
                recorded.filter { $0 != "remove temporary" }.starts(with: [
                    "remove \(ContainerName.log)", "sync container", "sync temporary",
                    "rename \(base).unfinished", "sync quarantine",
                ]), "\(recorded)")
        }
    }

    @Test("S-11 R-07 a replacement that fails at its end gives the old store back")
    func failsAtItsEnd() throws {
        let container = TestContainer()
        let folder = try container.closed(holding: "A")
        for hasLog in [false, true] {
            let setAside = SetAside(folder: folder, time: 1_767_225_600_000)
            let code = failure {
                try setAside.replace(reason: "replaced") { (path, _) throws(SceneStoreError) in
                    // Whatever removes it: what was built is not there when it is to be renamed.
                    try? FileManager.default.removeItem(atPath: path)
                    return .null
                } prepare: { () throws(SceneStoreError) in
                    if !hasLog {
                        throw SceneStoreError(.ioError, "nothing is prepared")
                    }
                }
            }
            #expect(code != nil)
            #expect(container.files[ContainerName.store] == nil)
            #expect(try container.open().openRecords().map(\.identifier) == ["A"])
            #expect(container.quarantined().isEmpty)
        }
        let code = failure {
            try SetAside(folder: folder, time: 1_767_225_600_000).replace(reason: "replaced") {
                (path, _) throws(SceneStoreError) in
                try? FileManager.default.removeItem(atPath: path)
                return .null
            }
        }
        #expect(code != nil)
        #expect(container.files[ContainerName.store] == nil)
        #expect(try container.open().openRecords().map(\.identifier) == ["A"])
    }

    @Test("S-04 R-07 the old sum goes before the backup that takes the place of the old one")
    func oldSum() throws {
        let container = TestContainer()
        let store = try container.open()
        let path = container.parent.file("backup.sqlite")
        try store.backUp(to: path)
        for _ in 0..<2 {
            let recorded = try recordedCalls { try store.backUp(to: path, replacing: true) }
            #expect(try StoreBackup.checkSum(path))
            if let recorded {
                #expect(
                    recorded.filter { $0.contains("backup.sqlite") } == [
                        "remove backup.sqlite.xxh64", "remove backup.sqlite-wal",
                        "rename backup.sqlite", "rename backup.sqlite.xxh64",
                    ])
            }
        }
    }

    @Test("S-31 R-09 a reader's backup holds one moment, whatever the owner saves meanwhile")
    func oneMoment() throws {
        let container = TestContainer()
        let store = try container.open()
        let record = try store.add("A")
        // More pages than are copied in one step.
        try store.save(record, activity(1, bytes: 6 << 20))
        let path = container.parent.file("backup.sqlite")
        let reader = try container.open(.reader) {
            $0.workObserver = { progress in
                if progress.stage == "copying", progress.done > 0 {
                    _ = try? store.add("later")
                }
                return true
            }
        }
        try reader.backUp(to: path)
        #expect(try store.openRecords().map(\.identifier) == ["later", "A"])
        let other = TestContainer()
        try SceneSessionStore.restore(from: path, to: other.location, options: other.options())
        let copy = try other.open()
        #expect(try copy.openRecords().map(\.identifier) == ["A"])
        #expect(try copy.restorationActivity(key: record.key)?.userInfo["number"] == 1)
    }

    @Test("R-24 a salvage into a directory that holds a store, or the log of one, is refused")
    func salvageIntoStore() throws {
        let source = TestContainer()
        let store = try source.open()
        _ = try store.add("A")
        try store.close()
        for name in [ContainerName.store, ContainerName.log] {
            let target = TestContainer()
            try target.open().close()
            if name == ContainerName.log {
                try FileManager.default.moveItem(
                    atPath: target.store, toPath: target.path + "/" + name)
            }
            let before = target.files[name]
            let code = failure {
                _ = try SceneSessionStore.salvage(
                    from: source.store, to: target.path, options: target.options())
            }
            #expect(code == .invalidLocation)
            #expect(target.files[name] == before)
        }
    }

    @Test("S-61 what a repair could not mend is told")
    func remaining() throws {
        let container = TestContainer()
        for hasYear in [false, true] {
            let store = try container.open {
                $0.clock = { hasYear ? 8_640_000_000_001_000_000 : 1_767_225_600_000 }
            }
            _ = try store.add("\(hasYear)")
            try store.close()
            let report = try SceneSessionStore.repair(
                at: container.location, options: container.options(.editor))
            #expect(report.findings.map(\.code) == (hasYear ? [.impossibleClock] : []))
            #expect(report.remaining == report.findings)
        }
    }

    @Test("S-61 R-27 a repair that finds nothing keeps known what the last owner left")
    func closing() throws {
        let container = TestContainer()
        var store = try container.open()
        let record = try store.add("A")
        for isRepaired in [false, true] {
            try store.save(record, activity(1))
            try store.log.checkpoint()
            // Older, and of the very epoch of the last owner.
            let old = try DamagedFile(container.store)
            try store.save(record, activity(2))
            try store.close()
            if isRepaired {
                let report = try SceneSessionStore.repair(
                    at: container.location, options: container.options(.editor))
                #expect(report.findings.isEmpty && report.setAside == nil)
            }
            try old.write()
            #expect(failure { _ = try container.open { $0.rollback = .fail } } == .rolledBack)
            store = try container.open()
            #expect(store.rollback != nil)
        }
    }
}
