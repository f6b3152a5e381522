import Foundation

/// A window as each of the programs keeps it: what SceneStore keeps of one, and its state.
package struct BesideWindow: Codable {
    package var id: Int64
    package var identifier: String
    package var role = "UIWindowSceneSessionRoleApplication"
    package var configuration = "Editor"
    package var title = "Meeting notes"
    package var isInFront: Bool
    package var lastActive: Double
    package var state: State

    /// The state of the benchmarks' sample, about 2 KB.
    package struct State: Codable {
        package var serial: Int64
        var document = "/Users/example/Documents/Notes/Meeting notes.md"
        var selection: [Int64]
        var scroll: Double
        var zoom = 1.25
        var sidebar = true
        var columns = [0.2, 0.55, 0.25]
        var recent = [
            "/Users/example/Documents/Notes/Shopping.md",
            "/Users/example/Documents/Notes/Travel.md",
            "/Users/example/Documents/Notes/Grüße.md",
        ]
        var search = Search()
        var draft: String

        struct Search: Codable {
            var text = "budget"
            var caseSensitive = false
            var scope = "document"
        }

        package init(_ serial: Int64) {
            self.serial = serial
            selection = [serial % 900, serial % 900 + 12]
            scroll = Double(serial % 1_000) * 0.25
            draft = String(
                repeating: "The budget was agreed; the rest is left to the next meeting. ",
                count: 25)
        }
    }

    package init(_ number: Int64) {
        id = number
        identifier = UUID().uuidString
        isInFront = number == 1
        lastActive = Double(number)
        state = State(number)
    }
}

/// A way to keep windows.
package protocol WindowKeeping {
    /// Opens what is kept in a folder.
    init(folder: String, isDurable: Bool) throws
    /// Keeps new windows.
    mutating func add(_ windows: [BesideWindow]) throws
    /// Notes a launch, and reads all windows.
    mutating func launch() throws -> [BesideWindow]
    /// Keeps another state of a window.
    mutating func save(_ window: BesideWindow) throws
    /// Notes that the process ended by itself.
    mutating func quit() throws
}

/// What each of the programs does.
///
///     PROGRAM FOLDER make N
///     PROGRAM FOLDER all
///     PROGRAM FOLDER save durable|normal N
///
/// `all` prints what the benchmarks' least app prints; `save` saves the windows in turn, so often, and
/// prints the median in nanoseconds.
package func run<Keeper: WindowKeeping>(_ type: Keeper.Type) throws {
    let words = CommandLine.arguments
    guard words.count >= 3 else {
        throw CocoaError(.coderInvalidValue)
    }
    var keeper = try Keeper(folder: words[1], isDurable: words.contains("durable"))
    switch words[2] {
    case "make":
        try keeper.add((1...(Int64(words[3]) ?? 1)).map(BesideWindow.init))
    case "save":
        var windows = try keeper.launch()
        var times: [UInt64] = []
        for number in 0..<(Int(words[4]) ?? 1) {
            let place = number % windows.count
            windows[place].state = BesideWindow.State(Int64(number + 1_000))
            let start = now()
            try keeper.save(windows[place])
            times.append(now() - start)
        }
        say("save=\(times.sorted()[times.count / 2])")
    default:
        var (sum, first): (Int64, UInt64) = (0, 0)
        let windows = try keeper.launch()
        for window in windows {
            sum += window.state.serial
            first = first == 0 ? now() : first
        }
        let all = now()
        try keeper.quit()
        say("first=\(first) all=\(all) scenes=\(windows.count) sum=\(sum) read=0 peak=0")
    }
}

private func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

private func say(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
}
