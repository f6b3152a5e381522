import CGtk
import SceneStoreHosting

/// Notes, each a window for its name, and preferences.
@main
struct NotesApp {
    // gtknotes DIR [note:NAME…]
    static func main() throws {
        let windows = Windows([
            RestoredGroup(name: "Note", role: .windowApplication) { _ in NoteWindow() },
            RestoredGroup(name: "Preferences", role: .preferences) { PreferencesWindow($0) },
        ])
        windows.gtk.addMenuItem("zoom", "plus") { (windows.front as? NoteWindow)?.zoom += 1 }
        windows.gtk.addMenuItem("turn", "Tab") { windows.all.last?.present() }
        windows.gtk.addMenuItem("close", "<Control>w") { windows.front?.close() }
        windows.describe("")
        try windows.run(CommandLine.arguments[1], Array(CommandLine.arguments.dropFirst(2)))
    }
}

/// A note's text, which GTK keeps.
final class NoteWindow: RestoredWindow, CustomStringConvertible {
    @SceneStorage("zoom") var zoom = 1
    private let view: UnsafeMutablePointer<GtkWidget> = gtk_text_view_new()
    private var buffer: UnsafeMutablePointer<GtkTextBuffer> { gtk_text_view_get_buffer(cast(view)) }

    override init() {
        super.init()
        title = "untitled"
        child = view
        connect(buffer, "changed") { [weak self] in self?.didChange() }
    }

    override var state: ValueDictionary {
        get { ["text": .string(text)] }
        set { gtk_text_buffer_set_text(buffer, newValue["text"]?.stringValue ?? "", -1) }
    }
    private var text: String {
        var (start, end) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_bounds(buffer, &start, &end)
        guard let text = gtk_text_buffer_get_text(buffer, &start, &end, 1) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
    override func show(_ value: String) { title = value }
    var description: String { "\(text)\r\nzoom \(zoom)" }
}

/// A check button for the setting.
final class PreferencesWindow: RestoredWindow, CustomStringConvertible {
    private let button: UnsafeMutablePointer<GtkWidget> = gtk_check_button_new_with_label("Wraps")
    private var isOn: Bool { gtk_check_button_get_active(cast(button)) != 0 }

    init(_ windows: Windows) {
        super.init()
        title = "Preferences"
        child = button
        gtk_check_button_set_active(cast(button), windows.wraps ? 1 : 0)
        connect(button, "toggled") { [weak self, weak windows] in
            if let self { windows?.wraps = isOn }
        }
    }

    var description: String { "wraps \(isOn ? "on" : "off")" }
}

extension Windows {
    /// A setting of the app.
    var wraps: Bool {
        get { hosted?.application.storage["wraps", as: Bool.self] ?? false }
        set { hosted?.application.storage["wraps", as: Bool.self] = newValue }
    }

    /// All windows, the one that was used last first.
    var all: [RestoredWindow] {
        let scenes = hosted?.application.connectedScenes ?? []
        return scenes.compactMap { hosted?.window(for: $0.session.id) }
    }
    var front: RestoredWindow? { all.first }

    /// Prints what the windows show, for the script that drives the app, whenever it changes.
    func describe(_ before: String) {
        let bar = all.reversed().map { $0.isActive ? "[\($0.title)]" : " \($0.title) " }.joined()
        let picture = bar + "\r\n" + (front.map { "\($0)" } ?? "")
        if picture != before, front?.isActive == true {
            print("\u{1B}[2J\u{1B}[H\(picture)\u{1B}[K\u{7}", terminator: "")
            fflush(nil)
        }
        perform(after: 20) { self.describe(picture) }
    }
}
