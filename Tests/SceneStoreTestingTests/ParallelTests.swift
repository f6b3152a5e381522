import SceneStore
import SceneStoreTesting
import Testing

/// Tests run side by side and share nothing.
@Suite("Tests in parallel")
struct ParallelTests {
    @Test("no container is shared", arguments: 0..<24)
    func isolated(number: Int) throws {
        let storage: SimulatedDevice.Storage =
            number.isMultiple(of: 10) ? .temporaryDirectory : .memory
        let device = try SimulatedDevice(manifest: .windows("Note"), storage: storage)
        let application = try device.launch { NotesApp() }
        #expect(application.launchReason == .first)
        for step in 0..<5 {
            try device.sceneDelegate(NoteScene.self).text = "test \(number) step \(step)"
            try device.moveToBackground()
            try device.relaunch()
            #expect(
                device.sceneDelegates(NoteScene.self).map(\.text)
                    == ["test \(number) step \(step)"])
        }
        #expect(device.application?.openSessions.count == 1)
        // Equal devices have equal histories, whatever runs beside them.
        #expect(
            device.frontScene?.session.persistentIdentifier
                == SceneSession.ID(IdentifierSequence().next()))
    }
}
