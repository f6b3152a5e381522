import SceneStore
import SceneStoreHosting
import SceneStoreSQLite
import Testing

@testable import SceneStoreInstance

@Suite("One instance")
@MainActor
struct StartTests {
    private let scratch: Scratch
    private var location: SceneSessionStore.Location { .directory(scratch.file("container")) }

    init() throws {
        scratch = try Scratch()
    }

    /// Another process of the app, as far as it hands something over.
    private func ask(_ request: InstanceRequest) async throws -> [PayloadReceipt]? {
        let location = location
        return try await onThread { try RunningInstance(at: location, timeLimit: day).ask(request) }
    }

    private func deliver(_ payloads: [Payload]) async throws -> [PayloadReceipt] {
        let named = payloads.enumerated().map { ForwardedPayload($1, name: "payload \($0)") }
        return try #require(try await ask(.deliver(named)))
    }

    @Test("L-77 the first process owns, is launched with what it brought, and listens")
    func first() async throws {
        let running = try RunningApp(location, [link("notes://1")])
        #expect(running.app.calls.contains("cold notes://1"))
        let receipts = try await deliver([link("notes://2")])
        #expect(receipts.count == 1)
        #expect(receipts[0].session == running.application.connectedScenes.first?.session.id)
        #expect(receipts[0].error == nil)
        #expect(receipts[0].callbacks == ["url"])
        #expect(receipts[0].reasons.contains { $0.hasPrefix("target ") })
        #expect(running.app.calls.last == "warm notes://2")
        try running.end()
    }

