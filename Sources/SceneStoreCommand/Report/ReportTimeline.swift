import SceneStore

/// The life of the store as a picture, with its legend.
struct ReportTimeline {
    let story: StoreStory
    let model: TimelineModel
    let shown: Set<Int>

    /// The measures of the picture.
    static let metric = TimelineLayout.Metric(
        text: .sans(12), width: 1_080, nameWidth: 150, laneHeight: 20, dateHeight: 18,
        numberHeight: 18, systemGap: 8, bandGap: 5, edge: 9, tail: 9,
        columnGap: { 14 + LogScale.steps($0) / 28 }, justifies: true, day: { ReportText.day($0) })

    private var metric: TimelineLayout.Metric {
        var metric = Self.metric
        metric.day = { [hasYears = story.hasSeveralYears] in
            ReportText.day($0, withYear: hasYears)
        }
        return metric
    }

    func markup() -> Markup {
        let names = story.names(of: model)
        let layout = TimelineLayout(
            model, names: names, starts: story.starts(of: model), metric: metric)
        let legend = legend(layout)
        let svg = TimelineSVG(
            story: story, model: model, layout: layout, names: names, id: "timeline",
            title: "Sessions over all launches",
            description: """
                Each row is a session, each band a launch with its number above it. A thick bar is \
                a window in front, a thin one a window in the background, a line a session that is \
                remembered. The tables below hold the same numbers.
                """
        ) { band in
            let places = band.launches
            guard band.isSingle, let first = places.first, shown.contains(first) else {
                return ReportAnchor.row(band)
            }
            return ReportAnchor.launch(band.first)
        }
        return """
            <section aria-labelledby="h-timeline">
            <h2 id="h-timeline">Sessions over all launches</h2>
            <p class="soft">A row is a session, a band a launch. Time runs to the right; idle time \
            takes little room.</p>
            <figure><div class="scroll wide" tabindex="0" role="region" aria-label="Timeline">
            \(model.bands.isEmpty ? "<p>The store has seen no launch.</p>" : svg.markup())</div>
            \(legend)\(leftOut)</figure>
            </section>

            """
    }

    private var leftOut: Markup {
        var parts: [String] = []
        if model.sharedLaunches > 0 {
            parts.append(
                "The first \(NumberText.counted(model.sharedLaunches, "launch", "launches")) share bands."
            )
        }
        if model.sharedSessions > 0 {
            parts.append(
                "\(NumberText.counted(model.sharedSessions, "less recent session")) "
                    + "\(model.sharedSessions == 1 ? "stands" : "share") the last row.")
        }
        if model.crowdedBands > 0 {
            parts.append(
                "In \(NumberText.counted(model.crowdedBands, "band")) several moments share a place."
            )
        }
        return parts.isEmpty
            ? "" : "<p class=\"soft\" id=\"left-out\">\(parts.joined(separator: " "))</p>\n"
    }

    /// The marks and bars that occur, and no others.
    private func legend(_ layout: TimelineLayout) -> Markup {
        var items: [Markup] = []
        let kinds = Set(story.marks.map(\.kind))
        for kind in MarkKind.allCases where kinds.contains(kind) {
            items.append(
                """
                <svg width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true">\
                <g class="mark \(kind.rawValue)"><use href="#m-\(kind.rawValue)"/></g></svg>\
                \(kind.title)
                """)
        }
        if model.cells.contains(where: { $0.counts.total > 1 }) {
            items.append(
                """
                <svg width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true">\
                <g class="mark save"><use href="#m-more"/><use href="#m-save"/></g></svg>several
                """)
        }
        let spans = Set(
            layout.spans.filter { !model.lanes[$0.lane].isProcess }.map(\.kind))
        for (kind, look, half, title) in Self.bars where spans.contains(kind) {
            items.append(
                """
                <svg width="26" height="12" aria-hidden="true"><rect class="\(look)" \
                y="\(6 - half)" width="26" height="\(2 * half)" rx="\(min(half, 2))"/></svg>\(title)
                """)
        }
        guard !items.isEmpty else {
            return ""
        }
        var list: Markup = "<ul class=\"legend\" aria-label=\"Legend\">\n"
        for item in items {
            list.append("<li>\(item)</li>\n")
        }
        list.append("</ul>\n")
        return list
    }

    private static let bars: [(TimelineModel.Span.Kind, String, Int, String)] = [
        (.front, "front", 5, "in front"), (.connected, "connected", 3, "connected"),
        (.remembered, "known", 1, "remembered"),
    ]
}
