import SceneStore
import SceneStoreExchange

enum CompactCommand {
    /// `compact`.
    static let command = Command(
        CommandDescription(
            name: "compact", group: .keepSafe,
            summary: "Make the store's file as small as it can be",
            discussion: """
                Rewrites the file and empties the write-ahead log. This also removes erased \
                content that is still in that log. The stored data doesn't change, so this command \
                needs no undo. You can still undo earlier changes.
                """,
            options: OptionDescription.writing + [.json],
            examples: [ExampleDescription("compact --yes", "Makes the file as small as it can be")])
    ) { invocation, context in
        try context.edit(invocation, reason: "compact", keepsContent: true) { store in
            try store.sessionMark()
        } show: { _ in
            try context.say("compact", "would rewrite the file", isDone: false, [], invocation)
        } question: { _ in
            "Rewrite the file? Nothing is lost."
        } act: { store, _ in
            let (before, after) = try store.upkeep.compact()
            let pageSize: Int64 = 4_096
            try context.say(
                "compact",
                "\(NumberText.bytes(before * pageSize)) -> \(NumberText.bytes(after * pageSize))",
                [
                    ("bytesBefore", .integer(before * pageSize)),
                    ("bytesAfter", .integer(after * pageSize)),
                ],
                invocation)
        }
    }
}
