import CGtk
import SceneStore

/// The app: a `GtkApplication`, of which the session bus allows one per user. A second process hands
/// its arguments to the first.
final class NotesApp {
    static let identifier = "org.scenestore.Notes"

    let pointer: UnsafeMutablePointer<GtkApplication>
    let container: String
    /// What the previous version of the app called its editor.
    let renames: [String: String]
    let editorName: String
    var hosted: HostedSceneApplication<NotesApp>?
    private(set) var windows: [NoteWindow] = []
    private(set) var status: Int32 = 0

    init(container: String, editorName: String, renames: [String: String], onlyAsks: Bool) {
        self.container = container
        self.editorName = editorName
        self.renames = renames
        // Who only asks is never the app itself.
        let flags: UInt32 =
            G_APPLICATION_HANDLES_COMMAND_LINE.rawValue
            | (onlyAsks ? G_APPLICATION_IS_LAUNCHER.rawValue : 0)
        pointer = gtk_application_new(Self.identifier, GApplicationFlags(rawValue: flags))
        let commandLine: Signal.Answering = { _, line, data in
            guard let app = data.object(NotesApp.self), let line else {
                return 1
            }
            return app.perform(cast(line))
        }
        Signal.connect(pointer, "command-line", self, commandLine)
        addAction("new", "<Control>n") { _, _, data in
            data.object(NotesApp.self)?.hosted?.openWindow()
        }
        addAction("inspect", "<Control>i") { _, _, data in data.object(NotesApp.self)?.inspect() }
        addAction("close", "<Control>w") { _, _, data in
            if let app = data.object(NotesApp.self), let window = app.front {
                app.userCloses(window)
            }
        }
        addAction("undo-close", "<Control><Shift>t") { _, _, data in
            data.object(NotesApp.self)?.hosted?.reopenClosedWindow()
        }
        addAction("quit", "<Control>q") { _, _, data in data.object(NotesApp.self)?.quit() }
    }

    private func addAction(_ name: String, _ key: String, _ handler: @escaping Signal.Detailed) {
        guard let action = g_simple_action_new(name, nil) else {
            return
        }
        Signal.connect(UnsafeMutableRawPointer(action), "activate", self, handler)
        g_action_map_add_action(OpaquePointer(pointer), action)
        g_object_unref(UnsafeMutableRawPointer(action))
        key.withCString { key in
            var keys: [UnsafePointer<CChar>?] = [key, nil]
            gtk_application_set_accels_for_action(pointer, "app.\(name)", &keys)
        }
    }

    func run(_ arguments: [String]) -> Int32 {
        var strings: [UnsafeMutablePointer<CChar>?] = arguments.map { g_strdup($0) }
        defer { strings.forEach { g_free($0) } }
        let result = g_application_run(cast(pointer), gint(strings.count), &strings)
        quit()
        return max(result, status)
    }

    private func fail(_ error: SceneStoreError) {
        print("notes: \(error)")
        status = 1
    }

    // MARK: Arguments

    /// This process's own arguments first, then those of every later one: links to open, and
    /// `--describe`, which prints what is on the screen.
    private func perform(_ line: UnsafeMutablePointer<GApplicationCommandLine>) -> gint {
        var count: gint = 0
        let strings = g_application_command_line_get_arguments(line, &count)
        defer { g_strfreev(strings) }
        let arguments = (1..<max(1, Int(count))).compactMap { strings?[$0] }
            .map { String(cString: $0) }
        let links = arguments.filter { $0.hasPrefix("notes:") }.map { OpenURLContext(url: $0) }
        if hosted == nil {
            notes_disable_cursor_blinking()
            do throws(SceneStoreError) {
                try launch(links)
            } catch {
                fail(error)
                return 1
            }
        } else {
            for link in links {
                hosted?.receive(.urls([link]))
            }
        }
        if arguments.contains("--describe") {
            notes_print(line, description)
        }
        return 0
    }

    /// One line for each window, in the order in which they were active.
    private var description: String {
        let scenes = hosted?.application.connectedScenes ?? []
        return scenes.compactMap { scene -> String? in
            guard let window = hosted?.window(for: scene.session.id) else {
                return nil
            }
            let text = window.text.split(separator: "\n", omittingEmptySubsequences: false)
                .joined(separator: "|")
            let place = window.place ?? (0, 0)
            return "\(scene.session.configuration.name ?? "-") \"\(window.title)\""
                + " cursor \(window.cursor) scroll \(Int(window.scroll))"
                + " size \(window.size.width)x\(window.size.height) at \(place.x),\(place.y)"
                + " text \(text)\n"
        }.joined()
    }

    // MARK: Windows

    func add(_ window: NoteWindow) {
        windows.append(window)
    }

    func remove(_ window: NoteWindow) {
        windows.removeAll { $0 === window }
        window.destroy()
    }

    /// A name that no open note has.
    func freshName() -> String {
        var number = 1
        while windows.contains(where: { $0.note == "Note-\(number)" }) {
            number += 1
        }
        return "Note-\(number)"
    }

    var front: NoteWindow? {
        hosted?.application.connectedScenes.first
            .flatMap { hosted?.window(for: $0.session.id) }
    }

    func userCloses(_ window: NoteWindow) {
        hosted?.closeWindow(window)
    }

    func didBecomeActive(_ window: NoteWindow) {
        hosted?.windowDidBecomeActive(window)
    }

    /// What a window shows changed: it is saved soon. Inspectors follow the note they are about.
    func didChange(_ window: NoteWindow) {
        hosted?.windowDidChange(window)
        guard window.kind == .editor else {
            return
        }
        for inspector in windows where inspector.kind == .inspector && inspector.note == window.note
        {
            let words = window.text.split { $0 == " " || $0 == "\n" }.count
            let facts =
                "Words: \(words)\nCharacters: \(window.text.count)\nCursor: \(window.cursor)"
            if inspector.text != facts {
                inspector.text = facts
            }
        }
    }

    func quit() {
        guard let hosted else {
            return
        }
        self.hosted = nil
        do throws(SceneStoreError) {
            try hosted.quit()
        } catch {
            fail(error)
        }
        g_application_quit(cast(pointer))
    }
}
