import SceneStore

/// Makes a ``StoreFixture`` window by window, by playing an app on a device in memory.
///
/// ```swift
/// var builder = StoreFixtureBuilder()
/// builder.addWindow(StoreFixtureBuilder.Window(title: "Shopping"))
/// builder.addWindow(StoreFixtureBuilder.Window(title: "Work", isFront: false))
/// builder.end = .kill
/// let device = try SimulatedDevice(fixture: builder.build())
/// ```
public struct StoreFixtureBuilder: Sendable {
    /// A window of the app, and its stored data.
    public struct Window: Sendable {
        /// The name of its configuration, resolved by the manifest when there is one.
        public var configuration: String?
        /// The window's role.
        public var role: SceneSessionRole
        /// The state that was saved last; nil for none.
        public var state: UserActivity?
        /// A name for people.
        public var title: String?
        /// The app's data about the session.
        public var userInfo: ValueDictionary
        /// Its scene storage.
        public var storage: [String: Value]
        /// The window's place.
        public var placement: ScenePlacement?
        /// The content that it can show, and the content that it prefers.
        public var activationConditions: ActivationConditions?
        /// Whether it was in front when the process ended; a window that was not is disconnected.
        public var isFront: Bool
        /// Whether the user closed it while no process ran.
        public var isClosedWhileAway: Bool
        /// Whether nothing of its content is kept.
        public var isEphemeral: Bool
        /// The number of processes in a row that died restoring it.
        public var crashes: Int

        /// Makes a window that was in front.
        public init(
            configuration: String? = nil, role: SceneSessionRole = .windowApplication,
            state: UserActivity? = nil, title: String? = nil, userInfo: ValueDictionary = [:],
            storage: [String: Value] = [:], isFront: Bool = true,
            isClosedWhileAway: Bool = false, isEphemeral: Bool = false, crashes: Int = 0
        ) {
            self.configuration = configuration
            self.role = role
            self.state = state
            self.title = title
            self.userInfo = userInfo
            self.storage = storage
            self.isFront = isFront
            self.isClosedWhileAway = isClosedWhileAway
            self.isEphemeral = isEphemeral
            self.crashes = crashes
        }
    }

    /// The ways in which the app's process ends.
    public enum End: Sendable {
        /// Cleanly: the store is one file.
        case quit
        /// By a kill: the log stays next to the store.
        case kill
        /// Swiped away by the user.
        case forceQuit
    }

    /// The app: its manifest and its policies.
    public var options: SceneApplicationOptions
    /// The seed of identifiers.
    public var seed: UInt64
    /// The way in which the app's process ends; quit.
    public var end = End.quit
    private(set) var windows: [Window] = []

    /// Makes a builder without windows.
    public init(options: SceneApplicationOptions = .fixture, seed: UInt64 = 1) {
        self.options = options
        self.seed = seed
    }

    /// Adds a window. The first window is the active one at the end, and has the app's own role.
    public mutating func addWindow(_ window: Window) {
        windows.append(window)
    }

    /// Plays the app and takes what the store holds. Without windows the app was never launched.
    ///
    /// Throws what the store and the app's requests throw, such as
    /// `SceneStoreError.Code.multipleScenesNotSupported`.
    public func build() throws(SceneStoreError) -> StoreFixture {
        try StoreFixture(of: play())
    }

    /// The device after the app's last process has ended.
    func play() throws(SceneStoreError) -> SimulatedDevice {
        let device = try SimulatedDevice(options: options, seed: seed)
        guard let first = windows.first else {
            return device
        }
        guard first.role == options.manifest?.preferredDefaultRole ?? .windowApplication else {
            throw SceneStoreError(
                .invalidState, "a launch makes a window of the app's own role; add one first")
        }
        let identifiers = try open(device)
        switch end {
        case .quit: try device.quit()
        case .kill: device.kill()
        case .forceQuit: try device.forceQuit()
        }
        for (window, identifier) in zip(windows, identifiers) where window.crashes > 0 {
            for _ in 0..<window.crashes {
                try device.crash(restoring: identifier)
            }
        }
        for (window, identifier) in zip(windows, identifiers) where window.isClosedWhileAway {
            try device.closeWindow(identifier)
        }
        return device
    }

