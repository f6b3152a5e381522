/// Where any of some words stands in an app's files, so that a range is asked without a look at
/// each of its tokens: hostile sources have long bodies, and many places that ask for them.
struct Occurrences {
    /// In order, by file.
    private let places: [Int: [Int]]

    init(of words: Set<Int32>, _ sources: SourceSet, files: [Int]) {
        var places: [Int: [Int]] = [:]
        for file in files {
            let tokens = sources.files[file].tokens
            let found = tokens.indices.filter {
                tokens[$0].kind == .word && words.contains(tokens[$0].symbol)
            }
            places[file] = found.isEmpty ? nil : found
        }
        self.places = places
    }

    /// Whether one stands among these tokens.
    func contains(_ file: Int, _ range: Range<Int>) -> Bool {
        let found = places[file] ?? []
        let first = found.partitionPoint { $0 < range.lowerBound }
        return first < found.count && found[first] < range.upperBound
    }
}

extension Array {
    /// How many elements stand before the first that is not `isBefore`, in an array in that order.
    func partitionPoint(where isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
