#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import SceneStore
import SceneStoreBenchmarkFloor

/// What the windows of the measurements show: an editor with a draft, about 2 KB when encoded.
enum SampleState {
    static let activityType = "com.example.notes.edit"
    /// The key of the number that makes each state another one.
    static let serialKey = "serial"

    /// The state of a number, of so many bytes when it is encoded, or a few less.
    static func activity(_ serial: Int, bytes: Int) throws -> UserActivity {
        guard bytes != 2_000 else {
            return try activity(serial)
        }
        var activity = try UserActivity(activityType: activityType)
        activity.userInfo = [
            // Of one length whatever the number is.
            serialKey: .integer(Int64(serial) + 1_000_000),
            "draft": .string(String(repeating: "a line of text; ", count: max(bytes - 90, 0) / 16)),
        ]
        return activity
    }

    /// The state of a number.
    static func activity(_ serial: Int) throws -> UserActivity {
        var activity = try UserActivity(activityType: activityType, title: "Meeting notes")
        activity.userInfo = [
            serialKey: .integer(Int64(serial)),
            "document": "/Users/example/Documents/Notes/Meeting notes.md",
            "selection": [.integer(Int64(serial % 900)), .integer(Int64(serial % 900 + 12))],
            "scroll": .double(Double(serial % 1_000) * 0.25),
            "zoom": 1.25, "sidebar": true, "columns": [0.2, 0.55, 0.25],
            "recent": [
                "/Users/example/Documents/Notes/Shopping.md",
                "/Users/example/Documents/Notes/Travel.md",
                "/Users/example/Documents/Notes/Grüße.md",
            ],
            "search": ["text": "budget", "caseSensitive": false, "scope": "document"],
            "draft": .string(draft),
        ]
        return activity
    }

    private static let draft = String(
        repeating: "The budget was agreed; the rest is left to the next meeting. ", count: 25)

    /// An editor's window with many tabs: about as many bytes, in small pieces.
    static var tabs: ValueDictionary {
        var tabs: [Value] = []
        for number in 0..<16 {
            tabs.append([
                "path": .string("/Users/example/Projects/App \(number)/main-\(number).swift"),
                "line": .integer(Int64(number * 37)), "column": .integer(Int64(number)),
                "scroll": .double(Double(number) * 0.123), "dirty": .boolean(number % 3 == 0),
                "selection": [.integer(Int64(number * 100)), .integer(Int64(number * 100 + 20))],
            ])
        }
        return [
            "tabs": .array(tabs), "selectedTab": 3, "sidebarVisible": true, "zoom": 1.25,
            "search": "func encode(", "recent": ["one.swift", "two.swift", "Grüße.txt"],
            "layout": ["left": 0.25, "right": 0.75, "bottom": nil], "version": 7,
        ]
    }
}

/// States for both sides: values for Swift, trees and ready bytes for the floor.
final class SampleStates {
    let activities: [UserActivity]
    /// For the floor: with what to encode, and with what is encoded already.
    private let trees: [UnsafePointer<cbor_floor_node>]
    private let payloads: [UnsafeMutableBufferPointer<UInt8>]
    private let arena: OpaquePointer
    private let activityType: UnsafeMutablePointer<CChar>

    /// Makes states of the numbers from 1.
    init(count: Int, bytes: Int = 2_000) throws {
        guard let arena = cbor_floor_arena_create() else {
            throw BenchmarkFailure("no memory")
        }
        self.arena = arena
        activityType = Self.copy(SampleState.activityType)
        activities = try (1...count).map { try SampleState.activity($0, bytes: bytes) }
        var payloads: [UnsafeMutableBufferPointer<UInt8>] = []
        var trees: [UnsafePointer<cbor_floor_node>] = []
        for activity in activities {
            let bytes = try ValueCodec.encode(activity)
            let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
            _ = buffer.initialize(from: bytes)
            guard let tree = cbor_floor_decode(arena, buffer.baseAddress, buffer.count) else {
                throw BenchmarkFailure("the floor's codec does not read the store's bytes")
            }
            payloads.append(buffer)
            trees.append(tree)
        }
        self.payloads = payloads
        self.trees = trees
        try checkEncoding()
    }

    deinit {
        for payload in payloads {
            payload.deallocate()
        }
        cbor_floor_arena_destroy(arena)
        activityType.deallocate()
    }

    var count: Int { activities.count }

    /// Bytes of the first state.
    var byteCount: Int { payloads.first?.count ?? 0 }

    /// A state for the floor.
    func floorState(_ index: Int, session: Int64, encodes: Bool) -> floor_state {
        let index = index % count
        return floor_state(
            session: session, activity_type: UnsafePointer(activityType),
            root: encodes ? trees[index] : nil, payload: payloads[index].baseAddress,
            count: payloads[index].count)
    }

    /// The ready bytes of a state.
    func payload(_ index: Int) -> UnsafeMutableBufferPointer<UInt8> {
        payloads[index % count]
    }

    /// Both codecs make the same bytes.
    private func checkEncoding() throws {
        for (tree, payload) in zip(trees, payloads) {
            var count = 0
            guard let bytes = cbor_floor_encode(tree, &count) else {
                throw BenchmarkFailure("the floor's codec fails")
            }
            defer { free(bytes) }
            guard UnsafeBufferPointer(start: bytes, count: count).elementsEqual(payload) else {
                throw BenchmarkFailure("the two codecs make different bytes")
            }
        }
    }

    private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
        let bytes = text.utf8CString
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        bytes.withUnsafeBufferPointer { source in
            for (index, byte) in source.enumerated() {
                copy[index] = byte
            }
        }
        return copy
    }
}
