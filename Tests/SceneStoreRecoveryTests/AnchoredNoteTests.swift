import SceneStore
import SceneStoreSQLite
import SceneStoreTestContainers
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A power cut may tear a commit that was not synced, and keep those after it. Only the note beside
/// the lock says that none of them was promised.
@Suite("The note of what is durable")
struct AnchoredNoteTests {
    private let container = TestContainer()

    /// How often a body syncs the lock's file; nil where that can't be recorded.
    private func locksSynced(_ body: () throws -> Void) throws -> Int? {
        try recordedCalls(body)?.count { $0 == "sync \(ContainerName.lock)" }
    }

    @Test("R-02 before a second commit without a sync the lock's note is on the disk")
    func order() throws {
        for _ in 0..<2 {
            let store = try container.open()
            let record = try store.record(identifier: "A") ?? store.add("A")
            try store.save(record, activity(0))
            for (number, expected) in [0, 1, 0, 0].enumerated() {
                let synced = try locksSynced {
                    try store.save(record, activity(number + 1), durability: .normal)
                }
                #expect(synced == nil || synced == expected, "commit \(number)")
            }
            try store.save(record, activity(9))
            let synced = try locksSynced {
                for number in 10...11 {
                    try store.save(record, activity(number), durability: .normal)
                }
            }
            #expect(synced == nil || synced == 0)
            try store.close()
        }
    }

    @Test("R-02 a commit that was not synced and is torn before others is no damage of the store")
    func torn() throws {
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        for number in 2...3 {
            try store.save(record, activity(number), durability: .normal)
        }
        // What was brought to the disk beside the lock; a later note may be lost in a power cut.
        let note = try #require(container.files[ContainerName.lock])
        try store.save(record, activity(4))
        let frames = try #require(container.files[ContainerName.log]?.count)
        for number in 5...9 {
            try store.save(record, activity(number), durability: .normal)
        }
        store.abandon()
        try note.write(to: URL(fileURLWithPath: container.path + "/" + ContainerName.lock))
        var log = try DamagedFile(container.path + "/" + ContainerName.log)
        log.bytes[frames + 100] ^= 0xFF
        try log.write()

        let next = try container.open()
        #expect(next.openingDiagnostics.isEmpty)
        #expect(try next.restorationActivity(key: record.key) == activity(4))
        #expect(container.quarantined().isEmpty)
    }
}
