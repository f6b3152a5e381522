import SceneStore
import SceneStoreHosting

/// Apps whose windows belong to a `SceneHost`.
extension SimulatedDevice {
    /// Starts the process of an app with a host: opens the store, makes the host and launches.
    ///
    /// ```swift
    /// let device = try SimulatedDevice()
    /// try device.launch(host: NotesHost())
    /// try device.window(TextWindow.self, at: 0).note.text = "draft"
    /// try device.moveToBackground()
    /// try device.relaunch()
    /// let text = try device.window(TextWindow.self, at: 0).note.text  // what the user sees
    /// ```
    ///
    /// The host expression is evaluated again at each ``relaunch(_:)``. `prepare` sees the hosted
    /// application before it launches, for a host that keeps a reference to it. Everything else
    /// works as with delegates: clock, faults, crashes, fixtures and transcript. A device that was
    /// made without options uses `SceneApplicationOptions.desktop()`, with its manifest if it has one.
    ///
    /// Throws what opening and launching throw; then no process runs.
    @discardableResult
    public func launch<Host: SceneHost>(
        _ payloads: [Payload] = [], host makeHost: @autoclosure @escaping () -> Host,
        prepare: @escaping (HostedSceneApplication<Host>) -> Void = { _ in }
    ) throws(SceneStoreError) -> HostedSceneApplication<Host> {
        chooseDesktopOptions()
        _ = try launch(payloads) { [unowned self] store, environment in
            let hosted = HostedSceneApplication(
                store: store, host: makeHost(), options: options, environment: environment,
                scheduler: scheduler)
            return DeviceProcess(hosted.application, hosted: hosted) {
                prepare(hosted)
            } launch: { payloads throws(SceneStoreError) in
                try hosted.launch(payloads)
            }
        }
        return try hosted(Host.self)
    }

    /// A host's app has windows; a device that was told nothing else allows several.
    private func chooseDesktopOptions() {
        guard !hasChosenOptions else {
            return
        }
        hasChosenOptions = true
        let desktop =
            options.manifest.map { SceneApplicationOptions.desktop(manifest: $0) } ?? .desktop()
        options.manifest = desktop.manifest
        // What was set since the device was made stays.
        if options.reconnection == .foreground {
            options.reconnection = desktop.reconnection
        }
        if options.delivery == .uikit {
            options.delivery = desktop.delivery
        }
    }

    /// Returns the hosted application of the running process.
    ///
    /// Throws `SceneStoreError.Code.invalidState` if no process runs, or its host has another type.
    public func hosted<Host: SceneHost>(
        _ type: Host.Type = Host.self
    ) throws(SceneStoreError) -> HostedSceneApplication<Host> {
        guard application != nil else {
            throw SceneStoreError(.invalidState, "no process runs")
        }
        guard let hosted = hostedApplication as? HostedSceneApplication<Host> else {
            throw SceneStoreError(
                .invalidState, "the process was not launched with a host of this type")
        }
        return hosted
    }

    /// Returns the host of the running process; throws as ``hosted(_:)`` does.
    public func host<Host: SceneHost>(
        _ type: Host.Type = Host.self
    ) throws(SceneStoreError) -> Host {
        try hosted(type).host
    }

    /// Returns a window of the host: 0 is the one in front, then the most recently active ones.
    ///
    /// Throws `SceneStoreError.Code.invalidState` if no process runs, there are fewer windows, or
    /// the window has another type.
    public func window<Window>(
        _ type: Window.Type = Window.self, at index: Int
    ) throws(SceneStoreError) -> Window {
        guard let scenes = application?.connectedScenes else {
            throw SceneStoreError(.invalidState, "no process runs")
        }
        guard scenes.indices.contains(index) else {
            throw SceneStoreError(
                .invalidState, "there is no window \(index); \(scenes.count) are connected")
        }
        guard let window = scenes[index].hostedWindow as? Window else {
            throw SceneStoreError(.invalidState, "the window is of another type")
        }
        return window
    }

    /// Returns the host's windows of a type, the one in front first.
    public func windows<Window>(_ type: Window.Type = Window.self) -> [Window] {
        (application?.connectedScenes ?? []).compactMap { $0.hostedWindow as? Window }
    }
}

extension Scene {
    /// The window that a host made for the scene; nil in an app without a host.
    fileprivate var hostedWindow: AnyObject? { (delegate as? any WindowOfHost)?.hostedWindow }
}
