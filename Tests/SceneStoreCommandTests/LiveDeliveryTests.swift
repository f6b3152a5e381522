import Foundation
import SceneStore
import SceneStoreInstance
import SceneStoreSQLite
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("The running app")
@MainActor
struct LiveDeliveryTests {
    private final class App: SceneApplicationDelegate, SceneDelegate {
        func application(
            _ application: SceneApplication, sceneDelegateFor session: SceneSession
        ) -> (any SceneDelegate)? {
            self
        }
    }

    private let path: String

    init() throws {
        path = try TemporaryDirectory.make()
    }

    /// An app that runs on the main actor of the tests.
    private func start(sessions: Int = 100) throws -> SceneApplication {
        var options = SceneSessionStore.Options()
        options.limits.sessions = sessions
        let started = try SceneApplication.start(
            at: .directory(path), storeOptions: options, executor: .mainActor
        ) { store in
            SceneApplication(
                store: store, delegate: App(), options: .desktop(.window("Document")),
                scheduler: .manual)
        }
        guard case .running(let application) = started else {
            throw SceneStoreError(.owned, "another process runs")
        }
        return application
    }

    private func end(_ application: SceneApplication) throws {
        try application.quit()
        try application.store.close()
        TemporaryDirectory.remove(path)
    }

    /// Runs a command on a thread of its own: it waits for the app, which lives here.
    private func run(_ words: String...) async throws -> ToolRun {
        let words = words + ["--store", path]
        return try await onThread { ToolWorld().run(words) }
    }

    private func onThread(_ work: @escaping @Sendable () -> ToolRun) async throws -> ToolRun {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try System.startThread { continuation.resume(returning: work()) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    @Test("L-77 open-url --deliver prints who took the link, through which callbacks and why")
    func openURL() async throws {
        let application = try start()
        let session = try #require(application.connectedScenes.first?.session.id.rawValue)
        let run = try await run("open-url", "notes://note/42", "--deliver")
        #expect(run.status == .done, "\(run.errors)")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "Delivered      to \(session)")
        #expect(lines.contains("Called         scene(_:openURLContexts:)"))
        #expect(lines.contains { $0.hasPrefix("Why            target ") })
        try end(application)
    }

    @Test("L-77 continue, shortcut and activate reach the running app")
    func others() async throws {
        let application = try start()
        let session = try #require(application.connectedScenes.first?.session.id.rawValue)
        for (words, callbacks) in [
            (["continue", "com.example.edit"], #"["willContinue","continue"]"#),
            (["shortcut", "com.example.new"], #"["shortcut"]"#), (["activate"], "[]"),
            (["activate", session], "[]"),
        ] {
            let words = words + ["--json", "--store", path]
            let run = try await onThread { ToolWorld().run(words) }
            #expect(run.status == .done, "\(run.errors)")
            #expect(run.output.contains(#""callbacks":\#(callbacks)"#), "\(run.output)")
            #expect(run.output.contains(#""session":"\#(session)""#))
        }
        try end(application)
    }

    @Test("L-77 a link that the app declines exits with 1, and says why")
    func declined() async throws {
        let application = try start(sessions: 1)
        let session = try #require(application.connectedScenes.first?.session.id.rawValue)
        try application.setActivationConditions(
            ActivationConditions(canActivate: .never), for: SceneSession.ID(session))
        let run = try await run("open-url", "notes://note/42", "--deliver")
        #expect(run.status == .answeredNo)
        #expect(run.output.hasPrefix("Delivered      to nobody, limitExceeded: "))
        try end(application)
    }

    @Test("L-77 where no app runs the exit status is 3, with or without a store")
    func nobody() async throws {
        for _ in 0..<2 {
            for words in [
                ["open-url", "notes://1", "--deliver"], ["shortcut", "com.example.new"],
                ["activate"], ["continue", "com.example.edit"],
            ] {
                let run = ToolWorld().run(words + ["--store", path])
                #expect(run.status == .noStore, "\(words)")
                #expect(run.errors.contains("no app runs on the store"), "\(run.errors)")
            }
            let application = try start()
            try application.quit()
            try application.store.close()
        }
        TemporaryDirectory.remove(path)
    }

    @Test("L-77 --launch starts an app with the link when none runs")
    func launch() async throws {
        let pipe = path + "pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let store = path + "container"
        let reading = Task.detached {
            try FileHandle(forReadingFrom: URL(filePath: pipe)).readToEnd() ?? Data()
        }
        let run = ToolWorld().run([
            "open-url", "notes://it's%20here", "--deliver", "--store", store, "--launch",
            "sh -c 'printf %s \"$0\" > \(pipe)'",
        ])
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.output.hasPrefix("Launched       no app ran; sh -c "))
        #expect(try await String(decoding: reading.value, as: UTF8.self) == "notes://it's%20here")
        let alone = ToolWorld().run(["open-url", "notes://1", "--launch", "notes"])
        #expect(alone.status == .usage)
        TemporaryDirectory.remove(path)
    }

    @Test("L-77 a link that is refused before anybody is asked is not handed over")
    func refused() async throws {
        let application = try start()
        let run = try await run("open-url", "javascript:alert(1)", "--deliver")
        #expect(run.status == .answeredNo)
        try end(application)
    }
}
