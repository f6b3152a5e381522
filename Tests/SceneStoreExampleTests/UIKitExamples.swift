import Foundation
import SceneStore
import SceneStoreUIKit
import Testing

#if !canImport(UIKit)
    import SceneStoreUIKitStandIn

    /// What the reference shows of apps that use UIKit.
    @MainActor
    @Suite("Examples of UIKit apps")
    struct UIKitExamples {
        // example: SceneRecorder
        final class AppDelegate: UIResponder, UIApplicationDelegate {
            let recorder = try? SceneRecorder(at: .standard(bundleIdentifier: "com.example.notes"))
            func applicationWillTerminate(_ application: UIApplication) {
                recorder?.applicationWillTerminate()
            }
        }
        // end

        final class PlugIn: NSObject, UIApplicationDelegate {
            var links: [URL] = []

            func application(
                _ app: UIApplication, open url: URL,
                options: [UIApplication.OpenURLOptionsKey: Any] = [:]
            ) -> Bool {
                links.append(url)
                return true
            }
        }

        final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
            let forwarder: ApplicationDelegateForwarder

            init(_ forwarder: ApplicationDelegateForwarder) {
                self.forwarder = forwarder
            }

            // example: ApplicationDelegateForwarder
            func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
                forwarder.scene(scene, openURLContexts: contexts)
            }
            // end
        }

        @Test("what an app's delegates hand on")
        func delegates() throws {
            let plugIn = PlugIn()
            let application = UIApplication()
            let delegate = SceneDelegate(
                ApplicationDelegateForwarder(to: plugIn, application: application))
            let session = UISceneSession(
                persistentIdentifier: "A",
                configuration: UISceneConfiguration(name: "Note", sessionRole: .windowApplication))
            let scene = UIScene(session: session, connectionOptions: UIScene.ConnectionOptions())
            let url = try #require(URL(string: "notes://note/12"))
            delegate.scene(
                scene,
                openURLContexts: [UIOpenURLContext(url: url, options: UIScene.OpenURLOptions())])
            #expect(plugIn.links == [url])
        }
    }
#endif
