/// What a child tells its parent, a line at a time.
final class JobReport {
    private var figures: [String: UInt64] = [:]
    private var violationCount = 0

    /// Adds to a figure.
    func count(_ name: String, _ number: UInt64 = 1) {
        figures[name, default: 0] += number
    }

    var hasViolation: Bool { violationCount > 0 }

    /// What was counted so far.
    func counted(_ name: String) -> UInt64 { figures[name] ?? 0 }

    /// Tells of a broken promise, and how to see it again.
    func violation(_ text: String, replay job: Job) {
        violationCount += 1
        guard violationCount <= 20 else {
            return
        }
        let line = String(text.map { $0 == "\n" ? " " : $0 })
        Terminal.print("violation \(line) — replay: \(job.command)")
    }

    /// Tells where the work is, in case it does not come back.
    func at(_ job: Job) {
        Terminal.print("at \(job.command)")
    }

    /// Tells the figures.
    func finish() {
        for (name, number) in figures.sorted(by: { $0.key < $1.key }) {
            Terminal.print("figure \(number) \(name)")
        }
        Terminal.print("violations \(violationCount)")
    }
}

/// What all jobs of a rig told.
struct RigResult {
    var figures: [String: UInt64] = [:]
    var violations: [String] = []

    /// Takes in what one child printed.
    mutating func add(_ lines: [Substring], end: ChildProcess.End, of job: Job) {
        var place = job.command
        var isFinished = false
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 2)
            switch words.first {
            case "figure" where words.count == 3:
                figures[String(words[2]), default: 0] += UInt64(words[1]) ?? 0
            case "violation": violations.append(String(line.dropFirst("violation ".count)))
            case "violations": isFinished = true
            case "at": place = String(line.dropFirst("at ".count))
            default: violations.append("unexpected output: \(line)")
            }
        }
        guard !isFinished || end != .exited(0) && end != .exited(1) else {
            return
        }
        violations.append(
            end == .signaled(ChildProcess.alarmSignal)
                ? "hangs — replay: \(place)" : "ends with \(end) — replay: \(place)")
    }

    func line(_ kind: RigKind, seed: UInt64, seconds: Double) -> String {
        var parts = ["\(kind.rawValue) \(kind.title): seed \(seed)"]
        for (name, number) in figures.sorted(by: { $0.key < $1.key }) {
            parts.append("\(number) \(name)")
        }
        parts.append("\(violations.count) violations")
        parts.append("\(Terminal.decimal(seconds)) s")
        if let cuts = figures["cuts"], seconds > 0 {
            parts.append("\(UInt64(Double(cuts) / seconds)) cuts a second")
        }
        return parts.joined(separator: ", ")
    }
}
