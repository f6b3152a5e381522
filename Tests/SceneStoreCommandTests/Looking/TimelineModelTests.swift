import SceneStore
import SceneStoreExchange
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// Stories of any size, the same for the same seed.
enum RandomStory {
    /// Names that are hard to place: long, wide, empty, of signs that act.
    static let names = [
        "A", "", "Shopping", "日本語のとても長い窓の名前です", "WWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
        "👩‍👩‍👧‍👦 family", "e\u{301}e\u{301}e\u{301}", "a name of quite some length that goes on and on",
        "safe\u{202E}gnp.exe", "<script>alert(1)</script>", "Ошибка 404", "שלום עולם",
    ]

    static func make(
        seed: UInt64, launches: Int, sessions: Int, marks: Int
    ) -> StoreStory {
        var generator = SeededRandom(seed)
        var story = StoreStory()
        var time: Int64 = 1_767_225_600_000
        var order = 0
        for session in 0..<sessions {
            var one = StorySession(
                identifier: "session-\(session)",
                fallback: names[Int.random(in: 0..<names.count, using: &generator)],
                status: .disconnected,
                birth: 0)
            one.states = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                StoryState(
                    time: time + Int64.random(in: 0...900_000_000, using: &generator),
                    bytes: Int.random(in: 0...2_000_000, using: &generator))
            }.sorted { $0.time < $1.time }
            story.sessions.append(one)
        }
        for launch in 0..<launches {
            time += Int64.random(in: 1...200_000_000, using: &generator)
            let start = order
            var one = StoryLaunch(
                number: Int64(launch + 1), reason: .launch, startedAt: time, ending: .quit,
                expected: sessions, restored: sessions, lastAt: time)
            for _ in 0..<(marks / max(launches, 1)) {
                let steps: [Int64] = [0, 0, 0, 1, 40, 3_000, 600_000, 90_000_000]
                time += steps[Int.random(in: 0..<steps.count, using: &generator)]
                order += 1
                let session = Int.random(in: -1..<sessions, using: &generator)
                let kind = MarkKind.allCases[
                    Int.random(in: 0..<MarkKind.allCases.count, using: &generator)]
                story.marks.append(
                    StoryMark(
                        order: order, kind: kind, launch: one.number,
                        session: session < 0 ? nil : session, time: time, words: ""))
                if session >= 0 {
                    let phases: [StoryTurn.Phase] = [.away, .connected, .front]
                    story.turns.append(
                        StoryTurn(
                            order: order, session: session,
                            phase: phases[Int.random(in: 0..<3, using: &generator)], time: time,
                            launch: one.number))
                    story.sessions[session].lastOrder = order
                    if Int.random(in: 0..<20, using: &generator) == 0 {
                        story.sessions[session].death = order
                    }
                }
            }
            one.lastAt = time
            one.endedAt = time
            one.orders = start...order
            story.launches.append(one)
        }
        return story
    }

    /// Small, middling and large ones.
    static let sizes = [
        (1, 1, 0), (1, 0, 3), (3, 2, 9), (30, 12, 300), (70, 60, 900), (500, 3_000, 5_000),
    ]
}

@Suite("timeline model")
struct TimelineModelTests {
    @Test("every mark is counted once: bands, lanes and cells agree", arguments: 0..<24)
    func sums(seed: Int) {
        let (launches, sessions, marks) = RandomStory.sizes[seed % RandomStory.sizes.count]
        let story = RandomStory.make(
            seed: UInt64(seed), launches: launches, sessions: sessions, marks: marks)
        let model = TimelineModel(story)
        var expected = MarkCounts()
        for mark in story.marks {
            expected.add(mark.kind)
        }
        for kind in MarkKind.allCases {
            #expect(model.bands.reduce(0) { $0 + $1.counts[kind] } == expected[kind])
            #expect(model.lanes.reduce(0) { $0 + $1.counts[kind] } == expected[kind])
            #expect(model.cells.reduce(0) { $0 + $1.counts[kind] } == expected[kind])
        }
    }

