import SceneStore
import SceneStoreSQLite
import Testing

@testable import SceneStoreInstance

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Real processes that are asked to end.
@Suite("Signals that ask the app to end")
struct SignalTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test(
        "L-48 an app with five windows that gets a signal brings five windows back",
        arguments: [SIGTERM, SIGINT, SIGHUP])
    func fiveWindows(signal: Int32) async throws {
        let folder = scratch.path
        await expectEnd(by: signal, in: folder)
        try await back(in: folder)
    }

    @MainActor
    private func back(in folder: String) throws {
        let running = try RunningApp(.directory(folder + "container"), options: options())
        #expect(running.application.connectedScenes.count == 5)
        // It ended cleanly, and nobody was asked.
        #expect(running.application.launchReason == .launch)
        #expect(lines(of: folder + "asked").isEmpty)
        #expect(lines(of: folder + "saved").count == 5)
        try running.end()
    }

    @Test("L-48 an app that hangs is ended by the second signal")
    func hangs() async throws {
        let folder = scratch.path
        await #expect(processExitsWith: .signal(SIGTERM)) {
            [folder = folder as String] in
            let store = try SceneSessionStore.open(at: .directory(folder + "container"))
            let application = SceneApplication(
                store: store, delegate: LinkApp(), options: options(), scheduler: .manual)
            try application.launch()
            // A main loop that performs nothing.
            let (heard, signals) = AsyncStream.makeStream(of: Void.self)
            try application.quitOnSignals(
                [.terminate], executor: ApplicationExecutor { _ in signals.yield() },
                isolation: nil)
            kill(getpid(), SIGTERM)
            for await _ in heard {
                break
            }
            append("lives", to: folder + "first")
            kill(getpid(), SIGTERM)
            // Until it is ended; another signal ends it when that one does not.
            alarm(30)
            let (stream, never) = AsyncStream.makeStream(of: Void.self)
            for await _ in stream {}
            withExtendedLifetime((application, never)) {}
        }
        #expect(lines(of: folder + "first") == ["lives"])
    }

    @Test(
        "L-48 signals are watched for one application, until it is gone, and an ignored one stays so"
    )
    func one() async throws {
        await #expect(processExitsWith: .success) {
            signal(SIGHUP, SIG_IGN)
            let executor = ApplicationExecutor { _ in }
            let delegate = LinkApp()
            var first: SceneApplication? = SceneApplication(
                store: try SceneSessionStore.open(at: .memory), delegate: delegate,
                options: options(), scheduler: .manual)
            let second = SceneApplication(
                store: try SceneSessionStore.open(at: .memory), delegate: delegate,
                options: options(), scheduler: .manual)
            try first?.quitOnSignals(executor: executor, isolation: nil)
            #expect(throws: SceneStoreError.self) {
                try second.quitOnSignals(executor: executor, isolation: nil)
            }
            kill(getpid(), SIGHUP)
            first = nil
            try second.quitOnSignals(executor: executor, isolation: nil)
            // The first one is heard, and nobody performs it.
            kill(getpid(), SIGINT)
            // The signal may reach another thread after this one went on: whoever hears it stays.
            withExtendedLifetime(second) { exit(EXIT_SUCCESS) }
        }
    }

    @Test(
        "L-48 a signal that can't be caught is refused, and then no other is watched",
        arguments: [SIGKILL, SIGSTOP, 999, 0])
    func refused(number: Int32) async {
        await #expect(processExitsWith: .signal(SIGTERM)) { [number = number as Int32] in
            let application = SceneApplication(
                store: try SceneSessionStore.open(at: .memory), delegate: LinkApp(),
                options: options(), scheduler: .manual)
            let executor = ApplicationExecutor { _ in }
            #expect(throws: SceneStoreError(.unsupportedSignal, "")) {
                try application.quitOnSignals(
                    [.terminate, EndingSignal(rawValue: number)], executor: executor,
                    isolation: nil)
            }
            // Others can be watched now, and the one that was named with it was not.
            try application.quitOnSignals([.interrupt], executor: executor, isolation: nil)
            kill(getpid(), SIGTERM)
            // Another signal ends the process when that one doesn't.
            alarm(30)
            let (stream, never) = AsyncStream.makeStream(of: Void.self)
            for await _ in stream {}
            withExtendedLifetime((application, never)) {}
        }
    }

    @Test("L-48 a signal before the launch ends the app, which has nothing to save")
    func unlaunched() async {
        await #expect(processExitsWith: .exitCode(7)) {
            try await endBeforeTheLaunch()
        }
    }

    @Test("L-48 what follows the end is the app's own choice")
    func ended() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            try await endByItself()
        }
    }
}

@MainActor
private func endBeforeTheLaunch() async throws {
    let application = SceneApplication(
        store: try SceneSessionStore.open(at: .memory), delegate: LinkApp(), options: options(),
        scheduler: .manual)
    var found: [Diagnostic.Code] = []
    application.diagnosticHandler = { found.append($0.code) }
    let (stream, over) = AsyncStream.makeStream(of: EndingSignal.self)
    try application.quitOnSignals { signal in over.yield(signal) }
    kill(getpid(), SIGTERM)
    // Another signal ends the process when that one doesn't.
    alarm(30)
    for await signal in stream {
        exit(signal == .terminate && found.isEmpty ? 7 : 1)
    }
    withExtendedLifetime(application) {}
}

private func options() -> SceneApplicationOptions {
    var options = LinkApp.options
    options.persistsInbox = false
    return options
}

private func expectEnd(by signal: Int32, in folder: String) async {
    await #expect(processExitsWith: .signal(signal)) {
        [folder = folder as String, signal = signal as Int32] in
        try await liveWithFiveWindows(in: folder, until: signal)
    }
}

/// Windows with unsaved work, which a logout doesn't ask.
private final class BusyApp: SceneApplicationDelegate, StateRestoringSceneDelegate {
    let folder: String

    init(_ folder: String) {
        self.folder = folder
    }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { self }

    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {}
    func sceneHasUnsavedWork(_ scene: Scene) -> Bool { true }

    func sceneShouldClose(_ scene: Scene) -> ClosingAnswer {
        append("asked", to: folder + "asked")
        return .keep
    }

    func stateRestorationActivity(for scene: Scene) -> UserActivity? {
        append("\(scene.session.id)", to: folder + "saved")
        return UserActivity(checkedType: "com.example.window")
    }
}

@MainActor
private func liveWithFiveWindows(in folder: String, until signal: Int32) async throws {
    let store = try SceneSessionStore.open(at: .directory(folder + "container"))
    let application = SceneApplication(
        store: store, delegate: BusyApp(folder), options: options(), scheduler: .manual)
    try application.launch()
    for _ in 0..<4 {
        application.requestSceneSessionActivation(.init(role: .windowApplication))
    }
    try application.quitOnSignals([.terminate, .interrupt, .hangUp])
    kill(getpid(), signal)
    // Until it comes.
    let (stream, never) = AsyncStream.makeStream(of: Void.self)
    for await _ in stream {}
    withExtendedLifetime((application, never)) {}
}

@MainActor
private func endByItself() async throws {
    let application = SceneApplication(
        store: try SceneSessionStore.open(at: .memory), delegate: LinkApp(), options: options(),
        scheduler: .manual)
    try application.launch()
    let (stream, over) = AsyncStream.makeStream(of: EndingSignal.self)
    try application.quitOnSignals { signal in over.yield(signal) }
    kill(getpid(), SIGINT)
    for await signal in stream {
        exit(signal == .interrupt && application.hasEnded ? 7 : 1)
    }
    withExtendedLifetime(application) {}
}
