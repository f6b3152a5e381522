import SceneStore

/// What an app does through the public API, beside so many connected windows.
enum PublicProbe {
    /// Saves one window after the other.
    static func save(_ kind: ProbeKind, _ rounds: Int, _ folder: BenchmarkFolder) throws {
        let app = try ManyWindows(10, connected: 10, stateBytes: 2_000, folder)
        let states = try SampleStates(count: 64).activities
        func save(_ number: Int) throws {
            let index = number / 10 % states.count
            app.delegate.next =
                switch kind {
                case .publicSavesMade: try SampleState.activity(index + 1)
                case .publicSaves: states[index]
                default: states[0]
                }
            try app.application.saveState(of: [app.windows[number % 10]], durability: .normal)
        }
        // Rings fill up, statements are prepared.
        for number in 0..<120 {
            try save(number)
        }
        let written = app.application.store.counters.statesWritten
        try InstructionCount.counted {
            for number in 120..<120 + rounds {
                try save(number)
            }
        }
        let count = app.application.store.counters.statesWritten - written
        guard count == (kind == .publicUnchanged ? 0 : rounds) else {
            throw BenchmarkFailure("\(count) states were written")
        }
        try app.end()
    }

    /// Does something to so many windows, one after the other.
    static func run(
        _ kind: ProbeKind, _ rounds: Int, of count: Int, _ folder: BenchmarkFolder
    ) throws {
        let app = try ManyWindows(for: kind, count, folder)
        if kind == .quit {
            return try InstructionCount.counted { try app.application.quit() }
        }
        // The first ones compile the statements.
        for _ in 0..<2 {
            try app.act(kind)
        }
        try InstructionCount.counted {
            for _ in 0..<rounds {
                try app.act(kind)
            }
        }
        try app.end()
    }
}

/// An app with many connected windows, and what it does to one of them.
final class ManyWindows {
    let application: SceneApplication
    let windows: [SceneSession.ID]
    let delegate = ShownState()
    private var connected: Int
    private var done = 0

    init(_ count: Int, connected: Int, stateBytes: Int, _ folder: BenchmarkFolder) throws {
        let container = try Origins(folder: folder, states: count)
            .store(sessions: count, stateBytes: stateBytes)
        self.connected = connected
        var manifest = SceneManifest()
        manifest.isPresent = true
        manifest.supportsMultipleScenes = true
        manifest.configurations[.windowApplication] = [LibrarySide.configuration]
        var options = SceneApplicationOptions(manifest: manifest)
        options.reconnection = .first(connected)
        options.persistsInbox = true
        application = SceneApplication(
            store: try .open(at: .directory(container), options: LibrarySide.options),
            delegate: delegate, options: options, scheduler: .manual)
        delegate.next = try SampleState.activity(0, bytes: 100)
        try application.launch()
        windows = application.connectedScenes.map(\.session.id)
        try check()
    }

    /// So many windows for an event: in front, unless they are to be behind.
    convenience init(for kind: ProbeKind, _ count: Int, _ folder: BenchmarkFolder) throws {
        try self.init(
            count, connected: kind == .connectNext ? count / 2 : count, stateBytes: 100, folder)
        if kind != .closeBehind, kind != .connectNext {
            try application.moveToForeground(
                windows.filter {
                    application.scene(for: $0)?.activationState == .background
                })
        }
    }

    private func check() throws {
        let count = application.connectedScenes.count
        guard count == connected else {
            throw BenchmarkFailure("\(count) windows are connected, not \(connected)")
        }
    }

    func act(_ kind: ProbeKind) throws {
        let window = windows[done % windows.count]
        done += 1
        switch kind {
        case .link: try application.open([OpenURLContext(url: "notes://open")])
        case .linkTo, .acknowledge:
            delegate.target = .window(window)
            try application.open([OpenURLContext(url: "notes://open")])
            if kind == .acknowledge, let payload = application.inbox.offered.last?.payload {
                try application.acknowledge(payload)
            }
        case .newWindow:
            application.requestSceneSessionActivation(.init())
            connected += 1
        case .leave: try application.moveToBackground([window])
        case .connectNext:
            try application.connectNextSession()
            connected += 1
        default:
            try application.closeWindow(of: window)
            connected -= 1
        }
    }

    func end() throws {
        try check()
        try application.quit()
    }
}

/// Windows that show what is named.
final class ShownState: BenchmarkApp, StateRestoringSceneDelegate {
    var next: UserActivity?
    var target: PayloadTarget?

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? {
        self
    }

    func application(
        _ application: SceneApplication, targetFor payload: Payload
    ) -> PayloadTarget? {
        target
    }

    func stateRestorationActivity(for scene: Scene) -> UserActivity? { next }
}
