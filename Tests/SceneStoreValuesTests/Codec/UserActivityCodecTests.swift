#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

import SceneStore

@Suite struct UserActivityCodecTests {
    static func full() throws -> UserActivity {
        var activity = try UserActivity(
            activityType: "com.example.edit", title: "Édition",
            userInfo: ["document": "notes", "line": 12])
        activity.requiredUserInfoKeys = ["document", "line"]
        try activity.setWebpageURL(URL(string: "https://example.com/notes#12"))
        activity.referrerURL = URL(string: "app-scheme://from")
        activity.targetContentIdentifier = "note-12"
        activity.persistentIdentifier = "p-12"
        activity.expirationDate = Date(timeIntervalSinceReferenceDate: 789_000_000.1)
        activity.keywords = ["zwei", "eins", "three"]
        activity.eligibility = [.search, .prediction]
        activity.stateVersion = 7
        activity.needsSave = false
        return activity
    }

    @Test("L-80 every field of an activity round-trips")
    func allFields() throws {
        let activity = try Self.full()
        let back = try ValueCodec.decodeActivity(ValueCodec.encode(activity))
        #expect(back == activity)
        #expect(back.webpageURL?.absoluteString == "https://example.com/notes#12")
        #expect(back.keywords == ["eins", "zwei", "three"])
        #expect(back.eligibility == [.search, .prediction])
        #expect(back.stateVersion == 7)
    }

    @Test("L-80 fields that have their default take no byte")
    func smallest() throws {
        let activity = try UserActivity(activityType: "a.b")
        let encoded = try ValueCodec.encode(activity)
        #expect(hex(encoded) == "a1" + "6474797065" + "63612e62")
        #expect(try ValueCodec.decodeActivity(encoded) == activity)
    }

