#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

import SceneStore

@Suite struct ValueCoderTests {
    enum Mode: String, Codable { case list, grid }

    enum Shape: Codable, Equatable {
        case circle(radius: Double)
        case square(Int, label: String?)
        case none
    }

    struct Inner: Codable, Equatable {
        var names: [String]
        var byName: [String: Int]
        var maybe: Int?
    }

    struct Everything: Codable, Equatable {
        var flag = true
        var number = -5
        var small: UInt8 = 255
        var big: UInt64 = 5
        var real = 1.0
        var short: Float = 0.1
        var text = "水"
        var data = Data([1, 2, 3])
        var date = Date(timeIntervalSinceReferenceDate: 0.1)
        var link = URL(string: "https://example.com/a")
        var id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        var mode = Mode.grid
        var shapes: [Shape] = [.circle(radius: 2), .square(1, label: nil), .none]
        var inner: Inner? = Inner(names: ["a", "b"], byName: ["x": 1], maybe: nil)
        var nothing: Inner?
        var numbers: Set<Int> = [1, 2, 3]
        var keyed: [Int: String] = [7: "seven"]
        var pairs: [[Int?]] = [[1, nil], []]
    }

    final class Sub: Base {
        var own = 1

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            own = try container.decode(Int.self, forKey: .own)
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(own, forKey: .own)
            try super.encode(to: container.superEncoder())
        }

