import SceneStore
import SceneStoreExchange

enum ActivateCommand {
    /// `activate [SESSION]`.
    static let command = Command(
        CommandDescription(
            name: "activate", group: .ask,
            summary: "Bring a window of the running app forward",
            discussion: """
                Without SESSION the window in front comes forward, as when the app is started again. \
                A session without a window gets one. \(LiveDelivery.requirement)
                """,
            arguments: [
                ArgumentDescription("SESSION", .session, "The session", count: .optional)
            ],
            options: [.json],
            examples: [
                ExampleDescription(
                    "activate @last", "The window that was used last; here no app runs",
                    exits: .noStore)
            ])
    ) { invocation, context in
        guard let word = invocation.argument("SESSION") else {
            return try LiveDelivery(invocation, context).bringForward(nil)
        }
        let record = try context.withStore(invocation) { store in
            try SessionArgument(word).resolve(in: store)
        }
        return try LiveDelivery(invocation, context).bringForward(record.id)
    }
}
