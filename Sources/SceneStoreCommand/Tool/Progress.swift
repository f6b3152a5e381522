/// A bar on standard error for work that takes longer than half a second, with rate and time
/// left. Nothing is shown where standard error is no terminal.
struct Progress {
    private let label: String
    private let total: Int
    private let unit: String
    private let context: CommandContext
    private let start: Duration
    private var lastDrawn: Duration?
    private(set) var done = 0

    /// Work below this time shows nothing.
    static let patience = Duration.milliseconds(500)
    /// The time between two pictures.
    static let interval = Duration.milliseconds(100)

    /// Makes a bar; `total` 0 stands for an amount that is not known.
    init(_ label: String, total: Int, unit: String, context: CommandContext) {
        self.label = label
        self.total = total
        self.unit = unit
        self.context = context
        start = context.clock.uptime()
    }

    /// Says how much is done, and ends the command when Ctrl-C was pressed.
    mutating func update(_ done: Int) throws {
        self.done = done
        if context.isInterrupted() {
            try finish()
            throw Interrupted()
        }
        guard context.terminal.isErrorTerminal else {
            return
        }
        let now = context.clock.uptime()
        let elapsed = now - start
        guard elapsed >= Self.patience,
            lastDrawn.map({ now - $0 >= Self.interval }) ?? true
        else {
            return
        }
        lastDrawn = now
        let line = Self.line(
            label: label, done: done, total: total, unit: unit, elapsed: elapsed,
            width: context.terminal.errorWidth ?? 80)
        try context.errorOutput.write(verbatim: "\r\(line)\u{1B}[K")
        try context.errorOutput.flush()
    }

    /// Removes the bar, if one is shown.
    mutating func finish() throws {
        guard lastDrawn != nil else {
            return
        }
        lastDrawn = nil
        try context.errorOutput.write(verbatim: "\r\u{1B}[K")
        try context.errorOutput.flush()
    }

    /// One picture: `verify [######----]  60 %  1 200 pages/s  4 s left`, one column short of
    /// the width, so that no terminal wraps it.
    static func line(
        label: String, done: Int, total: Int, unit: String, elapsed: Duration, width: Int
    ) -> String {
        let seconds = elapsed / .seconds(1)
        let rate = seconds > 0 ? Double(done) / seconds : 0
        var facts: String
        if total > 0 {
            let share = min(1, max(0, Double(done) / Double(total)))
            let percent = String(Int(share * 100))
            facts = String(repeating: " ", count: 3 - percent.count) + percent + " %"
        } else {
            facts = NumberText.grouped(done)
        }
        facts += "  \(rateText(rate)) \(unit)/s"
        if total > 0, rate > 0, done < total {
            let left = Double(total - done) / rate
            if left < 1e9 {
                let seconds = max(1, Int64(left.rounded(.up)))
                let text =
                    seconds < 60 ? "\(seconds) s" : DurationText.describe(.seconds(seconds))
                facts += "  \(text) left"
            }
        }
        let room = width - 1 - DisplayWidth.columns(of: label) - facts.count - 4
        guard total > 0, room >= 8 else {
            return DisplayWidth.truncated("\(label)  \(facts)", to: max(1, width - 1))
        }
        let cells = min(room, 30)
        let filled = Int(Double(cells) * min(1, max(0, Double(done) / Double(total))))
        let bar =
            String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled)
        return "\(label) [\(bar)] \(facts)"
    }

    private static func rateText(_ rate: Double) -> String {
        guard rate < 1e15 else {
            return "many"
        }
        return rate < 10
            ? "\(Double(Int(rate * 10)) / 10)" : NumberText.grouped(Int(rate))
    }
}
