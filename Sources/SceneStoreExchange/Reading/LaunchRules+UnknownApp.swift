import SceneStoreEngine
import SceneStoreValues

/// What a store shows of the app that it belongs to, for those who have no manifest.
extension LaunchRules {
    /// Takes an unknown app for one of one window while a launch has parked sessions for that: the
    /// launch that finds several allowed ends those parkings (L-12, L-18).
    package mutating func learn(from skeleton: some Skeleton) throws(SceneStoreError) {
        guard isOfUnknownApp else {
            return
        }
        let parked = try skeleton.exceptionalRecords()
        if parked.contains(where: { [.oneWindow, .displaced].contains($0.parkedCause) }) {
            environmentSupportsMultipleScenes = false
        }
    }
}
