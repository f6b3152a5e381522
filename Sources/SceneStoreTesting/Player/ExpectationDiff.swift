import SceneStore

/// What was expected beside what happened: the reason why an `expect` fails, for people.
///
/// The lines that both have in common are a longest common subsequence, so that one missing
/// callback shows as one line.
package struct ExpectationDiff: Hashable, Sendable {
    /// One line of the comparison.
    package enum Line: Hashable, Sendable {
        /// Expected, and so it was.
        case same(String)
        /// Expected, and missing.
        case missing(String)
        /// Not expected.
        case unexpected(String)

        /// The line with a blank, `-` or `+` in front.
        package var text: String {
            switch self {
            case .same(let text): "  \(text)"
            case .missing(let text): "- \(text)"
            case .unexpected(let text): "+ \(text)"
            }
        }
    }

    /// The comparison, in order.
    package let lines: [Line]

    /// Above this many pairs to look at, what differs is shown whole instead of aligned.
    private static let mostPairs = 4_000_000

    /// Compares callbacks.
    package init(expected: [ExpectedCall], actual: [ObservedCall]) {
        self.init(
            expected, actual, matches: { $0.matches($1) }, \.description, \.description)
    }

    /// Compares diagnostics.
    package init(expected: [ExpectedDiagnostic], actual: [TranscriptDiagnostic]) {
        self.init(
            expected, actual, matches: { $0.matches($1) }, \.description, \.shortDescription)
    }

    /// Compares sets of sessions.
    package init(expectedSessions: [String], actualSessions: [String]) {
        self.init(
            Set(expectedSessions).sorted(), Set(actualSessions).sorted(), matches: { $0 == $1 },
            \.self, \.self)
    }

    /// Whether all is as expected.
    package var isMatch: Bool {
        lines.allSatisfy { line in
            if case .same = line { true } else { false }
        }
    }

    /// The lines, each ended by a line feed; `-` is expected and missing, `+` not expected.
    package var text: String {
        lines.map { $0.text + "\n" }.joined()
    }

    private init<Expected, Actual>(
        _ expected: [Expected], _ actual: [Actual],
        matches: (Expected, Actual) -> Bool,
        _ expectedText: (Expected) -> String, _ actualText: (Actual) -> String
    ) {
        var head = 0
        while head < expected.count, head < actual.count, matches(expected[head], actual[head]) {
            head += 1
        }
        var tail = 0
        while head + tail < min(expected.count, actual.count),
            matches(expected[expected.count - 1 - tail], actual[actual.count - 1 - tail])
        {
            tail += 1
        }
        let wanted = Array(expected[head..<(expected.count - tail)])
        let found = Array(actual[head..<(actual.count - tail)])
        var lines = actual[..<head].map { Line.same(actualText($0)) }
        var row = 0
        var column = 0
        for (nextRow, nextColumn) in Self.commonPairs(wanted, found, matches: matches) {
            lines += wanted[row..<nextRow].map { .missing(expectedText($0)) }
            lines += found[column..<nextColumn].map { .unexpected(actualText($0)) }
            lines.append(.same(actualText(found[nextColumn])))
            row = nextRow + 1
            column = nextColumn + 1
        }
        lines += wanted[row...].map { .missing(expectedText($0)) }
        lines += found[column...].map { .unexpected(actualText($0)) }
        lines += actual[(actual.count - tail)...].map { .same(actualText($0)) }
        self.lines = lines
    }

    /// The places of a longest common subsequence, in order.
    private static func commonPairs<Expected, Actual>(
        _ wanted: [Expected], _ found: [Actual], matches: (Expected, Actual) -> Bool
    ) -> [(Int, Int)] {
        guard !wanted.isEmpty, !found.isEmpty, wanted.count <= mostPairs / found.count else {
            return []
        }
        // lengths[row * width + column]: the length for what begins at row and column.
        let width = found.count + 1
        var lengths = [Int32](repeating: 0, count: (wanted.count + 1) * width)
        for row in wanted.indices.reversed() {
            for column in found.indices.reversed() {
                let place = row * width + column
                lengths[place] =
                    matches(wanted[row], found[column])
                    ? lengths[place + width + 1] + 1
                    : max(lengths[place + width], lengths[place + 1])
            }
        }
        var pairs: [(Int, Int)] = []
        var row = 0
        var column = 0
        while row < wanted.count, column < found.count {
            let place = row * width + column
            if matches(wanted[row], found[column]) {
                pairs.append((row, column))
                row += 1
                column += 1
            } else if lengths[place + width] >= lengths[place + 1] {
                row += 1
            } else {
                column += 1
            }
        }
        return pairs
    }
}
