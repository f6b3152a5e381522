import SceneStore
import SceneStoreTesting
import Testing

/// What the reference shows of disks and memory that fail.
@Suite("Examples of faults")
struct FaultExamples {
    @Test("a disk that fails, and how it is set up")
    func disks() {
        // example: FaultDisk
        let disk = FaultDisk(seed: 1, kind: .memory)
        let fault = FaultDisk.Fault([.read], files: [.mainDatabase], at: 2, effect: .short)
        disk.program = [fault]  // the second read; SQLite opens the disk as `disk.vfsName`
        let written = disk.counting { _ = disk.write([1, 2, 3], to: "notes") }.bytesWritten  // 3
        disk.reboot(seed: 1, mode: .loseAll)  // nothing was synced
        // end
        #expect(written == 3 && disk.fileSize("notes") == nil)
        // example: FaultDisk.Settings
        disk.configure { settings in
            settings.sectorSize = .bytes512
            settings.directoryDurability = .strict
        }
        // end
        #expect(disk.settings.sectorSize == .bytes512)
    }

    @Test("a recording, cut at each of its steps")
    func traces() throws {
        var sizes: [UInt64?] = []
        let disk = FaultDisk(seed: 1)
        // example: FaultDisk.Trace
        disk.startTrace()
        let codes = [disk.write([1, 2, 3], to: "notes"), disk.sync("notes")]
        let trace = try #require(disk.endTrace())
        let steps = trace.count  // every one a moment at which the power can fail
        // end
        #expect(steps > 1 && codes == [0, 0])
        var positions: [Int] = []
        // example: FaultDisk.PowerCut
        trace.forEachPowerCut(seed: 1, outcomes: 2) { cut, disk in
            positions.append(cut.position)
            sizes.append(disk.fileSize("notes"))
            return true  // go on
        }
        // end
        #expect(positions.count > 2 && sizes.count == positions.count)
        var reached: [Int] = []
        // example: FaultDisk.Replay
        var replay = trace.makeReplay()
        while replay.advance() {
            reached.append(replay.position)
            sizes.append(replay.powerCut(seed: 1).fileSize("notes"))
        }
        // end
        #expect(reached.count > 0)
    }

    @Test("memory that runs out")
    func memory() async {
        await #expect(processExitsWith: .success) {
            // example: AllocationFaults
            let isReady = AllocationFaults.install()  // before the process uses SQLite
            let store = try? AllocationFaults.failing(at: 50) {
                try SceneSessionStore.open(at: .memory)
            }
            // end
            #expect(isReady && (store == nil || AllocationFaults.failures == 0))
        }
    }
}
