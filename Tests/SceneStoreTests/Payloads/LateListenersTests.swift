import SceneStore
import SceneStorePreScene
import SceneStoreTesting
import Testing

/// An app whose plug-in begins to listen when the window is active, as one that a web page needs.
private final class LateApp: SceneApplicationDelegate {
    /// What hands links on: at once, or by the queue.
    let post: (OpenURLContext) -> Void
    let beginListening: () -> Void

    init(post: @escaping (OpenURLContext) -> Void, beginListening: @escaping () -> Void) {
        self.post = post
        self.beginListening = beginListening
    }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { LateScene(self) }
}

private final class LateScene: SceneDelegate {
    private let app: LateApp
    init(_ app: LateApp) { self.app = app }

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) {
        options.urlContexts.forEach(app.post)
    }
    func sceneDidBecomeActive(_ scene: Scene) { app.beginListening() }
    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
        contexts.forEach(app.post)
    }
}

@Suite("late listeners")
struct LateListenersTests {
    @Test("L-66 a listener that another one cancels gets nothing more, not even the same element")
    func cancelledByAnother() {
        let links = LateListeners<String>()
        var second: LateListeners<String>.Listening?
        var heard: [String] = []
        let first = links.listen { _ in second?.cancel() }
        second = links.listen { heard.append($0) }
        links.receive("a")
        #expect(heard == [])
        first.cancel()
    }

    @Test("L-66 what comes before anybody listens waits for the first one, in its order")
    func waits() {
        let links = LateListeners<String>()
        links.receive("a")
        links.receive("b")
        #expect(links.waiting == ["a", "b"])
        var first: [String] = []
        var second: [String] = []
        let one = links.listen { first.append($0) }
        let two = links.listen { second.append($0) }
        #expect(first == ["a", "b"])
        #expect(second == [])
        links.receive("c")
        #expect(first == ["a", "b", "c"])
        #expect(second == ["c"])
        #expect(links.waiting == [])
        one.cancel()
        links.receive("d")
        #expect(first.count == 3)
        #expect(second == ["c", "d"])
        two.cancel()
        #expect(!links.isHeard)
        links.receive("e")
        #expect(links.waiting == ["e"])
    }

    @Test("L-66 a link that starts the app reaches a plug-in that listens late only if it waits")
    func coldLink() throws {
        func heard(
            after payloads: [Payload], _ makeApp: @escaping (@escaping (String) -> Void) -> LateApp
        ) throws -> [String] {
            var heard: [String] = []
            let device = try SimulatedDevice(manifest: .notes)
            try device.launch(payloads) { makeApp { heard.append($0) } }
            try device.open("notes://2")
            return heard
        }
        let first = [Payload.urls([OpenURLContext(url: "notes://1")])]

        var listener: ((String) -> Void)?
        let without = try heard(after: first) { listen in
            LateApp(post: { listener?($0.url) }, beginListening: { listener = listen })
        }
        #expect(without == ["notes://2"])

        let links = LateListeners<OpenURLContext>()
        var listening: LateListeners<OpenURLContext>.Listening?
        let with = try heard(after: first) { listen in
            LateApp(post: { links.receive($0) }) { listening = links.listen { listen($0.url) } }
        }
        #expect(with == ["notes://1", "notes://2"])
        listening?.cancel()
    }

    @Test("L-66 a listener that is released listens no longer")
    func released() {
        let links = LateListeners<Int>()
        var heard: [Int] = []
        do {
            let listening = links.listen { heard.append($0) }
            links.receive(1)
            _ = listening
        }
        links.receive(2)
        #expect(heard == [1])
        #expect(links.waiting == [2])
    }

    @Test("L-66 as many wait as may, and the earlier ones stay")
    func limit() {
        let links = LateListeners<Int>(capacity: 2)
        #expect(links.receive(1))
        #expect(links.receive(2))
        #expect(!links.receive(3))
        #expect(links.waiting == [1, 2])
        var heard: [Int] = []
        let listening = links.listen { heard.append($0) }
        #expect(links.receive(4))
        #expect(heard == [1, 2, 4])
        listening.cancel()
        #expect(LateListeners<Int>(capacity: 0).capacity == 1)
    }

    @Test("L-66 what a listener gives comes after what it is called with")
    func nested() {
        let links = LateListeners<Int>()
        var heard: [Int] = []
        let first = links.listen { element in
            if element == 1 {
                links.receive(2)
            }
            heard.append(element)
        }
        let second = links.listen { heard.append($0 * 10) }
        links.receive(1)
        #expect(heard == [1, 10, 2, 20])
        first.cancel()
        second.cancel()
    }
}
