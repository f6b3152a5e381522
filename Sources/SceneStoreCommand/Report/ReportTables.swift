import SceneStore
import SceneStoreExchange

/// The same numbers as the pictures have, in tables.
struct ReportTables {
    let story: StoreStory
    let model: TimelineModel
    let shown: Set<Int>

    func markup() -> Markup {
        """
        <section id="tables" aria-labelledby="h-tables">
        <h2 id="h-tables">The same in numbers</h2>
        <div class="scroll wide" tabindex="0" role="region" aria-label="Launches">
        \(launches())</div>
        <div class="scroll wide" tabindex="0" role="region" aria-label="Sessions">
        \(sessions())</div>
        </section>

        """
    }

    private static var headings: Markup {
        var cells: Markup = ""
        for kind in MarkKind.allCases {
            cells.append("<th scope=\"col\" class=\"n\">\(kind.heading)</th>")
        }
        return cells
    }

    private static func cells(_ counts: MarkCounts) -> Markup {
        var cells: Markup = ""
        for kind in MarkKind.allCases {
            let count = counts[kind]
            cells.append(
                "<td class=\"n\(count == 0 ? " z" : "")\" data-\(kind.rawValue)=\"\(count)\">\(count)</td>"
            )
        }
        return cells
    }

    private func launches() -> Markup {
        var table: Markup = """
            <table id="launches"><caption>Launches</caption><thead><tr>\
            <th scope="col" class="n">Launch</th><th scope="col">Began</th>\
            <th scope="col">Why</th><th scope="col">End</th><th scope="col" class="n">Lasted</th>\
            <th scope="col" class="n">Expected</th>\(Self.headings)</tr></thead><tbody>

            """
        for (index, band) in model.bands.enumerated() {
            let launches = story.launches[band.launches]
            let expected = launches.reduce(0) { $0 &+ ($1.expected ?? 0) }
            let number: Markup
            if band.isSingle, let first = band.launches.first, shown.contains(first) {
                number =
                    "<a href=\"#\(ReportAnchor.launch(band.first))\">\(TimelineLayout.number(band))</a>"
            } else {
                number = "\(TimelineLayout.number(band))"
            }
            table.append(
                """
                <tr id="\(ReportAnchor.row(band))" data-band="\(index)">\
                <th scope="row" class="n">\(number)</th>\(what(launches))\
                <td class="n">\(expected)</td>\(Self.cells(band.counts))</tr>

                """)
        }
        table.append("</tbody></table>\n")
        return table
    }

    /// When, why and how long, of one launch or of several.
    private func what(_ launches: ArraySlice<StoryLaunch>) -> Markup {
        guard let first = launches.first, let last = launches.last else {
            return "<td></td><td>outside of any launch</td><td></td><td></td>"
        }
        guard launches.count > 1 else {
            let end = first.endedAt ?? first.lastAt
            let lasted = DurationText.describe(ReportText.span(from: first.startedAt, to: end))
            let look: Markup = first.ending == .died ? " class=\"w red\"" : " class=\"w\""
            return """
                <td class="w">\(TimeText.moment(first.startedAt))</td>\
                <td class="w">\(ReportText.reason(first.reason))</td>\
                <td\(look)>\(first.ending.text)</td><td class="n">\(lasted)</td>
                """
        }
        let died = launches.count { $0.ending == .died }
        return """
            <td class="w">\(TimeText.moment(first.startedAt)) to \
            \(TimeText.moment(last.startedAt))</td>\
            <td>\(NumberText.counted(launches.count, "launch", "launches"))</td>\
            <td>\(died == 0 ? "" : "\(died) died")</td><td></td>
            """
    }

    private func sessions() -> Markup {
        let names = story.names(of: model)
        let hasYears = story.hasSeveralYears
        var table: Markup = """
            <table id="sessions"><caption>Sessions</caption><thead><tr>\
            <th scope="col">Session</th><th scope="col">Configuration</th>\
            <th scope="col">State</th><th scope="col">Created</th><th scope="col">Last active</th>\
            <th scope="col" class="n">Size</th><th scope="col" class="n">States</th>\
            \(Self.headings)</tr></thead><tbody>

            """
        for (index, lane) in model.lanes.enumerated() {
            table.append(
                """
                <tr data-lane="\(index)"><th scope="row"><bdi>\(names[index])</bdi>\
                \(identity(lane))</th>\(details(lane, hasYears))\(Self.cells(lane.counts))</tr>

                """)
        }
        table.append("</tbody></table>\n")
        return table
    }

    private func identity(_ lane: TimelineModel.Lane) -> Markup {
        guard lane.sessions.count == 1, let session = lane.sessions.first else {
            return ""
        }
        return
            "<div class=\"id\">\(StoreStory.bounded(story.sessions[session].identifier))</div>"
    }

    private func details(_ lane: TimelineModel.Lane, _ hasYears: Bool) -> Markup {
        guard lane.sessions.count == 1, let number = lane.sessions.first else {
            return "<td></td><td></td><td></td><td></td><td></td><td></td>"
        }
        let session = story.sessions[number]
        let state: Markup =
            session.bytes.map {
                "<td class=\"n\" data-bytes=\"\($0)\">\(NumberText.bytes(Int64($0)))</td>"
            } ?? "<td></td>"
        return """
            <td><bdi>\(session.configuration.map(StoreStory.bounded) ?? "")</bdi></td>\
            <td>\(session.isPrivate ? "private, " : "")\(session.status.rawValue)</td>\
            <td class="w">\(session.createdAt.map { ReportText.day($0, withYear: hasYears) } ?? "")</td>\
            <td class="w">\(session.lastActiveAt.map { ReportText.day($0, withYear: hasYears) } ?? "")</td>\
            \(state)<td class="n">\(session.states.count)</td>
            """
    }
}