    @Test("L-80 an activity is written as the documentation prints it")
    func documented() throws {
        let activity = try UserActivity(
            activityType: "com.example.edit", title: "Notes",
            userInfo: ["line": 12, "document": "notes", "zoom": 1.5])
        #expect(
            hex(try ValueCodec.encode(activity))
                == "a364696e666fa3646c696e650c647a6f6f6df93e0068646f63756d656e74656e6f746573"
                + "647479706570636f6d2e6578616d706c652e65646974657469746c65654e6f746573")
    }

    @Test("L-80 needsSave is not stored, and reading does not set it")
    func needsSave() throws {
        var activity = try Self.full()
        let clean = try ValueCodec.encode(activity)
        activity.needsSave = true
        #expect(try ValueCodec.encode(activity) == clean)
        #expect(try ValueCodec.decodeActivity(clean).needsSave == false)
    }

    @Test("L-80 the fields stand in deterministic order")
    func fieldOrder() throws {
        let encoded = try ValueCodec.encode(Self.full())
        guard case .dictionary(let fields) = try ValueCodec.decode(encoded) else {
            Issue.record("no dictionary")
            return
        }
        #expect(
            fields.keys == [
                "id", "info", "type", "title", "target", "expires", "webpage", "eligible",
                "keywords", "referrer", "required", "stateVersion",
            ])
    }

    @Test(
        "L-80 a stored activity whose fields are wrong is refused with the field's path",
        arguments: [
            ("type", nil), ("type", ""), ("type", 1), ("title", 1), ("info", []), ("info", "x"),
            ("target", 1), ("id", false), ("expires", 1.5), ("webpage", "https://example.com"),
            ("webpage", url("ftp://example.com")), ("referrer", 1), ("keywords", "a"),
            ("keywords", [1]), ("required", [nil]), ("eligible", 256), ("eligible", -1), ("v", "1"),
        ] as [(String, Value?)])
    func wrongFields(key: String, value: Value?) throws {
        var fields: ValueDictionary = ["type": "com.example.a"]
        fields[key] = value
        let encoded = try ValueCodec.encode(fields)
        let error = thrown { try ValueCodec.decodeActivity(encoded) }
        #expect(error?.code == .malformedValue)
        #expect(error?.path == key)
    }

    @Test("R-30 fields of a newer version survive a rewrite, in their places")
    func newerFields() throws {
        let stored: ValueDictionary = [
            "type": "com.example.a", "title": "one", "a": 1, "zz": [1, 2], "info": ["k": 1],
            "tizzy": opaque("d9ffff01"), "much-later": "x", "v": 1,
        ]
        let encoded = try ValueCodec.encode(stored)
        var activity = try ValueCodec.decodeActivity(encoded)
        #expect(activity.unknownFields.keys == ["a", "zz", "tizzy", "much-later"])
        activity.title = "two"
        activity.targetContentIdentifier = "t"
        let rewritten = try ValueCodec.decodeDictionary(ValueCodec.encode(activity))
        var expected = stored
        expected["title"] = "two"
        expected["target"] = "t"
        expected["v"] = nil
        #expect(rewritten == expected)
    }

    @Test("R-30 a newer version may give a field another form")
    func newerForms() throws {
        let stored: ValueDictionary = [
            "type": "com.example.a", "v": 2, "title": ["text": "one"], "keywords": 7,
        ]
        var activity = try ValueCodec.decodeActivity(ValueCodec.encode(stored))
        #expect(activity.title == nil)
        #expect(try ValueCodec.decodeDictionary(ValueCodec.encode(activity)) == stored)
        // What the app sets anew replaces it.
        activity.title = "mine"
        let rewritten = try ValueCodec.decodeDictionary(ValueCodec.encode(activity))
        #expect(rewritten["title"] == "mine")
        #expect(rewritten["keywords"] == 7)
        #expect(rewritten["v"] == 2)
    }

    @Test("R-30 a URL that this system does not parse is kept with the activity")
    func foreignURL() throws {
        let text = "http://[::bad"
        let kept = [0xd8, 0x20, 0x60 | UInt8(text.utf8.count)] + Array(text.utf8)
        let stored: ValueDictionary = [
            "type": "com.example.a", "referrer": .opaque(OpaqueValue(encoded: kept)),
        ]
        let encoded = try ValueCodec.encode(stored)
        let activity = try ValueCodec.decodeActivity(encoded)
        #expect(activity.referrerURL == nil)
        #expect(try ValueCodec.encode(activity) == encoded)
    }

    @Test("L-84 only what is offered is pruned to the required keys")
    func pruning() throws {
        var activity = try Self.full()
        activity.userInfo["secret"] = "x"
        activity.needsSave = false
        let pruned = activity.prunedToRequiredKeys()
        #expect(pruned.userInfo == ["document": "notes", "line": 12])
        #expect(!pruned.needsSave)
        #expect(pruned.title == activity.title)
        // What is stored is what was given.
        let back = try ValueCodec.decodeActivity(ValueCodec.encode(activity))
        #expect(back.userInfo["secret"] == "x")
        activity.requiredUserInfoKeys = []
        #expect(activity.prunedToRequiredKeys().userInfo == activity.userInfo)
    }

    @Test("L-80 random activities round-trip", arguments: [11, 12])
    func randomActivities(seed: UInt64) throws {
        var random = RandomValues(seed: seed)
        for _ in 0..<500 {
            var activity = try UserActivity(activityType: "t" + random.text())
            activity.userInfo = random.dictionary(depth: 3)
            if random.numbers.below(2) == 0 { activity.title = random.text() }
            if random.numbers.below(2) == 0 { activity.persistentIdentifier = random.text() }
            if random.numbers.below(2) == 0 { activity.keywords = [random.text(), random.text()] }
            if random.numbers.below(2) == 0 { activity.unknownFields["~new"] = random.value() }
            activity.eligibility = UserActivity.Eligibility(
                rawValue: UInt8(random.numbers.below(256)))
            activity.needsSave = false
            let encoded = try ValueCodec.encode(activity)
            let back = try ValueCodec.decodeActivity(encoded)
            let isSame = back == activity
            #expect(isSame)
            #expect(try ValueCodec.encode(back) == encoded)
        }
    }
}
