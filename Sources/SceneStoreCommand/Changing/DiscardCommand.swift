import SceneStore

enum DiscardCommand {
    /// `discard SESSION…`.
    static let command = Command(
        CommandDescription(
            name: "discard", group: .keepSafe, summary: "Discard sessions, as a user would",
            discussion: """
                A discarded session does not come back, and the app learns of the discard at its \
                next launch. For two weeks 'reopen' brings the session back. Until the app has \
                launched, 'undo' brings it back exactly as it was.
                """,
            arguments: [
                ArgumentDescription("SESSION", .session, "The sessions", count: .oneOrMore)
            ],
            options: OptionDescription.writing + [.json],
            examples: [
                ExampleDescription("discard @last --dry-run", "What would be discarded"),
                ExampleDescription("discard 3F25 --yes", "Discards one session"),
            ])
    ) { invocation, context in
        try context.edit(invocation, reason: "discard") { store in
            try EditedSession.named(
                by: invocation.arguments("SESSION"), in: store, invocation, context)
        } show: { sessions in
            try context.say(
                "discard", "would discard", sessions.filter(\.isOpen), isDone: false, invocation)
        } question: { sessions in
            try context.sayUnchanged(sessions.filter { !$0.isOpen }, "discarded")
            let open = sessions.filter(\.isOpen)
            return open.isEmpty ? nil : "Discard \(open.described(in: context))?"
        } act: { store, sessions in
            let open = sessions.filter(\.isOpen)
            try store.discard(open.map(\.key), cause: .user, deliveredNow: false)
            try context.say("discard", "discarded", open, invocation)
        }
    }
}
