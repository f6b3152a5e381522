import SceneStore

/// Words and numbers as a report shows them.
enum ReportText {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `3 Jan`, where the person is, or `3 Jan 2026`.
    static func day(_ time: Int64, withYear: Bool = false) -> String {
        let date = TimeText.date(time)
        let parts = date.split(separator: "-")
        guard parts.count == 3, let month = Int(parts[1]), let day = Int(parts[2]),
            months.indices.contains(month - 1)
        else {
            return date
        }
        return "\(day) \(months[month - 1])" + (withYear ? " \(parts[0])" : "")
    }

    /// The year of a moment, where the person is.
    static func year(_ time: Int64) -> Substring {
        TimeText.date(time).prefix { $0 != "-" }
    }

    /// How much later something was: `+0`, `+340 ms`, `+6 min 36 s`.
    static func offset(_ time: Int64, from start: Int64) -> String {
        let span = self.span(from: start, to: time)
        return span == .zero ? "+0" : "+" + DurationText.describe(span)
    }

    /// The time between two moments; a clock that was turned back counts as none.
    static func span(from start: Int64, to end: Int64) -> Duration {
        let (difference, overflow) = end.subtractingReportingOverflow(start)
        return .milliseconds(overflow ? 0 : max(difference, 0))
    }

    /// What happened at a place: `2 saved, 1 restored`.
    static func counts(_ counts: MarkCounts) -> String {
        MarkKind.allCases.compactMap { kind in
            let count = counts[kind]
            // The blanks do not break, so that a count stays with its word.
            return count == 0
                ? nil : count == 1 ? kind.title : "\(count)\u{A0}×\u{A0}\(kind.title)"
        }.joined(separator: ", ")
    }

    /// What a launch's reason means.
    static func reason(_ reason: LaunchReason) -> String {
        switch reason {
        case .first: "first launch"
        case .launch: "after a clean end"
        case .recover: "after a death"
        case .restore: "after a restart of the system"
        }
    }
}
