import SceneStore

extension Command {
    /// `compact`.
    static let compact = Command(
        CommandDescription(
            name: "compact", group: .keepSafe,
            summary: "Give the room of what was removed back to the file system",
            discussion: """
                Writes the file anew and empties the log. Erased content that still stands in the \
                log goes with it. Nothing that is stored changes.
                """,
            options: OptionDescription.writing,
            examples: [ExampleDescription("compact --yes", "Makes the file as small as it can be")])
    ) { invocation, context in
        try context.edit(invocation, reason: "compact") { store in
            try store.openCount()
        } show: { _ in
            try context.output.line("would write the file anew")
        } question: { _ in
            "Write the file anew? Nothing is lost."
        } act: { store, _ in
            let (before, after) = try store.compact()
            let pageSize: Int64 = 4_096
            try context.output.line(
                "\(NumberText.bytes(before * pageSize)) -> \(NumberText.bytes(after * pageSize))")
        }
    }
}
