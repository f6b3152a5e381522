import SceneStoreStorage

/// The rows of one table by their number, visited in the order in which they came.
///
/// Rows of one page lie side by side. In a dictionary of rows, which has no order, a visit of all
/// rows would wait for the memory at each of them.
package struct RowTable: Sendable {
    package private(set) var count = 0
    private var numbers: [Int64] = []
    /// Nil where a row was taken out.
    private var slots: [CarvedRow?] = []
    /// The places of the numbers plus one, 0 where there is none; at most half of it is in use.
    private var index: [UInt32] = []

    package init() {}

    init(_ rows: some Sequence<CarvedRow>) {
        for row in rows {
            self[row.id] = row
        }
    }

    package var isEmpty: Bool { count == 0 }
    /// The numbers of all rows.
    package var ids: [Int64] { map(\.id) }

    mutating func reserveCapacity(_ count: Int) {
        numbers.reserveCapacity(count)
        slots.reserveCapacity(count)
        if index.count < 2 * count {
            index(for: count)
        }
    }

    /// The row of a number.
    package subscript(id: Int64) -> CarvedRow? {
        get { place(of: id).flatMap { slots[$0] } }
        _modify {
            let place = place(of: id) ?? add(id)
            let change = slots[place] == nil ? 0 : 1
            defer { count += (slots[place] == nil ? 0 : 1) - change }
            yield &slots[place]
        }
    }

    /// Changes all rows, in the order in which they came.
    mutating func changeEach(_ change: (inout CarvedRow) -> Void) {
        for place in slots.indices {
            Self.change(&slots[place], change)
        }
    }

    private static func change(_ row: inout CarvedRow?, _ change: (inout CarvedRow) -> Void) {
        if var changed = row.take() {
            change(&changed)
            row = changed
        }
    }

    // MARK: - Places

    /// A file can't choose numbers that all lie in one place.
    private static let factor = UInt64(bitPattern: Int64("RowTable".hashValue)) | 1

    private func start(of id: Int64) -> Int {
        let shift = 64 - index.count.trailingZeroBitCount
        return Int(truncatingIfNeeded: (UInt64(bitPattern: id) &* Self.factor) >> shift)
    }

    private func place(of id: Int64) -> Int? {
        guard !index.isEmpty else {
            return nil
        }
        var position = start(of: id)
        while true {
            let place = Int(index[position]) - 1
            guard place >= 0 else {
                return nil
            }
            if numbers[place] == id {
                return place
            }
            position = (position + 1) & (index.count - 1)
        }
    }

    /// A new place, in which no row is yet.
    private mutating func add(_ id: Int64) -> Int {
        numbers.append(id)
        slots.append(nil)
        if index.count < 2 * numbers.count {
            index(for: 2 * numbers.count)
        } else {
            note(numbers.count - 1)
        }
        return numbers.count - 1
    }

    private mutating func index(for count: Int) {
        var size = 16
        while size < 2 * Swift.max(count, numbers.count) {
            size *= 2
        }
        index = Array(repeating: 0, count: size)
        for place in numbers.indices {
            note(place)
        }
    }

    private mutating func note(_ place: Int) {
        var position = start(of: numbers[place])
        while index[position] != 0 {
            position = (position + 1) & (index.count - 1)
        }
        index[position] = UInt32(clamping: place + 1)
    }
}

extension RowTable: Sequence {
    package struct Iterator: IteratorProtocol {
        fileprivate var slots: IndexingIterator<[CarvedRow?]>

        package mutating func next() -> CarvedRow? {
            while let slot = slots.next() {
                if let slot {
                    return slot
                }
            }
            return nil
        }
    }

    package func makeIterator() -> Iterator {
        Iterator(slots: slots.makeIterator())
    }
}