        enum Keys: CodingKey { case own }
    }

    class Base: Codable {
        var inherited = "x"

        init() {}
    }

    /// A list that nests without adding anything to the value.
    indirect enum Wrapper: Codable {
        case end
        case more(Wrapper)

        init(depth: Int) {
            self = depth == 0 ? .end : .more(Wrapper(depth: depth - 1))
        }

        init(from decoder: any Decoder) throws {
            self = .more(try decoder.singleValueContainer().decode(Wrapper.self))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .end: try container.encode(1)
            case .more(let wrapper): try container.encode(wrapper)
            }
        }
    }

    struct Deep: Codable {
        var next: [Deep]
    }

    struct TwoKinds: Encodable {
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(1)
            var single = encoder.container(keyedBy: ValueCodingKey.self)
            try single.encode(1, forKey: ValueCodingKey(stringValue: "a"))
        }
    }

    struct Refusing: Codable {
        struct Oops: Error {}
        func encode(to encoder: any Encoder) throws { throw Oops() }
        init() {}
        init(from decoder: any Decoder) throws { throw Oops() }
    }

    struct Nothing: Codable, Equatable {}

    func roundTrip<Content: Codable>(_ content: Content) throws -> Content {
        let value = try Value(encoding: content)
        let stored = try ValueCodec.decode(ValueCodec.encode(value))
        return try stored.decode(as: Content.self)
    }

    @Test("L-86 any Codable type goes into scene storage and comes back")
    func everything() throws {
        let content = Everything()
        #expect(try roundTrip(content) == content)
        let sub = Sub()
        sub.own = 9
        sub.inherited = "y"
        let back = try roundTrip(sub)
        #expect(back.own == 9 && back.inherited == "y")
        #expect(try roundTrip(Nothing()) == Nothing())
        #expect(try roundTrip([Nothing()]) == [Nothing()])
    }

    @Test("L-86 the kinds that values have are stored as themselves")
    func nativeKinds() throws {
        let date = Date(timeIntervalSinceReferenceDate: 12.5)
        let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        #expect(try ValueCoder.encode(true) == .boolean(true))
        #expect(try ValueCoder.encode(Int8(-1)) == .integer(-1))
        #expect(try ValueCoder.encode(1.0) == .double(1))
        #expect(try ValueCoder.encode("a") == .string("a"))
        #expect(try ValueCoder.encode(Data([1])) == .data(Data([1])))
        #expect(try ValueCoder.encode(date) == .date(date))
        #expect(try ValueCoder.encode(id) == .uuid(id))
        #expect(try ValueCoder.encode(Mode.list) == .string("list"))
        #expect(try ValueCoder.encode(Int?.none) == .null)
        #expect(try ValueCoder.encode([date]) == [.date(date)])
        #expect(try ValueCoder.encode(["a": [1]]) == ["a": [1]])
        let link = try #require(URL(string: "https://example.com"))
        #expect(try ValueCoder.encode(link) == .url(link))
        #expect(try ValueCoder.decode(URL.self, from: .url(link)) == link)
        #expect(try ValueCoder.decode(Int?.self, from: .null) == nil)
        #expect(try ValueCoder.decode(Set<Int>.self, from: .set([1, 2])) == [1, 2])
    }

    @Test("L-86 a stored value of another type is a typed error with the key path")
    func mismatches() throws {
        func path<Content: Decodable>(_ type: Content.Type, _ value: Value) -> String? {
            let error = thrown { try ValueCoder.decode(type, from: value) }
            #expect(error?.code == .decodingFailed)
            return error?.path
        }
        #expect(path(Bool.self, 1) == "value")
        #expect(path(Int.self, true) == "value")
        #expect(path(Double.self, 1) == "value")
        #expect(path(Int.self, 1.0) == "value")
        #expect(path(UInt8.self, 256) == "value")
        #expect(path(UInt.self, -1) == "value")
        #expect(path(Float.self, 1e300) == "value")
        #expect(path(String.self, nil) == "value")
        #expect(path(URL.self, "https://example.com") == "value")
        #expect(path(Mode.self, "table") == "value")
        #expect(path([Int].self, [1, "2"]) == "value[1]")
        #expect(path(Inner.self, ["names": ["a", 1], "byName": [:]]) == "value.names[1]")
        #expect(path(Inner.self, ["names": []]) == "value.byName")
        #expect(path(Refusing.self, 1) == "value")
    }

    @Test("L-86 an integer beyond 64 bits is a typed error with the key path")
    func largeIntegers() {
        for number in [UInt128(UInt64.max) + 1, .max] {
            let error = thrown { try ValueCoder.encode(["a": [number]], path: "store") }
            #expect(error?.code == .unsupportedValue)
            #expect(error?.path == "store.a[0]")
        }
        let error = thrown { try ValueCoder.encode(Int128(Int64.min) - 1) }
        #expect(error?.code == .unsupportedValue)
    }

    @Test("L-82 an unsigned integer of 64 bits comes back, and is no signed one")
    func unsignedIntegers() throws {
        for number in [UInt64(Int64.max), UInt64(Int64.max) + 1, .max] {
            #expect(try roundTrip([number]) == [number])
            #expect(try roundTrip(UInt128(number)) == UInt128(number))
        }
        let value = try ValueCoder.encode(UInt64.max)
        #expect(try ValueCodec.encode(value) == [0x1b] + [UInt8](repeating: 0xff, count: 8))
        #expect(try ValueCodec.decode(ValueCodec.encode(value)) == value)
        #expect(thrown { try ValueCoder.decode(Int64.self, from: value) }?.code == .decodingFailed)
        #expect(thrown { try ValueCoder.decode(UInt32.self, from: value) }?.code == .decodingFailed)
        #expect(thrown { try ValueCoder.decode(Double.self, from: value) }?.code == .decodingFailed)
    }

    struct Doubtful: Codable, Equatable {
        var choice: Int??
    }

    @Test("L-82 an optional that holds an empty one would come back changed, and is a typed error")
    func nestedOptionals() throws {
        for content in [Doubtful(choice: nil), Doubtful(choice: 1)] {
            #expect(try roundTrip(content) == content)
        }
        #expect(try roundTrip([nil, 1] as [Int?]) == [nil, 1])
        #expect(try roundTrip([nil, 1] as [Int??]) == [nil, 1])
        let error = thrown { try ValueCoder.encode(Doubtful(choice: .some(nil)), path: "state") }
        #expect(error?.code == .unsupportedValue)
        #expect(error?.path == "state.choice")
        let element = thrown { try ValueCoder.encode([1, .some(nil)] as [Int??]) }
        #expect(element?.path == "value[1]")
    }

    @Test("L-86 L-83 nesting is bounded both ways")
    func nesting() throws {
        #expect(thrown { try ValueCoder.encode(Wrapper(depth: 100)) } == nil)
        #expect(thrown { try ValueCoder.encode(Wrapper(depth: 1000)) }?.code == .limitExceeded)
        #expect(thrown { try ValueCoder.decode(Wrapper.self, from: 1) }?.code == .limitExceeded)
        var deep = Deep(next: [])
        for _ in 0..<40 {
            deep = Deep(next: [deep])
        }
        let error = thrown { try ValueCoder.encode(deep) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.path?.hasPrefix("value.next[0].next[0]") == true)
    }

    @Test("L-82 R-41 a key path ends after some steps, and its beginning is there")
    func longPath() {
        let steps = Array(repeating: KeyPathText.Step.key("aKeyOfTwentyLetters_"), count: 100)
        let text = KeyPathText.text(root: "userInfo", steps: steps)
        #expect(text.hasPrefix("userInfo.aKeyOfTwentyLetters_.aKeyOfTwentyLetters_"))
        #expect(text.hasSuffix("…") && text.utf8.count < 300)
        #expect(KeyPathText.text(text, .index(1)) == text)
        let short = KeyPathText.text(root: "userInfo", steps: steps.prefix(11))
        #expect(!short.hasSuffix("…"))
    }

    @Test("L-86 what a type's own code throws is a typed error")
    func foreignErrors() {
        #expect(thrown { try ValueCoder.encode(Refusing()) }?.code == .encodingFailed)
        #expect(thrown { try ValueCoder.encode([TwoKinds()]) }?.path == "value[0]")
        #expect(thrown { try ValueCoder.encode([TwoKinds()]) }?.code == .encodingFailed)
    }
}
