import SceneStore
import SceneStoreEngine

extension Command {
    /// `reopen SESSION…`.
    static let reopen = Command(
        CommandDescription(
            name: "reopen", group: .keepSafe,
            summary: "Bring discarded sessions back with their state and place",
            discussion: """
                'sessions --state discarded' lists those that can still be had back. A session \
                that is reopened is open again at once; whether the next launch connects it by \
                itself, or waits until it is activated, is said with it.
                """,
            arguments: [
                ArgumentDescription("SESSION", .session, "The sessions", count: .oneOrMore)
            ],
            options: OptionDescription.writing,
            examples: [ExampleDescription("reopen 9C41 --yes", "Brings one session back")])
    ) { invocation, context in
        try context.edit(invocation, reason: "reopen") { store in
            let sessions = try EditedSession.named(
                by: invocation.arguments("SESSION"), in: store)
            if let open = sessions.first(where: \.isOpen) {
                throw CommandError(
                    .answeredNo, "session \(open.identifier.quotedForError) is open")
            }
            return sessions
        } show: { sessions in
            try context.say("would reopen", sessions, invocation)
        } question: { sessions in
            "Reopen \(NumberText.counted(sessions.count, "session"))?"
        } act: { store, sessions in
            for session in sessions {
                _ = try store.reopen(identifier: session.identifier)
            }
            try context.say("reopened", sessions, invocation)
            try context.noteReturn(of: sessions, in: store)
        }
    }
}

extension CommandContext {
    /// Says when windows come back: whoever reopens one looks for it at the next launch.
    fileprivate func noteReturn(
        of sessions: [EditedSession], in store: SceneSessionStore
    ) throws {
        let plan = try LaunchPlan(reading: store, options: .ofUnknownApp)
        for session in sessions {
            guard let record = try store.record(identifier: session.identifier) else {
                continue
            }
            let verdict = plan.verdict(for: record)
            try note(
                verdict.connects
                    ? "the next launch connects \(session.identifier): \(verdict.reason)"
                    : "\(session.identifier) waits until the app activates it: \(verdict.reason)")
        }
    }
}
