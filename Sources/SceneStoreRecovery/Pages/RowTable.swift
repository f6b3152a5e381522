import SceneStoreStorage

/// The rows of one table by their number, visited in the order in which they came.
///
/// Rows of one page lie side by side. In a dictionary of rows, which has no order, a visit of all
/// rows would wait for the memory at each of them.
package struct RowTable: Sendable {
    package private(set) var count = 0
    private var numbers: [Int64] = []
    private var rows: [CarvedRow] = []
    /// Whether the row of a place was taken out.
    private var isGone: [Bool] = []
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
    package var ids: [Int64] { zip(numbers, isGone).compactMap { $1 ? nil : $0 } }

    /// Room costs nothing before rows come.
    mutating func reserveCapacity(_ count: Int) {
        numbers.reserveCapacity(count)
        rows.reserveCapacity(count)
        isGone.reserveCapacity(count)
    }

    /// The row of a number.
    package subscript(id: Int64) -> CarvedRow? {
        get { place(of: id).map { rows[$0] } }
        set {
            if let newValue {
                insert(newValue) { $0 = newValue }
            } else if let place = place(of: id) {
                isGone[place] = true
                count -= 1
            }
        }
    }

    func contains(_ id: Int64) -> Bool {
        place(of: id) != nil
    }

    /// Looks at the row of a number in its place: a copy would count references to its columns,
    /// and a recovery looks at each row more than once.
    @inline(__always)
    func look<Result>(at id: Int64, _ body: (borrowing CarvedRow) -> Result) -> Result? {
        guard let place = place(of: id) else {
            return nil
        }
        return rows.withUnsafeBufferPointer { body($0[place]) }
    }

    /// Looks at all rows in their places, in the order in which they came.
    @inline(__always)
    func lookAtEach(_ body: (borrowing CarvedRow) -> Void) {
        rows.withUnsafeBufferPointer { rows in
            for place in rows.indices where !isGone[place] {
                body(rows[place])
            }
        }
    }

    /// Takes a row; if there is one of its number, the body decides what stands in its place.
    mutating func insert(_ row: CarvedRow, besides decide: (inout CarvedRow) -> Void) {
        if let place = knownPlace(of: row.id) {
            if isGone[place] {
                isGone[place] = false
                rows[place] = row
                count += 1
            } else {
                decide(&rows[place])
            }
            return
        }
        numbers.append(row.id)
        rows.append(row)
        isGone.append(false)
        count += 1
        if index.count < 2 * numbers.count {
            makeIndex()
        } else {
            note(numbers.count - 1)
        }
    }

    /// Changes all rows, in the order in which they came.
    mutating func changeEach(_ change: (inout CarvedRow) -> Void) {
        for place in rows.indices where !isGone[place] {
            change(&rows[place])
        }
    }

    // MARK: - Places

    /// A file can't choose numbers that all lie in one place.
    private static let factor = UInt64(bitPattern: Int64("RowTable".hashValue)) | 1

    private func start(of id: Int64) -> Int {
        let shift = 64 - index.count.trailingZeroBitCount
        return Int(truncatingIfNeeded: (UInt64(bitPattern: id) &* Self.factor) >> shift)
    }

    /// The place of a number whose row is there.
    private func place(of id: Int64) -> Int? {
        knownPlace(of: id).flatMap { isGone[$0] ? nil : $0 }
    }

    /// The place of a number, also where its row was taken out.
    private func knownPlace(of id: Int64) -> Int? {
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

    private mutating func makeIndex() {
        var size = 16
        while size < 4 * numbers.count {
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
        fileprivate let rows: [CarvedRow]
        fileprivate let isGone: [Bool]
        fileprivate var place = 0

        package mutating func next() -> CarvedRow? {
            while place < rows.count {
                defer { place += 1 }
                if !isGone[place] {
                    return rows[place]
                }
            }
            return nil
        }
    }

    package func makeIterator() -> Iterator {
        Iterator(rows: rows, isGone: isGone)
    }
}
