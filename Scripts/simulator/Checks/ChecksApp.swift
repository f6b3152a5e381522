import SceneStore
import SceneStoreUIKit
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    let recorder = try? SceneRecorder(at: .standard(bundleIdentifier: "com.example.checks"))
    let plugin = NotingPlugin()
    lazy var forwarder = ApplicationDelegateForwarder(to: plugin, application: .shared)

    func application(
        _ application: UIApplication, configurationForConnecting session: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: "Default", sessionRole: session.role)
        configuration.delegateClass = WindowSceneDelegate.self
        return configuration
    }

    func application(_ app: UIApplication, didDiscardSceneSessions sessions: Set<UISceneSession>) {
        recorder?.application(didDiscardSceneSessions: sessions)
    }

    func applicationWillTerminate(_ application: UIApplication) {
        recorder?.applicationWillTerminate()
    }
}

/// Shows the text, and the notes of the plug-in, which the checks read.
final class WindowSceneDelegate: ChecksSceneDelegate {
    var window: UIWindow?
    private let field = UITextField()
    private let notes = UILabel()

    override func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        let app = UIApplication.shared.delegate as? AppDelegate
        recorder = app?.recorder
        forwarder = app?.forwarder
        super.scene(scene, willConnectTo: session, options: connectionOptions)
        guard let windowScene = scene as? UIWindowScene else {
            return
        }
        field.accessibilityIdentifier = "text"
        field.borderStyle = .roundedRect
        field.text = text
        field.addAction(
            UIAction { [weak self] _ in self?.text = self?.field.text ?? "" },
            for: .editingChanged)
        notes.accessibilityIdentifier = "notes"
        notes.numberOfLines = 0
        let stack = UIStackView(arrangedSubviews: [field, notes])
        stack.axis = .vertical
        stack.frame = CGRect(x: 20, y: 100, width: 300, height: 300)
        let controller = UIViewController()
        controller.view.backgroundColor = .systemBackground
        controller.view.addSubview(stack)
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = controller
        window.makeKeyAndVisible()
        self.window = window
    }

    override func sceneDidBecomeActive(_ scene: UIScene) {
        super.sceneDidBecomeActive(scene)
        showNotes()
    }

    override func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        super.scene(scene, openURLContexts: contexts)
        showNotes()
    }

    private func showNotes() {
        let plugin = (UIApplication.shared.delegate as? AppDelegate)?.plugin
        notes.text = plugin?.notes.joined(separator: ", ")
    }
}
