import SceneStore
import SceneStoreExchange

enum CheckoutCommand {
    /// `checkout SESSION@G`.
    static let command = Command(
        CommandDescription(
            name: "checkout", group: .keepSafe,
            summary: "Make an earlier state of a session its current one",
            discussion: """
                'history SESSION' lists the generations. The history stays as it is, so you can \
                check out the present state again.
                """,
            arguments: [
                ArgumentDescription("SESSION@G", .session, "The session and the generation")
            ],
            options: OptionDescription.writing + [.json],
            examples: [ExampleDescription("checkout 3F2A@812 --yes", "Goes back to one state")])
    ) { invocation, context in
        let word = try invocation.requiredArgument("SESSION@G")
        let parts = word.utf8.split(separator: 0x40, omittingEmptySubsequences: false)
        guard parts.count >= 2, let last = parts.last, let generation = Int64(String(last) ?? ""),
            let name = String(word.utf8.dropLast(last.count + 1))
        else {
            throw CommandError.usage(
                "\(word.quotedForError) must be SESSION@G, such as @last@12",
                hint: "'scenestore history SESSION' lists the generations")
        }
        return try context.edit(invocation, reason: "checkout") { store in
            let record = try context.session(name, in: store, invocation)
            guard
                let version = try store.history.versions(key: record.key).first(where: {
                    $0.generation == generation
                })
            else {
                throw CommandError(
                    .answeredNo, "the session has no state of generation \(generation)",
                    hint: context.advice(
                        "history \(CommandContext.quoted(record.identifier))",
                        at: context.storePath(invocation))
                        + " lists them")
            }
            return CheckoutPlan(
                session: try EditedSession(record, in: store), version: version,
                isDeclined: version.isWithheld && record.flags.withheldReason == .declined)
        } show: { plan in
            try context.say(
                "checkout",
                "would check out generation \(generation) of \(plan.session.identifier)",
                isDone: false, plan.members, invocation)
        } question: { plan in
            guard !plan.version.isCurrent || plan.version.isWithheld && !plan.isDeclined else {
                try context.note("generation \(generation) is the current state already")
                return nil
            }
            let name = context.spoken(plan.session.name)
            let age = TimeText.age(plan.version.context.savedAt, at: context.clock.now())
            return plan.version.isCurrent
                ? "Give \(name) its withheld state, which is \(age) old?"
                : "Replace the state of \(name) with one that is \(age) old? The present one stays in its history."
        } act: { store, plan in
            try store.history.checkout(key: plan.session.key, generation: generation)
            if plan.isDeclined {
                // The guard is asked again, as at every launch; until it takes the state, no command
                // calls it available.
                try store.history.withhold(key: plan.session.key, .declined)
                try context.note("the app's guard refused this state before, and is asked again")
            }
            try context.say(
                "checkout", "checked out generation \(generation) of \(plan.session.identifier)",
                plan.members, invocation)
        }
    }
}

private struct CheckoutPlan: Equatable, NamesSessions {
    var session: EditedSession
    var version: StateVersion
    /// Whether the app's guard refused the state.
    var isDeclined: Bool

    var sessionIdentifiers: [String] { [session.identifier] }

    /// The plan for programs.
    var members: [CanonicalJSON.Object.Member] {
        [
            ("session", .string(session.identifier)),
            ("generation", .integer(version.generation)),
        ]
    }
}
