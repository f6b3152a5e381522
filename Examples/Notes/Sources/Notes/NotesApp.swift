import CGtk
import SceneStoreHosting

/// The app: its windows, its actions, and what the session bus asks of it.
///
/// Of several processes the one that owns the container is the app; only that one opens the toolkit.
/// Links of the command line come from the others by the container's socket, links of the desktop
/// (`org.freedesktop.Application.Open`) by the `open` signal of `GtkApplication`.
final class NotesApp {
    static let identifier = "org.scenestore.Notes"

    var editorName: String { arguments.editorName }
    let documents = Documents()
    var hosted: HostedSceneApplication<NotesApp>?
    private(set) var windows: [NoteWindow] = []
    /// What did not come back, while the user looks at it.
    var restorePage: RestorePage?
    /// Windows to be shown, each once the one before is drawn.
    private var hidden: [NoteWindow] = []
    private var tray: Tray?
    /// The window that was shown last, until it has the focus.
    private var awaited: NoteWindow?
    private(set) lazy var pointer = makeApplication()
    private let arguments: LaunchArguments
    private var kind = G_APPLICATION_REPLACE
    private var status: Int32 = 0

    init(_ arguments: LaunchArguments) {
        self.arguments = arguments
    }

    // MARK: Starting and ending

    /// Starts; answers whether this process is the app. After a crash, and in a safe start, the user
    /// sees which windows did not come back.
    func begin(_ links: [OpenURLContext]) throws(SceneStoreError) -> Bool {
        guard try start(links) else {
            return false
        }
        if arguments.isSafe || hosted?.application.launchReason == .recover {
            showMissing()
        }
        return true
    }

    /// This process owns the windows: the toolkit is there from here on.
    func open(
        _ hosted: HostedSceneApplication<NotesApp>
    ) -> HostedSceneApplication<NotesApp> {
        self.hosted = hosted
        arguments.apply(to: &hosted.application.options)
        if g_application_get_is_registered(cast(pointer)) == 0 {
            g_application_register(cast(pointer), nil, nil)
        }
        if arguments.isTray {
            tray = Tray(on: g_application_get_dbus_connection(cast(pointer))) { [unowned self] in
                showWindows()
            }
        }
        notes_keep_still()
        hearOfWindows()
        hosted.displaysDidChange(displays)
        // Without windows it runs on, until the user quits.
        g_application_hold(cast(pointer))
        return hosted
    }

    /// Runs the main loop: of the app, of a service that waits for what to open, or for one question
    /// to the app that runs.
    func run(isService: Bool = false, asking question: [String] = []) -> Int32 {
        if isService {
            kind = G_APPLICATION_IS_SERVICE
        } else if !question.isEmpty {
            kind = G_APPLICATION_IS_LAUNCHER
        }
        var strings = ([CommandLine.arguments[0]] + question).map { g_strdup($0) }
        defer { strings.forEach { g_free($0) } }
        let result = g_application_run(cast(pointer), gint(strings.count), &strings)
        if let hosted, !hosted.application.hasEnded {
            // The desktop took the display or the name away.
            attempt { () throws(SceneStoreError) in
                try hosted.application.beginTeardown()
                try hosted.quit()
            }
        }
        return max(result, status)
    }

    /// The user quits: notes that were not saved are asked about first.
    private func quit(keepingWindows: Bool = true) {
        attempt { () throws(SceneStoreError) in
            do throws(SceneStoreError) {
                try hosted?.application.quit(keepingWindows: keepingWindows)
            } catch  where error.code == .closingPostponed || error.code == .closingRefused {
                // The user is asked, or has refused.
            }
        }
        endIfQuit()
    }

    /// The user was asked whether a window may close.
    func answer(_ answer: ClosingAnswer, for window: NoteWindow) {
        hosted?.answerClosing(answer, of: window)
        endIfQuit()
    }

    private func endIfQuit() {
        if hosted?.application.hasEnded ?? false {
            end()
        }
    }

    func end() { g_application_quit(cast(pointer)) }

    func attempt(_ work: () throws(SceneStoreError) -> Void) {
        do throws(SceneStoreError) {
            try work()
        } catch {
            print("notes: \(error)")
            status = 1
        }
    }

