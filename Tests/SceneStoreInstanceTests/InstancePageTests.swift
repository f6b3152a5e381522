#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreInstance
import SceneStoreTesting
import Testing

/// The code of the page on one instance, run.
@MainActor
@Suite("Code of the page on one instance")
struct InstancePageTests {
    private enum CommandLine {
        static let arguments = ["notes", "notes://1"]
    }

    private final class NotesDelegate: SceneApplicationDelegate {}

    @Test("L-77 L-48 the start, the executor and the end that the page on one instance shows")
    func starting() throws {
        let scratch = try Scratch()
        let place = SceneSessionStore.Location.directory(scratch.file("notes"))
        var running: SceneApplication?
        func run(_ application: SceneApplication) throws {
            running = application
            try application.launch()
        }
        // snippet: one-instance
        let links = CommandLine.arguments.dropFirst().map {
            Payload.urls([OpenURLContext(url: $0)])
        }

        let started = try SceneApplication.start(at: place, forwarding: links) { store in
            SceneApplication(
                store: store, delegate: NotesDelegate(), options: .desktop(.window("Note")))
        }
        switch started {
        case .running(let application):
            try run(application)  // this process owns the windows: keep it, and launch it
        case .forwarded(let receipts):
            print(receipts.compactMap(\.session))  // these windows of another one took the links
        }
        // end
        let application = try #require(running)
        #expect(application.connectedScenes.count == 1)
        try application.quit()
    }

    @Test("L-77 the second start that the page on one instance shows")
    func secondStart() throws {
        let scratch = try Scratch()
        let place = SceneSessionStore.Location.directory(scratch.file("notes"))
        let links: [Payload] = []
        var activationToken: String?
        // snippet: second-start
        var request = StartRequest(
            arguments: CommandLine.arguments, environment: ProcessInfo.processInfo.environment)
        if CommandLine.arguments.contains("--private") {
            request.window = StartRequest.Window(privacy: .ephemeral)
        }
        let started = try SceneApplication.start(
            at: place, forwarding: links, requesting: request,
            onRequest: { request in activationToken = request.activationToken }
        ) { store in
            SceneApplication(
                store: store, delegate: NotesDelegate(), options: .desktop(.window("Note")))
        }
        // end
        #expect(activationToken == nil, "its own request is its own")
        guard case .running(let application) = started else {
            Issue.record("nobody else runs")
            return
        }
        try application.launch()
        #expect(application.connectedScenes.count == 1)
        try application.quit()
    }

    @Test("L-48 the executor and the signals that the page on one instance shows")
    func ending() async {
        await #expect(processExitsWith: .success) {
            try await MainActor.run {
                let scratch = try Scratch()
                let store = try SceneSessionStore.open(at: .directory(scratch.file("notes")))
                let hosted = (
                    application: SceneApplication(
                        store: store, delegate: NotesDelegate(), options: .desktop(.window("Note"))),
                    none: 0
                )
                try hosted.application.launch()
                @Sendable func addIdleSource(_ work: @escaping @Sendable () -> Void) {}
                @Sendable func endMainLoop() {}
                // snippet: executor
                let executor = ApplicationExecutor { work in
                    addIdleSource(work)  // g_idle_add, wl_event_loop_add_idle, PostMessage, …
                }
                // end
                // snippet: quit-on-signals
                try hosted.application.quitOnSignals(
                    [.terminate, .interrupt, .hangUp], executor: executor
                ) { _ in
                    endMainLoop()  // g_application_quit, exit, …
                }
                // end
                try hosted.application.quit()
            }
        }
    }
}
