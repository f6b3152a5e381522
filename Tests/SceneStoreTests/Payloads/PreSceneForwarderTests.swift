import FoundationEssentials
import SceneStore
import SceneStorePreScene
import SceneStoreTesting
import Testing

/// Notes the calls of an app from before scenes, by the short names of the contract.
private final class OldHandler: PreSceneHandler {
    var calls: [String] = []
    var options: [LaunchOptions] = []
    var launches = true
    var answers = true

    func willFinishLaunching(with options: LaunchOptions) -> Bool {
        calls.append("will")
        self.options.append(options)
        return launches
    }
    func didFinishLaunching(with options: LaunchOptions) -> Bool {
        calls.append("did")
        self.options.append(options)
        return true
    }
    func willEnterForeground() { calls.append("willEnterForeground") }
    func didBecomeActive() { calls.append("didBecomeActive") }
    func willResignActive() { calls.append("willResignActive") }
    func didEnterBackground() { calls.append("didEnterBackground") }
    func open(_ context: OpenURLContext) -> Bool {
        calls.append("open \(context.url)")
        return answers
    }
    func willContinueUserActivity(withType type: String) -> Bool {
        calls.append("willContinue")
        return answers
    }
    func continueUserActivity(_ activity: UserActivity) -> Bool {
        calls.append("continue")
        return answers
    }
    func didFailToContinueUserActivity(withType type: String, error: SceneStoreError) {
        calls.append("failContinue")
    }
    func performAction(
        for shortcutItem: ShortcutItem, completionHandler: @escaping (Bool) -> Void
    ) {
        calls.append("performActionFor")
        completionHandler(answers)
    }
    func didReceive(
        _ response: NotificationResponse, completionHandler: @escaping () -> Void
    ) {
        calls.append("response")
        completionHandler()
    }
}

/// An app with scenes that forwards everything.
private final class ForwardingApp: SceneApplicationDelegate {
    let forwarder: PreSceneForwarder
    init(_ handler: OldHandler) { forwarder = PreSceneForwarder(to: handler) }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? {
        ForwardingScene(forwarder)
    }
}

private final class ForwardingScene: SceneDelegate {
    let forwarder: PreSceneForwarder
    init(_ forwarder: PreSceneForwarder) { self.forwarder = forwarder }

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) {
        forwarder.scene(scene, willConnectTo: session, options: options)
    }
    func sceneWillEnterForeground(_ scene: Scene) { forwarder.sceneWillEnterForeground(scene) }
    func sceneDidBecomeActive(_ scene: Scene) { forwarder.sceneDidBecomeActive(scene) }
    func sceneWillResignActive(_ scene: Scene) { forwarder.sceneWillResignActive(scene) }
    func sceneDidEnterBackground(_ scene: Scene) { forwarder.sceneDidEnterBackground(scene) }
    func sceneDidDisconnect(_ scene: Scene) { forwarder.sceneDidDisconnect(scene) }
    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
        forwarder.scene(scene, openURLContexts: contexts)
    }
    func scene(_ scene: Scene, willContinueUserActivityWithType type: String) {
        forwarder.scene(scene, willContinueUserActivityWithType: type)
    }
    func scene(_ scene: Scene, continue activity: UserActivity) {
        forwarder.scene(scene, continue: activity)
    }
    func scene(
        _ scene: Scene, didFailToContinueUserActivityWithType type: String, error: SceneStoreError
    ) {
        forwarder.scene(scene, didFailToContinueUserActivityWithType: type, error: error)
    }
    func windowScene(
        _ scene: Scene, performActionFor shortcutItem: ShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        forwarder.windowScene(
            scene, performActionFor: shortcutItem, completionHandler: completionHandler)
    }
    func scene(_ scene: Scene, didReceive response: NotificationResponse) {
        forwarder.scene(scene, didReceive: response)
    }
}

/// The same app without scenes: the engine itself calls the handler.
private final class OldApp: SceneApplicationDelegate {
    let handler: OldHandler
    init(_ handler: OldHandler) { self.handler = handler }

    func application(
        _ application: SceneApplication, willFinishLaunchingWithOptions options: LaunchOptions
    ) -> Bool { handler.willFinishLaunching(with: options) }
    func application(
        _ application: SceneApplication, didFinishLaunchingWithOptions options: LaunchOptions
    ) -> Bool { handler.didFinishLaunching(with: options) }
    func applicationDidBecomeActive(_ application: SceneApplication) { handler.didBecomeActive() }
    func applicationWillEnterForeground(_ application: SceneApplication) {
        handler.willEnterForeground()
    }
    func application(_ application: SceneApplication, open context: OpenURLContext) -> Bool {
        handler.open(context)
    }
    func application(
        _ application: SceneApplication, willContinueUserActivityWithType type: String
    ) -> Bool { handler.willContinueUserActivity(withType: type) }
    func application(_ application: SceneApplication, continue activity: UserActivity) -> Bool {
        handler.continueUserActivity(activity)
    }
    func application(
        _ application: SceneApplication, performActionFor shortcutItem: ShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) { handler.performAction(for: shortcutItem, completionHandler: completionHandler) }
    func application(
        _ application: SceneApplication, didReceive response: NotificationResponse,
        completionHandler: @escaping () -> Void
    ) { handler.didReceive(response, completionHandler: completionHandler) }
}

