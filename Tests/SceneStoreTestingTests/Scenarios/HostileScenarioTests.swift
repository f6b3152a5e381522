import SceneStoreTesting
import Testing

@Suite struct HostileScenarioTests {
    static let lines = [
        "app lifecycle=scene id=com.x version=1", "manifest \"a b\"", "launch url=u source=s",
        "delegate will=true provider.R=x provider-role=R", "delegate can==a|^b session=A",
        "policy strict=on hold-after=3", "update version=2 rename=A:B",
        "new-scene as=doc background",
        "activate A activity=T target=I", "continue T fail", "state A T title=\"x\" k:i=1 d:d=nan",
        "state A nil", "store A t:t=2026-01-31T09:30:00.5+02:00 x:x=00ff", "background A *",
        "crash restoring=A", "wait 90s", "expect will connect:A discard:A,B",
        "expect-session A info.a:u=https://x state=held", "expect-payload A urls=a,b",
        "expect-diagnostic noConfiguration:A", "expect-reason first", "# \"", "\u{FEFF}quit\r",
    ]

    @Test(
        "R-65 scenarios that were changed at random are read or refused at a place in them",
        arguments: 0..<40)
    func mutations(seed: Int) {
        var random = SeededRandom(UInt64(seed))
        let spice: [UInt8] = [0, 9, 10, 13, 32, 34, 35, 42, 44, 58, 61, 92, 124, 0x7F, 0xC3, 0xFF]
        for _ in 0..<50 {
            var text: [UInt8] = []
            for _ in 0..<(1 + random.next() % 4) {
                text += Array((Self.lines.randomElement(using: &random) ?? "").utf8) + [0x0A]
            }
            for _ in 0..<(random.next() % 4) {
                let place = Int(random.next() % UInt64(text.count))
                switch random.next() % 3 {
                case 0: text[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: text.insert(spice.randomElement(using: &random) ?? 0, at: place)
                default: text.remove(at: place)
                }
            }
            do {
                let scenario = try Scenario(text: text, name: "s")
                #expect(scenario.steps.allSatisfy { $0.line >= 1 && $0.column >= 1 })
            } catch {
                let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
                #expect(1...lines.count ~= error.line)
                #expect(1...(lines[error.line - 1].count + 1) ~= error.column)
                #expect(!error.message.isEmpty)
            }
        }
    }

    @Test(
        "R-65 what a scenario costs grows with its length alone", .timeLimit(.minutes(10)),
        arguments: [
            ("", "\u{301}\u{323}"), ("close a", "\u{301}\u{323}"), ("app id=", "👩\u{200D}"),
            ("delegate provider.", "\u{301}\u{323}"), ("store A k:d=", "9"), ("store A k:t=", "9"),
            ("store A k:u=https://x/", "%41?#"), ("background", " A"), ("expect", " connect:A"),
            ("delegate session=A can=always", "|=a"), ("manifest ", "\"\\\"\""),
            ("launch", " target=x"),
            ("expect discard:A", ",A"), ("update", " rename=A:B"), ("manifest \"", "\\\\"),
            ("state A t", " k=\u{301}"), ("", "quit\n"), ("", "\n"), ("", "# \r"),
        ])
    func length(prefix: String, repeated: String) {
        // Quadratic work on a text of this length would take most of an hour.
        let count = (192 << 10) / repeated.utf8.count
        let text = prefix + String(repeating: repeated, count: count)
        _ = failure(text)
    }
}
