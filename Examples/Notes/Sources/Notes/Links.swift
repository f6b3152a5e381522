import CGtk
import SceneStore

/// Which window is for what, and which links it takes.
extension NotesApp {
    static let inspection = "org.scenestore.notes.inspect"

    /// The configuration of a new window, unless it was opened with one.
    func configuration(
        for session: SceneSession, options: ConnectionOptions
    ) -> SceneConfiguration {
        let isInspector = options.userActivities.first?.activityType == Self.inspection
        return isInspector
            ? SceneConfiguration(name: "Inspector", role: session.role) : session.configuration
    }

    /// A link goes to the editor of its note, any other to a new one: never to an inspector, the
    /// preferences or a private window. Asked before the windows are there, too, when the link
    /// launches the app.
    func editor(for payload: Payload) -> PayloadTarget? {
        guard case .urls(let links) = payload, let note = links.first.flatMap(noteName) else {
            return nil
        }
        let window = windows.first { $0.kind == .editor && $0.note == note }
        let session =
            window.flatMap { hosted?.scene(of: $0)?.session }
            ?? hosted?.application.openSessions.first {
                $0.title == note && NoteWindow.Kind($0) == .editor
            }
        return session.map { .window($0.id) } ?? .new
    }

    private func noteName(of link: OpenURLContext) -> String? {
        let name = link.url.utf8.dropFirst("notes:".utf8.count)
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    func deliver(_ payload: Payload, to window: NoteWindow) {
        switch payload {
        case .urls(let links):
            if let note = links.first.flatMap(noteName), note != window.note {
                window.note = note
                window.text = documents[note] ?? ""
            }
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
            hosted?.requestWindow(
                for: try UserActivity(
                    activityType: Self.inspection, userInfo: ["note": .string(front.note)]))
        } catch {
            print("notes: \(error)")
        }
        didChange(front)
    }

    /// Opens an editor of which nothing is stored and which never comes back.
    func openPrivately() {
        hosted?.requestWindow(configuration: "Private", privacy: .ephemeral)
    }
}
