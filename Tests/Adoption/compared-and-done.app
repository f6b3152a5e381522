# A link that is only compared, and something is done
expect none
answer activity cold yes
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let userActivity = connectionOptions.userActivities.first,
            userActivity.activityType == NSUserActivityTypeBrowsingWeb, let _ = userActivity.webpageURL
        else {
            return
        }
        state.showsChat = true
    }
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        Router.open(userActivity.webpageURL)
    }
    func open(_ contexts: Set<UIOpenURLContext>) {
        if contexts.first?.url.host == "chat" {
            showChat()
        }
    }
}
