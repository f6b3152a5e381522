# Comments, raw strings and interpolations hide nothing and add nothing
expect AD003
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        /* /* Router.open(connectionOptions.urlContexts) */ "*/
        let text = #"Router.open(\(connectionOptions.urlContexts))"#
        let other = """
            Router.open(connectionOptions.urlContexts) \("{" + "}")
            """
        start(text, other)
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
}
