import SceneStore
import SceneStoreLinks
import Testing

/// What the reference shows of links, association files and routers.
@MainActor
@Suite("Examples of links")
struct LinkExamples {
    enum Screen: Equatable {
        case videos, account
        case video(id: String)
        case videoAt(seconds: Int)

        var videoID: String? {
            if case .video(let id) = self { id } else { nil }
        }

        var seconds: Int? {
            if case .videoAt(let seconds) = self { seconds } else { nil }
        }
    }

    let file: AssociationFile
    let router: Router<Screen>
    let filter: LinkFilter

    init() throws {
        file = try AssociationFile(Self.bytes)
        router = try Router(schemes: ["deeplink"]) {
            Route("/videos", to: .videos)
            Route(
                "/videos/:id", .path("id", .string(length: 1...4)), open: Screen.video(id:),
                print: \.videoID
            )
            .destructive()
        }
        var filter = LinkFilter(domains: [try AssociatedDomain("example.com")])
        filter.add(file, for: try AssociatedDomain("example.com"))
        self.filter = filter
    }

    static let bytes = Array(
        """
        {"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app"], "components": [
            {"/": "/help/*", "exclude": true}, {"/": "/videos/*", "?": {"t": "*"}}]}]}}
        """.utf8)

    @Test("a link that was checked, what links may look like, and why one is refused")
    func checking() throws {
        // example: CheckedLink
        let link = try CheckedLink("deeplink://videos/42?t=12")
        let segments = link.segments  // ["videos", "42"]
        let isOwn = link.kind == .customScheme  // true
        // end
        #expect(segments == ["videos", "42"] && isOwn)
        do {
            // example: LinkPolicy
            var policy = LinkPolicy()
            policy.maximumBytes = 512
            let link = try CheckedLink("deeplink://videos", policy: policy)
            // end
            #expect(link.segments == ["videos"])
        }
        var refusals: [String] = []
        // example: LinkRefusal
        do {
            _ = try CheckedLink("javascript:alert(1)")
        } catch {
            refusals.append(error.reason == .forbiddenScheme ? "never opened" : error.message)
        }
        // end
        #expect(refusals == ["never opened"])
    }

    @Test("domains, and whose links are the app's")
    func filters() throws {
        // example: AssociatedDomain
        let domain = try AssociatedDomain("*.example.com?mode=developer")
        let isMine = domain.contains("video.example.com")  // true
        let isForTests = domain.mode == .developer  // true
        // end
        #expect(isMine && isForTests)
        do {
            // example: LinkFilter
            let domain = try AssociatedDomain("example.com")
            var filter = LinkFilter(schemes: ["deeplink"], domains: [domain])
            filter.add(file, for: domain)
            let isMine = filter.decide("https://example.com/videos/42?t=1").isAccepted  // true
            // end
            #expect(isMine)
        }
        // example: LinkDecision
        let decision = filter.decide("https://example.com/help/1")
        let failed = decision.steps.first { !$0.isPassed }
        let reason = failed?.answer
        // end
        #expect(reason?.isEmpty == false)
    }

    @Test("what an association file says")
    func association() throws {
        let bytes = Self.bytes
        // example: AssociationFile
        let file = try AssociationFile(bytes)
        let decision = file.match("https://example.com/videos/42?t=1").decision  // .match
        let isApples = file.platform == .apple  // true
        // end
        #expect(decision == .match && isApples)
        // example: AssociationDecision
        let help = file.match("https://example.com/help/1")
        let staysInTheBrowser = help.decision == .exclude  // true
        // end
        #expect(staysInTheBrowser)
        var rule = ""
        // example: AssociationMatch
        let match = file.match("https://example.com/videos/42?t=1")
        if let detail = match.detail, let component = match.component {
            rule = file.details[detail].components[component].keyPath
        }
        // end
        #expect(rule == "applinks.details[0].components[1]")
        // example: AssociationDetail
        let rules = file.details.flatMap(\.components)
        let apps = file.details.flatMap(\.appIDs)  // ["ABCDE12345.com.example.app"]
        // end
        #expect(rules.count == 2 && apps == ["ABCDE12345.com.example.app"])
        var names: [String] = []
        // example: AssociationComponent
        for component in file.details.flatMap(\.components) where !component.isExcluded {
            if case .items(let items) = component.query {
                names += items.map(\.name)
            }
        }
        // end
        #expect(names == ["t"])
        let links = ["https://example.com/videos/1?t=2", "https://example.com/about"]
        // example: AssociationMatcher
        let matcher = file.matcher(appID: "ABCDE12345.com.example.app")
        let opened = links.filter { matcher.match($0).decision == .match }
        // end
        #expect(opened == [links[0]])
        // example: AssociationExplanation
        let explanation = file.explain("https://example.com/vidoes/42")
        let missed = explanation.closestMiss?.pattern  // "/videos/*"
        // end
        #expect(missed == "/videos/*")
    }

    final class Importer {
        var links: [CheckedLink] = []

        func start(_ link: CheckedLink) -> Bool {
            links.append(link)
            return true
        }
    }

    // example: LinkHandler
    struct ImportHandler: LinkHandler {
        let importer: Importer
        func canOpen(_ link: CheckedLink) -> Bool { link.segments.first == "import" }
        func open(_ link: CheckedLink) -> Bool { importer.start(link) }
    }
    // end

    @Test("who is asked, in which order, to open a link")
    func coordinator() throws {
        let importer = Importer()
        var shown: [Screen] = []
        let link = try CheckedLink("deeplink://videos")
        // example: LinkCoordinator
        var coordinator = LinkCoordinator()
        coordinator.add(ImportHandler(importer: importer))
        coordinator.add(router, name: "screens") { match in
            shown.append(match.confirmed())
            return true
        }
        let name = coordinator.open(link).openedBy  // "screens"
        // end
        #expect(name == "screens" && shown == [.videos] && importer.links == [])
        var others: [String] = []
        // example: LinkCoordinator.Reaction
        for case (let name, .cannotOpen) in coordinator.open(link).asked {
            others.append(name)  // those whose links these are not
        }
        // end
        #expect(others == ["ImportHandler"])
    }
}
