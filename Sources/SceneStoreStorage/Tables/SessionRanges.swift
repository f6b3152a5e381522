import SceneStoreValues

/// A set of sessions as a text that stays short where their numbers are near each other: `1-9,12`.
package struct SessionRanges: Sendable {
    /// In their order, apart from each other.
    private var ranges: [(first: Int64, last: Int64)] = []

    /// Some sessions, in any order.
    package init(_ keys: [Int64]) {
        for key in keys.sorted() {
            if let range = ranges.last, key &- 1 <= range.last {
                ranges[ranges.count - 1].last = key
            } else {
                ranges.append((key, key))
            }
        }
    }

    /// What a text says; of one that no store has written, nothing.
    package init(_ text: String) {
        var count: Int64 = 0
        for part in text.utf8.split(separator: 0x2C, omittingEmptySubsequences: false) {
            let bounds = part.split(separator: 0x2D, omittingEmptySubsequences: false).map {
                Int64(Substring($0))
            }
            guard bounds.count <= 2, let first = bounds.first ?? nil, let last = bounds.last ?? nil,
                first > ranges.last?.last ?? 0, first <= last,
                last - first < Self.most - count
            else {
                ranges = []
                return
            }
            count += last - first + 1
            ranges.append((first, last))
        }
    }

    /// More sessions than a store has.
    private static let most: Int64 = 1 << 20

    package var text: String {
        ranges.map { $0.first == $0.last ? "\($0.first)" : "\($0.first)-\($0.last)" }
            .joined(separator: ",")
    }

    /// All of them, in their order.
    package var keys: [Int64] { ranges.flatMap { Array($0.first...$0.last) } }

    /// Found by halving.
    package func contains(_ key: Int64) -> Bool {
        let first = SortedPairs.bound(ranges.count) { ranges[$0].last < key }
        return first < ranges.count && ranges[first].first <= key
    }
}
