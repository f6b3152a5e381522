import Observation
import SceneStore
import SceneStoreObservation
import SceneStoreTesting
import Testing

private struct PageState: SavedState, Equatable {
    static let activityType = "com.example.page"
    var text = ""
}

@Observable private final class PageWindow {
    var text = ""
    var name: String?
    var isBroken = false
}

private struct BrokenPage: Error {}

private final class PageHost: ObservedSceneHost {
    var closed = 0

    func makeWindow(for session: SceneSession) -> PageWindow { PageWindow() }
    func bringForward(_ window: PageWindow) {}
    func close(_ window: PageWindow) { closed += 1 }
    func title(of window: PageWindow) -> String? { window.name }
    func state(of window: PageWindow) throws -> PageState {
        guard !window.isBroken else {
            throw BrokenPage()
        }
        return PageState(text: window.text)
    }
    func restore(_ state: PageState, in window: PageWindow) { window.text = state.text }
}

/// A host with an observable model reports no change: what is typed is saved all the same.
@Suite("Observed hosts")
struct ObservedHostTests {
    private let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(options: .desktop(.window("Page")))
        try device.launch(host: PageHost())
    }

    private func page(_ index: Int = 0) throws -> PageWindow {
        try device.window(PageWindow.self, at: index)
    }

    /// The process dies long enough after a change for the change to be saved, and starts again.
    private func relaunch() throws {
        device.wait(milliseconds: 600)
        device.kill()
        try device.launch(host: PageHost())
    }

    @Test("S-24 what is typed first is saved: in a made window, and in a restored one")
    func first() throws {
        try page().text = "made"
        try relaunch()
        #expect(try page().text == "made")
        try page().text = "restored"
        try relaunch()
        #expect(try page().text == "restored")
    }

    @Test("S-24 each change after a save is saved, too")
    func again() throws {
        for text in ["one", "two", "three"] {
            try page().text = text
            device.wait(milliseconds: 600)
        }
        try page().text = "four"
        try relaunch()
        #expect(try page().text == "four")
    }

    @Test("S-24 L-36 a second window and a reopened one are observed")
    func others() throws {
        let hosted = try device.hosted(PageHost.self)
        try page().text = "first"
        hosted.requestWindow()
        let second = try page()
        second.text = "second"
        device.wait(milliseconds: 600)
        hosted.closeWindow(second)
        hosted.reopenClosedWindow()
        #expect(try page().text == "second")
        try page().text = "reopened"
        try relaunch()
        let texts = device.windows(PageWindow.self).map(\.text)
        #expect(Set(texts) == ["first", "reopened"])
    }

    @Test("S-24 L-45 a change of the title alone is saved")
    func title() throws {
        try page().name = "Letter"
        device.wait(milliseconds: 600)
        device.kill()
        try device.launch(host: PageHost())
        #expect(device.frontScene?.session.title == "Letter")
    }

    @Test("L-56 a state that can't be made is reported, and observed until it can")
    func broken() throws {
        var codes: [Diagnostic.Code] = []
        device.application?.diagnosticHandler = { codes.append($0.code) }
        try page().isBroken = true
        device.wait(milliseconds: 600)
        #expect(codes.count == 1)
        try page().isBroken = false
        try page().text = "whole"
        try relaunch()
        #expect(try page().text == "whole")
    }

    @Test("S-24 nothing is saved without a change")
    func idle() throws {
        device.wait(milliseconds: 600)
        let before = try #require(device.application).store.counters.transactions
        device.wait(milliseconds: 5_000)
        #expect(device.application?.store.counters.transactions == before)
    }
}
