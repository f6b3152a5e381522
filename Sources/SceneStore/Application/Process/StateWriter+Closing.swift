/// What a window shows and no save has taken (L-46).
extension StateWriter {
    /// Asks a scene that is being closed for a change that is not stored yet; answers what is to be
    /// written with its discard.
    func lastState(of key: Int64) -> StateToSave? {
        if let scene = application.live.scene(key), hasUnsavedChange(scene) {
            collectState(of: scene, isClosing: true)
        }
        guard case .state(let encoded) = application.live[key]?.unsaved else {
            return nil
        }
        return StateToSave(key: key, encoded: encoded)
    }

    /// Whether a scene has a change that is not stored yet: it reported one, or it shows something else
    /// than its stored state. A delegate that returns activities itself is believed; it is asked in its
    /// save chain alone (L-31).
    func hasUnsavedChange(_ scene: Scene) -> Bool {
        guard !application.autosaving.isPending(scene.key) else {
            return true
        }
        guard scene.isLookedAtAnyTime else {
            return false
        }
        switch look(at: scene) {
        // Nothing is shown, or what was shown from the beginning instead of a withheld state.
        case .success(nil), .success(.nothing?): return false
        case .success(let answer?):
            guard !isPlaceholder(answer, of: scene) else {
                return false
            }
            return answer.bytes != storedBytes(of: scene)
                || (scene.delegate as? any WindowOfHost)?.hasNewAppearance(scene) == true
        // Its save chain tells why.
        case .failure: return true
        }
    }
}
