import SceneStore
import SceneStoreLinks

/// What a window shows.
enum Screen: Equatable, Sendable {
    case videos, newVideo, account
    case video(Int, second: Int?)

    /// For the window's title, and for people who read this program's output.
    var title: String {
        switch self {
        case .videos: "all videos"
        case .newVideo: "a new video"
        case .account: "the account"
        case .video(let id, let second):
            "video \(id)" + (second.map { " at \($0) s" } ?? "")
        }
    }

    /// The window that the screen belongs in, as the Info.plist calls it.
    var configurationName: String {
        if case .video = self { "Player" } else { "Library" }
    }
}

/// What a link can ask for besides showing a screen.
enum Action: Equatable, Sendable {
    case delete(video: Int)
}

/// The app's links: which are its own, and where each leads.
struct EditorLinks {
    static let scheme = "deeplink"
    static let domain = "editor.example.com"
    /// The type of the activity that a universal link comes as, the same as on Apple's systems.
    static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

    let filter: LinkFilter
    let screens: Router<Screen>
    let actions: Router<Action>

    init(manifest: SceneManifest, association: [UInt8]) throws(SceneStoreError) {
        let domain = try AssociatedDomain("applinks:" + Self.domain)
        var filter = LinkFilter(
            schemes: manifest.urlSchemes, domains: [domain],
            appID: "ABCDE12345.com.example.video-editor", requiresAssociation: true)
        filter.add(try AssociationFile(association), for: domain)
        self.filter = filter
        screens = try Router(schemes: manifest.urlSchemes, domains: [Self.domain]) {
            Route("/videos", to: .videos)
            Route("/videos/new", to: .newVideo)
            Route("/account", to: .account)
            Route(
                "/videos/:id", .path("id", .integer(in: 1...)),
                .query("t", optional: .integer(in: 0...86_400))
            ) {
                .video($0, second: $1)
            } print: { screen in
                if case .video(let id, let second) = screen { (id, second) } else { nil }
            }
        }
        // Actions have no https twin: whoever can write a web page must not be able to ask.
        actions = try Router(schemes: manifest.urlSchemes) {
            Route("/videos/:id/delete", .path("id", .integer(in: 1...))) {
                .delete(video: $0)
            } print: { action in
                if case .delete(let id) = action { id } else { nil }
            }
            .destructive()
        }
    }

    /// What a window can and wants to show: a video's window that video and nothing else, every
    /// other window whatever comes.
    func conditions(for screen: Screen) throws(SceneStoreError) -> ActivationConditions {
        guard case .video(let id, _) = screen else {
            return ActivationConditions()
        }
        let video = Screen.video(id, second: nil)
        var own: [ActivationConditions.Rule] = [
            .equals(try actions.link(to: .delete(video: id), scheme: Self.scheme).text)
        ]
        for scheme in [Self.scheme, "https"] {
            let link = try screens.link(to: video, scheme: scheme).text
            own += [.equals(link), .hasPrefix(link + "?")]
        }
        return ActivationConditions(canActivate: .any(own), prefersToActivate: .any(own))
    }
}
