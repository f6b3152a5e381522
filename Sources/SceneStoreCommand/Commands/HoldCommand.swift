import SceneStore

extension Command {
    /// `hold SESSION…`.
    static let hold = holding(
        true,
        CommandDescription(
            name: "hold", group: .keepSafe,
            summary: "Keep sessions open without connecting them by themselves",
            discussion: """
                A held session stays open and keeps its state; the app shows it when it asks for \
                it. 'release' ends that.
                """,
            arguments: [
                ArgumentDescription("SESSION", .session, "The sessions", count: .oneOrMore)
            ],
            options: OptionDescription.writing,
            examples: [ExampleDescription("hold @last --yes", "Holds the newest session")]))

    /// What `hold` and `release` share.
    static func holding(_ isHeld: Bool, _ description: CommandDescription) -> Command {
        let verb = description.name
        let done = isHeld ? "held" : "released"
        return Command(description) { invocation, context in
            try context.edit(invocation, reason: verb) { store in
                let sessions = try EditedSession.named(
                    by: invocation.arguments("SESSION"), in: store)
                if let closed = sessions.first(where: { !$0.isOpen }) {
                    throw CommandError(
                        .answeredNo, "session \(closed.identifier.quotedForError) is discarded",
                        hint: "'scenestore reopen' brings it back")
                }
                return sessions
            } show: { sessions in
                try context.say("would \(verb)", sessions, invocation)
            } question: { sessions in
                let count = NumberText.counted(sessions.count, "session")
                return isHeld
                    ? "Hold \(count)? The next launch does not connect them."
                    : "Release \(count) and forget their crashes?"
            } act: { store, sessions in
                for session in sessions {
                    try store.setHeld(isHeld, key: session.key)
                }
                try context.say(done, sessions, invocation)
            }
        }
    }
}
