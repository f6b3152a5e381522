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

    /// Takes the one that data belongs to: of its type the oldest with its target, else the oldest
    /// without a target, else the oldest.
    mutating func take(_ type: String, _ identifier: String?) -> Announcement? {
        let places = all.indices.filter { all[$0].type == type }
        let place =
            places.first { all[$0].identifier == identifier }
            ?? places.first { all[$0].identifier == nil } ?? places.first
        return place.map { all.remove(at: $0) }
    }
}
