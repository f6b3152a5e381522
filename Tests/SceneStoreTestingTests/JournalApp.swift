import SceneStore
import SceneStoreTesting

/// A journal with windows for its entries, and bugs that can be switched on.
final class JournalApp: SceneConfigurationProvider {
    enum Bug {
        case savesOnQuitOnly
        case reliesOnProvider
        case handlesWarmLinksOnly
    }

    let bug: Bug?
    /// What the provider left for the scene that is about to connect.
    var titleFromProvider: String?

    init(_ bug: Bug? = nil) {
        self.bug = bug
    }

    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration {
        titleFromProvider = "Entry"
        return SceneConfiguration(name: "Entry", role: session.role)
    }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? {
        EntryScene(self)
    }

    /// The menu's Quit.
    func userChoseQuit(_ application: SceneApplication) throws(SceneStoreError) {
        for scene in application.connectedScenes {
            let activity = (scene.delegate as? EntryScene)?.activity
            try application.setStateRestorationActivity(
                activity, for: scene.session.persistentIdentifier)
        }
        try application.quit()
    }
}

/// A window with an entry.
final class EntryScene: StateRestoringSceneDelegate {
    private let app: JournalApp
    var text = ""
    var toolbarTitle = ""
    var link: String?

    init(_ app: JournalApp) {
        self.app = app
    }

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) {
        toolbarTitle =
            app.bug == .reliesOnProvider
            ? app.titleFromProvider ?? "" : session.configuration.name ?? ""
        if app.bug != .handlesWarmLinksOnly {
            link = options.urlContexts.first?.url
        }
    }

    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
        link = contexts.first?.url
    }

    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
        let state = try? ValueCoder.decode(
            MigratingEntryState.self, from: .dictionary(activity.userInfo), path: "userInfo")
        text = state?.plainText ?? ""
    }

    /// With the bug, only the menu's Quit saves.
    func shouldSaveState(of scene: Scene) -> Bool { app.bug != .savesOnQuitOnly }

    func stateRestorationActivity(for scene: Scene) -> UserActivity? { activity }

    var activity: UserActivity? {
        var activity = try? UserActivity(activityType: "com.example.entry")
        if let state = try? ValueDictionary(encoding: MigratingEntryState(paragraphs: [text])) {
            activity?.userInfo = state
        }
        return activity
    }
}

/// An entry, in whatever version of the app. Version 1 had `text`; version 2 has `paragraphs`.
protocol EntryState: Codable {
    var paragraphs: [String] { get }
}

extension EntryState {
    var plainText: String { paragraphs.joined(separator: "\n") }
}

/// Version 2 without a thought for version 1.
struct ChangedEntryState: EntryState {
    var paragraphs: [String]
}

/// Version 2, which reads version 1 too.
struct MigratingEntryState: EntryState {
    var paragraphs: [String]

    enum CodingKeys: CodingKey { case paragraphs, text }

    init(paragraphs: [String]) {
        self.paragraphs = paragraphs
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let text = try container.decodeIfPresent(String.self, forKey: .text) {
            paragraphs = text.split(separator: "\n").map(String.init)
        } else {
            paragraphs = try container.decode([String].self, forKey: .paragraphs)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(paragraphs, forKey: .paragraphs)
    }
}
