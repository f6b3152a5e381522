import SceneStore
import SceneStoreEngine
import SceneStoreExchange

enum ReopenCommand {
    /// `reopen SESSION…`.
    static let command = Command(
        CommandDescription(
            name: "reopen", group: .keepSafe,
            summary: "Bring discarded sessions back with their state and place",
            discussion: """
                'sessions --state discarded' lists those that can be reopened. A reopened session \
                is open at once and in front, so that the next launch connects it; the command \
                prints whether it does.
                """,
            arguments: [
                ArgumentDescription("SESSION", .session, "The sessions", count: .oneOrMore)
            ],
            options: OptionDescription.writing + [.json],
            examples: [ExampleDescription("reopen 9C41 --yes", "Brings one session back")])
    ) { invocation, context in
        try context.edit(invocation, reason: "reopen") { store in
            try EditedSession.named(
                by: invocation.arguments("SESSION"), in: store, invocation, context)
        } show: { sessions in
            try context.say(
                "reopen", "would reopen", sessions.filter { !$0.isOpen }, isDone: false,
                invocation)
        } question: { sessions in
            try context.sayUnchanged(sessions.filter(\.isOpen), "open")
            let closed = sessions.filter { !$0.isOpen }
            return closed.isEmpty ? nil : "Reopen \(closed.described(in: context))?"
        } act: { store, sessions in
            let closed = sessions.filter { !$0.isOpen }
            _ = try store.discards.reopen(
                identifiers: closed.map { SceneSession.ID($0.identifier) }, inFront: true)
            try context.say("reopen", "reopened", closed, invocation)
            try context.noteReturn(of: closed, in: store)
        }
    }
}

extension CommandContext {
    /// Says when windows come back: whoever reopens one looks for it at the next launch.
    fileprivate func noteReturn(
        of sessions: [EditedSession], in store: SceneSessionStore
    ) throws {
        let plan = try LaunchPlan(reading: store, options: .remembered(by: store))
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
