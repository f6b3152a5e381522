/// Letting go of the container while nothing is in front (S-33).
extension SceneApplication {
    /// After an event, if the options say so and no scene is in front any more.
    package func letStoreGo() {
        guard options.releasesLockInBackground, processState == .running, !isPerforming,
            engine.machine.front.isEmpty, !preScene.isActive, !store.isSuspended
        else {
            return
        }
        hasLetStoreGo = true
        upkeepTimer?.cancel()
        tolerating { () throws(SceneStoreError) in try store.suspend() }
    }

    /// Before an event. Throws while another process owns the container, and when it is not the
    /// one that was let go: then nothing of this process is written into it.
    func takeStoreBack() throws(SceneStoreError) {
        if hasLetStoreGo {
            awaitsReading = try store.resume() == .changed || awaitsReading
            hasLetStoreGo = false
        }
        if awaitsReading {
            try readAgain()
            awaitsReading = false
        }
    }

    /// Another process owned the container meanwhile: what is known of the live scenes is read
    /// again. A scene whose session is gone is disconnected, and its changes are dropped.
    private func readAgain() throws(SceneStoreError) {
        var gone: [Int64] = []
        for (key, scene) in live.scenes {
            let identifier = scene.session.persistentIdentifier
            if let record = try store.record(key: key), record.isOpen,
                record.id == identifier
            {
                live.note(record)
                scene.session.takeOver(try store.session(for: record))
                scene.storage.readAgain()
            } else {
                gone.append(key)
            }
        }
        for key in gone {
            report(
                Diagnostic(
                    .discardedElsewhere, .warning,
                    "another process discarded the session while the app was in the background",
                    sessionIdentifier: live.scene(key)?.session.persistentIdentifier))
            disconnectForGood(key)
        }
    }
}

extension SceneSession {
    /// Takes over what is stored of a session; how it was connected stays.
    fileprivate mutating func takeOver(_ stored: SceneSession) {
        userInfo = stored.userInfo
        title = stored.title
        placement = stored.placement
        activationConditions = stored.activationConditions
        presentedValue = stored.presentedValue
        privacy = stored.privacy
        isPinned = stored.isPinned
    }
}

extension Diagnostic.Code {
    /// Another process discarded the session of a live scene.
    public static let discardedElsewhere = Self("discardedElsewhere")
}
