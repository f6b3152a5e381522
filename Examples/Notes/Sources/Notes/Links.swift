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

    /// A link to the note of an open window goes there, any other to a new window. An inspector
    /// takes none.
    func takeLinks(_ window: NoteWindow) {
        let link = "notes:\(window.note)"
        let rule: ActivationConditions.Rule = window.kind == .editor ? .equals(link) : .never
        let conditions = ActivationConditions(canActivate: rule, prefersToActivate: rule)
        guard let scene = hosted?.scene(of: window),
            scene.session.activationConditions != conditions
        else {
            return
        }
        do throws(SceneStoreError) {
            try scene.setActivationConditions(conditions)
        } catch {
            print("notes: \(error)")
        }
    }

    func deliver(_ payload: Payload, to window: NoteWindow) {
        switch payload {
        case .urls(let contexts):
            if let link = contexts.first?.url.utf8.dropFirst("notes:".utf8.count), !link.isEmpty {
                window.note = String(decoding: link, as: UTF8.self)
            }
        case .activity(let activity):
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
