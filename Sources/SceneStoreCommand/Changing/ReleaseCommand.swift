import SceneStore
import SceneStoreExchange

enum ReleaseCommand {
    private static let description = CommandDescription(
        name: "release", group: .keepSafe,
        summary: "Let held sessions connect again, and payloads be delivered",
        discussion: """
            This also releases sessions that are held because the app died three times while \
            restoring them: their crash count starts at zero again. --payload releases a link or \
            another payload that is set aside because two processes died while they delivered \
            it; 'doctor' names its number.
            """,
        arguments: [
            ArgumentDescription("SESSION", .session, "The sessions", count: .zeroOrMore)
        ],
        options: [
            .value(
                "payload", "N", .integer(1...Int.max), "A payload that is set aside, by its number")
        ] + OptionDescription.writing + [.json],
        examples: [
            ExampleDescription("release @last --yes", "Releases a session"),
            ExampleDescription(
                "release --payload 1 --yes", "No payload of that number is set aside",
                exits: .noStore),
        ])

    /// `release SESSION…`.
    static let command = Command(description) { invocation, context in
        guard let number = invocation.integer("payload") else {
            return try HoldCommand.hold(false, invocation, context)
        }
        guard invocation.arguments("SESSION").isEmpty else {
            throw CommandError.usage("--payload takes no session", hint: "run 'release' twice")
        }
        return try release(Int64(number), invocation, context)
    }

    /// The next launch delivers a payload again that was set aside (L-65).
    private static func release(
        _ number: Int64, _ invocation: Invocation, _ context: CommandContext
    ) throws -> ExitStatus {
        func say(_ verb: String, isDone: Bool) throws {
            try context.say(
                "release", "\(verb) payload \(number)", isDone: isDone,
                [("payload", .integer(number))], invocation)
        }
        return try context.edit(invocation, reason: "release") { store in
            let items = try store.inbox.pending().filter(\.isSetAside)
            guard let item = items.first(where: { $0.id == number }) else {
                throw CommandError(
                    .noStore, "no payload \(number) is set aside",
                    hint: "\(context.advice("doctor", at: context.storePath(invocation))) names "
                        + "those that are")
            }
            return item.payload.noun
        } show: { _ in
            try say("would release", isDone: false)
        } question: { noun in
            "Release \(noun), payload \(number)? The next launch delivers it, and two processes died of it."
        } act: { store, _ in
            try store.inbox.release(number)
            try say("released", isDone: true)
        }
    }
}
