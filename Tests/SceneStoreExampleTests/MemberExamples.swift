import SceneStore
import SceneStoreHosting
import SceneStoreLinks
import SceneStoreTesting
import Testing

/// What the reference shows of calls that say more than their type.
@MainActor
@Suite("Examples of calls")
struct MemberExamples {
    @Test("keeping a state, and going back to one that was withheld")
    func states() throws {
        let sample = try Sample()
        let (application, scene, session) = (sample.application, sample.scene, sample.session)
        try application.setStateRestorationActivity(NoteText().userActivity(), for: session.id)
        // example: SceneApplication.pin
        // "Keep this version": the newest state of the window stays.
        if let newest = try application.history(of: scene.session.id).first {
            try application.pin(newest.generation, of: scene.session.id)
        }
        // end
        #expect(try application.history(of: session.id).filter(\.isPinned).count == 1)
        // example: SceneApplication.withheldStates
        // After a bad update: the newest state that this version can read.
        let states = try application.withheldStates(of: session.id)
        if let readable = states.first(where: { $0.context.appVersion == "1.4" }) {
            try application.restoreWithheldState(
                for: session.id, generation: readable.generation)
        }
        // end
        #expect(states == [])
        // example: SceneApplication.restoreNewestReadableState
        for scene in application.connectedScenes where scene.session.withheldState == .newer {
            try application.restoreNewestReadableState(for: scene.session.id)
        }
        // end
    }

    struct Note {
        let id = 12
    }

    @Test("a toolkit's window for a value, and a host on a device")
    func windows() async throws {
        let note = Note()
        let store = try SceneSessionStore.open(at: .memory)
        let hosted = HostedSceneApplication(store: store, host: HostingExamples.NotesHost())
        try hosted.launch()
        // example: HostedSceneApplication.openWindow
        let window = try await hosted.openWindow(presenting: note.id, privacy: .ephemeral)
        // end
        #expect(try hosted.scene(of: window)?.session.presentedValue(as: Int.self) == 12)
        // example: HostedSceneApplication.openSessions
        let session = hosted.openSessions.first { $0.title == "Shopping" }
        let target: PayloadTarget = session.map { .window($0.id) } ?? .new
        // end
        #expect(target == .new)
        typealias NotesHost = HostingExamples.NotesHost
        typealias TextWindow = HostingExamples.TextWindow
        // example: SimulatedDevice.launch
        let device = try SimulatedDevice()
        try device.launch(host: NotesHost())
        try device.window(TextWindow.self, at: 0).note.text = "draft"
        try device.moveToBackground()
        try device.relaunch()
        let text = try device.window(TextWindow.self, at: 0).note.text  // what the user sees
        // end
        #expect(text == "draft")
    }

    enum Place: Equatable {
        case note(String), settings

        var note: String? {
            if case .note(let name) = self { name } else { nil }
        }
    }

    struct Windows {
        let router: Router<Place>
        let notes: [String: SceneSession.ID]

        // example: Router.target
        func target(for payload: Payload) -> PayloadTarget? {
            router.target(for: payload) { destination in
                switch destination {
                case .note(let name): notes[name].map { .window($0) } ?? .new
                case .settings: .role(.preferences)
                }
            }
        }
        // end
    }

    @Test("the window that a link goes to")
    func target() throws {
        let router = try Router<Place>(schemes: ["notes"]) {
            Route("/settings", to: .settings)
            Route("/notes/:name", .path("name"), open: Place.note, print: \.note)
        }
        let windows = Windows(router: router, notes: ["milk": "A"])
        func target(_ link: String) -> PayloadTarget? {
            windows.target(for: .urls([OpenURLContext(url: link)]))
        }
        #expect(target("notes://notes/milk") == .window("A"))
        #expect(target("notes://notes/eggs") == .new)
        #expect(target("notes://settings") == .role(.preferences))
    }
}
