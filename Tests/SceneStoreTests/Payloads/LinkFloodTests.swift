import Testing

import SceneStore
@testable import SceneStoreTesting

/// What happens while no scene is ready.
@Suite("A flood of links")
struct LinkFloodTests {
    @Test("R-34 links that arrive while no scene is ready are bounded and counted")
    func flood() throws {
        final class FloodedApp: SceneApplicationDelegate {
            var refused = 0
            func application(
                _ application: SceneApplication,
                didFinishLaunchingWithOptions options: LaunchOptions
            ) -> Bool {
                for number in 0..<1_000 {
                    do throws(SceneStoreError) {
                        try application.open([OpenURLContext(url: "app://\(number)")])
                    } catch {
                        refused += 1
                    }
                }
                return true
            }
            func application(
                _ application: SceneApplication, sceneDelegateFor session: SceneSession
            ) -> (any SceneDelegate)? { scene }
            let scene = CountingScene()
        }
        final class CountingScene: SceneDelegate {
            var opened: [String] = []
            func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
                opened += contexts.map(\.url)
            }
        }
        let device = try SimulatedDevice(manifest: .notes)
        let app = FloodedApp()
        let running = try device.launch { app }
        #expect(app.scene.opened == (0..<64).map { "app://\($0)" })
        #expect(app.refused == 936)
        #expect(running.events.refusedPayloads == 936)
        try running.open([OpenURLContext(url: "app://later")])
        #expect(app.scene.opened.last == "app://later")
    }
}
