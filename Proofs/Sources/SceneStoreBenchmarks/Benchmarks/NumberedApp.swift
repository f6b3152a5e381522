import SceneStore

/// An app whose windows have the configuration of the benchmarks' stores.
protocol BenchmarkApp: SceneConfigurationProvider {}

extension BenchmarkApp {
    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration {
        LibrarySide.configuration
    }
}

/// An app whose windows show a number.
final class NumberedApp: BenchmarkApp {
    var serial = 0
    /// What each window said that it shows, by session; and what it was given back.
    var saved: [SceneSession.ID: Int64] = [:]
    var restored: [SceneSession.ID: Int64] = [:]

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? {
        NumberedScene(self)
    }
}

private final class NumberedScene: StateRestoringSceneDelegate {
    private let app: NumberedApp

    init(_ app: NumberedApp) {
        self.app = app
    }

    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
        app.restored[scene.session.persistentIdentifier] =
            activity.userInfo[SampleState.serialKey]?.integerValue
    }

    func stateRestorationActivity(for scene: Scene) -> UserActivity? {
        do {
            let activity = try SampleState.activity(app.serial)
            app.saved[scene.session.persistentIdentifier] = Int64(app.serial)
            return activity
        } catch {
            return nil
        }
    }
}
