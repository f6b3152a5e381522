# Launch options that are only logged, or go to a function that does nothing
expect none
ask 0
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if launchOptions?[.remoteNotification] != nil {
            print("a notification")
        }
        if let url = launchOptions?[.url] {
            if let url = url as? URL {
                parse(url)
            }
        }
        return true
    }
    func parse(_: URL) {
        guard Bundle.main.bundleIdentifier != nil else { return }
    }
}
--- Info.plist
<plist version="1.0"><dict><key>CFBundlePackageType</key><string>APPL</string>
<key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key><array><string>example</string>
</array></dict></array><key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key><dict>
<key>UIWindowSceneSessionRoleApplication</key><array><dict>
<key>UISceneConfigurationName</key><string>Default</string>
<key>UISceneDelegateClassName</key><string>$(PRODUCT_MODULE_NAME).SceneDelegate</string>
</dict></array></dict></dict>
</dict></plist>
