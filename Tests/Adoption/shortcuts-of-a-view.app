# A property of the same name that a view has offers no quick actions
expect none
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func fill(_ view: SearchView) {
        view.shortcutItems = [nearMe, mine]
    }
}
