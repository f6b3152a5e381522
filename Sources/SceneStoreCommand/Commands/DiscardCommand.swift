import SceneStore

extension Command {
    /// `discard SESSION…`.
    static let discard = Command(
        CommandDescription(
            name: "discard", group: .keepSafe, summary: "Discard sessions, as a user would",
            discussion: """
                A discarded session does not come back. The app is told at its next launch. Until \
                then, and for two weeks, 'reopen' brings it back as it was.
                """,
            arguments: [
                ArgumentDescription("SESSION", .session, "The sessions", count: .oneOrMore)
            ],
            options: OptionDescription.writing,
            examples: [
                ExampleDescription("discard @last --dry-run", "What would be discarded"),
                ExampleDescription("discard 3F25 --yes", "Discards one session"),
            ])
    ) { invocation, context in
        try context.edit(invocation, reason: "discard") { store in
            let sessions = try EditedSession.named(
                by: invocation.arguments("SESSION"), in: store)
            if let closed = sessions.first(where: { !$0.isOpen }) {
                throw CommandError(
                    .answeredNo, "session \(closed.identifier.quotedForError) is discarded already")
            }
            return sessions
        } show: { sessions in
            try context.say("would discard", sessions, invocation)
        } question: { sessions in
            "Discard \(sessions.loss(at: context.clock.now()))?"
        } act: { store, sessions in
            try store.discard(sessions.map(\.key), cause: .user, deliveredNow: false)
            try context.say("discarded", sessions, invocation)
        }
    }
}
