import CGtk
import SceneStore

/// Inspectors of notes, each a window for an activity that names its note.
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

    /// The note that an inspector is opened for.
    func inspectedNote(_ payload: Payload) -> String? {
        guard case .activity(let activity, _) = payload else {
            return nil
        }
        return activity.userInfo["note"]?.stringValue
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
}
