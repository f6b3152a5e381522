import SceneStoreStorage
import SceneStoreValues

/// Taking the container back that was let go of while nothing was in front (S-33).
///
/// What another process wrote meanwhile is read before the next event, and until that has succeeded
/// no event begins.
extension SceneApplication {
    /// Before an event. Throws while another process owns the container, and when it is not the
    /// one that was let go: then nothing of this process is written into it.
    func takeStoreBack() throws(SceneStoreError) {
        if core.isLetGo {
            core.awaitsReading = try core.store.resume() || core.awaitsReading
            core.isLetGo = false
        }
        if core.awaitsReading {
            try readAgain()
            core.awaitsReading = false
        }
    }

    /// Another process owned the container meanwhile: what is known of the live scenes is read
    /// again. A scene whose session is gone is disconnected, and its changes are dropped.
    private func readAgain() throws(SceneStoreError) {
        storage.readAgain()
        var gone: [Int64] = []
        for (key, scene) in core.live.scenes {
            let identifier = scene.session.persistentIdentifier
            if let record = try store.record(key: key), record.isOpen,
                record.id == identifier
            {
                core.live.note(record)
                scene.session.takeOver(try store.session(for: record))
                scene.storage.readAgain()
            } else {
                gone.append(key)
            }
        }
        for key in gone {
            core.report(
                Diagnostic(
                    .discardedElsewhere, .warning,
                    "another process discarded the session while the app was in the background",
                    sessionIdentifier: core.live.scene(key)?.session.persistentIdentifier))
            SessionRemoval(application: self).disconnectForGood(key)
        }
    }
}

extension SceneSession {
    /// Takes over what is stored of a session; how it was connected stays.
    fileprivate mutating func takeOver(_ stored: SceneSession) {
        placement = stored.placement
        privacy = stored.privacy
        isPinned = stored.isPinned
        // What a private session shows is in memory only (S-70).
        guard privacy != .ephemeral else {
            return
        }
        userInfo = stored.userInfo
        title = stored.title
        activationConditions = stored.activationConditions
        presentedValue = stored.presentedValue
    }
}

extension Diagnostic.Code {
    /// Another process discarded the session of a live scene.
    public static let discardedElsewhere = Self("discardedElsewhere")
}
