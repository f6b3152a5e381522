# An activity whose type is a constant that the manifest has
expect none
--- Editor.swift
final class Editor: UIViewController {
    static let type = "com.example.read"
    func begin() { userActivity = NSUserActivity(activityType: Editor.type) }
}
--- Info.plist
WITH-TYPE
