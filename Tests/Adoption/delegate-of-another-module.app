# A manifest that names a class of another module can't be judged
expect none
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {}
--- Info.plist
<plist version="1.0"><dict><key>CFBundlePackageType</key><string>APPL</string>
<key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key><dict>
<key>UIWindowSceneSessionRoleApplication</key><array>
<dict><key>UISceneConfigurationName</key><string>Default</string>
<key>UISceneDelegateClassName</key><string>Framework.FrameworkScenes</string></dict>
</array></dict></dict></dict></plist>
