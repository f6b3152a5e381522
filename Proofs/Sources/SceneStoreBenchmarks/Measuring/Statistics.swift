/// A median, and how far the rounds were apart.
struct Summary: Equatable {
    var median: Double
    /// The least and the greatest median of a round.
    var low: Double
    var high: Double

    init(median: Double, low: Double, high: Double) {
        self.median = median
        self.low = low
        self.high = high
    }

    /// One value that every round would give.
    init(exactly value: Double) {
        self.init(median: value, low: value, high: value)
    }

    /// Of the times of several rounds.
    init(rounds: [[Double]]) {
        let medians = rounds.map(Self.median)
        self.init(
            median: Self.median(rounds.flatMap { $0 }), low: medians.min() ?? 0,
            high: medians.max() ?? 0)
    }

    /// The ratio of two sides, round by round: what slows the machine slows both.
    init(ratioOf side: [[Double]], to floor: [[Double]]) {
        let ratios = zip(side, floor).map { Self.median($0) / max(Self.median($1), 1e-9) }
        self.init(
            median: Self.median(ratios), low: ratios.min() ?? 0, high: ratios.max() ?? 0)
    }

    static func median(_ values: [Double]) -> Double {
        guard !values.isEmpty else {
            return 0
        }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
