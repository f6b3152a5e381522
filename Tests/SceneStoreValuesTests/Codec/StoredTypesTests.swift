#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

import SceneStore

/// The stored forms of conditions, placements and payloads.
@Suite struct StoredTypesTests {
    typealias Rule = ActivationConditions.Rule

    static let rules: [Rule] = [
        .always, .never, .equals("a"), .hasPrefix(""), .hasSuffix("水"), .contains("c"),
        .matches("a*?"), .any([]), .all([.always]), .not(.never),
        .any([.equals("x"), .all([.not(.contains("y")), .always])]),
    ]

    @Test("L-71 conditions are stored with the session and come back", arguments: rules)
    func conditions(rule: Rule) throws {
        for conditions in [
            ActivationConditions(canActivate: rule), ActivationConditions(prefersToActivate: rule),
            ActivationConditions(canActivate: rule, prefersToActivate: rule),
        ] {
            let encoded = try ValueCodec.encode(conditions)
            #expect(try ValueCodec.decodeConditions(encoded) == conditions)
        }
        #expect(try ValueCodec.encode(ActivationConditions()) == [0xa0])
    }

    @Test("L-71 L-83 rules are bounded in depth, both ways")
    func deepRules() throws {
        var rule = Rule.always
        for _ in 0..<63 {
            rule = .not(rule)
        }
        let deepest = ActivationConditions(prefersToActivate: rule)
        #expect(try ValueCodec.decodeConditions(ValueCodec.encode(deepest)) == deepest)
        let tooDeep = ActivationConditions(prefersToActivate: .any([.never, rule]))
        let error = thrown { try ValueCodec.encode(tooDeep) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.path == "prefersToActivate[1]")
    }

    @Test(
        "L-71 a rule that this version does not know is refused, not guessed at",
        arguments: [
            ["can": "sometimes"], ["can": 1], ["can": []], ["can": ["equals"]],
            ["can": ["equals", 1]], ["can": ["not", "always", "never"]], ["can": ["sounds", "x"]],
            ["prefers": ["any", ["all", ["odd"]]]], ["prefers": nil],
        ] as [Value])
    func unknownRules(value: Value) throws {
        let encoded = try ValueCodec.encode(value)
        let error = thrown { try ValueCodec.decodeConditions(encoded) }
        #expect(error?.code == .malformedValue)
        #expect(error?.path?.isEmpty == false)
    }

