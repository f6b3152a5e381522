/// Times of very different length in one picture: what took milliseconds is seen beside what took
/// hours, and idle time takes little room.
enum LogScale {
    /// Ten times the logarithm to the base of two, plus one, of a time in milliseconds; 0 for none.
    /// Whole numbers only, so that a layout is the same on every machine.
    static func steps(_ milliseconds: Int64) -> Int {
        guard milliseconds > 0 else {
            return 0
        }
        let whole = Int64.bitWidth - 1 - milliseconds.leadingZeroBitCount
        // Between two powers the way is straight.
        let rest = milliseconds &- (Int64(1) << Int64(whole))
        let tenths = whole >= 60 ? 0 : Int(rest * 10 / (Int64(1) << Int64(whole)))
        return whole * 10 + tenths + 1
    }
}
