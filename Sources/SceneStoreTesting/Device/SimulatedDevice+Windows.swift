import SceneStore
import SceneStoreEngine

/// What the user and the system do while the app runs, and while it doesn't.
extension SimulatedDevice {
    private func running() throws(SceneStoreError) -> SceneApplication {
        guard let application else {
            throw SceneStoreError(.invalidState, "no process runs")
        }
        return application
    }

    /// Does what the user or the system does: what can't be saved is among the diagnostics, and the
    /// device goes on.
    private func goingOn(
        _ work: (SceneApplication) throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        let application = try running()
        let isThrown = application.states.throwsFailures
        application.states.throwsFailures = false
        defer { application.states.throwsFailures = isThrown }
        try work(application)
    }

    private func identifiers(
        where fits: (Scene.ActivationState) -> Bool
    ) -> [SceneSession.ID] {
        (application?.connectedScenes ?? [])
            .filter { fits($0.activationState) }
            .map(\.session.persistentIdentifier)
    }

    // MARK: Windows

    /// Opens another window for the user, and returns its scene.
    ///
    /// Throws the error that the request's error handler gets, such as
    /// `SceneStoreError.Code.multipleScenesNotSupported`.
    ///
    /// - Parameters:
    ///   - role: The window's role. Nil means the role under which `configuration` is declared, or
    ///     else `SceneSessionRole.windowApplication`.
    ///   - configuration: The configuration of a new window; nil asks the provider.
    ///   - activity: The activity that the window gets.
    ///   - privacy: The privacy class of a new window.
    @discardableResult
    public func openWindow(
        role: SceneSessionRole? = nil, configuration: String? = nil,
        activity: UserActivity? = nil, privacy: PrivacyClass = .standard
    ) throws(SceneStoreError) -> Scene {
        let application = try running()
        var request = SceneSessionActivationRequest(role: role, userActivity: activity)
        request.configurationName = configuration
        request.privacy = privacy
        return try application.opened(request)
    }

    /// Closes a window for the user: the one in front, or one by its identifier or letter.
    ///
    /// If no process runs, the app gets the discard at its next launch.
    public func closeWindow(_ session: SceneSession.ID? = nil) throws(SceneStoreError) {
        if isRunning {
            guard
                let identifier = session.map({ recorder.session($0) })
                    ?? frontScene?.session.persistentIdentifier
            else {
                throw SceneStoreError(.invalidState, "no scene is connected")
            }
            try goingOn { application throws(SceneStoreError) in
                try application.closeWindow(of: identifier)
            }
            return
        }
        let named = session.map { recorder.session($0) }
        try closing { (store) throws(SceneStoreError) in
            let record: SessionRecord? =
                if let named { try store.record(identifier: named) } else {
                    try store.mostRecentRecord(role: nil)
                }
            guard let record, record.isOpen else {
                throw SceneStoreError(.requestDenied, "the session is unknown or was discarded")
            }
            try store.discard([record.key], cause: .user, deliveredNow: false)
        }
    }

    /// Closes windows for the user in one action, while no process runs.
    ///
    /// The app gets the discards at its next launch.
    public func closeWindows(of identifiers: [SceneSession.ID]) throws(SceneStoreError) {
        guard application == nil else {
            throw SceneStoreError(.invalidState, "the process runs and owns the container")
        }
        let named = identifiers.map { recorder.session($0) }
        try closing { (store) throws(SceneStoreError) in
            var keys: [Int64] = []
            for identifier in named {
                guard let record = try store.record(identifier: identifier), record.isOpen else {
                    throw SceneStoreError(
                        .requestDenied, "the session is unknown or was discarded")
                }
                keys.append(record.key)
            }
            try store.discard(keys, cause: .user, deliveredNow: false)
        }
    }

    /// Closes windows in the store that an app left behind.
    private func closing(
        _ work: (SceneSessionStore) throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        do throws(SceneStoreError) {
            try edit(work)
        } catch {
            let isBlank = disk.map { $0.fileSize(storePath) == nil } ?? (error.code == .missing)
            throw isBlank ? Self.notLaunched : error
        }
    }

