/// Where everything of a timeline stands: lanes below each other, bands beside each other in as
/// many systems, as in a score, as the width asks for. Pure: the same model and metric give the
/// same places.
///
/// No two labels intersect, whatever the names and numbers; a label without room is left out, and
/// a name is cut.
struct TimelineLayout: Sendable {
    /// The measures of a medium.
    struct Metric: Sendable {
        var text: TextMetric
        /// All in all.
        var width: Int
        /// Of the lanes' names.
        var nameWidth: Int
        var laneHeight: Int
        /// Above the lanes of a system, for dates and numbers.
        var dateHeight: Int
        var numberHeight: Int
        var systemGap: Int
        var bandGap: Int
        /// Before the first column of a band.
        var edge: Int
        /// From the last column to the end of a band.
        var tail: Int
        /// Between two columns, by the time between them in milliseconds.
        var columnGap: @Sendable (Int64) -> Int
        /// Whether a band that is narrower than the room is stretched to it.
        var fills = false
        /// Whether the bands of a system are stretched until they fill it.
        var justifies = false
        /// The text of a day.
        var day: @Sendable (Int64) -> String
    }

    struct Band: Sendable {
        var band: Int
        var box: LayoutBox
        /// The middle of each column.
        var columns: [Int]

        /// The place of an edge of a span; see ``TimelineModel/Span``.
        func x(_ place: Int) -> Int {
            place <= 0 ? box.x : place > columns.count ? box.right : columns[place - 1]
        }
    }

    struct Lane: Sendable {
        var lane: Int
        /// Its middle.
        var y: Int
    }

    struct System: Sendable {
        var box: LayoutBox
        var bands: [Band] = []
        var lanes: [Lane] = []
    }

    struct Mark: Sendable {
        var cell: Int
        var x: Int
        var y: Int
    }

    struct Span: Sendable {
        var kind: TimelineModel.Span.Kind
        var lane: Int
        var from: Int
        var to: Int
        var y: Int
    }

    private(set) var systems: [System] = []
    private(set) var marks: [Mark] = []
    private(set) var spans: [Span] = []
    private(set) var labels: [LayoutLabel] = []
    private(set) var width: Int
    private(set) var height = 0

    /// Lays a model out.
    ///
    /// - Parameters:
    ///   - names: The name of each lane.
    ///   - starts: When each band began; nil for one without a launch.
    init(_ model: TimelineModel, names: [String], starts: [Int64?], metric: Metric) {
        width = metric.width
        let room = max(metric.width - metric.nameWidth, 1)
        let widths = model.bands.indices.map { Self.measure(model.bands[$0], metric, room) }
        for range in Self.breaks(widths.map(\.total), gap: metric.bandGap, room: room) {
            let inSystem = metric.justifies ? Self.justified(widths, range, metric, room) : widths
            addSystem(range, model, names, starts, inSystem, metric)
        }
        height = max(height - metric.systemGap, 0)
    }

