# A configuration without a class connects without a delegate
expect AD025
--- Info.plist
<plist version="1.0"><dict>
<key>CFBundlePackageType</key><string>APPL</string>

<key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key><dict>
<key>UIWindowSceneSessionRoleApplication</key><array><dict>
<key>UISceneConfigurationName</key><string>Default</string>

</dict></array></dict></dict></dict></plist>
