import SceneStore
import SceneStoreHosting
import SceneStoreTesting
import Testing

/// A host that shows what a link asks for, and reports no change.
private final class ToDoHost: SceneHost {
    final class Window {
        var toDos: [String] = []
    }

    func makeWindow(for session: SceneSession) -> Window { Window() }
    func bringForward(_ window: Window) {}
    func close(_ window: Window) {}

    func deliver(_ payload: Payload, to window: Window) {
        if case .urls(let contexts) = payload {
            window.toDos += contexts.map(\.url)
        }
    }

    func stateRestorationActivity(of window: Window) throws -> UserActivity? {
        try UserActivity(
            activityType: "com.example.to-dos",
            userInfo: ["toDos": .array(window.toDos.map { .string($0) })])
    }

    func restore(_ activity: UserActivity, in window: Window) {
        window.toDos = activity.userInfo["toDos"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }
}

@Suite("What a host's window shows of a payload")
struct DeliveredWorkTests {
    private let clock = VirtualClock()

    /// A process that gets a link cold, another one while it runs, and is killed 4 s after each; answers
    /// what the next process shows.
    private func shown(_ options: SceneApplicationOptions) throws -> [String]? {
        let container = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(container) }
        for links in [["todo:1", "todo:2"], ["todo:3"]] {
            let (hosted, scheduler) = try launch(container, options, links.prefix(1))
            scheduler.advance(by: 4_000)
            for link in links.dropFirst() {
                hosted.receive(.urls([OpenURLContext(url: link)]))
                scheduler.advance(by: 4_000)
            }
            scheduler.removeAll()
            hosted.application.store.abandon()
        }
        let (hosted, _) = try launch(container, options, [])
        let session = try #require(hosted.application.connectedScenes.first?.session.id)
        defer { hosted.application.store.abandon() }
        return hosted.window(for: session)?.toDos
    }

    private func launch(
        _ container: String, _ options: SceneApplicationOptions, _ links: ArraySlice<String>
    ) throws -> (HostedSceneApplication<ToDoHost>, VirtualScheduler) {
        let scheduler = VirtualScheduler(clock: clock)
        var environment = SceneEnvironment.seeded()
        environment.now = { [clock] in clock.now }
        let hosted = HostedSceneApplication(
            store: try SceneSessionStore.open(at: .directory(container)), host: ToDoHost(),
            options: options, environment: environment, scheduler: scheduler)
        try hosted.launch(links.map { .urls([OpenURLContext(url: $0)]) })
        return (hosted, scheduler)
    }

    @Test("L-61 the effect of a link, cold or warm, outlives a kill unreported")
    func outlives() throws {
        #expect(try shown(.desktop()) == ["todo:1", "todo:2", "todo:3"])
    }

    @Test("L-61 so does that of a link in the options of a connection")
    func inTheOptions() throws {
        var options = SceneApplicationOptions.desktop()
        options.delivery = .uikit
        #expect(try shown(options) == ["todo:1", "todo:2", "todo:3"])
    }
}
