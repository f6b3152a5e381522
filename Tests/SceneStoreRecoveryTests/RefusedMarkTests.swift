import SceneStore
import SceneStoreTestContainers
import SceneStoreTesting
import Testing

@Suite("An owner's mark that is refused")
struct RefusedMarkTests {
    /// What opens the store of a disk.
    private func opening(on disk: FaultDisk) -> () throws(SceneStoreError) -> SceneSessionStore {
        var options = TestContainer().options()
        options.vfs = disk.vfsName
        return { [options] () throws(SceneStoreError) in
            try SceneSessionStore.open(at: .directory("/container"), options: options)
        }
    }

    /// How many openings went on in memory, of those that meet a fault at each call of the log.
    private func refusals(_ effect: FaultDisk.Fault.Effect) throws -> Int {
        var refusals = 0
        for call in 1...12 as ClosedRange<UInt64> {
            let disk = FaultDisk(seed: call)
            let open = opening(on: disk)
            let first = try open()
            let record = try first.add("A")
            try first.save(record, activity(1))
            try first.close()

            disk.program = [
                .init([.write, .sync], files: [.writeAheadLog], at: call, effect: effect)
            ]
            let store = try open()
            let isRefused = store.refusal != nil
            store.holdRefusedWrites()
            try store.save(record, activity(2))
            disk.program = []
            if isRefused {
                refusals += 1
                // Nobody else can have written the mark that it finds.
                try store.reopenFile()
            } else if store.refusal != nil {
                try store.reopenFile()
            }
            #expect(store.refusal == nil)
            try store.close()
            let last = try open()
            #expect(try last.restorationActivity(key: record.key) == activity(2))
            try last.close()
        }
        return refusals
    }

    @Test("L-17 what a reset left and a reopening removed keeps no app from reopening once more")
    func afterReset() throws {
        #expect(try failuresAfterReset(.refused) > 3)
        #expect(try failuresAfterReset(.doneButReported) > 3)
    }

    /// How many reopenings fail, of those that meet a fault at each call of the log.
    private func failuresAfterReset(_ effect: FaultDisk.Fault.Effect) throws -> Int {
        var failures = 0
        for call in 1...30 as ClosedRange<UInt64> {
            let disk = FaultDisk(seed: call)
            let open = opening(on: disk)
            func refuse(
                from call: UInt64, _ effect: FaultDisk.Fault.Effect, isPermanent: Bool = false
            ) {
                disk.program = [
                    .init(
                        [.write, .sync], files: [.writeAheadLog], at: call,
                        isPermanent: isPermanent, effect: effect)
                ]
            }
            let first = try open()
            try first.save(first.add("A"), activity(1))
            try first.reset()
            first.abandon()
            refuse(from: 1, .refused, isPermanent: true)
            let store = try open()
            #expect(store.refusal != nil)
            store.holdRefusedWrites()
            let record = try store.add("B")
            try store.save(record, activity(2))
            refuse(from: call, effect)
            try? store.reopenFile()
            failures += store.refusal == nil ? 0 : 1
            disk.program = []
            try store.reopenFile()
            #expect(store.refusal == nil)
            try store.close()
            let last = try open()
            #expect(try last.restorationActivity(key: record.key) == activity(2))
            try last.close()
        }
        return failures
    }

    @Test("L-17 a mark that was written and reported as failed is the app's own when it reopens")
    func doneButReported() throws {
        #expect(try refusals(.doneButReported) > 1)
    }

    @Test("L-17 a mark that was refused keeps no app from reopening its store")
    func refused() throws {
        #expect(try refusals(.refused) > 1)
    }
}