    /// Which bands stand in each system: as few systems as the room allows, and of all ways to fill
    /// them the one whose widest is narrowest, so that none is left with a single band.
    static func breaks(_ widths: [Int], gap: Int, room: Int) -> [Range<Int>] {
        func filled(_ room: Int) -> [Range<Int>] {
            var ranges: [Range<Int>] = []
            var start = 0
            var used = 0
            for (index, width) in widths.enumerated() {
                if index > start, used + gap + width > room {
                    ranges.append(start..<index)
                    start = index
                    used = 0
                }
                used += (index > start ? gap : 0) + width
            }
            return widths.isEmpty ? [] : ranges + [start..<widths.count]
        }
        let fewest = filled(room).count
        var (low, high) = (0, room)
        while low < high {
            let middle = (low + high) / 2
            if filled(middle).count > fewest {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return filled(high)
    }

    /// The bands of a system, stretched to the room, by half at most.
    private static func justified(
        _ widths: [Measured], _ range: Range<Int>, _ metric: Metric, _ room: Int
    ) -> [Measured] {
        let used = widths[range].reduce(0) { $0 + $1.total }
        let free = room - (range.count - 1) * metric.bandGap
        let wanted = min(free, used * 3 / 2)
        guard used > 0, wanted > used else {
            return widths
        }
        var result = widths
        for index in range {
            result[index].columns = widths[index].columns.map { $0 * wanted / used }
            result[index].total = widths[index].total * wanted / used
        }
        return result
    }

    private struct Measured {
        /// The offsets of the columns.
        var columns: [Int]
        var total: Int
    }

    private static func measure(
        _ band: TimelineModel.Band, _ metric: Metric, _ room: Int
    ) -> Measured {
        var columns: [Int] = []
        var x = metric.edge
        var last: Int64?
        for column in band.columns {
            if let last {
                let (difference, overflow) =
                    column.times.lowerBound.subtractingReportingOverflow(last)
                x += metric.columnGap(overflow ? .max : max(difference, 0))
            }
            columns.append(x)
            last = column.times.upperBound
        }
        let least =
            metric.numberHeight > 0 ? metric.text.width(Self.number(band)) + metric.edge : 1
        var total = max(x + metric.tail, least)
        if total > room || metric.fills, total > 0 {
            // What does not fit moves together; what fills moves apart, but not without end.
            let wanted = total > room ? room : min(room, total * 6)
            columns = columns.map { $0 * (wanted - 1) / total }
            total = wanted
        }
        return Measured(columns: columns, total: total)
    }

    /// The number of a band, as it stands above it.
    static func number(_ band: TimelineModel.Band) -> String {
        if band.launches.isEmpty {
            return "–"
        }
        return band.isSingle ? "\(band.first)" : "\(band.first)–\(band.last)"
    }

    private mutating func addSystem(
        _ range: Range<Int>, _ model: TimelineModel, _ names: [String], _ starts: [Int64?],
        _ widths: [Measured], _ metric: Metric
    ) {
        let head = metric.dateHeight + metric.numberHeight
        let top = height
        let lanesTop = top + head
        let present = Set(model.spans.filter { range.contains($0.band) }.map(\.lane))
            .union(model.cells.filter { range.contains($0.band) }.map(\.lane))
        var system = System(box: LayoutBox(x: 0, y: top, width: metric.width, height: 0))
        var laneY: [Int: Int] = [:]
        for lane in model.lanes.indices
        where model.lanes[lane].isProcess || present.contains(lane) {
            let y = lanesTop + system.lanes.count * metric.laneHeight
            let middle = y + metric.laneHeight / 2
            system.lanes.append(Lane(lane: lane, y: middle))
            laneY[lane] = middle
            addName(names.indices.contains(lane) ? names[lane] : "", lane, middle, metric)
        }
        let lanesHeight = system.lanes.count * metric.laneHeight
        system.box.height = head + lanesHeight
        var x = metric.nameWidth
        for band in range {
            system.bands.append(
                Band(
                    band: band,
                    box: LayoutBox(
                        x: x, y: lanesTop, width: widths[band].total, height: lanesHeight),
                    columns: widths[band].columns.map { x + $0 }))
            x += widths[band].total + metric.bandGap
        }
        addHeads(system.bands, model, starts, top, metric)
        place(system, range, model, laneY)
        systems.append(system)
        height = system.box.bottom + metric.systemGap
    }

    private mutating func addName(
        _ name: String, _ lane: Int, _ middle: Int, _ metric: Metric
    ) {
        let height = min(metric.text.height, metric.laneHeight)
        let text = metric.text.truncated(name, to: metric.nameWidth - metric.edge)
        labels.append(
            LayoutLabel(
                text: text,
                box: LayoutBox(
                    x: 0, y: middle - height / 2, width: metric.text.width(text), height: height),
                role: .name(lane)))
    }

    private mutating func addHeads(
        _ bands: [Band], _ model: TimelineModel, _ starts: [Int64?], _ top: Int, _ metric: Metric
    ) {
        let gap = max(metric.edge, 1)
        var dates = LabelLine(gap: gap, end: metric.width)
        var numbers = LabelLine(gap: 1, end: metric.width)
        var day = ""
        for band in bands {
            if let start = starts.indices.contains(band.band) ? starts[band.band] : nil,
                metric.dateHeight > 0
            {
                let text = metric.day(start)
                if text != day, !text.isEmpty,
                    dates.add(
                        text, at: band.box.x, y: top, role: .date(band.band), metric: metric.text)
                {
                    day = text
                }
            }
            guard metric.numberHeight > 0 else {
                continue
            }
            numbers.add(
                Self.number(model.bands[band.band]), at: band.box.x,
                y: top + metric.dateHeight, role: .number(band.band), metric: metric.text)
        }
        labels += dates.labels + numbers.labels
    }

    private mutating func place(
        _ system: System, _ range: Range<Int>, _ model: TimelineModel, _ laneY: [Int: Int]
    ) {
        let bands = Dictionary(
            system.bands.map { ($0.band, $0) }, uniquingKeysWith: { first, _ in first })
        for span in model.spans {
            guard let band = bands[span.band], let y = laneY[span.lane] else {
                continue
            }
            spans.append(
                Span(
                    kind: span.kind, lane: span.lane, from: band.x(span.from),
                    to: band.x(span.to), y: y))
        }
        for (index, cell) in model.cells.enumerated() {
            guard let band = bands[cell.band], let y = laneY[cell.lane] else {
                continue
            }
            marks.append(Mark(cell: index, x: band.x(cell.column + 1), y: y))
        }
    }
}
