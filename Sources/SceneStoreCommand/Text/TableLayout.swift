/// Fits the columns of a table into a width.
///
/// 1. Whatever fits is shown whole.
/// 2. Else the columns that may be cut are cut, the widest first, down to their least widths.
/// 3. Else the column of the greatest priority number is left out (of equal ones the last), and
///    the rest begins again.
/// 4. The columns of priority 0 stay; when they alone are too wide, the widest are cut, to one
///    column if need be.
struct TableLayout {
    /// The columns that are shown: place in the declaration, and width.
    private(set) var visible: [(place: Int, width: Int)]
    /// The places of those that are left out.
    let hidden: [Int]

    /// The columns of blank between two.
    static let gap = 2

    /// Lays out columns whose widest content is known; without a width everything fits.
    init(_ columns: [TableColumn], natural: [Int], width: Int?) {
        guard let width else {
            visible = columns.indices.map { ($0, natural[$0]) }
            hidden = []
            return
        }
        var places = Array(columns.indices)
        while true {
            let room = max(places.count, width - Self.gap * max(0, places.count - 1))
            let least = places.map { min(natural[$0], columns[$0].minimumWidth ?? natural[$0]) }
            if least.reduce(0, +) <= room {
                visible = Self.cut(places, natural: natural, least: least, room: room)
                break
            }
            let last = places.indices.max {
                columns[places[$0]].priority <= columns[places[$1]].priority
            }
            guard let last, columns[places[last]].priority > 0 else {
                visible = Self.cut(
                    places, natural: natural, least: places.map { _ in 1 }, room: room)
                break
            }
            places.remove(at: last)
        }
        hidden = columns.indices.filter { !places.contains($0) }
    }

    /// Takes columns away from the widest until all fit: finds the greatest ceiling that the
    /// room allows, then gives the rest to the first columns that it cuts.
    private static func cut(
        _ places: [Int], natural: [Int], least: [Int], room: Int
    ) -> [(place: Int, width: Int)] {
        func width(_ index: Int, ceiling: Int) -> Int {
            min(natural[places[index]], max(least[index], ceiling))
        }
        func total(_ ceiling: Int) -> Int {
            places.indices.reduce(0) { $0 + width($1, ceiling: ceiling) }
        }
        var low = 1
        var high = max(1, places.map { natural[$0] }.max() ?? 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if total(middle) <= room {
                low = middle
            } else {
                high = middle - 1
            }
        }
        var spare = room - total(low)
        return places.indices.map { index in
            var result = width(index, ceiling: low)
            if spare > 0, result < natural[places[index]] {
                result += 1
                spare -= 1
            }
            return (places[index], result)
        }
    }
}
