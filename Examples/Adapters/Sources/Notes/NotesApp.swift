import SceneStoreHosting
import TextUI

/// Notes, each a window for its name, and preferences.
@main
struct NotesApp: App {
    var body: [any TextUI.Scene] {
        RestoredGroup(name: "Note", role: .windowApplication) { NoteView(name: $0) }
        RestoredGroup(name: "Preferences", role: .preferences) { _ in PreferencesView() }
    }

    // notes DIR [note:NAME…]
    func didBegin() {
        do {
            try Windows.start(
                CommandLine.arguments[1], Array(CommandLine.arguments.dropFirst(2)))
        } catch {
            print(error)
            Screen.end()
        }
    }
}

struct NoteView: View {
    let name: String?
    @WindowState("text") var text = ""
    @SceneStorage("zoom") var zoom = 1

    var title: String { name ?? "untitled" }
    var body: String { "\(text)\r\nzoom \(zoom)" }

    func press(_ key: Character) {
        if key == "+" {
            zoom += 1
        } else {
            text.append(key)
        }
    }
}

struct PreferencesView: View {
    var title: String { "Preferences" }
    var body: String { "wraps \(Windows.wraps ? "on" : "off")" }

    func press(_ key: Character) { Windows.wraps.toggle() }
}

extension Windows {
    /// A setting of the app.
    static var wraps: Bool {
        get { hosted?.application.storage["wraps", as: Bool.self] ?? false }
        set { hosted?.application.storage["wraps", as: Bool.self] = newValue }
    }
}