    @Test("L-77 what comes between the start and the launch waits, and is delivered once, after it")
    func inBetween() async throws {
        let app = LinkApp()
        let started = try SceneApplication.start(
            at: location, forwarding: [link("notes://1")], executor: .mainActor
        ) { store in
            SceneApplication(
                store: store, delegate: app, options: LinkApp.options, scheduler: .manual)
        }
        guard case .running(let application) = started else {
            Issue.record("nobody else runs")
            return
        }
        let desk = try #require(application.companion as? Listener).desk
        let (answers, answered) = AsyncStream.makeStream(of: InstanceAnswer.self)
        let request = InstanceRequest.deliver([ForwardedPayload(link("notes://2"), name: "two")])
        desk.take(try InstanceMessage.encode(request), InstanceReply { answered.yield($0) })
        #expect(app.calls.isEmpty, "nothing is shown before the launch")
        try application.launch()
        #expect(app.calls.filter { $0.contains("notes://") } == ["cold notes://1"])
        for await answer in answers {
            guard case .receipts(let receipts) = answer else {
                Issue.record("it was not delivered")
                break
            }
            #expect(receipts.first?.session == application.connectedScenes.first?.session.id)
            break
        }
        #expect(
            app.calls.filter { $0.contains("notes://") } == ["cold notes://1", "warm notes://2"])
        try application.quit()
    }

    @Test("L-77 while the app can't launch, others learn why and don't wait; later they are heard")
    func failedLaunch() async throws {
        let app = LinkApp()
        let started = try SceneApplication.start(at: location, executor: .mainActor) { store in
            SceneApplication(store: store, delegate: app, scheduler: .manual)
        }
        guard case .running(let application) = started else {
            Issue.record("nobody else runs")
            return
        }
        let desk = try #require(application.companion as? Listener).desk
        let (answers, answered) = AsyncStream.makeStream(of: InstanceAnswer.self)
        func ask(_ number: Int) throws {
            let payload = ForwardedPayload(link("notes://\(number)"), name: "\(number)")
            desk.take(
                try InstanceMessage.encode(.deliver([payload])),
                InstanceReply { answered.yield($0) })
        }
        try ask(1)
        // Nobody names a kind of window.
        application.options.manifest = SceneManifest()
        #expect(throws: SceneStoreError(.noConfiguration, "")) { try application.launch() }
        try ask(2)
        application.options = LinkApp.options
        try application.launch()
        try ask(3)
        var codes: [String] = []
        for await answer in answers {
            switch answer {
            case .refused(let error): codes.append(error.code.rawValue)
            case .receipts: codes.append("heard")
            case .later: codes.append("later")
            }
            if codes.count == 3 { break }
        }
        #expect(codes == ["noConfiguration", "noConfiguration", "heard"])
        try application.quit()
    }

    /// A host that reports to the application whatever it is asked.
    private final class ReportingHost: SceneHost {
        final class Window {}
        weak var hosted: HostedSceneApplication<ReportingHost>?
        var reached: [String] = []

        private func reach(_ name: String) {
            reached.append(hosted == nil ? "nobody" : name)
        }

        func makeWindow(for session: SceneSession) -> Window {
            reach("make")
            return Window()
        }
        func bringForward(_ window: Window) {}
        func close(_ window: Window) {}
        func deliver(_ payload: Payload, to window: Window) {
            reach("deliver")
            hosted?.windowDidChange(window)
        }
        func stateRestorationActivity(of window: Window) -> UserActivity? { nil }
        func restore(_ activity: UserActivity, in window: Window) {}
    }

    @Test("L-77 a host reaches its application from the first callback on")
    func reachable() throws {
        let host = ReportingHost()
        let started = try HostedSceneApplication.start(
            at: location, forwarding: [link("notes://1")], executor: .mainActor
        ) { store in
            HostedSceneApplication(store: store, host: host, scheduler: .manual)
        }
        guard case .running(let hosted) = started else {
            Issue.record("nobody else runs")
            return
        }
        host.hosted = hosted
        try hosted.launch()
        #expect(host.reached == ["make", "deliver"])
        try hosted.quit()
    }

    @Test("L-77 each payload has a receipt, in order, with the window that took it")
    func receipts() async throws {
        let running = try RunningApp(location)
        let first = try #require(running.application.connectedScenes.first?.session.id)
        let second = try await running.application.openScene(.init()).session.id
        for (session, text) in [(first, "notes://a"), (second, "notes://b")] {
            try running.application.setActivationConditions(
                ActivationConditions(prefersToActivate: .equals(text)), for: session)
        }
        let receipts = try await deliver([link("notes://b"), link("notes://a"), link("notes://b")])
        #expect(receipts.map(\.session) == [second, first, second])
        try running.end()
    }

    @Test("L-77 without a payload the window in front comes forward, and is raised if it is active")
    func front() async throws {
        let running = try RunningApp(location)
        let scene = try #require(running.application.connectedScenes.first)
        var raised: [SceneSession.ID] = []
        running.application.raiseHandler = { raised.append($0.session.id) }
        var receipts = try #require(try await ask(.bringForward(nil)))
        #expect(receipts.map(\.session) == [scene.session.id])
        #expect(raised == [scene.session.id])
        try running.application.moveToBackground([scene.session.persistentIdentifier])
        receipts = try #require(try await ask(.bringForward(nil)))
        #expect(receipts[0].callbacks == ["fg", "active"])
        #expect(scene.activationState == .foregroundActive)
        #expect(raised.count == 1, "what its callbacks tell it is not raised beside")
        try running.application.closeWindow(of: scene.session.persistentIdentifier)
        receipts = try #require(try await ask(.bringForward(nil)))
        #expect(receipts[0].session == running.application.connectedScenes.first?.session.id)
        #expect(receipts[0].session != nil, "an app without a window gets one")
        try running.end()
    }

    @Test("L-77 a session's window comes forward by name; one that is not there is declined")
    func named() async throws {
        let running = try RunningApp(location)
        let first = try #require(running.application.connectedScenes.first?.session.id)
        _ = try await running.application.openScene(.init())
        let receipts = try #require(try await ask(.bringForward(first)))
        #expect(receipts.map(\.session) == [first])
        #expect(running.application.connectedScenes.first?.session.id == first)
        let declined = try #require(try await ask(.bringForward(SceneSession.ID("nobody"))))
        #expect(declined[0].error?.code == .requestDenied)
        try running.end()
    }

    @Test("L-18 L-77 in an app of one window, a second start gets back what a quit did not keep")
    func notKept() async throws {
        var options = LinkApp.options
        options.environmentSupportsMultipleScenes = false
        let first = try RunningApp(location, options: options)
        let left = try #require(first.application.connectedScenes.first?.session.id)
        try first.application.quit(keepingWindows: false)
        try first.application.store.close()
        let running = try RunningApp(location, options: options)
        #expect(running.application.connectedScenes.map(\.session.id) != [left])
        let receipts = try #require(try await ask(.bringForward(left)))
        #expect(receipts.map(\.session) == [left])
        #expect(running.application.connectedScenes.map(\.session.id) == [left])
        try running.end()
    }

    @Test("L-77 what a second start wants is told first, its window is made, then it hands over")
    func requests() async throws {
        var told: [String] = []
        var request = StartRequest(arguments: ["notes", "--private"])
        request.activationToken = "token"
        request.window = StartRequest.Window(privacy: .ephemeral)
        var running: RunningApp?
        running = try RunningApp(
            location,
            onRequest: { asked in
                told.append(asked.activationToken ?? "")
                told.append("\(running?.application.connectedScenes.count ?? 0)")
            })
        let application = try #require(running).application
        let asked = InstanceRequest.start(
            request, name: "one", [ForwardedPayload(link("notes://1"), name: "two")])
        let receipts = try #require(try await ask(asked))
        #expect(told == ["token", "1"])
        #expect(receipts.count == 2)
        let made = try #require(receipts[0].session)
        #expect(application.scene(for: made)?.session.privacy == .ephemeral)
        #expect(application.connectedScenes.count == 2)
        #expect(running?.app.calls.contains("warm notes://1") == true)
        // Asked again, it has the same answer, and no second window.
        #expect(try await ask(asked) == receipts)
        #expect(application.connectedScenes.count == 2)
        // Without a window and a payload the one in front comes forward.
        request.window = nil
        let front = application.connectedScenes.first?.session.id
        let other = InstanceRequest.start(request, name: "three", [])
        for _ in 1...2 {
            #expect(try await ask(other)?.map(\.session) == [front])
        }
        #expect(told.count == 4)
        try running?.end()
    }

    @Test("L-77 a second start learns which window answers, also if it is there already")
    func answeredByOneWindow() async throws {
        var options = LinkApp.options
        options.singleRoles = [.windowApplication]
        let running = try RunningApp(location, options: options)
        let scene = try #require(running.application.connectedScenes.first)
        var request = StartRequest(arguments: ["notes"])
        request.window = StartRequest.Window()
        let receipts = try #require(try await ask(.start(request, name: "one", [])))
        #expect(receipts.map(\.session) == [scene.session.id])
        try running.end()
    }

    @Test("L-77 a sender that asks again gets the same answer, and nothing is handed over twice")
    func again() async throws {
        let running = try RunningApp(location)
        let request = InstanceRequest.deliver([ForwardedPayload(link("notes://1"), name: "one")])
        let first = try await ask(request)
        let second = try await ask(request)
        #expect(first == second)
        #expect(running.app.calls.filter { $0 == "warm notes://1" }.count == 1)
        try running.end()
    }

    @Test("L-77 with the inbox on, what was answered is stored")
    func stored() async throws {
        var options = LinkApp.options
        options.persistsInbox = true
        let running = try RunningApp(location, options: options)
        _ = try await deliver([link("notes://1")])
        #expect(try running.application.waitingPayloads().map(\.payload) == [link("notes://1")])
        try running.end()
    }

    @Test("L-77 what the inbox knows under its name is not handed over again")
    func known() async throws {
        var options = LinkApp.options
        options.persistsInbox = true
        var running = try RunningApp(location, options: options)
        let seen = ForwardedPayload(link("notes://1"), name: "one", mayHaveBeenSeen: true)
        _ = try await ask(.deliver([seen]))
        running.application.abandon()
        running = try RunningApp(location, options: options)
        #expect(running.app.calls.contains("cold notes://1 redelivered"), "by the inbox")
        let receipts = try #require(try await ask(.deliver([seen])))
        #expect(receipts[0].session == running.application.connectedScenes.first?.session.id)
        #expect(receipts[0].callbacks.isEmpty)
        #expect(!running.app.calls.contains("warm notes://1"))
        try running.end()
    }

    @Test("L-77 an app that has quit takes nothing, and its container waits for the next one")
    func quit() async throws {
        let running = try RunningApp(location)
        try running.application.quit()
        let name = ForwardedPayload(link("notes://1"), name: "one")
        let location = location
        async let asked = onThread {
            try RunningInstance(at: location, timeLimit: day).ask(.deliver([name]))
        }
        try running.application.store.close()
        #expect(try await asked == nil)
    }

    @Test("L-77 what comes behind a payload with which the app quits is for the next process")
    func quitting() async throws {
        let running = try RunningApp(location)
        running.app.tell = { [application = running.application] call in
            if call == "warm notes://1" {
                try? application.quit()
            }
        }
        let desk = try #require(running.application.companion as? Listener).desk
        let (answers, answered) = AsyncStream.makeStream(of: InstanceAnswer.self)
        let request = InstanceRequest.deliver(
            (1...2).map { ForwardedPayload(link("notes://\($0)"), name: "\($0)") })
        desk.take(try InstanceMessage.encode(request), InstanceReply { answered.yield($0) })
        var answer: InstanceAnswer?
        for await found in answers {
            answer = found
            break
        }
        #expect(answer == .later)
        #expect(running.app.calls.filter { $0.contains("notes://") } == ["warm notes://1"])
        running.app.tell = { _ in }
        try running.application.store.close()
    }

    @Test("L-77 an app that its own closure launches is refused, and the container let go")
    func launchedTooSoon() throws {
        let error = #expect(throws: SceneStoreError.self) {
            try SceneApplication.start(at: location, executor: .mainActor) { store in
                let application = SceneApplication(
                    store: store, delegate: LinkApp(), options: LinkApp.options,
                    scheduler: .manual)
                try application.launch()
                return application
            }
        }
        #expect(error?.code == .invalidState)
        try RunningApp(location).end()
    }

    @Test("L-77 a window and as many payloads as may be have a receipt each")
    func receipts() throws {
        let most = InstanceRequest.maximumPayloads + 1
        let receipts = [PayloadReceipt](
            repeating: PayloadReceipt(session: SceneSession.ID("A")), count: most)
        let bytes = try InstanceMessage.encode(InstanceAnswer.receipts(receipts))
        #expect(try InstanceMessage.decodeAnswer(bytes) == .receipts(receipts))
    }

    @Test("L-77 any limit of time is one")
    func longest() {
        #expect(Forwarding(now: 1, milliseconds: .max).left(2) > day)
    }

    @Test("L-77 nobody is asked where no process owns the container")
    func nobody() async throws {
        try RunningApp(location).end()
        #expect(try await ask(.bringForward(nil)) == nil)
    }

    @Test("L-77 an owner that does not listen is an error that names it")
    func silent() async throws {
        let store = try SceneSessionStore.open(at: location)
        let location = location
        let error = await #expect(throws: SceneStoreError.self) {
            try await onThread {
                try RunningInstance(at: location, timeLimit: 100).ask(.bringForward(nil))
            }
        }
        #expect(error?.code == .owned)
        #expect(error?.ownerProcess == System.processIdentifier)
        try store.close()
    }

    @Test("L-77 an app that can't listen runs all the same, and says so")
    func unheard() throws {
        let folder = try scratch.container()
        append("mine", to: folder.path + "/socket")
        var found: [Diagnostic.Code] = []
        let started = try SceneApplication.start(at: location, executor: .mainActor) { store in
            let application = SceneApplication(
                store: store, delegate: LinkApp(), options: LinkApp.options, scheduler: .manual)
            application.diagnosticHandler = { found.append($0.code) }
            return application
        }
        guard case .running(let application) = started else {
            Issue.record("it does not run")
            return
        }
        try application.launch()
        #expect(found == [.notListening])
        #expect(lines(of: folder.path + "/socket") == ["mine"])
        try application.quit()
    }

    @Test("L-77 an app that is started on no actor names its main loop")
    nonisolated func noExecutor() {
        #expect(throws: SceneStoreError(.invalidState, "")) {
            _ = try SceneApplication.start(at: .memory, isolation: nil) { store in
                SceneApplication(store: store, delegate: LinkApp(), scheduler: .manual)
            }
        }
    }

    @Test("L-77 make may throw any error; another than SceneStore's is told by its type")
    func otherError() throws {
        struct NoLicence: Error {}
        #expect {
            _ = try SceneApplication.start(at: location, executor: .mainActor) { _ in
                throw NoLicence()
            }
        } throws: { error in
            let error = error as? SceneStoreError
            return error?.code == .invalidState && error?.message.contains("NoLicence") == true
        }
        try RunningApp(location).end()
    }

    @Test("L-77 on the main thread code without an actor, as in Swift 5, needs no executor")
    func mainThread() async throws {
        // What the compiler gives `main.swift` in that mode.
        let executor = try ApplicationExecutor.chosen(nil, nil, isMainThread: true)
        await withCheckedContinuation { continuation in
            executor.perform {
                MainActor.assertIsolated()
                continuation.resume()
            }
        }
    }

    @Test("L-77 when the app can't be made the container is let go")
    func unmade() throws {
        #expect(throws: SceneStoreError(.invalidState, "")) {
            _ = try SceneApplication.start(at: location, executor: .mainActor) {
                _ throws(SceneStoreError) in
                throw SceneStoreError(.invalidState, "not today")
            }
        }
        try RunningApp(location).end()
    }
}