    private func open(_ device: SimulatedDevice) throws(SceneStoreError) -> [SceneSession.ID] {
        let app = FixtureApp(windows)
        let application = try device.launch { app }
        for window in windows.dropFirst() {
            device.wait(milliseconds: 1_000)
            try device.openWindow(role: window.role)
        }
        guard app.identifiers.count == windows.count else {
            throw SceneStoreError(.invalidState, "a window of the fixture did not connect")
        }
        for (window, identifier) in zip(windows, app.identifiers) {
            try describe(window, identifier, application)
        }
        device.wait(milliseconds: 1_000)
        try device.moveToBackground()
        for (window, identifier) in zip(windows, app.identifiers).reversed() {
            if window.isFront {
                device.wait(milliseconds: 1_000)
                try application.moveToForeground([identifier])
            } else {
                try application.evict(identifier)
            }
        }
        return app.identifiers
    }

    private func describe(
        _ window: Window, _ identifier: SceneSession.ID, _ application: SceneApplication
    ) throws(SceneStoreError) {
        if let title = window.title {
            try application.setTitle(title, for: identifier)
        }
        if let placement = window.placement {
            try application.setPlacement(placement, for: identifier)
        }
        if !window.userInfo.isEmpty {
            try application.setUserInfo(window.userInfo, for: identifier)
        }
        if !window.storage.isEmpty {
            try application.setStorage(window.storage.mapValues { $0 }, for: identifier)
        }
        if let conditions = window.activationConditions {
            try application.setActivationConditions(conditions, for: identifier)
        }
        if window.isEphemeral,
            let record = try application.store.record(identifier: identifier)
        {
            try application.store.marks.setPrivacy(.ephemeral, key: record.key)
        }
    }
}

/// The app of a fixture: its windows in their order, each with its state.
private final class FixtureApp: SceneConfigurationProvider {
    private let windows: [StoreFixtureBuilder.Window]
    private(set) var identifiers: [SceneSession.ID] = []

    init(_ windows: [StoreFixtureBuilder.Window]) {
        self.windows = windows
    }

    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration {
        let index = identifiers.count
        identifiers.append(session.persistentIdentifier)
        guard windows.indices.contains(index), let name = windows[index].configuration else {
            return session.configuration
        }
        return SceneConfiguration(name: name, role: session.role)
    }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? {
        guard let index = identifiers.firstIndex(of: session.persistentIdentifier),
            windows.indices.contains(index)
        else {
            return nil
        }
        return FixtureScene(windows[index].state)
    }
}

private final class FixtureScene: StateRestoringSceneDelegate {
    private let state: UserActivity?

    init(_ state: UserActivity?) {
        self.state = state
    }

    func shouldSaveState(of scene: Scene) -> Bool { state != nil }
    func stateRestorationActivity(for scene: Scene) -> UserActivity? { state }
}

extension SceneApplicationOptions {
    /// The app of the templates: two window configurations, Editor and Viewer, and several
    /// windows allowed.
    public static var fixture: SceneApplicationOptions {
        var options = SceneApplicationOptions(manifest: .fixture)
        options.appVersion = "1.0"
        return options
    }
}

extension SceneManifest {
    /// Two window configurations, Editor and Viewer, and several windows allowed.
    public static var fixture: SceneManifest {
        windows("Editor", "Viewer")
    }

    /// Returns a manifest with window configurations of these names, and several windows allowed.
    public static func windows(_ names: String...) -> SceneManifest {
        var manifest = SceneManifest()
        manifest.isPresent = true
        manifest.supportsMultipleScenes = true
        manifest.configurations[.windowApplication] = names.map { name in
            var configuration = SceneConfiguration(name: name, role: .windowApplication)
            configuration.delegateClassName = name + "SceneDelegate"
            configuration.resolution = .manifest
            return configuration
        }
        return manifest
    }
}

extension SceneApplication {
    /// Sets keys of a session's scene storage, in mode normal; nil removes one. Other keys stay.
    package func setStorage(
        _ values: [String: Value?], for identifier: SceneSession.ID
    ) throws(SceneStoreError) {
        try change(identifier) { (key) throws(SceneStoreError) in
            try store.values.setStorage(values, key: key)
        }
        // What the window has read follows; an equal value is not written again.
        if let storage = scene(for: identifier)?.storage {
            for (name, value) in values {
                storage[name] = value
            }
        }
    }
}
