import SceneStore
import SceneStoreExchange

enum PruneCommand {
    /// `prune`.
    static let command = Command(
        CommandDescription(
            name: "prune", group: .keepSafe,
            summary: "Remove what the store keeps only for a time, and print why",
            discussion: """
                Removes discarded sessions that can no longer be reopened, records of discards \
                that the app has learned of, and old launches. It never removes a session that is \
                open, pinned or held. The app does the same when it is idle. --older-than also \
                removes what the app would keep longer. It keeps the windows that were closed \
                last; 'forget' removes one of those.

                If the clock looks more than 30 days fast, the command measures ages from the last \
                launch with a plausible time.
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
        func print(_ plan: [PruneCandidate], _ verb: String, isDone: Bool = true) throws {
            for candidate in plan {
                if invocation.format == .json {
                    try context.output.json([
                        "action": "prune", "done": .boolean(isDone),
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
            try store.upkeep.pruningPlan(olderThan: age)
        } show: { plan in
            try print(plan, "would remove ", isDone: false)
        } question: { plan in
            guard !plan.isEmpty else {
                try print(plan, "")
                return nil
            }
            // The question names the loss.
            var names = plan.prefix(5).map { "\($0.subject.words) \($0.name)" }
            if plan.count > names.count {
                names.append("\(NumberText.grouped(plan.count - names.count)) more")
            }
            return
                "Prune \(NumberText.counted(plan.count, "entry", "entries")): \(names.listed(with: "and"))?"
        } act: { store, _ in
            try print(try store.upkeep.prune(olderThan: age), "removed ")
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
