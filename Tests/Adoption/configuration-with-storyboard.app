# A configuration with a storyboard
expect none
--- Info.plist
<plist version="1.0"><dict>
<key>CFBundlePackageType</key><string>APPL</string>
<key>UIMainStoryboardFile</key><string>Main</string>
<key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key><dict>
<key>UIWindowSceneSessionRoleApplication</key><array><dict>
<key>UISceneConfigurationName</key><string>Default</string>
<key>UISceneDelegateClassName</key><string>$(PRODUCT_MODULE_NAME).SceneDelegate</string><key>UISceneStoryboardFile</key><string>Main</string>
</dict></array></dict></dict></dict></plist>
