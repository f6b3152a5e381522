/// Finds what somebody meant who mistyped a word.
package enum NearestWord {
    /// Longer words are nobody's typing error.
    private static let longest = 40

    /// The candidate that takes the fewest edits to reach, the first of several; nil when none is
    /// near. One edit inserts, removes or replaces a letter or swaps two neighbours; a third of
    /// the word's letters may be wrong, and the case doesn't matter.
    package static func find(_ word: String, among candidates: [String]) -> String? {
        guard !word.isEmpty, word.utf8.count <= longest else {
            return nil
        }
        let typed = Array(word.lowercased().utf8)
        var best: (candidate: String, distance: Int)?
        for candidate in candidates where candidate.utf8.count <= longest {
            let meant = Array(candidate.lowercased().utf8)
            let allowed = max(1, min(typed.count, meant.count) / 3)
            let distance = distance(typed, meant)
            if distance <= allowed, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.candidate
    }

    /// The optimal string alignment distance (Damerau and Levenshtein, restricted).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var least = min(
                    previous[column + 1] + 1, current[column] + 1,
                    previous[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    least = min(least, beforePrevious[column - 1] + 1)
                }
                current.append(least)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
