# A method whose work moved as a whole, to a function that the scene delegate calls
expect none
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func applicationDidEnterBackground(_ application: UIApplication) {
        print("background")
        leave()
    }
    func leave() {
        store.save()
        badge.refresh()
    }
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func sceneDidEnterBackground(_ scene: UIScene) {
        coordinator.suspend()
    }
}
final class Coordinator {
    func suspend() {
        badge.refresh()
        store.save()
    }
}
