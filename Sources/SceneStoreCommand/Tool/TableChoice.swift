import SceneStore

extension OptionDescription {
    /// What every command takes that prints a table.
    static let table: [OptionDescription] = [
        value("limit", "N", .integer(0...999_999_999), "At most so many rows"),
        value("since", "DURATION", .duration, "Only rows that are younger"),
        value(
            "sort", "COLUMN", .dynamic("columns"),
            "Sort by a column, by its name in CSV; -COLUMN descending"),
        value("columns", "NAMES", .dynamic("columns"), "Only these columns, by their names in CSV"),
        flag("wide", "Show all columns, however narrow the terminal is"),
    ]
    /// The same for rows that are of no time.
    static let tableWithoutTimes = table.filter { $0.name != "since" }
}

extension OptionDescription {
    /// Whether it is one of those that every table has.
    var isOfTables: Bool { Self.table.contains { $0.name == name && $0.help == help } }
}

/// Which rows and columns of a table are wanted, and in which order.
struct TableChoice {
    /// The places of the wanted columns; nil for all.
    private(set) var places: [Int]?
    private(set) var limit = Int.max
    private(set) var sort: (place: Int, isDescending: Bool)?
    private(set) var isWide = false
    private var maximumAge: Int64?

    /// All rows and columns.
    init() {}

    /// What the options of an invocation choose.
    init(_ invocation: Invocation, _ columns: [TableColumn]) throws(CommandError) {
        func place(_ name: some StringProtocol) throws(CommandError) -> Int {
            let place =
                columns.firstIndex { $0.key == name }
                ?? columns.firstIndex { $0.title.lowercased() == name.lowercased() }
            guard let place else {
                throw .usage(
                    "there is no column \(String(name).quotedForError)",
                    hint: "the columns are \(columns.map(\.key).listed(with: "and"))")
            }
            return place
        }
        limit = invocation.integer("limit") ?? .max
        isWide = invocation.flag("wide")
        if invocation.declares("since") {
            maximumAge = invocation.duration("since").map { Int64($0 / .milliseconds(1)) }
        }
        if let word = invocation.text("sort") {
            let isDescending = word.hasPrefix("-")
            sort = (try place(isDescending ? word.dropFirst() : word[...]), isDescending)
        }
        if let names = invocation.text("columns") {
            var wanted: [Int] = []
            for name in names.split(separator: ",", omittingEmptySubsequences: false) {
                let column = try place(name)
                guard !wanted.contains(column) else {
                    throw .usage("the column \(String(name).quotedForError) is named twice")
                }
                wanted.append(column)
            }
            places = wanted
        }
    }

    /// Whether a row is young enough: by its first time.
    func isWanted(_ cells: [TableCell], now: Int64) -> Bool {
        guard let maximumAge else {
            return true
        }
        for cell in cells {
            if let time = cell.time {
                return time >= now.subtractingReportingOverflow(maximumAge).partialValue
            }
        }
        return false
    }

    /// Rows in the wanted order; equal ones stay as they were.
    func sorted(_ rows: [[TableCell]]) -> [[TableCell]] {
        guard let sort else {
            return rows
        }
        let keys = rows.map { $0[sort.place].sortKey }
        let order = rows.indices.sorted { left, right in
            if keys[left] == keys[right] {
                return left < right
            }
            return sort.isDescending ? keys[right] < keys[left] : keys[left] < keys[right]
        }
        return order.map { rows[$0] }
    }
}

extension TableCell {
    /// Its time, when it is one.
    fileprivate var time: Int64? {
        switch content {
        case .time(let time), .moment(_, let time): time
        default: nil
        }
    }

    /// What a column is sorted by: nothing, then numbers, then text.
    fileprivate enum SortKey: Comparable {
        case nothing
        case number(Double)
        case text(String)
    }

    fileprivate var sortKey: SortKey {
        switch content {
        case .none: .nothing
        case .custom(_, .double(let number)): .number(number)
        case .text(let text), .custom(let text, _): .text(text)
        case .integer(let number), .bytes(let number), .time(let number), .moment(_, let number):
            .number(Double(number))
        case .double(let number): .number(number)
        case .boolean(let value): .number(value ? 1 : 0)
        }
    }
}
