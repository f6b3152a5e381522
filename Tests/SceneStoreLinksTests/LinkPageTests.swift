import SceneStore
import SceneStoreLinks
import Testing

/// The code of the page on opening links, run.
@Suite("Code of the page on links")
struct LinkPageTests {
    @Test("K-21 K-25 the router that the page on links shows")
    func routing() throws {
        // snippet: router
        enum Screen: Equatable {
            case videos, newVideo, account
            case video(id: String, seconds: Int?)
            case deleteProject(Int)
        }

        let router = try Router<Screen>(schemes: ["deeplink"], domains: ["video.example.com"]) {
            Route("/videos", to: .videos)
            Route("/videos/new", to: .newVideo)
            Route("/account", to: .account)
            Route("/videos/:id", .path("id"), .query("t", optional: .integer(in: 0...86_400))) {
                .video(id: $0, seconds: $1)
            } print: { screen in
                if case .video(let id, let seconds) = screen { (id, seconds) } else { nil }
            }
            Route("/projects/:id/delete", .path("id", .integer(in: 1...))) {
                .deleteProject($0)
            } print: { screen in
                if case .deleteProject(let id) = screen { id } else { nil }
            }
            .destructive()
        }
        // end
        var shown: [Screen] = []
        var asked: [String] = []
        func show(_ screen: Screen) { shown.append(screen) }
        func ask(_ question: String, _ confirm: () -> Void) {
            asked.append(question)
            confirm()
        }
        var logged: [SceneStoreError.Code] = []
        func log(_ error: SceneStoreError) { logged.append(error.code) }
        for link in [
            "deeplink://videos", "https://video.example.com/projects/7/delete", "deeplink://none",
        ] {
            // snippet: router-match
            do {
                let match = try router.match(link)
                if let screen = match.destination {
                    show(screen)
                } else {
                    ask("Delete the project?") { show(match.confirmed()) }
                }
            } catch {
                log(error.error)  // holds nothing of the link
                print(router.explain(link))  // for a developer: quotes it
            }
            // end
        }
        #expect(shown == [.videos, .deleteProject(7)] && asked.count == 1 && logged.count == 1)
        // snippet: router-link
        let video = try router.link(to: .video(id: "42", seconds: 12)).text
        // https://video.example.com/videos/42?t=12
        let new = try router.link(to: .newVideo, scheme: "deeplink").text
        // deeplink://videos/new
        // end
        #expect(video == "https://video.example.com/videos/42?t=12")
        #expect(new == "deeplink://videos/new")
    }

    @Test("K-26 the filter that the page on links shows")
    func filtering() throws {
        let manifest = (urlSchemes: ["deeplink"], none: 0)
        let fileContents = """
            {"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.video"],
                "components": [{"/": "/videos/*"}]}]}}
            """.utf8
        // snippet: link-filter
        let domain = try AssociatedDomain("applinks:video.example.com")
        var filter = LinkFilter(
            schemes: manifest.urlSchemes, domains: [domain], appID: "ABCDE12345.com.example.video")
        filter.add(try AssociationFile(fileContents), for: domain)

        let decision = filter.decide("https://video.example.com/vidoes/42")
        print(decision.isAccepted)  // false
        print(decision.lines)  // every question with its answer, and the closest miss
        // end
        #expect(!decision.isAccepted && decision.lines.count > 1)
        // snippet: link-refused
        func target(for payload: Payload) -> PayloadTarget? {
            guard case .urls(let links) = payload else { return nil }
            return links.allSatisfy { filter.decide($0.url).isAccepted } ? nil : .handled
        }
        // end
        let refused = target(for: .urls([OpenURLContext(url: "javascript:alert(1)")]))
        #expect(refused == .handled)
        #expect(target(for: .urls([OpenURLContext(url: "deeplink://videos")])) == nil)
    }
}
