# An activity in a file that the watch shares, whose type the watch declares
expect none
--- Shared.swift
extension NSUserActivity {
    static func added() -> NSUserActivity { NSUserActivity(activityType: "com.example.added") }
}
--- Info.plist
WITH-TYPE
--- Watch/Info.plist
<plist version="1.0"><dict><key>WKApplication</key><true/>
<key>NSUserActivityTypes</key><array><string>com.example.added</string></array>
</dict></plist>
