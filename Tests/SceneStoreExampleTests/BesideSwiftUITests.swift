import SceneStore
import SceneStoreLinks
import SceneStoreSwiftUIStandIn
import SceneStoreTesting
import Testing

// In a file that imports SwiftUI, two names mean two things. An app that writes them often gives
// SceneStore's a name of its own:
// snippet: beside-swiftui
typealias LiveScene = SceneStore.Scene

final class ZoomScene: SceneDelegate, SceneStorageOwner {
    weak var scene: LiveScene?
    @SceneStore.SceneStorage("zoom") var zoom = 1.0

    func scene(
        _ scene: LiveScene, willConnectTo session: SceneSession, options: ConnectionOptions
    ) {
        zoom += 0.5
    }
}
// end

private struct Reader: SwiftUIScene {
    @Environment(\.scenePhase) private var phase
    @SceneStoreSwiftUIStandIn.SceneStorage("page") private var page = 1
    @State private var text = ""

    var body: some SwiftUIScene {
        WindowGroup { Text("page \(page) \(text)") }
    }
}

private typealias SwiftUIScene = SceneStoreSwiftUIStandIn.Scene

/// Names that every app has: its own come first, and the library's are found by its module's name.
private enum Own {
    struct Value { var text = "own" }
    struct Route { var name = "own" }
    struct Payload { var bytes = 1 }
    struct Diagnostic { var line = 1 }
    struct Limits { var count = 1 }

    static let values: [String: SceneStore.Value] = [Value().text: 1]
    static let limits = SceneStore.Limits()
    static func bytes(of payload: SceneStore.Payload) -> Int { Payload().bytes }
    static func line(of diagnostic: SceneStore.Diagnostic) -> Int { Diagnostic().line }
    static func route() -> SceneStoreLinks.Route<String> {
        SceneStoreLinks.Route("/\(Route().name)", to: "place")
    }
}

private final class ZoomApp: SceneApplicationDelegate {
    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { ZoomScene() }
}

@Suite("Beside SwiftUI's names")
struct BesideSwiftUITests {
    @Test("L-86 a scene storage that is written with its module's name is SceneStore's")
    func storage() throws {
        let device = try SimulatedDevice(manifest: .windows("Page"))
        try device.launch { ZoomApp() }
        for zoom in [1.5, 2, 2.5] {
            if zoom > 1.5 {
                try device.relaunch()
            }
            #expect(try device.sceneDelegate(ZoomScene.self).zoom == zoom)
        }
    }

    @Test("an app's own names come before the library's, which are found by its module")
    func own() {
        #expect(Own.values["own"] == 1)
        #expect(Own.limits == SceneStore.Limits())
        #expect(Own.bytes(of: .urls([])) == 1)
    }
}
