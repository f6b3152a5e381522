import Foundation
import SceneStore
import SceneStoreFormats
import SceneStoreInstance
import SceneStoreSQLite
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("The running app")
struct LiveDeliveryTests {
    private final class App: SceneApplicationDelegate, SceneDelegate {
        /// Takes one kind of quick action.
        func windowScene(
            _ scene: Scene, performActionFor item: ShortcutItem,
            completionHandler: @escaping (Bool) -> Void
        ) {
            completionHandler(item.type == "com.example.new")
        }

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

    /// An app that runs on a queue of its own, whatever else the tests' actors do meanwhile.
    ///
    /// It may cross threads unchecked: the application is touched on the queue alone.
    private final class RunningApp: @unchecked Sendable {
        private let queue = DispatchQueue(label: "app")
        private var application: SceneApplication?

        init(at path: String, sessions: Int) throws {
            var options = SceneSessionStore.Options.seeded()
            options.limits.sessions = sessions
            let queue = queue
            try queue.sync {
                let started = try SceneApplication.start(
                    at: .directory(path), storeOptions: options,
                    executor: ApplicationExecutor { work in queue.async { work() } }
                ) { store in
                    SceneApplication(
                        store: store, delegate: App(), options: .desktop(.window("Document")),
                        scheduler: .manual)
                }
                guard case .running(let application) = started else {
                    throw SceneStoreError(.owned, "another process runs")
                }
                self.application = application
                try application.launch()
            }
        }

        func use<Result: Sendable>(_ work: (SceneApplication) throws -> Result) throws -> Result {
            try queue.sync { try work(#require(application)) }
        }

        /// The first window's session.
        var session: String {
            get throws {
                try use { try #require($0.connectedScenes.first?.session.id.rawValue) }
            }
        }

        func end() throws {
            try use { application in
                try application.quit()
                try application.store.close()
            }
        }
    }

    private func start(sessions: Int = 100) throws -> RunningApp {
        try RunningApp(at: path, sessions: sessions)
    }

    private func run(_ words: String...) -> ToolRun {
        ToolWorld().run(words + ["--store", path])
    }

    @Test("L-77 deliver url prints who took the link, through which callbacks and why")
    func openURL() throws {
        let application = try start()
        let session = try application.session
        let run = self.run("deliver", "url", "notes://note/42")
        #expect(run.status == .done, "\(run.errors)")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "Delivered      to \(session)")
        #expect(lines.contains("Called         scene(_:openURLContexts:)"))
        #expect(lines.contains { $0.hasPrefix("Reason         target ") })
        try application.end()
        TemporaryDirectory.remove(path)
    }

    @Test("L-77 deliver activity, shortcut and front reach the running app")
    func others() throws {
        let application = try start()
        let session = try application.session
        let lines: [([String], [String])] = [
            (["deliver", "activity", "com.example.edit"], ["willContinue", "continue"]),
            (["deliver", "shortcut", "com.example.new"], ["shortcut"]),
            (["deliver", "front"], []),
            (["deliver", "front", session], []),
        ]
        for (words, callbacks) in lines {
            let run = ToolWorld().run(words + ["--json", "--store", path])
            #expect(run.status == .done, "\(run.errors)")
            let answer = try #require(try run.objects().first)
            let calls = (answer["callbacks"]?.arrayValue ?? []).compactMap(\.objectValue)
            #expect(calls.map { $0.text("name") } == callbacks)
            #expect(calls.allSatisfy { $0.text("session") == session })
            #expect(calls.last?["link"] == (callbacks.isEmpty ? nil : true))
            #expect(answer.text("session") == session)
        }
        try application.end()
        TemporaryDirectory.remove(path)
    }

    @Test("L-77 a link that the app declines exits with 1, and says why")
    func declined() throws {
        let application = try start(sessions: 1)
        let session = try application.session
        try application.use {
            try $0.setActivationConditions(
                ActivationConditions(canActivate: .never), for: SceneSession.ID(session))
        }
        let run = self.run("deliver", "url", "notes://note/42")
        #expect(run.status == .answeredNo)
        #expect(run.output.hasPrefix("Delivered      to nobody, limitExceeded: "))
        try application.end()
        TemporaryDirectory.remove(path)
    }

    @Test("L-77 a quick action that the window declines exits with 1")
    func declinedAction() throws {
        let application = try start()
        let run = self.run("deliver", "shortcut", "com.example.other")
        #expect(run.status == .answeredNo)
        #expect(
            run.output.hasPrefix(
                "Delivered      to nobody, requestDenied: the scene answered that it did not"),
            "\(run.output)")
        let answer = try #require(
            try self.run("deliver", "shortcut", "com.example.other", "--json").objects().first)
        #expect(answer["delivered"] == false)
        #expect(self.run("deliver", "shortcut", "com.example.new").status == .done)
        try application.end()
        TemporaryDirectory.remove(path)
    }

    @Test("L-77 where no app runs the exit status is 3, with or without a store")
    func nobody() throws {
        for _ in 0..<2 {
            for words in [
                ["deliver", "url", "notes://1"], ["deliver", "shortcut", "com.example.new"],
                ["deliver", "front"], ["deliver", "activity", "com.example.edit"],
            ] {
                let run = ToolWorld().run(words + ["--store", path])
                #expect(run.status == .noStore, "\(words)")
                #expect(run.errors.contains("no app runs on the store"), "\(run.errors)")
            }
            try start().end()
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
            "deliver", "url", "notes://it's%20here", "--store", store, "--launch",
            "sh -c 'printf %s \"$0\" > \(pipe)'",
        ])
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.output.hasPrefix("Launched       no app ran; sh -c "))
        #expect(try await String(decoding: reading.value, as: UTF8.self) == "notes://it's%20here")
        TemporaryDirectory.remove(path)
    }

    @Test("L-77 a link that is refused before anybody is asked is not handed over")
    func refused() throws {
        let application = try start()
        let run = self.run("deliver", "url", "javascript:alert(1)")
        #expect(run.status == .answeredNo)
        // Whether it is taken or not, the answer has the same fields, and each one type.
        let refused = self.run("deliver", "url", "javascript:alert(1)", "--json")
        #expect(refused.status == .answeredNo)
        let taken = self.run("deliver", "url", "notes://note/42", "--json")
        #expect(taken.status == .done, "\(taken.errors)")
        let asked = self.run("open-url", "notes://note/42", "--json")
        let answers = try [refused, taken, asked].map { try #require($0.objects().first) }
        #expect(answers[0].members.map(\.key) == answers[1].members.map(\.key))
        #expect(answers[0].text("error") != nil && answers[0].text("reason") != nil)
        #expect(answers[1].text("reason") != nil && answers[2].text("reason") != nil)
        let calls = try answers[1...].map { answer in
            try #require(answer["callbacks"]?.arrayValue?.first?.objectValue).members.map(\.key)
        }
        #expect(calls[0] == calls[1])
        try application.end()
        TemporaryDirectory.remove(path)
    }
}
