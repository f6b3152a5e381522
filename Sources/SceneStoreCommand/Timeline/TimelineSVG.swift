import SceneStore
import SceneStoreExchange

/// Draws a laid-out timeline: the whole life of a store, or one launch.
struct TimelineSVG {
    let story: StoreStory
    let model: TimelineModel
    let layout: TimelineLayout
    let names: [String]
    /// Begins the identifiers of its elements.
    let id: String
    let title: String
    let description: String
    /// Where the mark of a band leads.
    let target: (TimelineModel.Band) -> String?
    /// Labels below the lanes, for a launch's time.
    var ticks: [LayoutLabel] = []
    var extraHeight = 0

    /// A picture a system, so that a page of paper can end between two.
    func markup() -> Markup {
        var result: Markup = ""
        for (index, system) in layout.systems.enumerated() {
            let isLast = index == layout.systems.count - 1
            let bottom = isLast ? layout.height + extraHeight : system.box.bottom
            append(system, index, bottom, to: &result)
        }
        return result
    }

    private func append(
        _ system: TimelineLayout.System, _ index: Int, _ bottom: Int, to result: inout Markup
    ) {
        let top = system.box.y
        let height = bottom - top + 4
        func isInside(_ y: Int) -> Bool { y >= top && y < bottom }
        let numbers = system.bands.map { TimelineLayout.number(model.bands[$0.band]) }
        let part: Markup =
            layout.systems.count == 1
            ? "" : ": \(numbers.first ?? "") to \(numbers.last ?? "")"
        result.append(
            """
            <svg class="timeline" role="group" aria-labelledby="\(id)-\(index)-t \(id)-\(index)-d" \
            viewBox="0 \(top) \(layout.width) \(height)" width="\(layout.width)" height="\(height)">
            <title id="\(id)-\(index)-t">\(title)\(part)</title>\
            <desc id="\(id)-\(index)-d">\(description)</desc>

            """)
        append(system, to: &result)
        for span in layout.spans where isInside(span.y) {
            append(span, to: &result)
        }
        for mark in layout.marks where isInside(mark.y) {
            append(mark, to: &result)
        }
        for label in layout.labels + ticks where isInside(label.box.y) {
            result.append(Self.label(label))
        }
        result.append("</svg>\n")
    }

    private func append(_ system: TimelineLayout.System, to svg: inout Markup) {
        for placed in system.bands {
            let band = model.bands[placed.band]
            let launches = story.launches[band.launches]
            var look: Markup = "band"
            if launches.contains(where: { $0.ending == .died }) {
                look.append(" died")
            }
            let box = placed.box
            svg.append(
                """
                <g class="\(look)" data-band="\(placed.band)" data-first="\(band.first)" \
                data-last="\(band.last)"\(Self.data(band.counts))><title>\(bandTitle(band))</title>\
                <rect x="\(box.x)" y="\(box.y)" width="\(box.width)" height="\(box.height)" rx="4"/></g>

                """)
        }
    }

    private func append(_ span: TimelineLayout.Span, to svg: inout Markup) {
        let isProcess = model.lanes[span.lane].isProcess
        let half: Int
        let look: Markup
        switch span.kind {
        case .remembered: (half, look) = (1, "known")
        case .connected: (half, look) = (isProcess ? 1 : 3, isProcess ? "process" : "connected")
        case .front: (half, look) = (5, "front")
        }
        svg.append(
            """
            <rect class="\(look)" x="\(span.from)" y="\(span.y - half)" \
            width="\(max(span.to - span.from, 1))" height="\(2 * half)" rx="\(min(half, 2))"/>

            """)
    }

