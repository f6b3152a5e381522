import SceneStore
import SceneStoreExchange

enum ForgetCommand {
    /// `forget SESSION…` and `forget --configurations`.
    static let command = Command(
        CommandDescription(
            name: "forget", group: .keepSafe,
            summary: "Remove sessions without a discard, or the remembered configurations",
            discussion: """
                Removes the session and its history, and doesn't report a discard to the app. \
                'undo' brings the session back while the backup is there; --no-backup makes none. \
                The journal keeps what happened to the session, and when.

                With --configurations the sessions stay, and the next launch takes their \
                configurations from the manifest.
                """,
            arguments: [
                ArgumentDescription("SESSION", .session, "The sessions", count: .zeroOrMore)
            ],
            options: [.flag("configurations", "Forget the remembered configurations")]
                + OptionDescription.writing + [.json],
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
                try EditedSession.named(by: words, in: store, invocation, context)
            } show: { sessions in
                try context.say("forget", "would forget", sessions, isDone: false, invocation)
            } question: { sessions in
                "Forget \(sessions.described(in: context)), with the complete history?"
            } act: { store, sessions in
                try store.forget(sessions.map(\.key))
                try context.say("forget", "forgot", sessions, invocation)
                try context.note(
                    "the journal keeps when they were used; only 'scenestore reset --erase' removes that"
                )
            }
        }
        guard words.isEmpty else {
            throw CommandError.usage("name sessions or --configurations, not both")
        }
        return try context.edit(invocation, reason: "forget") { store in
            try store.configurations.inUse().map(\.key)
        } show: { keys in
            try context.say(
                "forget", "would forget \(NumberText.counted(keys.count, "configuration"))",
                isDone: false, [("counts", ["configurations": .count(keys.count)])], invocation)
        } question: { keys in
            guard !keys.isEmpty else {
                try context.note("no configuration is remembered; nothing to do")
                return nil
            }
            return "Forget \(NumberText.counted(keys.count, "configuration"))? The sessions stay."
        } act: { store, keys in
            try store.configurations.forget()
            try context.say(
                "forget", "forgot \(NumberText.counted(keys.count, "configuration"))",
                [("counts", ["configurations": .count(keys.count)])], invocation)
        }
    }
}