    // MARK: The session bus

    private func makeApplication() -> UnsafeMutablePointer<GtkApplication> {
        let flags: [GApplicationFlags] = [
            G_APPLICATION_HANDLES_OPEN, G_APPLICATION_HANDLES_COMMAND_LINE,
            G_APPLICATION_ALLOW_REPLACEMENT, kind,
        ]
        let pointer: UnsafeMutablePointer<GtkApplication> = gtk_application_new(
            Self.identifier, GApplicationFlags(rawValue: flags.reduce(0) { $0 | $1.rawValue }))
        let opened: Signal.Opening = { _, files, count, _, data in
            let links = (0..<Int(count)).compactMap { files?[$0] }.compactMap(g_file_get_uri)
            data.object(NotesApp.self)?.activate(
                links.map { OpenURLContext(url: String(cString: $0)) })
            links.forEach { g_free($0) }
        }
        let activated: Signal.Plain = { _, data in data.object(NotesApp.self)?.activate([]) }
        let asked: Signal.Answering = { _, line, data in
            if let app = data.object(NotesApp.self), let line {
                app.answer(cast(line))
            }
            return 0
        }
        Signal.connect(pointer, "open", self, opened)
        Signal.connect(pointer, "activate", self, activated)
        Signal.connect(pointer, "command-line", self, asked)
        addActions(to: pointer)
        notes_register_session(pointer)
        return pointer
    }

    /// The desktop opens links, or asks for the app; a service starts by that.
    private func activate(_ links: [OpenURLContext]) {
        guard let hosted else {
            attempt { () throws(SceneStoreError) in
                // Where another process owns the windows, that one takes the name, which ends this
                // one after all that was asked of it.
                _ = try begin(links)
            }
            return
        }
        if !links.isEmpty {
            links.forEach { hosted.receive(.urls([$0])) }
        } else {
            showWindows()
        }
    }

    /// The user asks for the app: its front window, else those that were open last, else a new one.
    private func showWindows() {
        if let front {
            front.present()
        } else if hosted?.reopenLastSession() == 0 {
            hosted?.requestWindow()
        }
    }

    private func answer(_ line: UnsafeMutablePointer<GApplicationCommandLine>) {
        var count: gint = 0
        let arguments = g_application_command_line_get_arguments(line, &count)
        defer { g_strfreev(arguments) }
        if count > 1 {
            notes_print(line, description + (restorePage?.description ?? ""))
        }
    }

    /// One line for each window, in the order in which they were active.
    private var description: String {
        let scenes = hosted?.application.connectedScenes ?? []
        return scenes.compactMap { scene in
            hosted?.window(for: scene.session.id).map { window in
                "\(scene.session.configuration.name ?? "-") \(window.description)\n"
            }
        }.joined()
    }

    // MARK: Actions

