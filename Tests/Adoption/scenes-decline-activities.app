# No scene takes an activity of its own, so each one makes a scene that connects with it
expect none
answer activity cold yes
answer activity warm yes
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        Shelf.shared.open(userActivity.webpageURL)
        return true
    }
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        scene.activationConditions.canActivateForTargetContentIdentifierPredicate =
            NSPredicate(value: false)
        Shelf.shared.open(connectionOptions.userActivities.first?.webpageURL)
    }
}
--- Info.plist
SEVERAL SceneDelegate
