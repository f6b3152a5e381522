/// Everything that was measured in a run.
struct BenchmarkReport {
    struct Section {
        var title: String
        var measurements: [Measurement]
        /// How long measuring took, in seconds.
        var seconds = 0.0
    }

    var machine: Machine
    var isQuick: Bool
    var sections: [Section] = []

    init(machine: Machine, isQuick: Bool) {
        self.machine = machine
        self.isQuick = isQuick
    }

    /// What `--check` complains of.
    var brokenGates: [String] {
        sections.flatMap { section in
            section.measurements.filter { !$0.isHeld }.map { "\(section.title): \($0.name)" }
        }
    }

    // MARK: - For people

    private static let columns = ["", "SceneStore", "C", "ratio", "target", ""]

    /// A table; medians, and in brackets the least and the greatest median of a round.
    var text: String {
        var rows: [[String]] = []
        for section in sections {
            rows.append(["\(section.title) (\(Decimals.text(section.seconds)) s)"])
            if section.measurements.isEmpty {
                rows.append(["  skipped: what it needs is not here"])
            }
            rows += section.measurements.map(Self.cells)
        }
        var widths = Self.columns.map(\.count)
        for row in rows where row.count > 1 {
            for (index, cell) in row.enumerated() {
                widths[index] = max(widths[index], cell.count)
            }
        }
        var lines = machine.lines
        lines.append(
            "medians, in brackets the least and the greatest of a round"
                + (isQuick ? "; quick: few rounds" : ""))
        lines.append("")
        lines.append(Self.line(Self.columns, widths))
        for row in rows {
            if row.count == 1, !row[0].hasPrefix(" ") {
                lines.append("")
            }
            lines.append(row.count == 1 ? row[0] : Self.line(row, widths))
        }
        return lines.joined(separator: "\n")
    }

    private static func cells(_ measurement: Measurement) -> [String] {
        let unit = measurement.unit
        var verdict = measurement.isMet.map { $0 ? "met" : "MISSED" } ?? ""
        if !measurement.isHeld {
            verdict += verdict.isEmpty ? "WORSE" : ", WORSE"
        }
        if let note = measurement.note {
            verdict += (verdict.isEmpty ? "" : ", ") + note
        }
        return [
            "  " + measurement.name,
            cell(measurement.library, unit.divisor, unit.rawValue),
            measurement.floor.map { cell($0, unit.divisor, unit.rawValue) } ?? "",
            measurement.ratio.map { cell($0, 1, "") } ?? "",
            measurement.target?.text ?? "", verdict,
        ]
    }

    private static func cell(_ summary: Summary, _ divisor: Double, _ unit: String) -> String {
        func text(_ value: Double) -> String {
            Decimals.text(value / divisor)
        }
        let value = text(summary.median) + (unit.isEmpty ? "" : " " + unit)
        return summary.low == summary.high
            ? value : "\(value) (\(text(summary.low))–\(text(summary.high)))"
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let padding = String(repeating: " ", count: max(widths[index] - cell.count, 0))
            // The name and the verdict stand left, numbers right.
            line += index == 0 || index == cells.count - 1 ? cell + padding : padding + cell
            line += "  "
        }
        while line.hasSuffix(" ") {
            line.removeLast()
        }
        return line
    }

    // MARK: - For documentation

    /// A table for each section, to be pasted.
    var markdown: String {
        var lines: [String] = []
        for section in sections {
            lines += ["", "### \(section.title)", ""]
            lines.append("| what | SceneStore | C | ratio | target | |")
            lines.append("|---|---|---|---|---|---|")
            for measurement in section.measurements {
                let cells = Self.cells(measurement).map { $0.drop { $0 == " " } }
                lines.append("| " + cells.joined(separator: " | ") + " |")
            }
        }
        return (machine.lines.map { $0 + "  " } + lines).joined(separator: "\n")
    }

    // MARK: - For machines

    /// One object; times in nanoseconds.
    var json: String {
        var root = JSONText()
        root.begin()
        root.add("quick", isQuick)
        machine.write(to: &root)
        root.beginArray("measurements")
        for section in sections {
            for measurement in section.measurements {
                root.begin()
                root.add("section", section.title)
                Self.write(measurement, to: &root)
                root.end()
            }
        }
        root.endArray()
        root.end()
        return root.text
    }

    private static func write(_ measurement: Measurement, to json: inout JSONText) {
        json.add("name", measurement.name)
        json.add("unit", measurement.unit.divisor == 1 ? measurement.unit.rawValue : "ns")
        json.add("sceneStore", measurement.library)
        if let floor = measurement.floor {
            json.add("c", floor)
        }
        if let ratio = measurement.ratio {
            json.add("ratio", ratio)
        }
        if let target = measurement.target {
            json.add("target", target.text)
        }
        if let isMet = measurement.isMet {
            json.add("isMet", isMet)
        }
        if measurement.gate != nil {
            json.add("isHeld", measurement.isHeld)
        }
        if let note = measurement.note {
            json.add("note", note)
        }
    }
}
