import FoundationEssentials
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

/// The preferences, in a file of the app's own.
struct Preferences: Codable {
    var wrapsLines = false

    init(contentsOf file: URL) {
        let stored = try? JSONDecoder().decode(Preferences.self, from: Data(contentsOf: file))
        wrapsLines = stored?.wrapsLines ?? false
    }

    func write(to file: URL) throws {
        try JSONEncoder().encode(self).write(to: file, options: .atomic)
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
    var preferences: Preferences

    init(preferencesFile: URL) { preferences = Preferences(contentsOf: preferencesFile) }

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
    /// Runs a test with a file for preferences, and a device that launches the app with it.
    private func withDevice(_ body: (SimulatedDevice, URL) throws -> Void) throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let file = URL(filePath: "\(folder)/preferences.json")
        let device = try SimulatedDevice(options: BoardHost.options)
        try device.launch(host: BoardHost(preferencesFile: file))
        try body(device, file)
    }

    @Test("L-16 L-32 boards and preferences come back, each with its kind of state")
    func kinds() throws {
        try withDevice { device, _ in
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
    }

    @Test("L-32 preferences in a file of the app's own stay when their window is closed")
    func closedPreferences() throws {
        try withDevice { device, file in
            let hosted = try device.hosted(BoardHost.self)
            hosted.requestWindow(role: .preferences)
            hosted.host.preferences.wrapsLines = true
            try hosted.host.preferences.write(to: file)
            try hosted.closeWindow(device.window(BoardHost.Window.self, at: 0))
            try device.quit()
            try device.relaunch()
            let windows = device.windows(BoardHost.Window.self)
            #expect(windows.count == 1)
            #expect(try device.host(BoardHost.self).preferences.wrapsLines)
            try device.hosted(BoardHost.self).requestWindow(role: .preferences)
            let opened = try device.window(BoardHost.Window.self, at: 0)
            guard case .preferences(let page) = opened.state else {
                Issue.record("the window in front shows a board")
                return
            }
            #expect(page.name == "General")
        }
    }
}