    @Test("a picture is bounded whatever the store holds, and says what shares a place")
    func bounds() {
        let story = RandomStory.make(seed: 3, launches: 2_000, sessions: 5_000, marks: 100_000)
        let limits = TimelineModel.Limits()
        let model = TimelineModel(story)
        #expect(model.bands.count <= limits.bands)
        #expect(model.lanes.count <= limits.lanes + 1)
        #expect(model.bands.reduce(0) { $0 + $1.columns.count } <= limits.columns)
        #expect(model.sharedLaunches == 2_000 - 32)
        #expect(model.sharedSessions == 5_000 - 31)
        #expect(model.crowdedBands > 0)
        let bytes = ReportPage(story: story).markup().text.utf8.count
        #expect(bytes < 6_000_000)
    }

    @Test("stretches lie within their band, in order, and none is empty", arguments: 0..<12)
    func spans(seed: Int) {
        let (launches, sessions, marks) = RandomStory.sizes[seed % 5]
        let story = RandomStory.make(
            seed: UInt64(seed), launches: launches, sessions: sessions, marks: marks)
        let model = TimelineModel(story)
        #expect(!model.spans.isEmpty)
        for span in model.spans {
            #expect(span.from < span.to)
            #expect(span.from >= 0)
            #expect(span.to <= model.bands[span.band].columns.count + 1)
        }
    }

    @Test("marks of one moment share a column, those of one session do not")
    func columns() {
        var story = RandomStory.make(seed: 1, launches: 1, sessions: 2, marks: 0)
        func mark(_ order: Int, _ kind: MarkKind, _ session: Int, _ time: Int64) -> StoryMark {
            StoryMark(
                order: order, kind: kind, launch: 1, session: session, time: time, words: "")
        }
        story.marks = [
            mark(1, .restore, 0, 10), mark(2, .restore, 1, 10), mark(3, .link, 1, 10),
            mark(4, .save, 0, 20),
        ]
        let model = TimelineModel(story)
        #expect(model.bands.first?.columns.map(\.times) == [10...10, 10...10, 20...20])
        #expect(model.cells.map(\.column) == [0, 0, 1, 2])
    }
}

@Suite("timeline layout")
struct TimelineLayoutTests {
    private static func faults(_ labels: [LayoutLabel], _ width: Int, _ height: Int) -> [String] {
        var faults: [String] = []
        let shown = labels.filter { !$0.text.isEmpty }
        for (index, one) in shown.enumerated() {
            for other in shown[(index + 1)...] where one.box.intersects(other.box) {
                faults.append("\(one.text) touches \(other.text)")
            }
            if one.box.x < 0 || one.box.right > width || one.box.y < 0 || one.box.bottom > height {
                faults.append("\(one.text) leaves the picture")
            }
        }
        return faults
    }

