import FoundationEssentials
import SceneStore
import SceneStoreInstance
import Testing

/// What the reference shows of one instance and its end.
@MainActor
@Suite("Examples of one instance")
struct InstanceExamples {
    @Test("the first process owns the windows, the others hand on what they were started with")
    func starting() throws {
        try withDirectory { path in
            var running: SceneApplication?
            // example: StartedInstance
            let started = try SceneApplication.start(at: .directory(path + "/notes")) { store in
                SceneApplication(store: store, delegate: NotesApp())
            }
            if case .running(let application) = started {
                running = application  // this process owns the windows
                try application.launch()  // when the toolkit can show them
            }
            // end
            #expect(running?.connectedScenes.count == 1)
            try running?.quit()
        }
        // example: StartRequest
        var request = StartRequest(
            arguments: CommandLine.arguments, environment: ProcessInfo.processInfo.environment)
        if CommandLine.arguments.contains("--private") {
            request.window = StartRequest.Window(privacy: .ephemeral)
        }
        // end
        #expect(request.arguments == CommandLine.arguments)
        let started = StartedInstance<SceneApplication>.forwarded(to: [.init(session: "A")])
        var windows: [SceneSession.ID] = []
        // example: PayloadReceipt
        if case .forwarded(let receipts) = started {
            windows = receipts.compactMap(\.session)  // those that took the payloads
        }
        // end
        #expect(windows == ["A"])
    }

    @Test("a main loop's executor, and signals that end the app")
    func ending() async {
        await #expect(processExitsWith: .success) {
            try await MainActor.run {
                let application = try Sample().application
                @Sendable func addIdleSource(_ work: @escaping @Sendable () -> Void) {}
                // example: ApplicationExecutor
                let executor = ApplicationExecutor { work in
                    addIdleSource(work)  // g_idle_add, wl_event_loop_add_idle, …
                }
                // end
                var ends: [EndingSignal] = []
                // example: EndingSignal
                let signals: Set<EndingSignal> = [.terminate, .interrupt]
                try application.quitOnSignals(signals, executor: executor) { ends.append($0) }
                // end
                #expect(ends == [])
            }
        }
    }
}
