# CarPlay can start the app, and then no window connects that opens the library
expect none
ask 1
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        Library.shared.open()
    }
}
final class CarSceneDelegate: UIResponder, CPTemplateApplicationSceneDelegate {
    func templateApplicationScene(
        _ scene: CPTemplateApplicationScene, didConnect controller: CPInterfaceController
    ) {
        controller.setRootTemplate(Library.shared.template, animated: false)
    }
}
--- Info.plist
<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>CFBundlePackageType</key><string>APPL</string>
<key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key><dict>
<key>CPTemplateApplicationSceneSessionRoleApplication</key><array><dict>
<key>UISceneDelegateClassName</key><string>$(PRODUCT_MODULE_NAME).CarSceneDelegate</string>
</dict></array>
<key>UIWindowSceneSessionRoleApplication</key><array><dict>
<key>UISceneDelegateClassName</key><string>$(PRODUCT_MODULE_NAME).SceneDelegate</string>
</dict></array></dict></dict></dict></plist>
