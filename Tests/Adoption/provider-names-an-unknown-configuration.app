# The provider names a configuration that the manifest doesn't have
expect AD025
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, configurationForConnecting session: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        if options.userActivities.first?.activityType == "com.example.news" {
            return UISceneConfiguration(name: "News", sessionRole: session.role)
        }
        return UISceneConfiguration(name: "Default", sessionRole: session.role)
    }
}
