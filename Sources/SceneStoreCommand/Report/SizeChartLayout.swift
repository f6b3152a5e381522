/// Where the lines of state sizes stand: a line a session, its name beside its end. Pure.
///
/// Names at the right are moved apart until none touches another; the lines they belong to are
/// told by colour and by a thin leader.
struct SizeChartLayout: Sendable {
    struct Series: Sendable {
        var name: String
        /// Oldest first.
        var points: [StoryState]
        /// When the line ends; the last point's time at the earliest.
        var until: Int64
    }

    struct Point: Sendable, Hashable {
        var x: Int
        var y: Int
        var state: StoryState
    }

    struct Line: Sendable {
        var series: Int
        var points: [Point]
        /// Where the last state's stretch ends.
        var end: Int
        /// Where its name stands, if there is room for it.
        var nameY: Int?
    }

    private(set) var lines: [Line] = []
    private(set) var labels: [LayoutLabel] = []
    /// Heights of the lines that carry a number.
    private(set) var gridY: [Int] = []
    private(set) var gridX: [Int] = []
    let plot: LayoutBox
    let width: Int
    let height: Int

    init(
        _ series: [Series], width: Int, height: Int, nameWidth: Int, text: TextMetric,
        day: (Int64) -> String, bytes: (Int64) -> String
    ) {
        self.width = width
        self.height = height
        let most = series.flatMap(\.points).map(\.bytes).max() ?? 0
        let ticks = Self.ticks(upTo: max(most, 1))
        let top = max(ticks.last ?? 1, 1)
        let numbers = ticks.map { bytes(Int64($0)) }
        let left = (numbers.map { text.width($0) }.max() ?? 0) + 10
        let plot = LayoutBox(
            x: left, y: text.height / 2 + 2, width: max(width - left - nameWidth - 16, 1),
            height: max(height - 2 * text.height - 8, 1))
        self.plot = plot
        let times = series.flatMap { $0.points.map(\.time) + [$0.until] }
        let first = times.min() ?? 0
        let (wide, overflow) = (times.max() ?? 0).subtractingReportingOverflow(first)
        let span = overflow ? Int64.max : max(wide, 1)

        func x(_ time: Int64) -> Int {
            let (offset, overflow) = time.subtractingReportingOverflow(first)
            let share = overflow ? 1 : Double(max(offset, 0)) / Double(span)
            return plot.x + Int(min(share, 1) * Double(plot.width))
        }
        func y(_ size: Int) -> Int {
            plot.bottom - Int(Double(max(size, 0)) / Double(top) * Double(plot.height))
        }

        for (tick, number) in zip(ticks, numbers) {
            gridY.append(y(tick))
            labels.append(
                LayoutLabel(
                    text: number,
                    box: LayoutBox(
                        x: left - 8 - text.width(number), y: y(tick) - text.height / 2,
                        width: text.width(number), height: text.height),
                    role: .tick))
        }
        addDays(first, span, x, text, day)
        for (index, one) in series.enumerated() where !one.points.isEmpty {
            lines.append(
                Line(
                    series: index,
                    points: one.points.map {
                        Point(x: x($0.time), y: y($0.bytes), state: $0)
                    },
                    end: x(max(one.until, one.points.last?.time ?? 0))))
        }
        placeNames(series, nameWidth, text)
    }

    /// Powers of two, or multiples of one, as sizes are written; at most six, the last of them at
    /// least the greatest size.
    static func ticks(upTo most: Int) -> [Int] {
        var step = 1
        while step < Int.max / 16, most > step * 5 {
            step *= 2
        }
        var ticks = [0]
        while let last = ticks.last, last < most, ticks.count < 6 {
            ticks.append(last + step)
        }
        return ticks
    }

    private mutating func addDays(
        _ first: Int64, _ span: Int64, _ x: (Int64) -> Int, _ text: TextMetric,
        _ day: (Int64) -> String
    ) {
        var line = LabelLine(gap: 14, end: plot.right + 8)
        var last = ""
        for part in 0...24 {
            let (time, overflow) = first.addingReportingOverflow(span / 24 * Int64(part))
            let name = overflow ? "" : day(time)
            guard name != last, !name.isEmpty else {
                continue
            }
            let place = x(time)
            if line.add(name, at: place, y: plot.bottom + 8, role: .tick, metric: text) {
                gridX.append(place)
                last = name
            }
        }
        labels += line.labels
    }

    /// Names from the top down, each at its line's end or as little below as needed; then from the
    /// bottom up, so that the last ones stay within the picture.
    private mutating func placeNames(_ series: [Series], _ nameWidth: Int, _ text: TextMetric) {
        let room = height / max(text.height, 1)
        let order = lines.indices.sorted {
            (lines[$0].points.last?.y ?? 0, $0) < (lines[$1].points.last?.y ?? 0, $1)
        }.prefix(room)
        var places = order.map { (lines[$0].points.last?.y ?? 0) - text.height / 2 }
        for index in places.indices.dropFirst() {
            places[index] = max(places[index], places[index - 1] + text.height)
        }
        var limit = height
        for index in places.indices.reversed() {
            places[index] = min(places[index], limit - text.height)
            limit = places[index]
        }
        for (line, y) in zip(order, places) {
            let name = text.truncated(series[lines[line].series].name, to: nameWidth)
            lines[line].nameY = y + text.height / 2
            labels.append(
                LayoutLabel(
                    text: name,
                    box: LayoutBox(
                        x: plot.right + 16, y: y, width: text.width(name), height: text.height),
                    role: .name(lines[line].series)))
        }
    }
}