    private func append(_ mark: TimelineLayout.Mark, to svg: inout Markup) {
        let cell = model.cells[mark.cell]
        guard let kind = cell.counts.heaviest else {
            return
        }
        let band = model.bands[cell.band]
        let words = words(cell)
        let element: Markup = """
            class="mark \(kind.rawValue)" data-band="\(cell.band)" data-lane="\(cell.lane)"\
            \(Self.data(cell.counts)) aria-label="\(words)"
            """
        let more: Markup =
            cell.counts.total > 1 ? "<use href=\"#m-more\" x=\"\(mark.x)\" y=\"\(mark.y)\"/>" : ""
        let inside: Markup = """
            <title>\(words)</title><circle class="hit" cx="\(mark.x)" cy="\(mark.y)" r="7"/>\(more)\
            <use href="#m-\(kind.rawValue)" x="\(mark.x)" y="\(mark.y)"/>
            """
        if let target = target(band) {
            svg.append("<a href=\"#\(target)\" \(element)>\(inside)</a>\n")
        } else {
            svg.append("<g tabindex=\"0\" role=\"img\" \(element)>\(inside)</g>\n")
        }
    }

    /// What a mark says when it is pointed at or read aloud.
    private func words(_ cell: TimelineModel.Cell) -> String {
        let name = names.indices.contains(cell.lane) ? names[cell.lane] : ""
        let note = cell.note.isEmpty ? "" : ": \(cell.note)"
        return "\(name), \(ReportText.counts(cell.counts))\(note), \(TimeText.moment(cell.time))"
    }

    private func bandTitle(_ band: TimelineModel.Band) -> String {
        let launches = story.launches[band.launches]
        guard let first = launches.first, let last = launches.last else {
            return "outside of any launch"
        }
        if band.isSingle {
            return "launch \(first.number), \(ReportText.reason(first.reason)), "
                + "\(TimeText.moment(first.startedAt)), \(first.ending.text)"
        }
        return "launches \(first.number) to \(last.number), "
            + "\(TimeText.moment(first.startedAt)) to \(TimeText.moment(last.startedAt))"
    }

    /// Counts as attributes, by which a test holds pictures and tables together.
    static func data(_ counts: MarkCounts) -> Markup {
        var text: Markup = ""
        for kind in MarkKind.allCases where counts[kind] > 0 {
            text.append(" data-\(kind.rawValue)=\"\(counts[kind])\"")
        }
        return text
    }

    static func label(_ label: LayoutLabel) -> Markup {
        guard !label.text.isEmpty else {
            return ""
        }
        let look: Markup =
            switch label.role {
            case .name: "name"
            case .number: "number"
            case .date: "date"
            case .tick: "tick"
            case .value: "value"
            }
        let baseline = label.box.y + label.box.height * 3 / 4
        // A T begins a little before its place.
        let start = max(label.box.x, 1)
        return """
            <text class="\(look)" x="\(start)" y="\(baseline)">\(label.text)</text>

            """
    }

    /// The shapes of the marks, once a page.
    static let shapes: Markup = """
        <svg class="shapes" width="0" height="0" aria-hidden="true"><defs>
        <circle id="m-create" r="4"/>
        <path id="m-restore" d="M0-5L4.6 3.4H-4.6Z"/>
        <path id="m-link" d="M0-5.4L5.4 0 0 5.4-5.4 0Z"/>
        <circle id="m-save" r="3.5"/>
        <path id="m-discard" d="M-3.6-3.6L3.6 3.6M3.6-3.6L-3.6 3.6"/>
        <path id="m-crash" d="M0-7L1.8-2.4 6.1-3.5 3.2 0 6.1 3.5 1.8 2.4 0 7-1.8 2.4-6.1 3.5-3.2 0-6.1-3.5-1.8-2.4Z"/>
        <path id="m-blame" d="M0-6L1.6-2 5.2-3 2.8 0 5.2 3 1.6 2 0 6-1.6 2-5.2 3-2.8 0-5.2-3-1.6-2Z"/>
        <path id="m-withheld" d="M-4.4-4.4H4.4V4.4H-4.4ZM-4.4 4.4L4.4-4.4"/>
        <path id="m-other" d="M0-4.4V4.4"/>
        <circle id="m-more" class="more" r="7"/>
        </defs></svg>

        """
}
