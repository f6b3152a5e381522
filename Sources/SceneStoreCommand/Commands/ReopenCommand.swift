import SceneStore

extension Command {
    /// `reopen SESSION…`.
    static let reopen = Command(
        CommandDescription(
            name: "reopen", group: .keepSafe,
            summary: "Bring discarded sessions back with their state and place",
            discussion: """
                'sessions --state discarded' lists those that can still be had back.
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
        }
    }
}
