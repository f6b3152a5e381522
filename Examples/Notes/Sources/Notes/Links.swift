import SceneStore

/// Which window is for what, and which links it takes.
extension NotesApp {
    static let inspection = "org.scenestore.notes.inspect"

    /// Asked once in each window's life.
    func configuration(
        for session: SceneSession, options: ConnectionOptions
    ) -> SceneConfiguration {
        let isInspector = options.userActivities.first?.activityType == Self.inspection
        return SceneConfiguration(name: isInspector ? "Inspector" : editorName, role: session.role)
    }

    /// A link to a note that has a window goes there, any other to a new window; no inspector takes
    /// one. Asked before the windows are there, too, when the link launches the app.
    func target(for payload: Payload) -> PayloadTarget? {
        guard case .urls(let contexts) = payload, let note = contexts.first.flatMap(noteName)
        else {
            return nil
        }
        let window = windows.first { $0.kind == .editor && $0.note == note }
        let session =
            window.flatMap { hosted?.scene(of: $0)?.session }
            ?? hosted?.application.openSessions.first {
                $0.title == note && $0.configuration.name != "Inspector"
            }
        return session.map { .window($0.id) } ?? .new
    }

    private func noteName(of link: OpenURLContext) -> String? {
        let name = link.url.utf8.dropFirst("notes:".utf8.count)
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    func deliver(_ payload: Payload, to window: NoteWindow) {
        switch payload {
        case .urls(let contexts):
            window.note = contexts.first.flatMap(noteName) ?? window.note
        case .activity(let activity, _):
            window.note = activity.userInfo["note"]?.stringValue ?? window.note
        case .shortcut, .notification: break
        }
        didChange(window)
    }

    /// Opens an inspector of the note in front.
    func inspect() {
        guard let front, front.kind == .editor else {
            return
        }
        do throws(SceneStoreError) {
            hosted?.openWindow(
                for: try UserActivity(
                    activityType: Self.inspection, userInfo: ["note": .string(front.note)]))
        } catch {
            print("notes: \(error)")
        }
        didChange(front)
    }
}