    @Test("no two labels of a page's timeline touch, and none leaves it", arguments: 0..<60)
    func page(seed: Int) {
        let (launches, sessions, marks) = RandomStory.sizes[seed % RandomStory.sizes.count]
        let story = RandomStory.make(
            seed: UInt64(seed), launches: launches, sessions: sessions, marks: marks)
        let model = TimelineModel(story)
        let layout = TimelineLayout(
            model, names: story.names(of: model), starts: story.starts(of: model),
            metric: ReportTimeline.metric)
        #expect(Self.faults(layout.labels, layout.width, layout.height) == [])
        #expect(layout.marks.count == model.cells.count)
        for system in layout.systems {
            #expect(system.bands.allSatisfy { $0.box.right <= layout.width })
            #expect(
                zip(system.bands, system.bands.dropFirst()).allSatisfy {
                    $0.box.right <= $1.box.x
                })
        }
    }

    @Test(
        "no two labels in a terminal touch, at any width",
        arguments: [40, 41, 57, 80, 100, 133, 200], 0..<6)
    func terminal(width: Int, seed: Int) {
        let (launches, sessions, marks) = RandomStory.sizes[seed % RandomStory.sizes.count]
        let story = RandomStory.make(
            seed: UInt64(seed), launches: launches, sessions: sessions, marks: marks)
        let model = TimelineModel(story)
        let layout = TimelineLayout(
            model, names: story.names(of: model), starts: story.starts(of: model),
            metric: TimelineText.metric(width: width, withYears: false))
        #expect(Self.faults(layout.labels, layout.width, layout.height) == [])
        let text = TimelineText(model: model, layout: layout, isUnicode: seed.isMultiple(of: 2))
        for line in text.lines() + text.legend() {
            #expect(DisplayWidth.columns(of: line.plain) <= width)
            #expect(line.plain.last != " ")
        }
    }

    @Test("no two times below a waterfall touch, and its marks stand apart", arguments: 0..<24)
    func waterfall(seed: Int) throws {
        let story = RandomStory.make(
            seed: UInt64(seed), launches: 2, sessions: 1 + seed, marks: 20 + 20 * seed)
        let part = story.only(launch: 1)
        let launch = try #require(part.launches.first)
        let model = TimelineModel(part, limits: ReportLaunches.limits)
        let layout = TimelineLayout(
            model, names: part.names(of: model), starts: part.starts(of: model),
            metric: ReportLaunches.metric)
        let ticks = ReportLaunches.ticks(launch, model, layout)
        #expect(ticks.isEmpty == model.bands.allSatisfy { $0.columns.isEmpty })
        #expect(Self.faults(layout.labels + ticks, layout.width, layout.height + 24) == [])
        for one in layout.marks {
            for other in layout.marks where one.y == other.y && one.cell < other.cell {
                #expect(abs(one.x - other.x) >= 7)
            }
        }
    }

    @Test("no two labels of the sizes touch, whatever the lines", arguments: 0..<80)
    func sizes(seed: Int) {
        let story = RandomStory.make(
            seed: UInt64(seed), launches: 0, sessions: 1 + seed % 20, marks: 0)
        let series = story.sessions.map {
            SizeChartLayout.Series(
                name: $0.name, points: $0.states, until: $0.states.last?.time ?? 0)
        }
        let layout = SizeChartLayout(
            series, width: 1_080, height: 260, nameWidth: 150, text: .sans(12),
            day: { ReportText.day($0) }, bytes: { NumberText.bytes($0) })
        #expect(Self.faults(layout.labels, layout.width, layout.height) == [])
        for line in layout.lines {
            #expect(line.points.allSatisfy { $0.x >= layout.plot.x && $0.x <= layout.plot.right })
            #expect(line.points.allSatisfy { $0.y >= layout.plot.y && $0.y <= layout.plot.bottom })
        }
    }

    @Test(
        "a size's scale has round numbers that reach it",
        arguments: [
            0, 1, 5, 6, 1_000, 1_024, 5_121, 1 << 20, Int.max,
        ])
    func ticks(most: Int) {
        let ticks = SizeChartLayout.ticks(upTo: most)
        #expect(ticks.count <= 17)
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0 < $1 })
        #expect(most > Int.max / 16 || ticks.last.map { $0 >= most } == true)
    }

    @Test(
        "as few systems as fit, and none is left with a rest",
        arguments: [
            ([], []), ([50], [0..<1]), ([500], [0..<1]),
            ([40, 40, 40], [0..<2, 2..<3]), ([30, 30, 30, 30], [0..<2, 2..<4]),
            ([90, 10, 10, 10], [0..<1, 1..<4]),
        ] as [([Int], [Range<Int>])])
    func systems(widths: [Int], expected: [Range<Int>]) {
        #expect(TimelineLayout.breaks(widths, gap: 2, room: 100) == expected)
    }

    @Test("short and long times take room by their logarithm")
    func scale() {
        let steps = [0, 1, 2, 1_000, 60_000, 3_600_000, Int64.max].map { LogScale.steps($0) }
        #expect(steps == steps.sorted())
        #expect(steps.first == 0)
        #expect((steps.last ?? 0) < 700)
    }
}

extension LayoutBox {
    /// Whether both share more than an edge.
    fileprivate func intersects(_ other: LayoutBox) -> Bool {
        x < other.right && other.x < right && y < other.bottom && other.y < bottom
    }
}
