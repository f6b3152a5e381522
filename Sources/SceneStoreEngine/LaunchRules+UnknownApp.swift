import SceneStoreValues

/// What a store shows of the app that it belongs to, for those who have no manifest.
extension LaunchRules {
    /// Whether a launch ends all parkings whose cause is gone. There is no index of them: where many
    /// sessions are open they stay marked.
    static func endsParkings(of skeleton: some Skeleton) throws(SceneStoreError) -> Bool {
        try skeleton.openCount(role: nil) <= 64
    }

    /// Takes an unknown app for one of one window while a launch has parked sessions for that: the
    /// launch that finds several allowed ends those parkings (L-12, L-18).
    package mutating func learn(from skeleton: some Skeleton) throws(SceneStoreError) {
        guard isOfUnknownApp, try Self.endsParkings(of: skeleton) else {
            return
        }
        let parked = try skeleton.launchParkedRecords()
        if parked.contains(where: { [.oneWindow, .displaced].contains($0.parkedCause) }) {
            environmentSupportsMultipleScenes = false
        }
    }
}
