/// Times and spans that settings of any size make: what does not fit is the farthest that does.
extension Int64 {
    /// The difference, or the bound that it lies beyond.
    package func saturatingMinus(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        guard overflow else {
            return difference
        }
        return self < 0 ? .min : .max
    }

    /// The sum, or the bound that it lies beyond.
    package func saturatingPlus(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else {
            return sum
        }
        return self < 0 ? .min : .max
    }

    /// So many milliseconds; none for less than no day.
    package init(daysInMilliseconds days: Int) {
        let (span, overflow) = Int64(clamping: Swift.max(days, 0))
            .multipliedReportingOverflow(by: HistoryPolicy.day)
        self = overflow ? .max : span
    }
}
