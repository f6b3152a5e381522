import SceneStore
import SceneStoreExchange
import SceneStoreRecovery

enum UndoCommand {
    /// `operations`.
    static let operations = Command(
        CommandDescription(
            name: "operations", group: .keepSafe,
            summary: "List the changes that scenestore made to a store",
            discussion: """
                Each run of a command that writes is an operation with a number; 'undo' takes the \
                last one back. The newest hundred are listed. To undo an operation, scenestore \
                needs the copy of the store that it made beforehand. It keeps the newest twenty \
                copies for 30 days.

                scenestore records an operation before it changes anything. If the command is \
                killed, or can't record the end, the operation is 'unfinished'. 'undo' takes back \
                what an unfinished operation has changed, until the app has launched or something \
                else has changed the store.
                """,
            options: OptionDescription.table + [.json, .csv],
            columns: ["operation", "time", "command", "state", "sessions", "titles", "before"],
            examples: [
                ExampleDescription("operations", "What was changed, and what can be undone")
            ])
    ) { invocation, context in
        let place = StorePlace(context.storePath(invocation))
        guard !place.isLooseFile else {
            // A backup is of a container, and the operations are in that one.
            try context.findStore(at: place.path).close()
            try context.note("a single file has no operations; its container has them")
            return .done
        }
        let (operations, kept, warning) = try operations(of: place.path)
        var table = try TableWriter(
            [
                TableColumn("operation", "Number", alignment: .trailing, priority: 0),
                TableColumn("time", "When", priority: 2),
                TableColumn("command", "Command", priority: 0),
                TableColumn("state", "State", priority: 1),
                TableColumn("sessions", "Sessions", priority: 1, minimumWidth: 12),
                TableColumn("titles", "Titles", isForPrograms: true),
                TableColumn("before", "Store before", priority: 4, minimumWidth: 12),
            ], invocation, context)
        var names = OperationNames(context, at: place.path)
        defer { names.close() }
        for operation in operations.all.reversed() where !table.isFull {
            let before = operation.before.flatMap { kept.contains($0) ? $0 : nil }
            let names = try names.names(of: operation.sessions, before: before)
            try table.append([
                .integer(operation.number), .time(operation.time), .text(operation.command),
                .text(operation.state, operation.isUndone ? .dim : nil),
                .custom(
                    zip(operation.sessions, names).map { $1?.text ?? $0 }.joined(separator: ", "),
                    .array(operation.sessions.map { .string($0) })),
                .custom(
                    names.compactMap { $0?.title }.joined(separator: ", "),
                    .array(names.map { .text($0?.title) })),
                .text(before),
            ])
        }
        try table.finish(empty: "this command has changed nothing in this store")
        if let warning {
            try context.note("\("warning", .yellow): \(warning)")
        }
        return .done
    }

    /// What was changed, and the stores that are kept of earlier times; a folder without a store has
    /// operations only if one has been there.
    private static func operations(
        of path: String
    ) throws -> (StoreOperations, kept: Set<String>, warning: String?) {
        let location = SceneSessionStore.Location.container(path: path)
        do throws(SceneStoreError) {
            let operations = try StoreOperations(of: location)
            let found = try ContainerExamination(of: location, access: .inspector)
            if found.store != nil || found.log != nil || !operations.all.isEmpty {
                var warning: String?
                do {
                    _ = try ContainerExamination(of: location)
                } catch  where error.code == .permission {
                    warning = "\(error.message); only what it lists is read"
                }
                return (operations, StoreOperations.kept(of: found), warning)
            }
        } catch {
            guard error.code == .missing else {
                throw error
            }
        }
        throw CommandError(
            .noStore, "there is no store at \(path.quotedPath)", hint: ExitStatus.noStore.hint)
    }

    /// `undo [N]`, `undo --redo`.
    static let undo = Command(
        CommandDescription(
            name: "undo", group: .keepSafe,
            summary: "Take back the last change that scenestore made",
            discussion: """
                Puts back exactly what the store held before, and keeps what it holds now for \
                'undo --redo', which repeats the change that was undone last, and called again the \
                one that was undone before it. After any new change to the store there is nothing to \
                redo.

                If the app or a later operation has changed other sessions since, those changes \
                stay. If one of them has changed the same sessions, 'undo' lists the changes and \
                does nothing.

                These commands change the whole store: 'prune', 'reset', 'restore', 'repair', \
                'simulate --in-place', and 'import', if the file has more than sessions. They can \
                be undone only while nothing else has changed. After that, 'undo' lists what has changed, and names the copy of \
                the store that 'restore' can put back without those changes.
                """,
            arguments: [
                ArgumentDescription(
                    "N", .integer(1...999_999_999), "The operation; else the last one",
                    count: .optional)
            ],
            options: [
                .flag("redo", "Repeat the change that was undone last"), .wait, .dryRun, .yes,
                .json,
            ],
            examples: [
                ExampleDescription("undo --dry-run", "What would be taken back"),
                ExampleDescription("undo --yes", "Takes the last change back"),
                ExampleDescription("undo --redo --yes", "Makes it again"),
            ])
    ) { invocation, context in
        let isUndo = !invocation.flag("redo")
        guard isUndo || invocation.argument("N") == nil else {
            throw CommandError.usage("--redo takes no operation")
        }
        return try OperationTurn(invocation, context, isUndo: isUndo).run()
    }
}

/// The names of the sessions of operations: of those that are gone, from the store before.
private struct OperationNames {
    private let context: CommandContext
    private let path: String
    private let store: SceneSessionStore?
    private var known: SessionNames?

    init(_ context: CommandContext, at path: String) {
        self.context = context
        self.path = path
        // A store that can't be read has operations all the same.
        store = try? context.openStore(at: path)
        known = store.map { SessionNames($0) }
    }

    /// Returns the name of each session, in the same order.
    ///
    /// - Parameter before: Where the store before the operation is, below the container.
    mutating func names(of sessions: [String], before: String?) throws -> [SessionName?] {
        var names = try sessions.map { try known?.name(of: $0) }
        guard names.contains(where: { $0 == nil }), let before,
            let earlier = try? context.findStore(at: "\(path)/\(before)")
        else {
            return names
        }
        defer { earlier.close() }
        for (place, session) in sessions.enumerated() where names[place] == nil {
            names[place] = try earlier.store.name(of: session)
        }
        return names
    }

    func close() {
        try? store?.close()
    }
}

extension StoreOperation {
    /// How far it is, in a word.
    fileprivate var state: String {
        isPending ? "unfinished" : isUndone ? "undone" : "done"
    }
}
