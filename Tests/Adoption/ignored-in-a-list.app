# A comment in the Info.plist that leaves several codes out
expect none
--- Panel.swift
func show() {}
--- Info.plist
<plist version="1.0"><dict><key>CFBundlePackageType</key><string>APPL</string>
<!-- scenestore:ignore AD002, AD001 the scenes come later -->
</dict></plist>
