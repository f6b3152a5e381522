import SceneStore
import SceneStoreHosting
import SceneStoreTesting
import Testing

// snippet: boards-host
struct Board: Codable {
    var cards: [String] = []
}

struct Preferences: Codable {
    var wrapsLines = false
}

enum BoardsState: SavedState {
    static let activityType = "com.example.boards"
    case board(Board)
    case preferences(Preferences)
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
        return Window(isBoard ? .board(Board()) : .preferences(Preferences()))
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
    @Test("L-16 L-32 boards and preferences come back, each with its kind of state")
    func kinds() throws {
        let device = try SimulatedDevice(options: BoardHost.options)
        let hosted = try device.launch(host: BoardHost())
        try device.window(BoardHost.Window.self, at: 0).state = .board(Board(cards: ["Milk"]))
        hosted.requestWindow(role: .preferences)
        try device.window(BoardHost.Window.self, at: 0).state = .preferences(
            Preferences(wrapsLines: true))
        try device.quit()
        try device.relaunch()
        var cards: [[String]] = []
        var wraps: [Bool] = []
        for window in device.windows(BoardHost.Window.self) {
            switch window.state {
            case .board(let board): cards.append(board.cards)
            case .preferences(let preferences): wraps.append(preferences.wrapsLines)
            }
        }
        #expect(cards == [["Milk"]])
        #expect(wraps == [true])
    }
}
