# Restoration by the application delegate, in a file of its own
expect AD015
--- AppDelegate+State.swift
extension AppDelegate {
    func application(
        _ application: UIApplication, shouldSaveSecureApplicationState coder: NSCoder
    ) -> Bool { return true }
}
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {}
--- Editor.swift
final class Editor: UIViewController {
    override func encodeRestorableState(with coder: NSCoder) { coder.encode(text, forKey: "text") }
}
