# A preprocessed Info.plist, whose directives are indented
expect AD014
ask 0
--- Panel.swift
func show(_ panel: UIView) {
    UIApplication.shared.keyWindow?.addSubview(panel)
}
--- Info.plist
<plist version="1.0"><dict>
<key>CFBundlePackageType</key><string>APPL</string>
<key>UIBackgroundModes</key><array>
	#ifndef WITHOUT_LOCATION
	<string>location</string>
	#endif
</array>
<key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key><dict>
<key>UIWindowSceneSessionRoleApplication</key><array><dict>
<key>UISceneConfigurationName</key><string>Default</string>
<key>UISceneDelegateClassName</key><string>$(PRODUCT_MODULE_NAME).SceneDelegate</string>
</dict></array></dict>
  # if TARGET_OS_TV
<key>UIApplicationSupportsMultipleScenes</key><false/>
  # else
<key>UIApplicationSupportsMultipleScenes</key><true/>
  # endif
</dict></dict></plist>
