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

    /// With years where the launches are not all of this year.
    private var metric: TimelineLayout.Metric {
        let years = Set(
            (story.launches.map(\.startedAt) + [story.now]).map {
                TimeText.date($0).prefix { $0 != "-" }
            })
        guard years.count > 1 else {
            return Self.metric
        }
        var metric = Self.metric
        metric.day = { "\(ReportText.day($0)) \(TimeText.date($0).prefix { $0 != "-" })" }
        return metric
    }

    func markup() -> Markup {
        let names = story.names(of: model)
        let layout = TimelineLayout(
            model, names: names, starts: story.starts(of: model), metric: metric)
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
            <figure><div class="scroll" tabindex="0" role="region" aria-label="Timeline">
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

    /// The marks that occur, and no others.
    private var legend: Markup {
        var list: Markup = "<ul class=\"legend\" aria-label=\"Legend\">\n"
        let kinds = Set(story.marks.map(\.kind))
        for kind in MarkKind.allCases where kinds.contains(kind) {
            list.append(
                """
                <li><svg width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true">\
                <g class="mark \(kind.rawValue)"><use href="#m-\(kind.rawValue)"/></g></svg>\
                \(kind.title)</li>

                """)
        }
        list.append(
            """
            <li><svg width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true">\
            <g class="mark save"><use href="#m-more"/><use href="#m-save"/></g></svg>several</li>
            <li><svg width="26" height="12" aria-hidden="true">\
            <rect class="front" y="1" width="26" height="10" rx="2"/></svg>in front</li>
            <li><svg width="26" height="12" aria-hidden="true">\
            <rect class="connected" y="3" width="26" height="6" rx="2"/></svg>connected</li>
            <li><svg width="26" height="12" aria-hidden="true">\
            <rect class="known" y="5" width="26" height="2"/></svg>remembered</li>
            </ul>

            """)
        return list
    }
}
