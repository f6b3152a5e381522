import SceneStore
import Synchronization

/// A bar on standard error for work that takes longer than half a second, with count, rate and
/// time left. Nothing is shown where standard error is no terminal, nor for programs (`--json`,
/// `--csv`). It goes away when the work ends, however that ends.
final class Progress: Sendable {
    private let label: String
    private let isShown: Bool
    private let width: Int
    private let clock: CommandClock
    private let errorOutput: Output
    private let isInterrupted: @Sendable () -> Bool
    private let began: Duration
    private let state: Mutex<State>

    private struct State {
        /// When the work began that is told of now, and its stage.
        var workStart: Duration
        var stageStart: Duration
        var stage: WorkProgress?
        var fraction: Double?
        var lastDrawn: Duration?
    }

    /// Work below this time shows nothing.
    static let patience = Duration.milliseconds(500)
    /// The time between two pictures.
    static let interval = Duration.milliseconds(100)

    /// Makes a bar, not seen yet.
    init(_ label: String, _ invocation: Invocation, _ context: CommandContext) {
        self.label = label
        isShown = context.terminal.isErrorTerminal && invocation.format == .text
        width = context.terminal.errorWidth ?? 80
        clock = context.clock
        errorOutput = context.errorOutput
        isInterrupted = context.isInterrupted
        began = context.clock.uptime()
        state = Mutex(State(workStart: began, stageStart: began))
    }

    /// What the library tells how far it is; Ctrl-C ends the work.
    var observer: WorkObserver {
        { [self] progress in
            guard !isInterrupted() else {
                return false
            }
            show(progress, fraction: progress.fraction)
            return true
        }
    }

    /// Shows how far the work is, and ends the command when Ctrl-C was pressed.
    ///
    /// - Parameter fraction: Of the whole work; nil when nobody knows.
    func update(_ progress: WorkProgress, fraction: Double?) throws(Interrupted) {
        guard !isInterrupted() else {
            finish()
            throw Interrupted()
        }
        show(progress, fraction: fraction)
    }

    private func show(_ progress: WorkProgress, fraction: Double?) {
        guard isShown else {
            return
        }
        let now = clock.uptime()
        state.withLock { state in
            if (fraction ?? 0) < (state.fraction ?? 0) {
                // Another piece of work began.
                state.workStart = now
            }
            if progress.stage != state.stage?.stage || progress.unit != state.stage?.unit
                || progress.done < (state.stage?.done ?? 0)
            {
                state.stageStart = now
            }
            (state.stage, state.fraction) = (progress, fraction)
            if let fraction, fraction >= 1 {
                erase(&state)
                return
            }
            guard now - began >= Self.patience,
                state.lastDrawn.map({ now - $0 >= Self.interval }) ?? true
            else {
                return
            }
            state.lastDrawn = now
            let line = ProgressLine(
                label: label, progress: progress, fraction: fraction,
                stageTime: now - state.stageStart, workTime: now - state.workStart)
            write("\r\(line.text(width: width))\u{1B}[K")
        }
    }

    /// Removes the bar, if one is shown.
    func finish() {
        state.withLock { erase(&$0) }
    }

    private func erase(_ state: inout State) {
        if state.lastDrawn != nil {
            state.lastDrawn = nil
            write("\r\u{1B}[K")
        }
    }

    /// A picture that cannot be drawn must not end the work.
    private func write(_ text: String) {
        try? errorOutput.write(verbatim: text)
        try? errorOutput.flush()
    }
}

/// One picture: `verify [######----]  60 %  3 000 rows  1 200/s  4 s left`.
struct ProgressLine: Equatable {
    var label: String
    var progress: WorkProgress
    /// Of the whole work; nil when nobody knows.
    var fraction: Double?
    /// Since the stage began, for the rate.
    var stageTime: Duration
    /// Since the whole work began, for what is left.
    var workTime: Duration

    /// One column short of the width, so that no terminal wraps it.
    func text(width: Int) -> String {
        let share = fraction.map { $0.isFinite ? min(1, max(0, $0)) : 0 }
        var facts: [String] = []
        if let share {
            let percent = String(Int(share * 100))
            facts.append(String(repeating: " ", count: 3 - percent.count) + percent + " %")
        }
        if progress.done > 0 {
            facts.append(amount(progress.done))
            facts += rate.map { [$0] } ?? []
        }
        facts += left(share).map { [$0] } ?? []
        let text = facts.joined(separator: "  ")
        let room = width - 1 - DisplayWidth.columns(of: label) - text.count - 4
        guard let share, room >= 8 else {
            return DisplayWidth.truncated("\(label)  \(text)", to: max(1, width - 1))
        }
        let cells = min(room, 30)
        let filled = Int(Double(cells) * share)
        let bar =
            String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled)
        return "\(label) [\(bar)] \(text)"
    }

    private func amount(_ count: Int) -> String {
        progress.unit == .bytes
            ? NumberText.bytes(Int64(count))
            : "\(NumberText.grouped(count)) \(progress.unit.rawValue)"
    }

    private var rate: String? {
        let seconds = stageTime / .seconds(1)
        guard seconds > 0 else {
            return nil
        }
        let rate = Double(progress.done) / seconds
        guard rate < 1e15 else {
            return nil
        }
        if progress.unit == .bytes {
            return NumberText.bytes(Int64(rate)) + "/s"
        }
        return
            (rate < 10 ? "\(Double(Int(rate * 10)) / 10)" : NumberText.grouped(Int(rate))) + "/s"
    }

    private func left(_ share: Double?) -> String? {
        // What little is done says nothing of the rest.
        guard let share, share >= 0.03, share < 1 else {
            return nil
        }
        let left = (workTime / .seconds(1)) * (1 - share) / share
        guard left > 0, left < 1e9 else {
            return nil
        }
        let seconds = max(1, Int64(left.rounded(.up)))
        return (seconds < 60 ? "\(seconds) s" : DurationText.describe(.seconds(seconds))) + " left"
    }
}

extension WorkProgress {
    /// How much of the whole work is done, from 0 to 1; nil when nobody knows.
    var fraction: Double? {
        guard total > 0 else {
            return nil
        }
        let part = min(1, max(0, Double(done) / Double(total)))
        return share.lowerBound + (share.upperBound - share.lowerBound) * part
    }
}
