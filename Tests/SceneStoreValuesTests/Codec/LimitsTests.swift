#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

import SceneStore

@Suite struct LimitsTests {
    static func limits(_ change: (inout Limits) -> Void) -> Limits {
        var limits = Limits()
        change(&limits)
        return limits
    }

    @Test("L-83 exceeding a limit is a typed error that names the key path")
    func keyPaths() {
        let info: ValueDictionary = ["tabs": [["a": 1], ["a": 1], ["a": 1], ["link": "12345678"]]]
        let cases: [(Limits, String)] = [
            (Self.limits { $0.valueBytes = 7 }, "userInfo.tabs[3].link"),
            (Self.limits { $0.keyBytes = 3 }, "userInfo.tabs"),
            (Self.limits { $0.depth = 2 }, "userInfo.tabs[0]"),
            (Self.limits { $0.nodes = 5 }, "userInfo.tabs[1].a"),
            (Self.limits { $0.sessionBytes = 24 }, "userInfo.tabs[3].link"),
        ]
        for (limits, path) in cases {
            let error = thrown { try ValueCodec.encode(info, limits: limits) }
            #expect(error?.code == .limitExceeded)
            #expect(error?.path == path)
        }
        #expect(thrown { try ValueCodec.encode(info) } == nil)
    }

    @Test("L-83 each limit may be lowered to any number, and none raised or switched off")
    func everyField() {
        let fields: [WritableKeyPath<Limits, Int>] = [
            \.depth, \.nodes, \.valueBytes, \.sessionBytes, \.keyBytes, \.sessions,
        ]
        // A new field belongs into this list.
        #expect(Mirror(reflecting: Limits()).children.count == fields.count)
        for field in fields {
            let most = Limits.standard[keyPath: field]
            for (asked, given) in [
                (1, 1), (2, 2), (most - 1, most - 1), (most, most), (most + 1, most), (.max, most),
                (0, 1), (-1, 1), (.min, 1),
            ] {
                let limits = Self.limits { $0[keyPath: field] = asked }.clamped
                #expect(limits[keyPath: field] == given)
                for other in fields where other != field {
                    #expect(limits[keyPath: other] == Limits.standard[keyPath: other])
                }
            }
        }
    }

    @Test("L-83 what has exactly the limit is taken, and one more is refused, in every field")
    func atTheLimit() throws {
        func isTaken(_ value: Value, _ change: (inout Limits) -> Void) -> Bool {
            thrown { try ValueCodec.encode(value, limits: Self.limits(change)) } == nil
        }
        #expect(isTaken([[1]]) { $0.depth = 2 })
        #expect(!isTaken([[[1]]]) { $0.depth = 2 })
        #expect(isTaken([1, 2, 3]) { $0.nodes = 4 })
        #expect(!isTaken([1, 2, 3, 4]) { $0.nodes = 4 })
        #expect(isTaken("1234") { $0.valueBytes = 4 })
        #expect(!isTaken("12345") { $0.valueBytes = 4 })
        #expect(isTaken(.dictionary(["1234": 1])) { $0.keyBytes = 4 })
        #expect(!isTaken(.dictionary(["12345": 1])) { $0.keyBytes = 4 })
        let size = try ValueCodec.encode(Value.string("1234")).count
        #expect(isTaken("1234") { $0.sessionBytes = size })
        #expect(!isTaken("1234") { $0.sessionBytes = size - 1 })
        // 64 and 65 levels.
        for (levels, isTaken) in [(64, true), (65, false)] {
            var value: Value = 1
            for _ in 0..<levels {
                value = [value]
            }
            #expect((thrown { try ValueCodec.encode(value) } == nil) == isTaken, "\(levels)")
        }
    }

    @Test("L-83 many small values together are bounded too")
    func smallValues() {
        let numbers = Value.array((0..<200).map { .integer($0) })
        let error = thrown {
            try ValueCodec.encode(numbers, limits: Self.limits { $0.sessionBytes = 300 })
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.path == "value")
        let enough = Self.limits { $0.sessionBytes = 2 + 24 + 176 * 2 }
        #expect(thrown { try ValueCodec.encode(numbers, limits: enough) } == nil)
    }

