import SceneStore

extension Command {
    /// `shortcut TYPE`.
    static let shortcut = Command(
        CommandDescription(
            name: "shortcut", group: .ask,
            summary: "Have the running app perform a quick action",
            discussion: """
                Prints which window took it, through which callbacks and why. The app has to listen: \
                it was started by SceneApplication.start(at:forwarding:).

                Exit status 1 when the app declines, 3 when no app runs.
                """,
            arguments: [ArgumentDescription("TYPE", .text, "The action's type")],
            options: [.target, .json],
            examples: [
                ExampleDescription(
                    "shortcut com.example.new-note", "A new note", exits: .noStore)
            ])
    ) { invocation, context in
        let item = ShortcutItem(
            type: try invocation.requiredArgument("TYPE"),
            targetContentIdentifier: invocation.text("target"))
        return try LiveDelivery(invocation, context).deliver(.shortcut(item))
    }
}
