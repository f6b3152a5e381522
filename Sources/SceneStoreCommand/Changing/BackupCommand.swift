import SceneStore

enum BackupCommand {
    /// `backup`.
    static let command = Command(
        CommandDescription(
            name: "backup", group: .keepSafe,
            summary: "Copy a store into one file, even while the app runs",
            discussion: """
                The copy is consistent and has a checksum beside it (FILE.xxh64, for 'xxhsum -c'). \
                Without -o it goes into the container's folder backups/, where it stays. An \
                existing file is overwritten only with --force.

                The store is checked first. A damaged one is copied if SQLite can still read its \
                pages, and the exit status is 5 in either case. Commits that are lost with the \
                write-ahead log are told, and the copy is sound without them.
                """,
            options: [
                .output("The file", endings: ["sqlite"]), .force, .json,
            ],
            examples: [
                ExampleDescription("backup", "A backup in the container"),
                ExampleDescription("backup -o windows.sqlite", "A backup somewhere else"),
            ])
    ) { invocation, context in
        var damage: String?
        let made = try context.withFaithfulStore(invocation) { store -> StoreBackup? in
            // Commits that are out of reach are told anyway, and the copy is sound without them.
            damage = try store.verify().findings.first {
                $0.severity >= .warning && $0.code != .lostCommits
            }?.message
            if let path = invocation.text("output") {
                return try context.writing(to: path) {
                    try store.backUp(
                        to: context.absolutePath(path), replacing: invocation.flag("force"))
                }
            }
            return try store.backUp(before: nil)
        }
        guard let made else {
            throw CommandError(.noStore, "the store has no container")
        }
        if invocation.format == .json {
            try context.output.json([
                "path": .string(made.path), "bytes": .integer(made.byteCount),
                "checksum": .string(made.checksum),
            ])
        } else {
            try context.output.line(
                "\(made.checksum)  \(made.path)  \(NumberText.bytes(made.byteCount))")
        }
        if let damage {
            try context.note(
                "\("warning", .yellow): the store is damaged (\(damage)), and so is the backup: 'restore' refuses it, 'salvage' reads it"
            )
            return .damaged
        }
        return .done
    }
}
