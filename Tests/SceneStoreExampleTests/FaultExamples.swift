import SceneStore
import SceneStoreTesting
import Testing

/// What the reference shows of a disk that fails.
@MainActor
@Suite("Examples of faults")
struct FaultExamples {
    @Test("a disk that fails, and how it is set up")
    func disks() throws {
        let device = try SimulatedDevice()
        try device.launch { NotesApp() }
        try device.sceneDelegate(NoteWindow.self).state.text = "draft"
        // example: FaultDisk
        let disk = try #require(device.disk)
        disk.program = [FaultDisk.Fault([.open, .write], files: [.writeAheadLog], effect: .short)]
        let syncs = try disk.counting { try device.moveToBackground() }.syncs
        disk.configure { $0.liesAboutSync = true }
        try device.cutPower(seed: 1, mode: .loseAll)
        // end
        #expect(syncs > 0)
        #expect(device.diagnostics.map(\.code) == [.writeRefused])
        // example: FaultDisk.Settings
        disk.configure { settings in
            settings.sectorSize = .bytes512
            settings.directoryDurability = .strict
        }
        // end
        #expect(disk.settings.sectorSize == .bytes512)
    }
}
