import SceneStore
import SceneStoreExchange

enum MigrateCommand {
    /// `migrate`.
    static let command = Command(
        CommandDescription(
            name: "migrate", group: .keepSafe,
            summary: "Bring a store's schema up to date, or print what that would do",
            discussion: """
                The app does the same when it opens the store. A backup with the old schema is \
                always made first and kept in backups/. A migration can't be undone. To go back to \
                an older version of the app, put that backup in place by hand, because 'restore' \
                would migrate it: while no app runs, move scenes.sqlite, scenes.sqlite-wal and \
                scenes.sqlite-shm elsewhere, and copy the backup to scenes.sqlite.
                """,
            options: [
                .flag("plan", "Print what would happen and change nothing"),
                .value("to", "N", .integer(1...9_999), "The version; only the newest is possible"),
                .wait, .dryRun, .yes, .json,
            ],
            examples: [
                ExampleDescription("migrate --plan", "Which migrations are missing"),
                ExampleDescription("migrate --yes", "Runs them"),
            ])
    ) { invocation, context in
        let isRead = invocation.flag("plan") || invocation.flag("dry-run")
        let given = context.storePath(invocation)
        if !invocation.flag("plan") {
            try context.finishInterrupted(invocation)
        }
        let plan: MigrationPlan
        do {
            plan =
                isRead
                ? try context.migrationPlan(at: given)
                : try SceneSessionStore.migrationPlan(at: .container(path: given))
        } catch let error as SceneStoreError
            where ExitStatus(errorCode: error.code.rawValue) == .noStore || error.code == .corrupt
        {
            // As every other command says that there is no store, or what is left of it.
            try context.openStore(at: context.storePath(invocation)).close()
            throw error
        }
        if let wanted = invocation.integer("to"), wanted != plan.to {
            throw CommandError.usage(
                "this version brings a store to schema \(plan.to), not to \(wanted)",
                hint: "another version of scenestore may")
        }
        if invocation.format == .json {
            try context.output.json([
                "from": .integer(Int64(plan.from)), "to": .integer(Int64(plan.to)),
                "migrations": .array(plan.names.map { .string($0) }),
            ])
        } else {
            for name in plan.names {
                try context.output.line("\(name)")
            }
        }
        guard !plan.isNewer else {
            throw CommandError(
                .newerSchema,
                "the store has schema \(plan.from), this version knows up to \(plan.to)",
                hint: ExitStatus.newerSchema.hint)
        }
        guard !plan.names.isEmpty else {
            try context.note("schema \(plan.to) is up to date")
            return .done
        }
        guard !invocation.flag("plan") else {
            return .done
        }
        try context.refuseDamagedOlder(invocation)
        guard !invocation.flag("dry-run") else {
            return .done
        }
        try context.confirm(
            "Change schema \(plan.from) to \(plan.to)? Older versions of the app may not read it, and it can't be undone.",
            invocation)
        let before = try context.backups(invocation)
        try context.openEditor(invocation).close()
        try context.note("schema \(plan.from) -> \(plan.to); this can't be undone")
        for name in try context.backups(invocation).subtracting(before).sorted() {
            try context.note(
                TerminalText(
                    "the old schema: backups/\(name); for an older version of the app, move "
                        + "scenes.sqlite, scenes.sqlite-wal and scenes.sqlite-shm elsewhere "
                        + "while no app runs, and copy it to scenes.sqlite"))
        }
        return .done
    }
}

extension CommandContext {
    /// The names of the store's backups.
    fileprivate func backups(_ invocation: Invocation) throws -> Set<String> {
        let location = SceneSessionStore.Location.container(path: storePath(invocation))
        return Set(
            try ContainerExamination(of: location).backups.map(\.name)
                .filter { $0.hasSuffix(".sqlite") })
    }
}
