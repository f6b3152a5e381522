import SceneStore
import SceneStoreExchange

/// The launches one by one: a waterfall of each, and what happened in it.
struct ReportLaunches {
    let story: StoreStory
    /// Newest first.
    let shown: [Int]
    /// The one that is open.
    let open: Int?

    /// Entries of a launch that are listed.
    static let entryLimit = 120

    static let limits = TimelineModel.Limits(
        bands: 1, lanes: 20, columns: 30, columnsOfBand: 30, hasTurnColumns: true)

    static let metric = TimelineLayout.Metric(
        text: .sans(12), width: 1_080, nameWidth: 150, laneHeight: 20, dateHeight: 0,
        numberHeight: 0, systemGap: 0, bandGap: 0, edge: 9, tail: 9,
        columnGap: { 14 + LogScale.steps($0) / 8 }, fills: true, day: { _ in "" })

    func markup() -> Markup {
        var section: Markup = """
            <section aria-labelledby="h-launches">
            <h2 id="h-launches">Launch by launch</h2>
            <p class="soft">Newest first. The picture of a launch begins with the process; short \
            waits are drawn wider than they were, long ones narrower.</p>

            """
        for index in shown {
            append(index, to: &section)
        }
        if shown.isEmpty {
            section.append("<p>The store has seen no launch.</p>\n")
        }
        if shown.count < story.launches.count {
            let rest = story.launches.count - shown.count
            section.append(
                """
                <p class="soft glass">\(NumberText.counted(rest, "older launch", "older launches")) \
                left out; --launch N shows one of them.</p>

                """)
        }
        if let open, story.launches.count > 1 {
            section.append(
                """
                <p class="soft paper">On paper only launch \(story.launches[open].number) is shown; \
                --launch N shows another one. The table below has all launches.</p>

                """)
        }
        section.append("</section>\n")
        return section
    }

    private func append(_ index: Int, to section: inout Markup) {
        let launch = story.launches[index]
        let part = story.only(launch: index)
        let model = TimelineModel(part, limits: Self.limits)
        var counts = MarkCounts()
        for band in model.bands {
            counts.add(band.counts)
        }
        let ending: Markup =
            launch.ending == .died
            ? "<span class=\"red\">died</span>" : "<span>\(launch.ending.text)</span>"
        let lasted = DurationText.describe(
            ReportText.span(from: launch.startedAt, to: launch.endedAt ?? launch.lastAt))
        section.append(
            """
            <details name="launch"\(index == open ? " open" : "")><summary>\
            <b>Launch \(launch.number)</b>\
            <span>\(TimeText.moment(launch.startedAt))</span>\
            <span>\(ReportText.reason(launch.reason))</span>\(ending)\
            <span class="soft">\(lasted)</span>\
            <span class="soft">\(ReportText.counts(counts))</span></summary>
            <div id="\(ReportAnchor.launch(launch.number))">

            """)
        section.append(figure(launch, part, model))
        section.append(entries(launch, part))
        section.append("</div></details>\n")
    }

    private func figure(
        _ launch: StoryLaunch, _ part: StoreStory, _ model: TimelineModel
    ) -> Markup {
        let names = part.names(of: model)
        let layout = TimelineLayout(
            model, names: names, starts: part.starts(of: model), metric: Self.metric)
        let ticks = Self.ticks(launch, model, layout)
        let svg = TimelineSVG(
            story: part, model: model, layout: layout, names: names,
            id: "waterfall-\(launch.number)", title: "Launch \(launch.number) from its beginning",
            description: "Each row is a session, from the first to take part to the last.",
            target: { _ in nil }, ticks: ticks, extraHeight: ticks.isEmpty ? 0 : 24)
        return """
            <figure><div class="scroll wide" tabindex="0" role="region" \
            aria-label="Launch \(launch.number)">
            \(svg.markup())</div></figure>

            """
    }

    /// The times below the lanes, where there is room for them.
    static func ticks(
        _ launch: StoryLaunch, _ model: TimelineModel, _ layout: TimelineLayout
    ) -> [LayoutLabel] {
        guard let placed = layout.systems.first?.bands.first, let band = model.bands.first else {
            return []
        }
        var line = LabelLine(gap: 12, end: layout.width)
        var last = ""
        for (column, x) in zip(band.columns, placed.columns) {
            let text = ReportText.offset(column.times.lowerBound, from: launch.startedAt)
            if text != last,
                line.add(
                    text, at: max(x - 3, 0), y: layout.height + 6, role: .tick, metric: metric.text)
            {
                last = text
            }
        }
        return line.labels
    }

    private func entries(_ launch: StoryLaunch, _ part: StoreStory) -> Markup {
        guard !part.marks.isEmpty else {
            return "<p class=\"soft\">The journal no longer holds what happened in it.</p>\n"
        }
        var table: Markup = """
            <div class="scroll" tabindex="0" role="region" \
            aria-label="What happened in launch \(launch.number)">
            <table class="entries"><caption>What happened in launch \(launch.number)</caption><thead><tr>\
            <th scope="col" class="n">After</th><th scope="col">Session</th>\
            <th scope="col">What</th><th scope="col">Why, or how much</th></tr></thead><tbody>

            """
        for mark in part.marks.prefix(Self.entryLimit) {
            let name = mark.session.map { part.sessions[$0].name } ?? "Process"
            table.append(
                """
                <tr><td class="n">\(ReportText.offset(mark.time, from: launch.startedAt))</td>\
                <td><bdi>\(name)</bdi></td><td class="w">\(mark.kind.title)</td>\
                <td>\(mark.note)</td></tr>

                """)
        }
        table.append("</tbody></table></div>\n")
        let rest = part.marks.count - Self.entryLimit
        if rest > 0 {
            table.append(
                """
                <p class="soft">\(NumberText.counted(rest, "more entry", "more entries")) left out; \
                'scenestore log --launch \(launch.number)' lists them.</p>

                """)
        }
        return table
    }
}
