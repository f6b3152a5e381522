import SceneStore
import SceneStoreHosting
import SceneStoreTesting
import Testing

// snippet: boards-host
struct Board: Codable {
    var cards: [String] = []
}

/// What the preferences window shows, not the preferences.
struct PreferencesPage: Codable {
    var name = "General"
}

enum BoardsState: SavedState {
    static let activityType = "com.example.boards"
    case board(Board)
    case preferences(PreferencesPage)
}

/// A preference, which belongs to the app and not to a window.
extension SceneApplication {
    var wrapsLines: Bool {
        get { storage["wrapsLines", as: Bool.self] ?? false }
        set { storage["wrapsLines", as: Bool.self] = newValue }
    }
}

@MainActor
final class BoardHost: @MainActor StatefulSceneHost {
    final class Window {
        var state: BoardsState
        init(_ state: BoardsState) { self.state = state }
    }

    static let options = SceneApplicationOptions.desktop(
        .window("Board"), .single("Preferences", role: .preferences))

    func makeWindow(for session: SceneSession) -> Window {
        let isBoard = session.configuration.name == "Board"
        return Window(isBoard ? .board(Board()) : .preferences(PreferencesPage()))
    }

    func bringForward(_ window: Window) {}
    func close(_ window: Window) {}
    func state(of window: Window) -> BoardsState { window.state }
    func restore(_ state: BoardsState, in window: Window) { window.state = state }
}
// end

@MainActor
@Suite("Windows of two kinds")
struct TwoKindsOfWindowsTests {
    private let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(options: BoardHost.options)
        try device.launch(host: BoardHost())
    }

    @Test("L-16 L-32 boards and preferences come back, each with its kind of state")
    func kinds() throws {
        try device.window(BoardHost.Window.self, at: 0).state = .board(Board(cards: ["Milk"]))
        try device.hosted(BoardHost.self).requestWindow(role: .preferences)
        try device.window(BoardHost.Window.self, at: 0).state = .preferences(
            PreferencesPage(name: "Editing"))
        try device.quit()
        try device.relaunch()
        var cards: [[String]] = []
        var pages: [String] = []
        for window in device.windows(BoardHost.Window.self) {
            switch window.state {
            case .board(let board): cards.append(board.cards)
            case .preferences(let page): pages.append(page.name)
            }
        }
        #expect(cards == [["Milk"]])
        #expect(pages == ["Editing"])
    }

    @Test("L-32 L-88 preferences stay when their window is closed")
    func closedPreferences() throws {
        let hosted = try device.hosted(BoardHost.self)
        hosted.requestWindow(role: .preferences)
        hosted.application.wrapsLines = true
        try hosted.closeWindow(device.window(BoardHost.Window.self, at: 0))
        device.kill()
        let again = try device.relaunch()
        #expect(device.windows(BoardHost.Window.self).count == 1)
        #expect(again.wrapsLines)
        try device.hosted(BoardHost.self).requestWindow(role: .preferences)
        let opened = try device.window(BoardHost.Window.self, at: 0)
        guard case .preferences(let page) = opened.state else {
            Issue.record("the window in front shows a board")
            return
        }
        #expect(page.name == "General")
    }
}
