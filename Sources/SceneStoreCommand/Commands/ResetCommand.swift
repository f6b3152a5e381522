import SceneStore

extension Command {
    /// `reset`.
    static let reset = Command(
        CommandDescription(
            name: "reset", group: .keepSafe,
            summary: "Empty the store, as if the app had been deleted and installed again",
            discussion: """
                All sessions, open and recently closed, all states, payloads and saved activities \
                go in one step. The next launch is a first one. A backup is made first; 'restore' \
                brings it back.
                """,
            options: OptionDescription.writing,
            examples: [
                ExampleDescription("reset --dry-run", "What would be lost"),
                ExampleDescription("reset --yes", "Empties the store after a backup"),
            ])
    ) { invocation, context in
        try context.edit(invocation, reason: "reset") { store in
            ResetPlan(
                open: try store.openRecords().map { EditedSession($0) },
                closed: try store.recentlyClosed().count,
                activities: try store.savedActivities().count,
                payloads: try store.pendingInbox().count)
        } show: { plan in
            try context.output.line("would remove \(plan.text(at: context.clock.now()))")
        } question: { plan in
            "Reset the store? It loses \(plan.text(at: context.clock.now()))."
        } act: { store, plan in
            try store.reset()
            try context.output.line("removed \(plan.text(at: context.clock.now()))")
        }
    }
}

/// What a reset loses.
private struct ResetPlan: Equatable {
    var open: [EditedSession]
    var closed: Int
    var activities: Int
    var payloads: Int

    func text(at now: Int64) -> TerminalText {
        var text = open.loss(at: now)
        let rest = [
            (closed, "recently closed"), (activities, "saved activities"),
            (payloads, "waiting payloads"),
        ]
        for (count, name) in rest where count > 0 {
            text.append(", \(NumberText.grouped(count)) \(name)")
        }
        return text
    }
}
