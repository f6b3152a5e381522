import SceneStore

extension Command {
    /// `prune`.
    static let prune = Command(
        CommandDescription(
            name: "prune", group: .keepSafe,
            summary: "Remove what is only kept for a time, by rule and with reasons",
            discussion: """
                Discarded sessions that can no longer be reopened, tombstones of discards that the \
                app was told of, old launches. Never a session that is open, pinned or held. The \
                app does the same by itself when it is idle; --older-than also removes what it \
                would keep longer. Where the clock is more than 30 days ahead of all that the last \
                two launches say, it may be wrong: ages are reckoned from the later of them that is \
                not as far ahead of the other.
                """,
            options: [
                .value("older-than", "DURATION", .duration, "Also what is older than this")
            ] + OptionDescription.writing + [.json],
            examples: [
                ExampleDescription("prune --dry-run", "What would go, and why"),
                ExampleDescription("prune --older-than 7d --yes", "Forgets closed windows"),
            ])
    ) { invocation, context in
        let age = invocation.duration("older-than").map { Int64($0 / .milliseconds(1)) }
        func print(_ plan: [PruneCandidate], _ verb: String) throws {
            for candidate in plan {
                if invocation.format == .json {
                    try context.output.json([
                        "subject": .string(candidate.subject.rawValue),
                        "name": .string(candidate.name), "reason": .string(candidate.reason),
                    ])
                } else {
                    try context.output.line(
                        "\(verb)\(candidate.subject.words) \(candidate.name): \(candidate.reason)")
                }
            }
            if plan.isEmpty {
                try context.note("nothing to prune")
            }
        }
        return try context.edit(invocation, reason: "prune") { store in
            try store.pruningPlan(olderThan: age)
        } show: { plan in
            try print(plan, "would remove ")
        } question: { plan in
            guard !plan.isEmpty else {
                try print(plan, "")
                return nil
            }
            let sessions = plan.count { $0.subject == .closedSession }
            var text: TerminalText = "Prune \(NumberText.counted(plan.count, "entry", "entries"))"
            if sessions > 0 {
                text.append(", \(NumberText.counted(sessions, "discarded session")) among them")
            }
            text.append("?")
            return text
        } act: { store, _ in
            try print(try store.prune(olderThan: age), "removed ")
        }
    }
}

extension PruneCandidate.Subject {
    /// The words for people.
    var words: String {
        switch self {
        case .closedSession: "discarded session"
        case .discard: "tombstone of"
        case .launch: "launch"
        }
    }
}
