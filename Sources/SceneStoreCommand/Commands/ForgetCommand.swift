import SceneStore
import SceneStoreExchange

extension Command {
    /// `forget SESSION…` and `forget --configurations`.
    static let forget = Command(
        CommandDescription(
            name: "forget", group: .keepSafe,
            summary: "Remove sessions without a discard, or the remembered configurations",
            discussion: """
                A forgotten session is gone with its history, and the app is not told.

                With --configurations the sessions stay and are made anew from the manifest at the \
                next launch, as after the first one.
                """,
            arguments: [
                ArgumentDescription("SESSION", .session, "The sessions", count: .zeroOrMore)
            ],
            options: [.flag("configurations", "Forget the remembered configurations")]
                + OptionDescription.writing,
            examples: [
                ExampleDescription("forget 3F25 --yes", "Removes one session"),
                ExampleDescription(
                    "forget --configurations --yes", "Lets the manifest decide again"),
            ],
            forms: ["SESSION…", "--configurations"])
    ) { invocation, context in
        let words = invocation.arguments("SESSION")
        guard invocation.flag("configurations") else {
            guard !words.isEmpty else {
                throw invocation.missing("SESSION")
            }
            return try context.edit(invocation, reason: "forget") { store in
                try EditedSession.named(by: words, in: store)
            } show: { sessions in
                try context.say("would forget", sessions, invocation)
            } question: { sessions in
                "Forget \(sessions.loss(at: context.clock.now())), with their history?"
            } act: { store, sessions in
                try store.forget(sessions.map(\.key))
                try context.say("forgot", sessions, invocation)
            }
        }
        guard words.isEmpty else {
            throw CommandError.usage("name sessions or --configurations, not both")
        }
        return try context.edit(invocation, reason: "forget") { store in
            try store.configurationsInUse().map(\.key)
        } show: { keys in
            try context.output.line(
                "would forget \(NumberText.counted(keys.count, "configuration"))")
        } question: { keys in
            "Forget \(NumberText.counted(keys.count, "configuration"))? The sessions stay."
        } act: { store, keys in
            try store.forgetConfigurations()
            try context.output.line(
                "forgot \(NumberText.counted(keys.count, "configuration"))")
        }
    }
}
