/// Records in the order in which sessions come back.
///
/// They lie in the order of the rows; the order is a list of places beside them. Sorting the
/// records themselves would move each of them through memory once more, which costs a launch with
/// many sessions as much as reading them.
package struct SessionRecords: RandomAccessCollection, Sendable {
    private var rows: [SessionRecord] = []
    private var order: [(recency: Int64, place: Int)] = []

    package init(capacity: Int) {
        rows.reserveCapacity(capacity)
        order.reserveCapacity(capacity)
    }

    /// Takes one more record, in any order.
    package mutating func append(_ record: consuming SessionRecord) {
        order.append((record.recency, rows.count))
        rows.append(record)
    }

    /// Most recently active first, then by identifier.
    package mutating func sort() {
        let rows = rows
        order.sort { left, right in
            left.recency == right.recency
                ? rows[left.place].identifierText.precedes(rows[right.place].identifierText)
                : left.recency > right.recency
        }
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { rows.count }

    package subscript(place: Int) -> SessionRecord {
        rows[order[place].place]
    }
}

extension SessionRecord {
    /// The order in which sessions come back: most recently active first, then by identifier.
    package static func comesBefore(_ left: SessionRecord, _ right: SessionRecord) -> Bool {
        left.recency == right.recency
            ? left.identifierText.precedes(right.identifierText) : left.recency > right.recency
    }
}
