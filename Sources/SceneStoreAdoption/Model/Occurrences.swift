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
        var (low, high) = (0, found.count)
        while low < high {
            let middle = (low + high) / 2
            if found[middle] < range.lowerBound {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < found.count && found[low] < range.upperBound
    }
}
