# A superclass that is not among the sources: can't tell
expect none
answer url cold can't tell
answer url warm yes
--- SceneDelegate.swift
final class SceneDelegate: RouterSceneDelegate {
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
}
