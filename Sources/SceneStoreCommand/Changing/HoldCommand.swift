import SceneStore

enum HoldCommand {
    /// `hold SESSION…`.
    static let command = Command(
        CommandDescription(
            name: "hold", group: .keepSafe,
            summary: "Keep sessions open, but don't connect them at launch",
            discussion: """
                A held session stays open and keeps its state, but no launch connects it. If the \
                app activates it, its window opens without the state. 'release' ends the hold.
                """,
            arguments: [
                ArgumentDescription("SESSION", .session, "The sessions", count: .oneOrMore)
            ],
            options: OptionDescription.writing + [.json],
            examples: [ExampleDescription("hold @last --yes", "Holds the newest session")])
    ) { invocation, context in try hold(true, invocation, context) }

    /// What `hold` and `release` share.
    static func hold(
        _ isHeld: Bool, _ invocation: Invocation, _ context: CommandContext
    ) throws -> ExitStatus {
        let verb = isHeld ? "hold" : "release"
        let done = isHeld ? "held" : "released"
        guard let first = invocation.arguments("SESSION").first, !first.isEmpty else {
            throw invocation.missing("SESSION")
        }
        return try context.edit(invocation, reason: verb) { store in
            let sessions = try EditedSession.named(
                by: invocation.arguments("SESSION"), in: store, invocation, context)
            if let closed = sessions.first(where: { !$0.isOpen }) {
                throw CommandError(
                    .answeredNo, "\(context.spoken(closed.name)) is discarded",
                    hint: context.advice(
                        "reopen \(CommandContext.quoted(closed.identifier))",
                        at: context.storePath(invocation))
                        + " brings it back")
            }
            return sessions
        } show: { sessions in
            try context.say(
                verb, "would \(verb)", sessions.filter { $0.isHeld != isHeld }, isDone: false,
                invocation)
        } question: { sessions in
            try context.sayUnchanged(
                sessions.filter { $0.isHeld == isHeld }, isHeld ? "held" : "free")
            let changed = sessions.filter { $0.isHeld != isHeld }
            let text = changed.described(in: context)
            return changed.isEmpty
                ? nil
                : isHeld
                    ? "Hold \(text)? The next launch does not connect what is held."
                    : "Release \(text), and forget the crashes that held it?"
        } act: { store, sessions in
            let changed = sessions.filter { $0.isHeld != isHeld }
            for session in changed {
                try store.marks.setHeld(isHeld, key: session.key, isRunning: false)
            }
            try context.say(verb, done, changed, invocation)
        }
    }
}
