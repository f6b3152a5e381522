# React Native looks for the first link in the launch options, and gets none
expect none
lost url cold can't tell
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        factory.startReactNative(withModuleName: "App", in: window, launchOptions: nil)
        for context in connectionOptions.urlContexts {
            RCTLinkingManager.application(.shared, open: context.url, options: [:])
        }
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        for context in contexts {
            RCTLinkingManager.application(.shared, open: context.url, options: [:])
        }
    }
}
