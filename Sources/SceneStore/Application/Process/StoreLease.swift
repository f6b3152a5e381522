import SceneStoreStorage
import SceneStoreValues

/// Letting go of the container while nothing is in front, and taking it back (S-33).
///
/// What another process wrote meanwhile is read before the next event, and until that has succeeded
/// no event begins.
final class StoreLease {
    /// The application; it owns this.
    private unowned let application: SceneApplication
    /// Whether the store was let go of since the last event.
    @exclusivity(unchecked) private(set) var isLetGo = false
    /// Whether another process wrote to the container and its sessions are not yet read again.
    @exclusivity(unchecked) private var awaitsReading = false

    init(_ application: SceneApplication) {
        self.application = application
    }

    /// After an event, if the options say so and no scene is in front any more.
    func letGo() {
        // Once: each use of what is unowned retains it.
        let application = application
        guard application.options.releasesLockInBackground, application.processState == .running,
            !application.isPerforming, !application.engine.machine.hasFront,
            !application.preScene.isActive, !application.store.isSuspended
        else {
            return
        }
        isLetGo = true
        application.upkeep.stop()
        application.tolerating { () throws(SceneStoreError) in try application.store.suspend() }
    }

    /// Before an event. Throws while another process owns the container, and when it is not the
    /// one that was let go: then nothing of this process is written into it.
    func takeBack() throws(SceneStoreError) {
        if isLetGo {
            awaitsReading = try application.store.resume() || awaitsReading
            isLetGo = false
        }
        if awaitsReading {
            try readAgain()
            awaitsReading = false
        }
    }

    /// Another process owned the container meanwhile: what is known of the live scenes is read
    /// again. A scene whose session is gone is disconnected, and its changes are dropped.
    private func readAgain() throws(SceneStoreError) {
        let store = application.store
        application.storage.readAgain()
        var gone: [Int64] = []
        for (key, scene) in application.live.scenes {
            let identifier = scene.session.persistentIdentifier
            if let record = try store.record(key: key), record.isOpen,
                record.id == identifier
            {
                application.live.note(record)
                scene.session.takeOver(try store.session(for: record))
                scene.storage.readAgain()
            } else {
                gone.append(key)
            }
        }
        for key in gone {
            application.report(
                Diagnostic(
                    .discardedElsewhere, .warning,
                    "another process discarded the session while the app was in the background",
                    sessionIdentifier: application.live.scene(key)?.session.persistentIdentifier))
            SessionRemoval(application: application).disconnectForGood(key)
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
