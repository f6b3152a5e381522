#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore

/// The same editor's window as a type of the app, `Codable`, which is what the toolchain's own
/// coders take.
struct CodableSubject {
    private let window = EditorWindow()
    private let json: Data
    private let propertyList: Data
    private let stored: [UInt8]

    init() throws {
        json = try JSONEncoder().encode(window)
        propertyList = try Self.propertyListEncoder.encode(window)
        stored = try ValueCodec.encode(try ValueCoder.encode(window))
    }

    private static var propertyListEncoder: PropertyListEncoder {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return encoder
    }

    /// The coders of the toolchain, each against the store's own with the same type.
    func measure(rounds: Int, count: Int) throws -> [Measurement] {
        typealias Body = () throws -> Int
        let json = self.json
        let propertyList = self.propertyList
        let stored = self.stored
        let window = self.window
        let subjects: [(name: String, own: Body, other: Body)] = [
            (
                "encoding a Codable type; C here is JSONEncoder",
                { try ValueCodec.encode(try ValueCoder.encode(window)).count },
                { try JSONEncoder().encode(window).count }
            ),
            (
                "decoding a Codable type; C here is JSONDecoder",
                { try ValueCoder.decode(EditorWindow.self, from: ValueCodec.decode(stored)).count },
                { try JSONDecoder().decode(EditorWindow.self, from: json).count }
            ),
            (
                "encoding a Codable type; C here is PropertyListEncoder, binary",
                { try ValueCodec.encode(try ValueCoder.encode(window)).count },
                { try Self.propertyListEncoder.encode(window).count }
            ),
            (
                "decoding a Codable type; C here is PropertyListDecoder",
                { try ValueCoder.decode(EditorWindow.self, from: ValueCodec.decode(stored)).count },
                { try PropertyListDecoder().decode(EditorWindow.self, from: propertyList).count }
            ),
        ]
        return try subjects.map { subject in
            func side(_ body: @escaping Body) -> Interleaving.Side {
                {
                    var total = 0
                    let time = try Interleaving.time {
                        for _ in 0..<count {
                            total &+= try body()
                        }
                    }
                    guard total > 0 else {
                        throw BenchmarkFailure("a coder made nothing")
                    }
                    return [time / Double(count)]
                }
            }
            let times = try Interleaving.run(
                rounds: rounds, seconds: 3, [side(subject.own), side(subject.other)])
            return Measurement(subject.name, .microseconds, times[0], floor: times[1])
        }
    }
}

/// What ``SampleState/tabs`` is in the app.
private struct EditorWindow: Codable, Sendable {
    struct Tab: Codable, Sendable {
        var path: String
        var line: Int
        var column: Int
        var scroll: Double
        var dirty: Bool
        var selection: [Int]
    }

    var tabs = (0..<16).map { number in
        Tab(
            path: "/Users/example/Projects/App \(number)/main-\(number).swift", line: number * 37,
            column: number, scroll: Double(number) * 0.123, dirty: number % 3 == 0,
            selection: [number * 100, number * 100 + 20])
    }
    var selectedTab = 3
    var sidebarVisible = true
    var zoom = 1.25
    var search = "func encode("
    var recent = ["one.swift", "two.swift", "Grüße.txt"]
    var layout = ["left": 0.25, "right": 0.75]
    var version = 7

    var count: Int { tabs.count }
}
