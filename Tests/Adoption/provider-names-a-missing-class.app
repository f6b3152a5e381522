# The provider names a configuration whose class does not exist
expect AD021
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, configurationForConnecting session: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        if options.userActivities.first?.activityType == "com.example.panel" {
            return UISceneConfiguration(name: "Panel", sessionRole: session.role)
        }
        return UISceneConfiguration(name: "Main", sessionRole: session.role)
    }
}
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {}
--- Info.plist
<plist version="1.0"><dict><key>CFBundlePackageType</key><string>APPL</string>
<key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key><dict>
<key>UIWindowSceneSessionRoleApplication</key><array>
<dict><key>UISceneConfigurationName</key><string>Main</string>
<key>UISceneDelegateClassName</key><string>$(PRODUCT_MODULE_NAME).SceneDelegate</string></dict>
<dict><key>UISceneConfigurationName</key><string>Panel</string>
<key>UISceneDelegateClassName</key><string>$(PRODUCT_MODULE_NAME).PanelSceneDelegate</string></dict>
</array></dict></dict>
</dict></plist>
