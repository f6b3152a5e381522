# A library's application delegate may name a configuration: can't tell
expect none
ask 2
--- AppDelegate.swift
// A UIApplicationDelegate by its superclass.
@main class AppDelegate: ExpoAppDelegate {
}
--- Info.plist
<plist version="1.0"><dict><key>CFBundlePackageType</key><string>APPL</string></dict></plist>
