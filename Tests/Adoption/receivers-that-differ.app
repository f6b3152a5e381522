# Of two scene delegates that the provider names only the first one takes links, which were once
# in the launch options
expect none
answer url cold can't tell
answer url warm can't tell
ask 2
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if let url = launchOptions?[.url] as? URL { Router.open([url]) }
        return true
    }
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
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        Router.open(connectionOptions.urlContexts)
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
}
final class PanelSceneDelegate: UIResponder, UIWindowSceneDelegate {}
--- Info.plist
<plist version="1.0"><dict><key>CFBundlePackageType</key><string>APPL</string>
<key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key><array><string>example</string>
</array></dict></array>
<key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key><dict>
<key>UIWindowSceneSessionRoleApplication</key><array>
<dict><key>UISceneConfigurationName</key><string>Main</string>
<key>UISceneDelegateClassName</key><string>$(PRODUCT_MODULE_NAME).SceneDelegate</string></dict>
<dict><key>UISceneConfigurationName</key><string>Panel</string>
<key>UISceneDelegateClassName</key><string>$(PRODUCT_MODULE_NAME).PanelSceneDelegate</string></dict>
</array></dict></dict>
</dict></plist>
