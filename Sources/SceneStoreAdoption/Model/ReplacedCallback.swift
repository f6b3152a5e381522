/// A method of the application delegate that an app with scenes never gets, and the one that comes
/// instead. Methods with a payload are judged by the payload.
struct ReplacedCallback: Sendable {
    let old: Callback
    let new: Callback
    /// When the new one comes, for people.
    let when: String
    /// Whether it tells of an activity beside its delivery, which SwiftUI tells no view of.
    var isOfActivity = false
}

extension ReplacedCallback {
    static let all = [
        didBecomeActive, willResignActive, didEnterBackground, willEnterForeground,
        didAcceptShare, willContinue, didFailToContinue, didUpdateActivity,
    ]

    static let didBecomeActive = ReplacedCallback(
        old: Callback("applicationDidBecomeActive(_:)", "applicationDidBecomeActive:"),
        new: Callback("sceneDidBecomeActive(_:)", "sceneDidBecomeActive:"),
        when: "at a launch and whenever the scene becomes active")
    static let willResignActive = ReplacedCallback(
        old: Callback("applicationWillResignActive(_:)", "applicationWillResignActive:"),
        new: Callback("sceneWillResignActive(_:)", "sceneWillResignActive:"),
        when: "whenever the scene stops being active")
    static let didEnterBackground = ReplacedCallback(
        old: Callback("applicationDidEnterBackground(_:)", "applicationDidEnterBackground:"),
        new: Callback("sceneDidEnterBackground(_:)", "sceneDidEnterBackground:"),
        when: "whenever the scene goes to the background")
    static let willEnterForeground = ReplacedCallback(
        old: Callback("applicationWillEnterForeground(_:)", "applicationWillEnterForeground:"),
        new: Callback("sceneWillEnterForeground(_:)", "sceneWillEnterForeground:"),
        when: "at a launch and whenever the scene comes to the foreground")
    static let didAcceptShare = ReplacedCallback(
        old: Callback(
            "application(_:userDidAcceptCloudKitShareWith:)",
            "application:userDidAcceptCloudKitShareWithMetadata:"),
        new: Callback(
            "windowScene(_:userDidAcceptCloudKitShareWith:)",
            "windowScene:userDidAcceptCloudKitShareWithMetadata:"),
        when: "for the running app (a share that starts the app is in "
            + "connectionOptions.cloudKitShareMetadata)")
    static let willContinue = ReplacedCallback(
        old: Callback(
            "application(_:willContinueUserActivityWithType:)",
            "application:willContinueUserActivityWithType:"),
        new: Callback(
            "scene(_:willContinueUserActivityWithType:)",
            "scene:willContinueUserActivityWithType:"),
        when: "before \(Callback.sceneContinue.title)", isOfActivity: true)
    static let didFailToContinue = ReplacedCallback(
        old: Callback(
            "application(_:didFailToContinueUserActivityWithType:error:)",
            "application:didFailToContinueUserActivityWithType:error:"),
        new: Callback(
            "scene(_:didFailToContinueUserActivityWithType:error:)",
            "scene:didFailToContinueUserActivityWithType:error:"),
        when: "if an announced activity can't be fetched", isOfActivity: true)
    static let didUpdateActivity = ReplacedCallback(
        old: Callback("application(_:didUpdate:)", "application:didUpdateUserActivity:"),
        new: Callback("scene(_:didUpdate:)", "scene:didUpdateUserActivity:"),
        when: "whenever an activity of the scene is updated", isOfActivity: true)
}
