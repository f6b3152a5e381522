# An app without a scene manifest, whose application delegate does nothing
expect AD001
life application
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {}
--- Info.plist
<plist version="1.0"><dict><key>CFBundlePackageType</key><string>APPL</string></dict></plist>
