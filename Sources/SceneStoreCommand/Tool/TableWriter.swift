import SceneStore
import SceneStoreFormats

/// Writes rows in the format that the invocation asks for: JSON lines and CSV at once, tables for
/// people at the end, when the widths are known.
struct TableWriter {
    private let columns: [TableColumn]
    private let format: OutputFormat
    private let context: CommandContext
    private let layout: CanonicalJSON.RecordLayout
    private let now: Int64
    private let choice: TableChoice
    /// The places of the columns that are shown; nil for all.
    private let places: [Int]?
    private var rows: [(texts: [String], styles: [TerminalText.Style?])] = []
    /// The times in a table for people, by column: several may share a day.
    private var times: [Int: [Int64?]] = [:]
    /// Rows that wait to be sorted.
    private var unsorted: [[TableCell]] = []
    private var count = 0
    /// Whether the options left out a row.
    private var leavesOut: Bool

    /// Begins a table; CSV gets its heading line now.
    init(_ columns: [TableColumn], format: OutputFormat, context: CommandContext) throws {
        try self.init(columns, format: format, TableChoice(), context)
    }

    /// Begins a table of the rows and columns that the options of an invocation choose.
    init(
        _ columns: [TableColumn], _ invocation: Invocation, _ context: CommandContext
    ) throws {
        try self.init(
            columns, format: invocation.format, TableChoice(invocation, columns), context)
    }

    private init(
        _ columns: [TableColumn], format: OutputFormat, _ choice: TableChoice,
        _ context: CommandContext
    ) throws {
        places =
            choice.places
            ?? (format == .text && columns.contains(where: \.isForPrograms)
                ? columns.indices.filter { !columns[$0].isForPrograms } : nil)
        self.columns = places.map { $0.map { columns[$0] } } ?? columns
        self.format = format
        self.context = context
        self.choice = choice
        leavesOut = choice.limit == 0
        layout = CanonicalJSON.RecordLayout(keys: self.columns.map(\.key))
        now = context.clock.now()
        if format == .csv {
            try appendCSVLine(self.columns.map { .text($0.key) })
        }
    }

    /// How many of the first rows are wanted; nil when all are, or have to be sorted first.
    var leadingLimit: Int? { choice.sort == nil && choice.limit < .max ? choice.limit : nil }

    /// Whether no further row is written.
    var isFull: Bool { leadingLimit.map { count >= $0 } ?? false }

    /// Adds a row: a cell a column, in the columns' order. Ends the command on Ctrl-C.
    mutating func append(_ cells: [TableCell]) throws {
        try context.checkInterruption()
        guard choice.isWanted(cells, now: now) else {
            leavesOut = true
            return
        }
        guard choice.sort == nil else {
            unsorted.append(cells)
            return
        }
        try write(cells)
    }

    private mutating func write(_ all: [TableCell]) throws {
        guard count < choice.limit else {
            return
        }
        count += 1
        let cells = places.map { $0.map { all[$0] } } ?? all
        precondition(cells.count == columns.count, "a row needs a cell a column")
        switch format {
        case .json:
            try context.output.append { bytes in
                layout.append(to: &bytes) { cells[$0].appendJSON(to: &$1) }
                bytes.append(0x0A)
            }
        case .csv: try appendCSVLine(cells)
        case .text:
            rows.append((cells.map { $0.text(now: now) }, cells.map(\.style)))
            for (place, cell) in cells.enumerated() {
                if case .time(let time) = cell.content {
                    times[place, default: Array(repeating: nil, count: rows.count - 1)].append(time)
                } else {
                    times[place]?.append(nil)
                }
            }
        }
    }

    /// Writes what is still to be written. A table without rows is `empty` for people, on
    /// standard error, and nothing for programs.
    mutating func finish(empty: TerminalText = "nothing to show") throws {
        for cells in choice.sorted(unsorted) {
            try write(cells)
        }
        unsorted = []
        guard format == .text else {
            return
        }
        guard !rows.isEmpty else {
            try context.note(leavesOut ? "--since and --limit leave no row" : empty)
            return
        }
        tellTimesApart()
        let natural = columns.indices.map { place in
            rows.reduce(DisplayWidth.columns(of: columns[place].title)) {
                max($0, DisplayWidth.columns(of: $1.texts[place]))
            }
        }
        let width = choice.isWide ? nil : context.terminal.width
        let fitted = TableLayout(columns, natural: natural, width: width)
        try context.output.line(
            line(fitted, texts: columns.map(\.title), styles: columns.map { _ in .bold }))
        for row in rows {
            try context.checkInterruption()
            try context.output.line(line(fitted, texts: row.texts, styles: row.styles))
        }
        if !fitted.hidden.isEmpty, context.terminal.isErrorTerminal {
            let names = fitted.hidden.map { columns[$0].title.lowercased() }.joined(separator: ", ")
            try context.note("\("too narrow for: \(names); --wide shows all", .dim)")
        }
        rows = []
    }

    /// Shows the time beside the date in columns where a date would stand for two moments.
    private mutating func tellTimesApart() {
        for (place, times) in times {
            var moments: [String: Set<Int64>] = [:]
            for (row, time) in times.enumerated() {
                if let time, rows[row].texts[place] == TimeText.date(time) {
                    moments[rows[row].texts[place], default: []].insert(time)
                }
            }
            guard moments.values.contains(where: { $0.count > 1 }) else {
                continue
            }
            for (row, time) in times.enumerated() {
                if let time, moments[rows[row].texts[place]] != nil {
                    rows[row].texts[place] = TimeText.moment(time)
                }
            }
        }
        times = [:]
    }

    private func line(
        _ fitted: TableLayout, texts: [String], styles: [TerminalText.Style?]
    ) -> TerminalText {
        var result: TerminalText = ""
        var blanks = 0
        for (place, width) in fitted.visible {
            let column = columns[place]
            let text = DisplayWidth.truncated(texts[place], to: width, cut: column.cut)
            let padding = width - DisplayWidth.columns(of: text)
            // Blanks are written only before something, so that no line ends with them.
            if column.alignment == .trailing {
                blanks += padding
            }
            if !text.isEmpty {
                result.append(TerminalText(verbatim: String(repeating: " ", count: blanks)))
                result.append(TerminalText(verbatim: text, styles[place]))
                blanks = 0
            }
            blanks += (column.alignment == .leading ? padding : 0) + TableLayout.gap
        }
        return result
    }

    private func appendCSVLine(_ cells: [TableCell]) throws(OutputError) {
        try context.output.append { bytes in
            let start = bytes.count
            var isFirst = true
            for cell in cells {
                if !isFirst {
                    bytes.append(0x2C)
                }
                isFirst = false
                cell.appendCSV(to: &bytes)
            }
            if bytes.count == start {
                // Readers skip an empty line: a row of one cell without a value is quoted.
                bytes.append(contentsOf: [0x22, 0x22])
            }
            bytes.append(0x0A)
        }
    }
}
