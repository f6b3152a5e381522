import SceneStore
import SceneStoreLinks
import Testing

extension LinkExamples {
    @Test("routers, routes, and routers built with conditions")
    func routers() throws {
        // example: Router
        let router = try Router<Screen>(schemes: ["deeplink"], domains: ["video.example.com"]) {
            Route("/videos", to: .videos)
            Route("/videos/:id", .path("id"), open: Screen.video(id:), print: \.videoID)
        }
        let screen = try router.match("deeplink://videos/42").destination  // .video(id: "42")
        let link = try router.link(to: .videos).text  // https://video.example.com/videos
        // end
        #expect(screen == .video(id: "42") && link == "https://video.example.com/videos")
        // example: Route
        let account = Route<Screen>("/account", to: .account)
        let video = Route<Screen>(
            "/videos/:id", .path("id"), open: Screen.video(id:), print: \.videoID)
        let problems = Router.problems(of: [account, video], schemes: ["deeplink"])
        // end
        #expect(problems == [])
        let showsAccount = true
        do {
            // example: RouterBuilder
            let router = try Router<Screen>(schemes: ["deeplink"]) {
                Route("/videos", to: .videos)
                if showsAccount {
                    Route("/account", to: .account)
                }
            }
            // end
            #expect(router.patterns.count == 2)
        }
    }

    @Test("parameters and their types")
    func parameters() throws {
        // example: RouteParameter
        let id = RouteParameter.path("id")
        let start = RouteParameter.query("t", .integer(in: 0...86_400), default: 0)
        let route = Route<Screen>("/videos/:id", id, start) { id, _ in
            .video(id: id)
        } print: {
            $0.videoID.map { ($0, 0) }
        }
        // end
        #expect(Router.problems(of: [route], schemes: ["deeplink"]) == [])
        // example: RouteParameterType
        let seconds = RouteParameterType<Int>.custom(
            "seconds", parse: { $0.hasSuffix("s") ? Int($0.dropLast()) : nil },
            print: { "\($0)s" })
        let moment = Route<Screen>(
            "/at/:t", .path("t", seconds), open: Screen.videoAt(seconds:), print: \.seconds)
        // end
        let router = try Router<Screen>(schemes: ["deeplink"]) { moment }
        #expect(try router.match("deeplink://at/12s").confirmed() == .videoAt(seconds: 12))
    }

    @Test("where a link leads, why it doesn't, and what was tried")
    func matches() throws {
        var shown: [Screen] = []
        var questions: [String] = []
        // example: RouteMatch
        let match = try router.match("deeplink://videos/42")
        if let screen = match.destination {
            shown.append(screen)
        } else {
            questions.append("Delete the video?")  // then match.confirmed() is the screen
        }
        // end
        #expect(shown == [] && questions.count == 1 && match.confirmed() == .video(id: "42"))
        var log: [String] = []
        // example: RouteFailure
        do {
            _ = try router.match("deeplink://videos/forty-two")
        } catch {
            log.append(error.error.message)  // holds nothing of the link
        }
        // end
        #expect(log.count == 1 && !log[0].contains("forty"))
        // example: RouteExplanation
        let explanation = router.explain("deeplink://vidoes/42")
        let missed = explanation.closestMiss?.pattern  // "/videos/:id"
        // end
        #expect(missed == "/videos/:id")
    }
}