@Suite("L-66 handlers from before scenes, in an app with scenes")
struct PreSceneForwarderTests {
    private static let link = Payload.urls([
        OpenURLContext(url: "app://1", sourceApplication: "com.example.mail")
    ])
    private static let both = Payload.urls([
        OpenURLContext(url: "app://1"), OpenURLContext(url: "app://2"),
    ])

    private static func payloads() throws -> [[Payload]] {
        let activity = try UserActivity(activityType: UserActivity.browsingWeb)
        return [
            [], [link], [both], [.activity(activity)],
            [.notification(NotificationResponse(identifier: "n1"))],
            [.shortcut(ShortcutItem(type: "new"))],
        ]
    }

    private func play(
        isOld: Bool, supportsMultipleScenes: Bool = false,
        _ work: (SimulatedDevice) throws -> Void
    ) throws {
        let device = try SimulatedDevice()
        device.options.lifecycle = isOld ? .application : .scene
        var manifest = SceneManifest()
        manifest.supportsMultipleScenes = supportsMultipleScenes
        manifest.configurations = [
            .windowApplication: [SceneConfiguration(name: "Default", role: .windowApplication)]
        ]
        device.options.manifest = manifest
        try work(device)
    }

    @Test("L-66 a launch looks as it does without scenes, with each kind of payload")
    func cold() throws {
        for payloads in try Self.payloads() {
            let (old, new) = (OldHandler(), OldHandler())
            try play(isOld: true) { _ = try $0.launch(payloads) { OldApp(old) } }
            try play(isOld: false) { _ = try $0.launch(payloads) { ForwardingApp(new) } }
            #expect(new.calls == old.calls)
            #expect(new.options == old.options)
            #expect(new.calls.first == "will" && new.calls.last == "didBecomeActive")
        }
    }

    @Test("L-66 what comes to the background app does, too, and to the active one")
    func warm() throws {
        for payloads in try Self.payloads() where !payloads.isEmpty {
            for isActive in [false, true] {
                let (old, new) = (OldHandler(), OldHandler())
                func go(_ device: SimulatedDevice, _ handler: OldHandler) throws {
                    if !isActive, device.options.lifecycle == .application {
                        try device.application?.moveApplicationToBackground()
                    } else if !isActive {
                        try device.moveToBackground()
                    }
                    handler.calls = []
                    for payload in payloads {
                        try device.deliver(payload)
                    }
                }
                try play(isOld: true) {
                    _ = try $0.launch([]) { OldApp(old) }
                    try go($0, old)
                }
                try play(isOld: false) {
                    _ = try $0.launch([]) { ForwardingApp(new) }
                    try go($0, new)
                }
                #expect(new.calls == old.calls, "active: \(isActive), \(payloads)")
                #expect(!new.calls.isEmpty)
            }
        }
    }

    @Test("L-66 a refused launch keeps everything from being delivered but a notification")
    func gate() throws {
        let everything = try Self.payloads().flatMap { $0 }
        let (old, new) = (OldHandler(), OldHandler())
        old.launches = false
        new.launches = false
        try play(isOld: true) { _ = try $0.launch(everything) { OldApp(old) } }
        try play(isOld: false) { _ = try $0.launch(everything) { ForwardingApp(new) } }
        #expect(new.calls == old.calls)
        #expect(new.calls == ["will", "did", "response", "didBecomeActive"])
    }

    @Test("L-65 a notification in the options and in response reaches the handler once")
    func notificationOnce() throws {
        let handler = OldHandler()
        let response = NotificationResponse(
            identifier: "n1", date: Date(timeIntervalSince1970: 1_700_000_000))
        try play(isOld: false) { device in
            let application = try device.launch([.notification(response)]) {
                ForwardingApp(handler)
            }
            let scene = try #require(application.connectedScenes.first)
            let forwarder = try #require((scene.delegate as? ForwardingScene)?.forwarder)
            var ended = 0
            forwarder.scene(scene, didReceive: response) { ended += 1 }
            #expect(ended == 1)
            // Without a date each one counts.
            for _ in 0..<2 {
                forwarder.scene(scene, didReceive: NotificationResponse(identifier: "n2")) {
                    ended += 1
                }
            }
            #expect(ended == 3)
        }
        #expect(handler.calls.filter { $0 == "response" }.count == 3)
    }