    @Test("L-83 an activity's limits name the field")
    func activityFields() throws {
        var activity = try UserActivity(activityType: "com.example.a", title: "a title")
        activity.userInfo = ["list": [["deep": [1]]]]
        activity.keywords = ["one", "a long keyword"]
        func path(_ change: (inout Limits) -> Void) -> String? {
            thrown { try ValueCodec.encode(activity, limits: Self.limits(change)) }?.path
        }
        #expect(path { $0.keyBytes = 13 } == "keywords[1]")
        #expect(path { $0.keyBytes = 6 } == "activityType")
        #expect(path { $0.depth = 3 } == "userInfo.list[0].deep")
        #expect(path { $0.depth = 4 } == nil)
    }

    @Test("L-83 what is written within the limits can be read, and limits are not raised")
    func limitsAgree() throws {
        var value: Value = 1
        for _ in 0..<64 {
            value = [value]
        }
        let deepest = try ValueCodec.encode(value)
        #expect(try ValueCodec.decode(deepest) == value)
        let tooDeep = Self.limits { $0.depth = 1000 }
        #expect(thrown { try ValueCodec.encode([value], limits: tooDeep) }?.code == .limitExceeded)
        #expect(
            thrown { try ValueCodec.decode([0x81] + deepest, limits: tooDeep) }?.code
                == .limitExceeded)
        // An activity's own map does not take a level from its userInfo.
        var activity = try UserActivity(activityType: "com.example.deep")
        activity.userInfo = ["value": try #require(value.arrayValue?.first)]
        activity.needsSave = false
        #expect(try ValueCodec.decodeActivity(ValueCodec.encode(activity)) == activity)
        let payload = Payload.activity(activity)
        #expect(try ValueCodec.decodePayload(ValueCodec.encode(payload)) == payload)
    }

    @Test("L-83 a kept value that would not be readable at its new place is refused")
    func opaqueDepth() throws {
        let kept = opaque("d9ffff" + String(repeating: "81", count: 60) + "00")
        var value = kept
        for _ in 0..<4 {
            value = [value]
        }
        #expect(try ValueCodec.decode(ValueCodec.encode(value)) == value)
        let error = thrown { try ValueCodec.encode(Value.dictionary(["a": value])) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.path == "value.a[0][0][0][0]")
    }

    @Test("L-83 key paths quote what is not a plain name")
    func quotedKeys() {
        let info: ValueDictionary = ["a.b": ["say \"hi\"": ["": "12345678"]]]
        let limits = Self.limits { $0.valueBytes = 7 }
        #expect(
            thrown { try ValueCodec.encode(info, limits: limits) }?.path
                == #"userInfo["a.b"]["say \"hi\""][""]"#)
        let long: ValueDictionary = [String(repeating: "k", count: 70): "12345678"]
        #expect(
            thrown { try ValueCodec.encode(long, limits: limits) }?.path
                == "userInfo[\"" + String(repeating: "k", count: 64) + "…\"]")
    }

    @Test("L-83 an encoder is as good as new after a failure")
    func reuse() throws {
        var encoder = CBORWriter(limits: Self.limits { $0.valueBytes = 3 })
        encoder.begin()
        let isRefused = !encoder.append(ValueDictionary(["a": "1234"]))
        #expect(isRefused)
        var path: String?
        do {
            try encoder.finish(path: "value")
        } catch {
            path = error.path
        }
        #expect(path == "value.a")
        encoder.begin()
        let isWritten = encoder.append(ValueDictionary(["a": "123"]))
        #expect(isWritten)
        try encoder.finish(path: "value")
        let written = encoder.bytes
        #expect(written == bytes("a1616163313233"))
    }

    @Test("L-81 a session's userInfo holds property-list values only, with the key path")
    func propertyLists() throws {
        let uuid = Value.uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
        for value in [url("https://example.com"), uuid, .null, .set([1])] {
            let info: ValueDictionary = ["ok": 1, "tabs": [1, 2, 3, ["link": value]]]
            let error = thrown { try PropertyListCheck.check(info) }
            #expect(error?.code == .unsupportedValue)
            #expect(error?.path == "userInfo.tabs[3].link")
        }
        let good: ValueDictionary = [
            "a": 1, "b": 1.5, "c": true, "d": "x", "e": .data(Data([1])),
            "f": .date(Date(timeIntervalSinceReferenceDate: 1)), "g": [["h": 1]], "i": [:],
            "kept": opaque("f7"),
        ]
        try PropertyListCheck.check(good)
        #expect(try ValueCodec.decodeDictionary(ValueCodec.encode(good)) == good)
        var deep: Value = 1
        for _ in 0..<200 {
            deep = [deep]
        }
        #expect(
            thrown { try PropertyListCheck.check(["deep": deep]) }?.code == .limitExceeded)
    }
}
