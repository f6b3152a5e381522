import FoundationEssentials
import SceneStore
import SceneStoreTesting

/// The app whose windows the examples use: notes with a text and a line.
final class NotesApp: SceneConfigurationProvider {
    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration { session.configuration }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { NoteWindow() }
}

struct NoteText: SavedState, Equatable {
    static let activityType = "com.example.note"
    var text = "", line = 0
}

final class NoteWindow: StatefulSceneDelegate {
    var state = NoteText()
}

/// A device on which the app runs, and what examples call its parts.
@MainActor
struct Sample {
    let device: SimulatedDevice
    let application: SceneApplication
    let scene: Scene
    var session: SceneSession { scene.session }
    var store: SceneSessionStore { application.store }

    init() throws {
        device = try SimulatedDevice(manifest: .windows("Note"))
        application = try device.launch { NotesApp() }
        scene = application.connectedScenes[0]
    }
}

/// Examples around one running app, whose parts they call what an app calls them.
@MainActor
protocol SampleExamples {
    var sample: Sample { get }
}

extension SampleExamples {
    var application: SceneApplication { sample.application }
    var scene: Scene { sample.scene }
    var session: SceneSession { sample.session }
    var store: SceneSessionStore { sample.store }
}

/// A directory of its own for each use, which nobody else sees and which is removed with its content.
func withDirectory<Result>(_ body: (_ path: String) throws -> Result) throws -> Result {
    let directory = FileManager.default.temporaryDirectory.appending(
        path: "example-" + UUID().uuidString)
    try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(directory.path(percentEncoded: false))
}