    @Test(
        "L-65 L-66 of two notifications and two quick actions that launch the app none is dropped")
    func severalOfAKind() throws {
        let several =
            ["a", "b"].map { Payload.notification(NotificationResponse(identifier: $0)) }
            + ["a", "b"].map { Payload.shortcut(ShortcutItem(type: $0)) }
        for isOld in [true, false] {
            let handler = OldHandler()
            try play(isOld: isOld) { device in
                _ =
                    try isOld
                    ? device.launch(several) { OldApp(handler) }
                    : device.launch(several) { ForwardingApp(handler) }
            }
            #expect(handler.calls.count { $0 == "response" } == 2)
            #expect(handler.calls.count { $0 == "performActionFor" } == 2)
        }
    }

    @Test("L-62 L-66 an announcement is that of its own activity, whichever arrives first")
    func announcedApart() throws {
        let handler = OldHandler()
        try play(isOld: false) { device in
            let application = try device.launch([]) { ForwardingApp(handler) }
            let scene = try #require(application.connectedScenes.first)
            let forwarder = try #require((scene.delegate as? ForwardingScene)?.forwarder)
            handler.calls = []
            forwarder.scene(scene, willContinueUserActivityWithType: "com.example.a")
            forwarder.scene(scene, continue: try UserActivity(activityType: "com.example.b"))
            forwarder.scene(scene, continue: try UserActivity(activityType: "com.example.a"))
        }
        #expect(
            handler.calls == ["willContinue", "willContinue", "continue", "continue"])
    }

    @Test("L-66 two windows are one app: it leaves with the last, and comes with the first")
    func twoWindows() throws {
        let handler = OldHandler()
        try play(isOld: false, supportsMultipleScenes: true) { device in
            _ = try device.launch([]) { ForwardingApp(handler) }
            handler.calls = []
            _ = try device.openWindow()
            #expect(handler.calls == ["willResignActive", "didBecomeActive"])
            handler.calls = []
            try device.moveToBackground()
            #expect(handler.calls.last == "didEnterBackground")
            #expect(handler.calls.filter { $0 == "didEnterBackground" }.count == 1)
            handler.calls = []
            try device.moveToForeground()
            #expect(handler.calls.first == "willEnterForeground")
            #expect(handler.calls.filter { $0 == "willEnterForeground" }.count == 1)
        }
    }

    @Test("L-13 L-66 a scene that first connects in the background is not in front until it comes")
    func connectedInBackground() throws {
        for payloads in [[], [Self.link]] {
            let handler = OldHandler()
            try play(isOld: false) { device in
                device.options.launchBehavior = .none
                let application = try device.launch([]) { ForwardingApp(handler) }
                var request = SceneSessionActivationRequest()
                request.staysInBackground = true
                application.requestSceneSessionActivation(request)
                #expect(handler.calls == ["will", "did"])
                for payload in payloads {
                    try device.deliver(payload)
                }
                try device.moveToForeground()
            }
            let opened = payloads.isEmpty ? [] : ["open app://1"]
            let inFront = ["willEnterForeground"] + opened + ["didBecomeActive"]
            #expect(handler.calls == ["will", "did"] + inFront)
        }
    }

    @Test("L-66 what a handler answers is returned")
    func answers() throws {
        for answer in [true, false] {
            let handler = OldHandler()
            handler.answers = answer
            try play(isOld: false) { device in
                let application = try device.launch([]) { ForwardingApp(handler) }
                let scene = try #require(application.connectedScenes.first)
                let forwarder = try #require((scene.delegate as? ForwardingScene)?.forwarder)
                let activity = try UserActivity(activityType: "com.example.edit")
                #expect(
                    forwarder.scene(scene, openURLContexts: [OpenURLContext(url: "a:")]) == answer)
                #expect(
                    forwarder.scene(scene, willContinueUserActivityWithType: "a") == answer)
                #expect(forwarder.scene(scene, continue: activity) == answer)
                var performed: [Bool] = []
                forwarder.windowScene(scene, performActionFor: ShortcutItem(type: "new")) {
                    performed.append($0)
                }
                #expect(performed == [answer])
            }
        }
    }

    @Test("L-62 an announced activity that fails is told once, and announces no later one")
    func failure() throws {
        let handler = OldHandler()
        try play(isOld: false) { device in
            let application = try device.launch([]) { ForwardingApp(handler) }
            handler.calls = []
            try application.announceActivity(type: "com.example.edit")
            try application.failToContinue(activityType: "com.example.edit")
            #expect(handler.calls == ["willContinue", "failContinue"])
            handler.calls = []
            try application.receive(.activity(try UserActivity(activityType: "com.example.edit")))
            #expect(handler.calls == ["willContinue", "continue"])
        }
    }

    @Test("L-66 an app without scenes that declines a payload leaves a record")
    func declined() throws {
        for answer in [true, false] {
            let handler = OldHandler()
            handler.answers = answer
            try play(isOld: true) { device in
                var outcomes: [String] = []
                _ = try device.launch(
                    [Self.link, .shortcut(ShortcutItem(type: "new"))],
                    prepare: { $0.decisionHandler = { outcomes.append($0.outcome) } }
                ) { OldApp(handler) }
                #expect(outcomes.filter { $0 == "declined" }.count == (answer ? 0 : 2))
            }
        }
    }
}
