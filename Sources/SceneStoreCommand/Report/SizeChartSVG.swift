import SceneStore

/// Draws how large the states of sessions were.
struct SizeChartSVG {
    let layout: SizeChartLayout
    let series: [SizeChartLayout.Series]
    let description: String

    func markup() -> Markup {
        var svg: Markup = """
            <svg class="sizes" role="img" aria-labelledby="sizes-t sizes-d" \
            viewBox="0 0 \(layout.width) \(layout.height)" width="\(layout.width)" \
            height="\(layout.height)">
            <title id="sizes-t">Size of each session's state over time</title>\
            <desc id="sizes-d">\(description)</desc>

            """
        for y in layout.gridY {
            svg.append("<path class=\"grid\" d=\"M\(layout.plot.x) \(y)H\(layout.plot.right)\"/>\n")
        }
        for x in layout.gridX {
            svg.append(
                "<path class=\"day\" d=\"M\(x) \(layout.plot.bottom)v5\"/>\n")
        }
        for line in layout.lines {
            append(line, to: &svg)
        }
        for label in layout.labels {
            svg.append(TimelineSVG.label(label))
        }
        svg.append("</svg>\n")
        return svg
    }

    private func append(_ line: SizeChartLayout.Line, to svg: inout Markup) {
        guard let first = line.points.first, let last = line.points.last else {
            return
        }
        let one = series[line.series]
        var path: Markup = "M\(first.x) \(first.y)"
        for point in line.points.dropFirst() {
            path.append("H\(point.x)V\(point.y)")
        }
        path.append("H\(line.end)")
        svg.append(
            """
            <g class="line c\(line.series)" data-series="\(line.series)" \
            data-bytes="\(last.state.bytes)" data-states="\(line.points.count)">\
            <title>\(one.name)</title><path d="\(path)"/>

            """)
        for point in line.points {
            svg.append(
                """
                <circle cx="\(point.x)" cy="\(point.y)" r="2.5" data-bytes="\(point.state.bytes)">\
                <title>\(one.name), \(NumberText.bytes(Int64(point.state.bytes))), \
                \(TimeText.moment(point.state.time))</title></circle>

                """)
        }
        if let y = line.nameY {
            let plot = layout.plot.right
            svg.append(
                """
                <path class="leader" d="M\(line.end) \(last.y)H\(plot + 2)L\(plot + 12) \(y)"/>

                """)
        }
        svg.append("</g>\n")
    }
}
