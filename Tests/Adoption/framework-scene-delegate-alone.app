# A scene delegate under a framework's, without an application delegate among the sources
expect none
answer url cold yes
answer url warm yes
--- SceneDelegate.swift
final class SceneDelegate: FlutterSceneDelegate {
    override func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        super.scene(scene, willConnectTo: session, options: connectionOptions)
        connectionOptions.urlContexts.forEach { Inbox.shared.receive($0.url) }
    }
    override func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        super.scene(scene, openURLContexts: contexts)
        contexts.forEach { Inbox.shared.receive($0.url) }
    }
}
--- unused.txt
UIApplicationDelegate
