import SceneStore
import SceneStoreExchange
import SceneStoreRecovery

enum SalvageCommand {
    /// `salvage FILE -o DIR`.
    static let command = Command(
        CommandDescription(
            name: "salvage", group: .keepSafe,
            summary: "Salvage sessions from a damaged file into a new store",
            discussion: """
                Reads the bytes of the file and of its write-ahead log (FILE-wal), and changes neither. \
                A row counts if its checksum is right. If there are two versions of a row, the later \
                one counts. Discarded sessions stay discarded. --backup fills in what is missing.

                Prints what came back and what did not, and exits with 1 when anything was lost.
                """,
            arguments: [
                ArgumentDescription(
                    "FILE", .file(endings: ["sqlite"]), "A damaged store, or one in quarantine/")
            ],
            options: [
                .value(
                    "output", letter: "o", "DIR", .directory,
                    "The new container; it must hold no store"),
                .value(
                    "backup", "FILE", .file(endings: ["sqlite"]),
                    "A backup of the same store", isRepeatable: true),
                .json,
            ],
            examples: [
                ExampleDescription(
                    "salvage broken.sqlite -o rescued", "Builds a store of what can be read")
            ])
    ) { invocation, context in
        let file = context.absolutePath(try invocation.requiredArgument("FILE"))
        guard let directory = invocation.text("output") else {
            throw CommandError.usage("salvage needs -o DIR, a place for the new store")
        }
        var options = SceneSessionStore.Options()
        options.clock = context.clock.now
        let backups = invocation.texts("backup").map { context.absolutePath($0) }
        let report: SalvageReport
        let bar = Progress("salvage", invocation, context)
        defer { bar.finish() }
        let observer = bar.observer
        do {
            report = try SceneSessionStore.salvage(
                from: file, to: context.absolutePath(directory),
                backups: backups, options: options
            ) { done, total in
                observer(WorkProgress("carving", .pages, done: done, total: total))
            }
            bar.finish()
        } catch let error as SceneStoreError where error.code == .missing {
            let missing = backups.first { $0 == error.path } ?? file
            throw CommandError.usage("cannot read \(missing.quotedPath): \(error.message)")
        } catch let error as SceneStoreError where error.code == .notAStore {
            let other = backups.first { $0 == error.path } ?? file
            throw CommandError.usage("\(other.quotedPath) is not a store: \(error.message)")
        }
        try context.write(report, of: context.absolutePath(directory), invocation)
        if invocation.format == .text {
            let others = backups.count - report.backups
            if others > 0 {
                try context.note(
                    "\(NumberText.counted(others, "backup")) of another store: not used")
            }
        }
        return report.isComplete ? .done : .answeredNo
    }
}
