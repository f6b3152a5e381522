# A conformance through a typealias
expect AD003
--- Alias.swift
typealias SceneDelegateType = UIResponder & UIWindowSceneDelegate
--- SceneDelegate.swift
final class SceneDelegate: SceneDelegateType {
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
}
