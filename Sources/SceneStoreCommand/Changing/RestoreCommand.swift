#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange

enum RestoreCommand {
    /// `restore FILE`.
    static let command = Command(
        CommandDescription(
            name: "restore", group: .keepSafe,
            summary: "Put a backup into the place of a store",
            discussion: """
                Checks the whole backup before anything changes. The present store is kept in \
                quarantine/, where 'undo' finds it; with --no-backup it is removed.

                The command migrates a backup that has an older schema. An older version of the \
                app can't open a migrated store. For such a version, copy the backup by hand: \
                while no app runs, move scenes.sqlite, scenes.sqlite-wal and scenes.sqlite-shm \
                elsewhere, and copy the backup to scenes.sqlite.
                """,
            arguments: [
                ArgumentDescription("FILE", .file(endings: ["sqlite"]), "The backup")
            ],
            options: [
                .value("to", "DIR", .directory, "The container; else that of --store")
            ] + OptionDescription.writing + [.json],
            examples: [
                ExampleDescription("restore yesterday.sqlite --yes", "Brings a backup back")
            ])
    ) { invocation, context in
        let file = context.absolutePath(try invocation.requiredArgument("FILE"))
        let path = context.storePath(given: invocation.text("to") ?? invocation.text("store"))
        let bar = Progress("restore", invocation, context)
        defer { bar.finish() }
        let options = context.editorOptions(invocation, telling: bar)
        let backup: (openSessions: Int, hasChecksum: Bool)
        do {
            backup = try StoreBackup.inspect(at: file, options: options)
        } catch let error as SceneStoreError where error.code == .missing {
            throw CommandError.usage("cannot read \(file.quotedPath): \(error.message)")
        } catch let error as SceneStoreError where error.code == .notAStore {
            throw CommandError.usage("\(file.quotedPath) is not a backup: \(error.message)")
        } catch let error as SceneStoreError where error.code == .orphanedWAL {
            throw CommandError.usage(
                "\(file.quotedPath) is a store in use, not a backup: a write-ahead log is beside it",
                hint: "\(context.advice("backup -o FILE", at: file)) makes a backup of it")
        } catch let error as SceneStoreError
            where ExitStatus(errorCode: error.code.rawValue) == .damaged
        {
            throw CommandError(
                .damaged, error.description,
                hint: "'scenestore salvage \(CommandContext.quoted(file)) -o DIR' saves the rest "
                    + "of it")
        }
        bar.finish()
        if !backup.hasChecksum {
            try context.note("the backup has no checksum file; its rows were checked")
        }
        let what = NumberText.counted(backup.openSessions, "session")
        let members: [CanonicalJSON.Object.Member] = [
            ("counts", ["sessions": .count(backup.openSessions)])
        ]
        if invocation.flag("dry-run") {
            try context.say(
                "restore", "would restore \(what)", isDone: false, members, invocation)
            return .done
        }
        try context.finishInterrupted(invocation, at: path)
        try context.confirm(
            "Replace \(try context.presentSessions(at: path)) by a backup of \(what)?", invocation)
        var change = try context.changeOfUnknown("restore", at: path)
        let name = try context.replacing(change) {
            try SceneSessionStore.restore(
                from: file, to: .container(path: path), options: options,
                keepsOld: !invocation.flag("no-backup"))
        }
        bar.finish()
        change.setAside = name.map { "quarantine/\($0).sqlite" }
        let failure = try context.outputFailure {
            try context.say("restore", "restored \(what)", members, invocation)
            if let setAside = change.setAside {
                try context.note("the old store: \(setAside)")
            }
        }
        try context.endChange(change, invocation)
        if let failure {
            throw failure
        }
        return .done
    }
}

extension CommandContext {
    /// The beginning of a change of a store that may be damaged or missing.
    fileprivate func changeOfUnknown(_ reason: String, at path: String) throws -> StoreChange {
        var change: StoreChange
        do {
            let store = try openStore(at: path)
            defer { try? store.close() }
            change = try StoreChange(reason: reason, path: path, in: store)
        } catch is CommandError {
            change = try StoreChange(reason: reason, path: path, in: nil)
        } catch is SceneStoreError {
            change = try StoreChange(reason: reason, path: path, in: nil)
        }
        if FileManager.default.fileExists(atPath: StorePlace(path).file) {
            try begin(&change)
        }
        return change
    }

    /// Puts another store into the place of one; what fails has left it there.
    func replacing<Result>(
        _ change: StoreChange?, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch {
            do {
                if let change {
                    try withdraw(change)
                }
            } catch is SceneStoreError {
                // It stays noted as begun, which keeps nobody from anything.
            }
            throw error
        }
    }

    /// What would be lost at a place, for the question; also of a store that does not open.
    func presentSessions(at path: String) throws -> TerminalText {
        do {
            let store = try openStore(at: path)
            defer { try? store.close() }
            return try EditedSession.allOpen(in: store).loss(at: clock.now())
        } catch let error as CommandError where error.status == .noStore {
            return "nothing"
        } catch let error as CommandError where error.status == .damaged {
            return "a damaged store"
        } catch let error as SceneStoreError {
            let damaged: [SceneStoreError.Code] = [.corrupt, .schemaTampered, .orphanedWAL]
            guard damaged.contains(error.code) else {
                throw error
            }
            return "a damaged store"
        }
    }
}
