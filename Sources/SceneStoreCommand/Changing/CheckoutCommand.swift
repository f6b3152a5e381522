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
                check out the present state again. The app's guard may refuse a state that an \
                earlier version saved, also after a checkout.
                """,
            arguments: [
                ArgumentDescription(
                    "SESSION@G", .session, "The session and the generation", count: .optional)
            ],
            options: [
                .flag("lost", "Every session whose last state was lost: its newest earlier one")
            ] + OptionDescription.writing + [.json],
            examples: [
                ExampleDescription("checkout 3F2A@812 --yes", "Goes back to one state"),
                ExampleDescription("checkout --lost --dry-run", "After a repair"),
            ])
    ) { invocation, context in
        guard !invocation.flag("lost") else {
            guard invocation.arguments("SESSION@G").isEmpty else {
                throw CommandError.usage("--lost takes no session")
            }
            return try checkOutLost(invocation, context)
        }
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
            try plan.say(context, invocation)
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
            try plan.say(context, invocation, doneIn: store)
        }
    }
}

extension CheckoutCommand {
    /// Gives the app the newest earlier states of all sessions whose last ones were lost.
    private static func checkOutLost(
        _ invocation: Invocation, _ context: CommandContext
    ) throws -> ExitStatus {
        return try context.edit(invocation, reason: "checkout") { store in
            try store.openRecords().filter { $0.flags.withheldReason == .lost }.compactMap {
                record in
                try store.history.versions(key: record.key).first(where: \.isCurrent).map {
                    CheckoutPlan(
                        session: try EditedSession(record, in: store), version: $0,
                        isDeclined: false)
                }
            }
        } show: { plans in
            for plan in plans {
                try plan.say(context, invocation)
            }
        } question: { plans in
            guard !plans.isEmpty else {
                try context.note("no session has an earlier state in the place of a lost one")
                return nil
            }
            return
                "Give \(NumberText.counted(plans.count, "session")) the newest earlier state, because the last one was lost?"
        } act: { store, plans in
            for plan in plans {
                try store.history.checkout(
                    key: plan.session.key, generation: plan.version.generation)
            }
            for plan in plans {
                try plan.say(context, invocation, doneIn: store)
            }
        }
    }
}

private struct CheckoutPlan: Equatable, NamesSessions {
    var session: EditedSession
    var version: StateVersion
    /// Whether the app's guard refused the state.
    var isDeclined: Bool

    var sessionIdentifiers: [String] { [session.identifier] }

    /// Says which state of which window is checked out, and when it was saved.
    ///
    /// - Parameter store: Where it was done; nil if it would be. With the state the window may have
    ///   another title.
    func say(
        _ context: CommandContext, _ invocation: Invocation, doneIn store: SceneSessionStore? = nil
    ) throws {
        let name = try store?.name(of: session.identifier) ?? session.name
        try context.say(
            "checkout",
            "\(store == nil ? "would check" : "checked") out generation \(version.generation), saved at \(TimeText.spoken(version.context.savedAt)), of \(context.titled(session.identifier, name))",
            isDone: store != nil,
            [
                ("session", .string(session.identifier)),
                ("generation", .integer(version.generation)),
                ("saved", .time(version.context.savedAt)),
            ], invocation)
    }
}
