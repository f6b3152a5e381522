# A Swift class that the manifest knows by its Objective-C name
expect AD003
--- SceneDelegate.swift
@objc(MainScene)
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
}
--- Info.plist
DELEGATE MainScene
