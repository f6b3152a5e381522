#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStoreTesting
import Testing

import SceneStore

@Suite struct ValueRoundTripTests {
    static func roundTrip(_ value: Value) throws -> Value {
        try ValueCodec.decode(ValueCodec.encode(value))
    }

    static let awkward: [Value] = [
        .null, .boolean(true), .boolean(false), .integer(1), .integer(0), .integer(.min),
        .integer(.max), .double(1), .double(0), .double(-0.0), .double(.nan),
        .double(Double(bitPattern: 0x7ff0_0000_0000_0001)),
        .double(Double(bitPattern: 0x7ff4_0000_2000_0000)),
        .double(Double(bitPattern: 0xfff8_dead_beef_0001)), .double(.infinity),
        .double(-.infinity), .double(.leastNonzeroMagnitude), .double(.greatestFiniteMagnitude),
        .double(Double(Float.leastNonzeroMagnitude)), .double(0x1p-24), .double(0x1p-25),
        .double(0x1.ffcp15), .double(0x1.ffep15), .double(0x1p16), .string(""), .string("\0"),
        .string("e\u{301}"), .string("\u{e9}"), .string(String(repeating: "水", count: 100)),
        .data(Data()), .data(Data([0])), .data(Data(repeating: 0xff, count: 300)),
        .date(Date(timeIntervalSinceReferenceDate: 0)),
        .date(Date(timeIntervalSinceReferenceDate: -0.0)),
        .date(Date(timeIntervalSinceReferenceDate: 0.1)),
        .date(Date(timeIntervalSinceReferenceDate: 789_123_456.123_456_7)),
        .date(Date(timeIntervalSinceReferenceDate: .infinity)),
        .date(Date(timeIntervalSinceReferenceDate: .nan)), .date(.distantPast),
        .date(.distantFuture), url("https://example.com/a?b=c#d"), url("file:///tmp/a%20b"),
        url("mailto:somebody@example.com"), url("relative/path"),
        .uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))), .array([]),
        .set([]), .dictionary([:]), .array([.null]), .set([.null, .integer(1), .boolean(true)]),
        .set([[], [[]], [[[]]]]), .dictionary(["": .null, "a": [:], "b": []]),
    ]

    // By index: Foundation's description of a date that is not finite traps.
    @Test("L-82 awkward values round-trip exactly", arguments: awkward.indices)
    func awkwardValues(index: Int) throws {
        let value = Self.awkward[index]
        let back = try Self.roundTrip(value)
        let isSame = back == value
        #expect(isSame)
        #expect(try ValueCodec.encode(back) == ValueCodec.encode(value))
    }

    @Test("L-82 kinds that look alike stay apart")
    func kindsStayApart() throws {
        let values: [Value] = [
            .boolean(true), .integer(1), .double(1), .string("1"), .null, .boolean(false),
            .integer(0), .double(0), .double(-0.0), .string(""), .data(Data()), .array([]),
            .set([]), .dictionary([:]), .date(Date(timeIntervalSinceReferenceDate: 0)),
        ]
        let encoded = Set(try values.map { try ValueCodec.encode($0) })
        #expect(encoded.count == values.count)
        for value in values {
            #expect(try Self.roundTrip(value) == value)
        }
    }

    @Test("L-82 a missing key and a null are not the same")
    func nilVersusNull() throws {
        let value: Value = ["present": .null]
        let back = try #require(try Self.roundTrip(value).dictionaryValue)
        #expect(back["present"] == .null)
        #expect(back["absent"] == nil)
    }

    @Test("L-82 every binary16 and many binary32 patterns keep their bits")
    func floatPatterns() throws {
        for pattern in UInt16.min...UInt16.max {
            let number = ShortestFloat.value(ofHalf: pattern)
            #expect(ShortestFloat(number) == .half(pattern))
        }
        var numbers = SeededRandom(1)
        for _ in 0..<20_000 {
            let pattern = UInt32(truncatingIfNeeded: numbers.next())
            let number = ShortestFloat.value(ofSingle: pattern)
            let written = try ValueCodec.encode(.double(number))
            #expect(written.count <= 5)
            #expect(try ValueCodec.decode(written) == .double(number))
        }
    }

    @Test("L-81 every kind of value can stand in an activity's userInfo")
    func allKinds() throws {
        var activity = try UserActivity(activityType: "com.example.all")
        for (index, value) in Self.awkward.enumerated() {
            activity.userInfo["key \(index)"] = value
        }
        let back = try ValueCodec.decodeActivity(ValueCodec.encode(activity))
        let isSame = back.userInfo == activity.userInfo
        #expect(isSame)
    }

    @Test("L-81 a date keeps its fraction of a second to the last bit")
    func dates() throws {
        var numbers = SeededRandom(7)
        for _ in 0..<20_000 {
            let seconds =
                Double(numbers.below(2_000_000_000)) + Double(numbers.next() >> 11) * 0x1p-53
            let value = Value.date(Date(timeIntervalSinceReferenceDate: seconds))
            #expect(try Self.roundTrip(value) == value)
        }
    }

    @Test("L-82 random trees round-trip, and equal values are equal bytes", arguments: [1, 2, 3])
    func randomTrees(seed: UInt64) throws {
        var random = RandomValues(seed: seed)
        for _ in 0..<2_000 {
            let value = random.value()
            let encoded = try ValueCodec.encode(value)
            let back = try ValueCodec.decode(encoded)
            let isSame = back == value
            #expect(isSame)
            #expect(try ValueCodec.encode(back) == encoded)
        }
    }

    @Test("L-82 a set is written in the order of its elements' bytes")
    func setOrder() throws {
        let value = Value.set([.integer(300), .string("b"), .integer(2), .string("aa"), .null])
        #expect(hex(try ValueCodec.encode(value)) == "d90102850219012c6162626161f6")
        for wrong in ["d90102820201", "d90102820202"] {
            #expect(thrown { try ValueCodec.decode(bytes(wrong)) }?.code == .malformedValue)
        }
    }

    @Test("L-81 a URL that the system's parser would change is kept as it was written")
    func foreignURLs() throws {
        for text in ["http://[::bad", "http://exa mple.com/", "https://example.com/%zz", "ht tp:x"]
        {
            let length = UInt8(text.utf8.count)
            let encoded = [0xd8, 0x20, 0x78, length] + Array(text.utf8)
            let value = try ValueCodec.decode(
                length < 24 ? [0xd8, 0x20, 0x60 | length] + Array(text.utf8) : encoded)
            if let url = value.urlValue {
                #expect(url.absoluteString.utf8.elementsEqual(text.utf8))
            } else {
                guard case .opaque = value else {
                    Issue.record("neither a URL nor kept")
                    return
                }
            }
            #expect(try Self.roundTrip(value) == value)
        }
    }
}