    private func addActions(to pointer: UnsafeMutablePointer<GtkApplication>) {
        func add(_ name: String, _ key: String, _ handler: @escaping Signal.Detailed) {
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
        add("new", "<Control>n") { $2.object(NotesApp.self)?.hosted?.requestWindow() }
        add("new-private", "<Control>p") { $2.object(NotesApp.self)?.openPrivately() }
        add("preferences", "<Control>comma") { $2.object(NotesApp.self)?.openPreferences() }
        add("inspect", "<Control>i") { $2.object(NotesApp.self)?.inspect() }
        add("save", "<Control>s") { $2.object(NotesApp.self)?.front?.save() }
        add("close", "<Control>w") {
            $2.object(NotesApp.self)?.closeFront()
        }
        add("close-all", "<Control><Shift>w") {
            $2.object(NotesApp.self)?.hosted?.closeAllWindows()
        }
        add("undo-close", "<Control><Shift>t") { $2.object(NotesApp.self)?.undoClose() }
        add("restore-page", "<Control>r") { $2.object(NotesApp.self)?.showMissing() }
        add("quit", "<Control>q") { $2.object(NotesApp.self)?.quit() }
        add("quit-and-close", "<Control><Shift>q") {
            $2.object(NotesApp.self)?.quit(keepingWindows: false)
        }
    }

    // MARK: Windows

    /// A window shows another note, and an editor its saved text, too.
    func show(_ note: String?, in window: NoteWindow) {
        if let note, note != window.note {
            window.note = note
            if window.kind == .editor {
                window.text = documents[note] ?? ""
            }
        }
        didChange(window)
    }

    func makeWindow(for session: SceneSession) -> NoteWindow {
        arguments.playCrash(making: session)
        let window = NoteWindow(self, kind: .init(session), note: freshName())
        if window.kind == .editor, let note = session.title {
            // All there is to see where its state is withheld.
            window.note = note
            window.text = documents[note] ?? ""
        }
        window.placement = session.placement
        windows.append(window)
        return window
    }

    func bringForward(_ window: NoteWindow) {
        awaited = window.isActive ? nil : window
        if window.isDrawn || notes_display() != nil {
            window.present()
        } else {
            hidden.append(window)
            if hidden.count == 1 {
                window.present()
            }
        }
    }

    /// Wayland's compositor gives the focus to the window that it sees last, so they are shown one
    /// after another.
    func didDraw(_ window: NoteWindow) {
        if let index = hidden.firstIndex(where: { $0 === window }) {
            hidden.remove(at: index)
            if index == 0 {
                hidden.first?.present()
            }
        }
    }

    /// The window manager gave a window the focus. On its way to the window that the app showed last
    /// it may pass others, which is not the user's doing.
    func didBecomeActive(_ window: NoteWindow) {
        guard awaited == nil || awaited === window else {
            return
        }
        awaited = nil
        hosted?.windowDidBecomeActive(window)
    }

    func place(_ window: NoteWindow, at placement: ScenePlacement) {
        window.placement = placement
        window.moveAsWanted()
    }

    /// GTK 4 says neither that a window was moved nor all of what becomes of displays; X11 does.
    private func hearOfWindows() {
        let event: Signal.Filter = { _, event, data in
            guard let app = data.object(NotesApp.self), let event else {
                return 0
            }
            if notes_displays_changed(event) != 0 {
                app.hosted?.displaysDidChange(app.displays)
            }
            let moved = notes_moved_window(event)
            app.windows.first { moved != 0 && $0.identifier == moved }?.moved()
            return 0
        }
        notes_hear_moves(
            unsafeBitCast(event, to: GCallback.self), Unmanaged.passUnretained(self).toOpaque())
    }

    private var displays: [Display] {
        final class Found {
            var displays: [Display] = []
        }
        let found = Found()
        notes_each_display(
            { name, x, y, width, height, data in
                let frame = Display.Frame(
                    x: Double(x), y: Double(y), width: Double(width), height: Double(height))
                let name = name.map { String(cString: $0) } ?? ""
                data.object(Found.self)?.displays.append(Display(name, frame: frame))
            }, Unmanaged.passUnretained(found).toOpaque())
        return found.displays
    }

    func close(_ window: NoteWindow) {
        if awaited === window {
            awaited = nil
        }
        windows.removeAll { $0 === window }
        didDraw(window)
        window.destroy()
    }

    private func closeFront() {
        if let restorePage, restorePage.isActive {
            restorePage.close()
        } else if let front {
            hosted?.closeWindow(front)
        }
    }

    /// Shows what did not come back, as long as there is something.
    func showMissing() {
        attempt { () throws(SceneStoreError) in
            let missing = try missingWindows()
            guard !missing.isEmpty else {
                restorePage?.close()
                return
            }
            let page = restorePage ?? RestorePage(self)
            restorePage = page
            page.show(missing)
        }
    }

    /// A name that no open note has.
    private func freshName() -> String {
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

    /// What a window shows changed: it is saved soon. Inspectors follow the note they are about.
    func didChange(_ window: NoteWindow) {
        hosted?.windowDidChange(window)
        guard window.kind == .editor else {
            return
        }
        for inspector in windows where inspector.kind == .inspector && inspector.note == window.note
        {
            inspector.showFacts(of: window)
        }
    }

    /// The user wants lines wrapped, or not.
    func wrapLines(_ isWrapped: Bool) {
        documents.wrapsLines = isWrapped
        windows.forEach { $0.wrapLines(isWrapped) }
    }
}
