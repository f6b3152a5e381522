# An activity whose type is a constant that the manifest lacks
expect AD016
--- Editor.swift
final class Editor: UIViewController {
    static let type = "com.example.write"
    func begin() { userActivity = NSUserActivity(activityType: Editor.type) }
}
--- Info.plist
WITH-TYPE
