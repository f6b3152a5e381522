import SceneStoreTesting
import Testing

@Suite struct CallShortNameTests {
    static let sceneMethods: [(String, String)] = [
        ("will", "application(_:willFinishLaunchingWithOptions:)"),
        ("did", "application(_:didFinishLaunchingWithOptions:)"),
        ("discard", "application(_:didDiscardSceneSessions:)"),
        ("config", "application(_:configurationForConnecting:options:)"),
        ("connect", "scene(_:willConnectTo:options:)"),
        ("restore", "scene(_:restoreInteractionStateWith:)"),
        ("fg", "sceneWillEnterForeground(_:)"), ("active", "sceneDidBecomeActive(_:)"),
        ("inactive", "sceneWillResignActive(_:)"), ("bg", "sceneDidEnterBackground(_:)"),
        ("save", "stateRestorationActivity(for:)"), ("update", "scene(_:didUpdate:)"),
        ("disconnect", "sceneDidDisconnect(_:)"), ("url", "scene(_:openURLContexts:)"),
        ("willContinue", "scene(_:willContinueUserActivityWithType:)"),
        ("continue", "scene(_:continue:)"),
        ("failContinue", "scene(_:didFailToContinueUserActivityWithType:error:)"),
        ("shortcut", "windowScene(_:performActionFor:completionHandler:)"),
        ("response", "userNotificationCenter(_:didReceive:withCompletionHandler:)"),
    ]

    static let applicationMethods: [(String, String)] = [
        ("will", "application(_:willFinishLaunchingWithOptions:)"),
        ("did", "application(_:didFinishLaunchingWithOptions:)"),
        ("open", "application(_:open:options:)"),
        ("willContinue", "application(_:willContinueUserActivityWithType:)"),
        ("continue", "application(_:continue:restorationHandler:)"),
        ("failContinue", "application(_:didFailToContinueUserActivityWithType:error:)"),
        ("response", "userNotificationCenter(_:didReceive:withCompletionHandler:)"),
        ("performActionFor", "application(_:performActionFor:completionHandler:)"),
        ("didBecomeActive", "applicationDidBecomeActive(_:)"),
        ("willEnterForeground", "applicationWillEnterForeground(_:)"),
    ]

    @Test("the short names of the scene profile stand for these methods", arguments: sceneMethods)
    func scene(name: String, method: String) {
        #expect(CallShortName(rawValue: name)?.swiftName(in: .scene) == method)
    }

    @Test(
        "the short names before scenes stand for these methods", arguments: applicationMethods)
    func application(name: String, method: String) {
        #expect(CallShortName(rawValue: name)?.swiftName(in: .application) == method)
    }

    @Test("there are no other short names")
    func complete() {
        let names = Set((Self.sceneMethods + Self.applicationMethods).map(\.0))
        #expect(Set(CallShortName.allCases.map(\.rawValue)) == names)
    }
}
