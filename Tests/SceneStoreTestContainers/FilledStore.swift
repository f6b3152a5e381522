import SceneStore
import SceneStoreTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SceneSessionStore {
    /// Makes it a store that has something of everything.
    package func fill(_ clock: TestClock) throws {
        try launch()
        let plain = try add("plain", front: true)
        let rich = try insertSession(
            identifier: "rich",
            configuration: SceneConfiguration(name: "Editor", role: .windowApplication),
            userInfo: ["list": [1, 2.5, "three"], "data": .data(Data([0, 255]))],
            becameActive: true, presentedValue: .uuid(UUID(7)))
        clock.advance(1_000)
        try save(plain, activity(1))
        try save(rich, everything(depth: 3))
        clock.advance(1_000)
        try save(rich, everything(depth: 5), at: clock.now)
        try values.setTitle("A \"title\" \u{1B}[31m", key: rich.key)
        try values.setPlacement(
            PlacementMemory(
                ScenePlacement(x: 1, y: -2.5, width: 300, height: 200, display: "main")),
            key: rich.key)
        try values.setConditions(
            ActivationConditions(canActivate: .any([.equals("a"), .not(.hasPrefix("b"))])),
            key: rich.key)
        try values.setStorage(
            ["tab": 3, "$odd": .null, "date": .date(.distantPast)], key: rich.key)
        try marks.setPinned(true, key: rich.key)
        let closed = try add("closed")
        try save(closed, activity(9))
        try discard([closed.key], cause: .user, deliveredNow: false)
        let hidden = try add("hidden")
        try marks.setHeld(true, key: hidden.key)
        try saveActivity(activity(77))
        _ = try inbox.keep(.activity(activity(5)), dedupe: "x")
        try launches.record(
            LaunchLedger(
                counts: [.held: 1],
                exceptions: [
                    LaunchLedger.Entry(
                        sessionIdentifier: "hidden", outcome: .held, reason: "test")
                ]))
    }
}

/// An activity with a value of every kind.
package func everything(depth: Int) -> UserActivity {
    var activity = UserActivity(checkedType: "com.example.everything")
    activity.title = "title"
    activity.keywords = ["b", "a"]
    activity.expirationDate = Date(timeIntervalSinceReferenceDate: 0.1)
    var nested: Value = [.double(.nan), .double(-0.0), .double(.infinity), .integer(.min)]
    for _ in 0..<depth {
        nested = ["below": nested, "set": .set([1, "1", .boolean(true)])]
    }
    activity.userInfo = [
        "nested": nested, "null": .null, "empty": [:], "marked": ["$date": 5],
        "text": .string("\u{0}\u{202E}é"), "uuid": .uuid(UUID(3)),
        "date": .date(Date(timeIntervalSinceReferenceDate: 1.0e-9)),
    ]
    if let url = URL(string: "https://example.com/a?b=c#d") {
        activity.userInfo["url"] = .url(url)
    }
    activity.needsSave = false
    return activity
}

extension UUID {
    /// A made-up identity for a number.
    package init(_ number: Int) {
        var random = SeededRandom(UInt64(number))
        let high = random.next()
        let low = random.next()
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: word >> (8 * index))
        }
        self.init(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4),
                byte(high, 5), byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1),
                byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6),
                byte(low, 7)
            ))
    }
}
