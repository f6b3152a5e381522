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
    private(set) var isLetGo = false
    /// Whether another process wrote to the container and its sessions are not yet read again.
    private var awaitsReading = false

    init(_ application: SceneApplication) {
        self.application = application
    }

    /// After an event, if the options say so and no scene is in front any more.
    func letGo() {
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
            awaitsReading = try application.store.resume() == .changed || awaitsReading
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
            WindowRemoval(application: application).disconnectForGood(key)
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

/// Going on while the store can't be written (L-17).
///
/// A file that is moved, deleted, full, read-only or broken takes no window away: windows open,
/// close, receive links and keep their states in memory. ``diagnosticHandler`` is told
/// ``Diagnostic/Code/writeRefused`` once for each cause. Everything that is held is written, in one
/// transaction, along with the first write that succeeds.
extension SceneApplication {
    /// The reason why the store takes no writes at present; nil while everything is stored.
    ///
    /// Changes that are held meanwhile are lost if the process dies. While there are any,
    /// ``quit()`` throws.
    public var storeRefusal: SceneStoreError? { store.refusal }

    /// Opens the store at its path again, with all checks, and writes the changes that are held.
    ///
    /// Call it after the container was moved away and put back, or deleted, or after a write failed
    /// in a way that this opening can't recover from. Does nothing while no change is held. Durable
    /// on return. Throws what opening throws, and ``SceneStoreError/Code/replaced`` if another
    /// store is at the path now, which is left unchanged. Then the windows continue in memory.
    public func reopenStore() throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            try store.reopenFile()
        }
    }

    /// Ends a call that writes at once, outside of an event.
    func finishCall() {
        guard !isPerforming else {
            return
        }
        tellFindings()
        letStoreGo()
        // What was written is synced in time, also when no event comes.
        upkeep.schedule(isSoon: false)
    }

    /// Lets go of the store, if nothing is in front and the options say so.
    package func letStoreGo() {
        lease.letGo()
    }

    /// Tells what the store noticed since it was asked last.
    func tellFindings() {
        store.tellDiagnostics(report)
    }
}
