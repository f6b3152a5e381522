import SceneStoreTesting
import Testing

import SceneStore
import SceneStoreLinks

@Suite("Handlers and routers")
struct LinkCoordinatorTests {
    /// A handler that notes what it was asked.
    final class Handler: LinkHandler {
        let linkHandlerName: String
        let takes: Bool
        let opens: Bool
        var opened: [String] = []

        init(_ name: String, takes: Bool, opens: Bool = true) {
            linkHandlerName = name
            self.takes = takes
            self.opens = opens
        }

        func canOpen(_ link: CheckedLink) -> Bool { takes }

        func open(_ link: CheckedLink) -> Bool {
            opened.append(link.text)
            return opens
        }
    }

    /// A handler that has no name of its own.
    struct Plain: LinkHandler {
        func canOpen(_ link: CheckedLink) -> Bool { link.segments.first == "plain" }
        func open(_ link: CheckedLink) -> Bool { true }
    }

    static func words(_ outcome: LinkCoordinator.Outcome) -> [String] {
        outcome.asked.map { name, reaction in
            switch reaction {
            case .opened: "\(name) opened"
            case .declined: "\(name) declined"
            case .cannotOpen: "\(name) cannot"
            case .refused(let failure): "\(name) refused \(failure.code.rawValue)"
            }
        }
    }

    @Test("K-23 handlers are asked in order, the first that opens wins, and the result says who")
    func order() throws {
        let link = try CheckedLink("deeplink://videos")
        let first = Handler("first", takes: false)
        let second = Handler("second", takes: true)
        let third = Handler("third", takes: true)
        var coordinator = LinkCoordinator()
        #expect(!coordinator.canOpen(link))
        #expect(coordinator.open(link).openedBy == nil)
        #expect(!coordinator.open(link).lines.isEmpty)
        coordinator.add(first)
        coordinator.add(second)
        coordinator.add(third)
        #expect(coordinator.canOpen(link))
        let outcome = coordinator.open(link)
        #expect(outcome.openedBy == "second")
        #expect(Self.words(outcome) == ["first cannot", "second opened"])
        #expect(first.opened.isEmpty && second.opened == ["deeplink://videos"])
        #expect(third.opened.isEmpty)
    }

    @Test("K-23 a handler may decline, and the next one is asked")
    func decline() throws {
        let link = try CheckedLink("deeplink://plain")
        var coordinator = LinkCoordinator()
        coordinator.add(Handler("shy", takes: true, opens: false))
        coordinator.add(Plain())
        let outcome = coordinator.open(link)
        #expect(Self.words(outcome) == ["shy declined", "Plain opened"])
        #expect(outcome.lines == ["shy: declined", "Plain: opened the link"])
    }

    @Test("K-23 routes and handlers mix")
    func mixed() throws {
        var shown: [Screen] = []
        let log = Log()
        var coordinator = LinkCoordinator()
        coordinator.add(Plain())
        coordinator.add(try Router<Screen>.editor(), name: "screens") { match in
            guard let screen = match.destination, screen != .account else {
                return false
            }
            log.screens.append(screen)
            return true
        }
        coordinator.add(Handler("last", takes: true))
        #expect(coordinator.names == ["Plain", "screens", "last"])
        #expect(coordinator.open(try CheckedLink("deeplink://videos")).openedBy == "screens")
        #expect(coordinator.open(try CheckedLink("deeplink://account")).openedBy == "last")
        #expect(coordinator.open(try CheckedLink("deeplink://plain")).openedBy == "Plain")
        #expect(coordinator.open(try CheckedLink("deeplink://unknown")).openedBy == "last")
        shown = log.screens
        #expect(shown == [.videos])
    }

    final class Log {
        var screens: [Screen] = []
    }

    @Test("K-23 a link that a route refuses does not slip through to the next handler")
    func refused() throws {
        let last = Handler("last", takes: true)
        var coordinator = LinkCoordinator()
        coordinator.add(try Router<Screen>.editor()) { _ in true }
        coordinator.add(last)
        let link = try CheckedLink("deeplink://videos/1?t=x")
        #expect(!coordinator.canOpen(link))
        let outcome = coordinator.open(link)
        #expect(outcome.openedBy == nil)
        #expect(outcome.failure?.parameter == "t")
        #expect(Self.words(outcome) == ["router refused malformedParameter"])
        #expect(last.opened.isEmpty)
    }

    @Test("R-33 a destructive route reaches the app as a match that must be confirmed")
    func destructive() throws {
        var coordinator = LinkCoordinator()
        let log = Log()
        coordinator.add(try Router<Screen>.editor()) { match in
            #expect(match.destination == nil)
            log.screens.append(match.confirmed())
            return true
        }
        #expect(coordinator.open(try CheckedLink("deeplink://projects/7/delete")).openedBy != nil)
        #expect(log.screens == [.deleted(7)])
    }

    @Test("K-23 handlers may belong to the main actor")
    @MainActor
    func mainActor() throws {
        let handler = MainActorHandler()
        var coordinator = LinkCoordinator()
        coordinator.add(handler)
        #expect(coordinator.open(try CheckedLink("deeplink://x")).openedBy == "MainActorHandler")
        #expect(handler.count == 1)
    }
}

@MainActor
final class MainActorHandler: @MainActor LinkHandler {
    var count = 0

    func canOpen(_ link: CheckedLink) -> Bool { true }

    func open(_ link: CheckedLink) -> Bool {
        count += 1
        return true
    }
}
