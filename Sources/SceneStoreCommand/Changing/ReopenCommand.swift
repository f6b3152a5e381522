import SceneStore
import SceneStoreEngine
import SceneStoreExchange

enum ReopenCommand {
    /// `reopen SESSION…`.
    static let command = Command(
        CommandDescription(
            name: "reopen", group: .keepSafe,
            summary: "Bring discarded or parked sessions back with their state and place",
            discussion: """
                'sessions --all' lists those that can be reopened. A reopened session is open at \
                once and in front, so that the next launch connects it; the command prints \
                whether it does. In an app of one window it takes the place of the other one.
                """,
            arguments: [
                ArgumentDescription("SESSION", .session, "The sessions", count: .oneOrMore)
            ],
            options: OptionDescription.writing + [.json],
            examples: [ExampleDescription("reopen 9C41 --yes", "Brings one session back")])
    ) { invocation, context in
        try context.edit(invocation, reason: "reopen") { store in
            try EditedSession.named(
                by: invocation.arguments("SESSION"), in: store, invocation, context
            ).markingParked(in: store)
        } show: { sessions in
            try context.say(
                "reopen", "would reopen", sessions.filter(\.isGone), isDone: false, invocation)
        } question: { sessions in
            try context.sayUnchanged(sessions.filter { !$0.isGone }, "open")
            let gone = sessions.filter(\.isGone)
            return gone.isEmpty ? nil : "Reopen \(gone.described(in: context))?"
        } act: { store, sessions in
            let gone = sessions.filter(\.isGone)
            try store.discards.reopen(
                gone.map { SceneSession.ID($0.identifier) }, .remembered(by: store))
            try context.say("reopen", "reopened", gone, invocation)
            try context.noteReturn(of: gone, in: store)
        }
    }
}

extension [EditedSession] {
    /// Also those count as parked that the next launch parks.
    fileprivate func markingParked(in store: SceneSessionStore) throws -> Self {
        let plan = try LaunchPlan(reading: store, options: .remembered(by: store))
        return try map { session in
            var session = session
            if let record = try store.record(identifier: session.identifier) {
                session.isParked = session.isParked || plan.outlook(for: record).obstacle == .parked
            }
            return session
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
            let verdict = plan.outlook(for: record)
            try note(
                verdict.connects
                    ? "the next launch connects \(session.identifier): \(verdict.reason)"
                    : verdict.obstacle == .parked
                        ? "\(session.identifier) stays parked: \(verdict.reason)"
                        : "\(session.identifier) waits until the app activates it: \(verdict.reason)"
            )
        }
    }
}