    /// Moves all windows to the background, as when the user goes to the home screen.
    ///
    /// Their states are saved. A state that can't be saved is among the diagnostics, and isn't thrown.
    public func moveToBackground() throws(SceneStoreError) {
        try goingOn { application throws(SceneStoreError) in
            try application.moveToBackground(
                identifiers { $0 == .foregroundActive || $0 == .foregroundInactive })
        }
    }

    /// Moves all connected windows to the foreground.
    public func moveToForeground() throws(SceneStoreError) {
        try running().moveToForeground(identifiers { $0 == .background })
    }

    /// Evicts all background scenes, as the system does; their sessions stay open.
    public func evict() throws(SceneStoreError) {
        let application = try running()
        for identifier in identifiers(where: { $0 == .background }) {
            try application.evict(identifier)
        }
    }

    // MARK: What arrives

    /// Opens a link for the user.
    ///
    /// The link launches the app if no process runs, and is delivered to the running app otherwise.
    /// Throws `SceneStoreError.Code.invalidState` if nothing was ever launched.
    public func open(_ url: String, sourceApplication: String? = nil) throws(SceneStoreError) {
        try deliver(.urls([OpenURLContext(url: url, sourceApplication: sourceApplication)]))
    }

    /// Delivers a payload to the app, and launches it if no process runs.
    public func deliver(_ payload: Payload) throws(SceneStoreError) {
        if let application {
            try application.receive(payload)
        } else {
            try relaunch([payload])
        }
    }

    // MARK: What happens to a device

    /// Updates the app, so that the next launch runs the new version.
    ///
    /// A running process is killed, as the system does it. Properties that you don't pass stay.
    /// Renames lead from old names to new ones.
    public func update(
        manifest: SceneManifest? = nil, version: String? = nil,
        renaming renames: [String: String] = [:]
    ) {
        kill()
        options.manifest = manifest ?? options.manifest
        options.appVersion = version ?? options.appVersion
        options.configurationRenames.merge(renames) { _, new in new }
    }

    /// The faults that outlast a lock: setting a programme counts anew, and what was hit once would be
    /// hit again.
    private var permanentFaults: [FaultDisk.Fault] { disk?.program.filter(\.isPermanent) ?? [] }

    /// Locks the device: the windows in front go to the background and are saved.
    ///
    /// With `protectingFiles`, the container's files can't be read from then on: a launch throws
    /// `SceneStoreError.Code.protected`, and writes of a running process on a device in memory
    /// fail. Permanent faults of the disk stay. Does nothing on a locked device.
    public func lock(protectingFiles: Bool = false) throws(SceneStoreError) {
        guard !isLocked else {
            return
        }
        isLocked = true
        if application != nil {
            let front = identifiers { $0 == .foregroundActive || $0 == .foregroundInactive }
            try moveToBackground()
            scenesBehindLock = front
        }
        if protectingFiles {
            protectsFiles = true
            disk?.program = lockFaults + permanentFaults
        }
    }

    /// Unlocks the device: files can be read again, and the earlier front windows come back.
    public func unlock() throws(SceneStoreError) {
        guard isLocked else {
            return
        }
        isLocked = false
        if protectsFiles {
            let lockFaults = lockFaults
            protectsFiles = false
            disk?.program = permanentFaults.filter { !lockFaults.contains($0) }
        }
        let returning = scenesBehindLock.filter { application?.scene(for: $0) != nil }
        scenesBehindLock = []
        if !returning.isEmpty {
            try application?.moveToForeground(returning)
        }
    }

    /// Restarts the system in good order; a running process dies, and no written data is lost.
    ///
    /// See ``cutPower(seed:mode:)`` for a power cut.
    public func reboot() {
        end(.kill)
        bootCount += 1
    }

    /// Moves the clock; timers of the running process fire on the way.
    public func wait(milliseconds: Int64) {
        scheduler.advance(by: milliseconds)
    }
}
