/// Guesses what a mistyped word was meant to be.
enum Suggestion {
    /// What other tools call a command, or what begins with another word here.
    static let synonyms = [
        "ls": "sessions", "list": "sessions", "windows": "sessions", "status": "info",
        "stat": "info", "cat": "show", "get": "show", "rm": "discard", "delete": "discard",
        "remove": "discard", "close": "discard", "open": "reopen", "journal": "log",
        "events": "log", "tail": "watch", "grep": "find", "search": "find", "du": "size",
        "revert": "undo", "rollback": "undo", "redo": "undo --redo", "tour": "help tour",
        "check": "doctor --full", "fsck": "doctor --full",
        "verify": "doctor --full", "migrate": "doctor --fix", "version": "--version",
        "continue": "deliver activity", "shortcut": "deliver shortcut",
        "activate": "deliver front",
        "vacuum": "compact", "explain": "why", "clear": "reset", "upgrade": "doctor --fix",
        "dump": "export", "load": "import", "lock": "hold", "unlock": "release",
        "man": "help", "query": "sql",
    ]

    /// The nearest candidate, if one is near: a third of the word's letters may differ, at most
    /// three. Of equally near ones the first.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        let letters = Array(word.lowercased().unicodeScalars.prefix(65))
        // Nobody mistypes a word of 64 letters; the bound keeps the work small.
        guard !letters.isEmpty, letters.count <= 64 else {
            return nil
        }
        if letters.count >= 3 {
            let completed = candidates.filter { $0.lowercased().hasPrefix(word.lowercased()) }
            if let only = completed.first, completed.count == 1 {
                return only
            }
        }
        let bound = min(3, max(1, letters.count / 3))
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let other = Array(candidate.lowercased().unicodeScalars)
            guard let distance = distance(letters, other, atMost: bound) else {
                continue
            }
            if best.map({ distance < $0.distance }) ?? true {
                best = (candidate, distance)
            }
        }
        return best?.candidate
    }

    /// Insertions, deletions, replacements and swaps of neighbours that lead from one word to
    /// the other (optimal string alignment), or nil when more than a bound.
    static func distance(
        _ left: [Unicode.Scalar], _ right: [Unicode.Scalar], atMost bound: Int
    ) -> Int? {
        guard abs(left.count - right.count) <= bound else {
            return nil
        }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let cost = left[row] == right[column] ? 0 : 1
                var least = min(
                    last[column] + cost, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            guard current.contains(where: { $0 <= bound }) else {
                return nil
            }
            (beforeLast, last) = (last, current)
        }
        return last.last.flatMap { $0 <= bound ? $0 : nil }
    }
}
