import SceneStore
import SceneStoreExchange

extension Command {
    /// `restore FILE`.
    static let restore = Command(
        CommandDescription(
            name: "restore", group: .keepSafe,
            summary: "Put a backup into the place of a store",
            discussion: """
                The backup is looked at from end to end before anything changes. The store that is \
                there is set aside whole in quarantine/, or removed with --no-backup.
                """,
            arguments: [
                ArgumentDescription("FILE", .file(endings: ["sqlite"]), "The backup")
            ],
            options: [
                .value("to", "DIR", .directory, "The container; else that of --store")
            ] + OptionDescription.writing,
            examples: [
                ExampleDescription("restore yesterday.sqlite --yes", "Brings a backup back")
            ])
    ) { invocation, context in
        let file = context.absolutePath(try invocation.requiredArgument("FILE"))
        let path =
            invocation.text("to").map { context.absolutePath($0) }
            ?? context.storePath(invocation)
        let bar = Progress("restore", invocation, context)
        defer { bar.finish() }
        let options = context.editorOptions(invocation, telling: bar)
        let backup: (openSessions: Int, hasChecksum: Bool)
        do {
            backup = try SceneSessionStore.inspectBackup(at: file, options: options)
        } catch let error as SceneStoreError where error.code == .missing {
            throw CommandError.usage("cannot read \(file.quotedPath): \(error.message)")
        }
        bar.finish()
        if !backup.hasChecksum {
            try context.note("no checksum lies beside the backup; its rows prove themselves")
        }
        let what = NumberText.counted(backup.openSessions, "session")
        if invocation.flag("dry-run") {
            try context.output.line("would restore \(what)")
            return .done
        }
        try context.finishInterrupted(invocation, at: path)
        try context.confirm(
            "Replace \(try context.presentSessions(at: path)) by a backup of \(what)?", invocation)
        let name = try SceneSessionStore.restore(
            from: file, to: .container(path: path), options: options,
            keepsOld: !invocation.flag("no-backup"))
        bar.finish()
        try context.output.line("restored \(what)")
        if let name {
            try context.note("the old store: quarantine/\(name).sqlite")
        }
        return .done
    }
}

extension CommandContext {
    /// What would be lost at a place, for the question; also of a store that does not open.
    func presentSessions(at path: String) throws -> TerminalText {
        do {
            let store = try openStore(at: path)
            defer { try? store.close() }
            return try store.openRecords().map { EditedSession($0) }.loss(at: clock.now())
        } catch let error as CommandError where error.status == .noStore {
            return "nothing"
        } catch let error as SceneStoreError {
            let damaged: [SceneStoreError.Code] = [.corrupt, .schemaTampered, .orphanedWAL]
            guard damaged.contains(error.code) else {
                throw error
            }
            return "a damaged store"
        }
    }
}
