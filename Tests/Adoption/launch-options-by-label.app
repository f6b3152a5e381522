# The launch options go to a function that has another type for them
expect AD003 AD011
ask 0
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        start(application, withOptions: launchOptions)
    }
    func start(_ application: UIApplication, withOptions options: [AnyHashable: Any]?) -> Bool {
        if let url = options?[UIApplication.LaunchOptionsKey.url] as? URL {
            Router.shared.open(url)
        }
        return true
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
