import SceneStore
import SceneStoreBenchmarkFloor

/// A launch that connects all windows, and one more for each of its rounds.
enum RelaunchProbe {
    static func run(
        _ rounds: Int, _ sessions: Int, _ folder: BenchmarkFolder, isFloor: Bool
    ) throws {
        let container = try Origins(folder: folder, states: sessions).store(sessions: sessions)
        func relaunch() throws -> Int64 {
            try isFloor ? relaunchFloor(container) : relaunchLibrary(container, sessions)
        }
        let sum = try relaunch()
        try InstructionCount.counted {
            for _ in 0..<rounds {
                guard try relaunch() == sum else {
                    throw BenchmarkFailure("a launch came back with other states")
                }
            }
        }
    }

    private static func relaunchLibrary(_ container: String, _ sessions: Int) throws -> Int64 {
        let (application, windows) = try launch(container, sessions)
        try application.quit()
        return windows.sum
    }

    private static func launch(
        _ container: String, _ sessions: Int
    ) throws -> (application: SceneApplication, windows: CountingWindows) {
        let store = try SceneSessionStore.open(
            at: .directory(container), options: LibrarySide.options)
        var options = SceneApplicationOptions(manifest: manifest)
        options.reconnection = .all
        let windows = CountingWindows()
        let application = SceneApplication(
            store: store, delegate: windows, options: options, scheduler: .manual)
        try application.launch()
        guard application.connectedScenes.count == sessions, windows.restored == sessions else {
            throw BenchmarkFailure("windows are missing")
        }
        return (application, windows)
    }

    private static func relaunchFloor(_ container: String) throws -> Int64 {
        let store = try FloorSide.open(container)
        var sum: Int64 = 0
        guard let skeleton = floor_read_skeleton(store) else {
            throw BenchmarkFailure.floor
        }
        let scenes = floor_decode_states(store, skeleton, "serial", &sum)
        floor_skeleton_free(skeleton)
        guard scenes >= 0, floor_close(store) == 1 else {
            throw BenchmarkFailure.floor
        }
        return sum
    }

    private static var manifest: SceneManifest {
        var manifest = SceneManifest()
        manifest.isPresent = true
        manifest.supportsMultipleScenes = true
        manifest.configurations[.windowApplication] = [LibrarySide.configuration]
        return manifest
    }
}

/// Windows that take the number out of their states.
private final class CountingWindows: SceneApplicationDelegate {
    var restored = 0
    var sum: Int64 = 0

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? {
        Window(self)
    }

    final class Window: StateRestoringSceneDelegate {
        private let windows: CountingWindows

        init(_ windows: CountingWindows) {
            self.windows = windows
        }

        func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
            windows.restored += 1
            windows.sum &+= activity.userInfo["serial"]?.integerValue ?? 0
        }

        func stateRestorationActivity(for scene: Scene) -> UserActivity? { nil }

        func shouldSaveState(of scene: Scene) -> Bool { false }
    }
}
