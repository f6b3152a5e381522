import SceneStoreEngine
import SceneStoreValues

/// Activities that are on their way from another device, and which scenes were told of them (L-62).
struct Announcements {
    /// One that was announced and whose data neither came nor failed to.
    struct Announcement {
        let type: String
        let identifier: String?
        /// The scene that was told; nil when it is gone, and in an app without scenes.
        private(set) weak var scene: Scene?
    }

    /// The oldest first.
    private var all: [Announcement] = []

    mutating func add(_ type: String, _ identifier: String?, toldTo scene: Scene?) {
        all.append(Announcement(type: type, identifier: identifier, scene: scene))
    }

    /// Takes the one that data belongs to: of its type one with its target, else one without a target,
    /// else any; of several the oldest whose scene is there, else the oldest.
    mutating func take(_ type: String, _ identifier: String?) -> Announcement? {
        let places = all.indices.filter { all[$0].type == type }
        func oldest(_ fits: (Announcement) -> Bool) -> Int? {
            let fitting = places.filter { fits(all[$0]) }
            return fitting.first { all[$0].scene != nil } ?? fitting.first
        }
        let place =
            oldest { $0.identifier == identifier } ?? oldest { $0.identifier == nil }
            ?? oldest { _ in true }
        return place.map { all.remove(at: $0) }
    }
}
