import SceneStore

/// How large the states of sessions were, as a picture.
struct ReportSizes {
    let story: StoreStory
    let model: TimelineModel

    /// Lines that can be told apart.
    static let lineLimit = 8

    /// The largest ones, largest first.
    var series: [SizeChartLayout.Series] {
        let known = model.lanes.filter { $0.sessions.count == 1 }.flatMap(\.sessions)
        let withStates = known.filter { !story.sessions[$0].states.isEmpty }
        let largest = withStates.sorted { left, right in
            let (a, b) = (story.sessions[left], story.sessions[right])
            return (a.states.last?.bytes ?? 0, right) > (b.states.last?.bytes ?? 0, left)
        }
        let end = story.launches.last.map { $0.endedAt ?? $0.lastAt } ?? story.now
        return largest.prefix(Self.lineLimit).map { index in
            let session = story.sessions[index]
            let isOpen = session.status.isOpen
            let last = session.states.last?.time ?? 0
            return SizeChartLayout.Series(
                name: session.name, points: session.states, until: isOpen ? max(end, last) : last)
        }
    }

    func markup() -> Markup {
        let series = series
        guard !series.isEmpty else {
            return """
                <section aria-labelledby="h-sizes"><h2 id="h-sizes">Size of state</h2>
                <p>No state is kept.</p></section>

                """
        }
        let layout = SizeChartLayout(
            series, width: 1_080, height: 260, nameWidth: 150, text: .sans(12),
            day: { [hasYears = story.hasSeveralYears] in ReportText.day($0, withYear: hasYears) },
            bytes: { NumberText.bytes($0) })
        let svg = SizeChartSVG(
            layout: layout, series: series,
            description: """
                A line is a session; it steps where a state was saved. The table of sessions holds \
                the last size of each.
                """)
        let others = story.sessions.count { !$0.states.isEmpty } - series.count
        let rest: Markup =
            others > 0
            ? """
            <p class="soft">The \(series.count) largest; \
            \(NumberText.counted(others, "other session")) with state \
            \(others == 1 ? "is" : "are") in the table.</p>

            """ : ""
        return """
            <section aria-labelledby="h-sizes">
            <h2 id="h-sizes">Size of state</h2>
            <p class="soft">The size of each session's state over its history.</p>
            <figure><div class="scroll wide" tabindex="0" role="region" aria-label="Sizes">
            \(svg.markup())</div>\(rest)</figure>
            </section>

            """
    }
}
