# Of a link that is kept, only whether it is there is asked: it can't be told whether that is enough
expect none
ask 1
answer url cold can't tell
answer url warm yes
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    private var launchLink: URL?
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        if let context = connectionOptions.urlContexts.first {
            self.launchLink = context.url
        }
    }
    func sceneDidBecomeActive(_ scene: UIScene) {
        if let link = launchLink, let windowScene = scene as? UIWindowScene {
            Shelf.shared.show(in: windowScene)
            launchLink = nil
        }
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
}
