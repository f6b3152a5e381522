# A universal link that the Info.plist declares as an activity type
expect AD004
answer activity cold no
answer activity warm yes
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        LinkingModule.application(UIApplication.shared, continue: userActivity)
    }
}
--- Info.plist
<plist version="1.0"><dict><key>NSUserActivityTypes</key><array><string>NSUserActivityTypeBrowsingWeb</string></array><key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key><dict><key>UIWindowSceneSessionRoleApplication</key><array><dict><key>UISceneConfigurationName</key><string>Default</string><key>UISceneDelegateClassName</key><string>$(PRODUCT_MODULE_NAME).SceneDelegate</string></dict></array></dict></dict></dict></plist>