    @Test("L-45 a placement comes back exactly")
    func placements() throws {
        for placement in [
            ScenePlacement(x: 0, y: -0.0, width: 100.5, height: .nan),
            ScenePlacement(
                x: -1, y: 2, width: 3, height: 4, display: "HDMI-1", windowState: .fullScreen,
                stackingOrder: .max),
            ScenePlacement(
                width: 3, height: 4, parent: SceneSession.ID("A"),
                tabIndex: 2, isSelectedTab: true),
        ] {
            let bytes = try ValueCodec.encode(PlacementMemory(placement))
            let back = try ValueCodec.decodePlacement(bytes).placement
            #expect(
                back.parent == placement.parent && back.tabIndex == placement.tabIndex
                    && back.isSelectedTab == placement.isSelectedTab)
            #expect(back.storedValue == placement.storedValue)
            #expect(back.windowState == placement.windowState)
            #expect(back.stackingOrder == placement.stackingOrder)
        }
        let newer: Value = ["x": 1.0, "y": 1.0, "width": 1.0, "height": 1.0, "state": "tiled"]
        #expect(try ScenePlacement(storedValue: newer).windowState == .normal)
        let wrong: Value = ["x": 1, "y": 1.0, "width": 1.0, "height": 1.0]
        #expect(thrown { try ScenePlacement(storedValue: wrong) }?.path == "x")
    }

    @Test("L-49 eight arrangements of displays are remembered, the ninth replaces the oldest")
    func arrangements() throws {
        var memory = PlacementMemory(ScenePlacement(x: 0, y: 0, width: 1, height: 1))
        for number in 1...8 {
            memory.remember(
                ScenePlacement(x: Double(number), y: 0, width: 1, height: 1),
                on: Int64(number))
        }
        #expect(memory.arranged.count == 8 && memory.placement(on: 1)?.x == 1)
        // Used again, it is not the oldest any more.
        memory.remember(ScenePlacement(x: 1.5, y: 0, width: 1, height: 1), on: 1)
        memory.remember(ScenePlacement(x: 9, y: 0, width: 1, height: 1), on: 9)
        #expect(memory.arranged.count == 8)
        #expect(memory.placement(on: 2) == nil)
        #expect(memory.placement(on: 1)?.x == 1.5 && memory.placement(on: 9)?.x == 9)
        let back = try ValueCodec.decodePlacement(ValueCodec.encode(memory))
        #expect(back == memory)
        // An earlier library reads the placement and skips the rest.
        #expect(try ScenePlacement(storedValue: memory.storedValue) == memory.placement)
        let damaged: Value = [
            "width": 1.0, "height": 1.0, "arrangements": .array([.integer(1)]),
        ]
        #expect(thrown { try PlacementMemory(storedValue: damaged) }?.path == "arrangements[0]")
    }

    static func payloads() throws -> [Payload] {
        let notification = NotificationResponse(
            identifier: "n", targetContentIdentifier: "t", userInfo: ["aps": ["badge": 1]])
        return [
            .urls([]), .urls([OpenURLContext(url: "not a url at all")]),
            .urls([
                OpenURLContext(url: "a:b", sourceApplication: "com.example", openInPlace: true),
                OpenURLContext(url: ""),
            ]),
            .activity(try UserActivityCodecTests.full()),
            .shortcut(ShortcutItem(type: "new")),
            .shortcut(
                ShortcutItem(type: "", targetContentIdentifier: "x", userInfo: ["a": [1, nil]])),
            .shortcut(
                ShortcutItem(
                    type: "new", targetContentIdentifier: "x", userInfo: ["a": 1],
                    localizedTitle: "New", localizedSubtitle: "in the inbox")),
            .activity(
                try UserActivity(activityType: UserActivity.browsingWeb),
                sourceApplication: "com.example.mail"),
            .notification(notification),
            .notification(NotificationResponse(identifier: "m", actionIdentifier: "reply")),
        ]
    }

    @Test("L-65 every payload comes back from the inbox as it was")
    func payloadsRoundTrip() throws {
        for payload in try Self.payloads() {
            let encoded = try ValueCodec.encode(payload)
            #expect(try ValueCodec.decodePayload(encoded) == payload)
            #expect(try ValueCodec.encode(ValueCodec.decode(encoded)) == encoded)
        }
    }

    @Test(
        "L-65 a stored payload that is none is refused",
        arguments: [
            [:], ["urls": [], "shortcut": ["type": "x"]], ["source": "a"],
            ["source": "a", "shortcut": ["type": "x"]], ["later": 1], ["urls": 1],
            ["urls": [["source": "x"]]], ["activity": [:]], ["shortcut": ["type": 1]],
            ["notification": ["info": [:]]], ["urls": [["url": "a", "inPlace": 1]]],
        ] as [Value])
    func wrongPayloads(value: Value) throws {
        let encoded = try ValueCodec.encode(value)
        #expect(thrown { try ValueCodec.decodePayload(encoded) }?.code == .malformedValue)
    }

    @Test("L-83 a payload's limits name the place in it")
    func payloadPaths() throws {
        var limits = Limits()
        limits.valueBytes = 5
        let urls = Payload.urls([OpenURLContext(url: "a:b"), OpenURLContext(url: "too long")])
        #expect(
            thrown { try ValueCodec.encode(urls, limits: limits) }?.path == "urlContexts[1].url")
        var activity = try UserActivity(activityType: "a.b")
        activity.userInfo = ["x": ["too long"]]
        #expect(
            thrown { try ValueCodec.encode(Payload.activity(activity), limits: limits) }?.path
                == "activity.userInfo.x[0]")
    }
}
