import SceneStore

enum ShortcutCommand {
    /// `shortcut TYPE`.
    static let command = Command(
        CommandDescription(
            name: "shortcut", group: .ask,
            summary: "Have the running app perform a quick action",
            discussion: LiveDelivery.discussion,
            arguments: [ArgumentDescription("TYPE", .text, "The action's type")],
            options: [.target, .json],
            examples: [
                ExampleDescription(
                    "shortcut com.example.new-note", "Makes a new note; here no app runs",
                    exits: .noStore)
            ])
    ) { invocation, context in
        let item = ShortcutItem(
            type: try invocation.requiredArgument("TYPE"),
            targetContentIdentifier: invocation.text("target"))
        return try LiveDelivery(invocation, context).deliver(.shortcut(item))
    }
}
