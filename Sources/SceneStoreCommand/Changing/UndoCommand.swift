import SceneStore
import SceneStoreExchange

extension Command {
    /// `operations`.
    static let operations = Command(
        CommandDescription(
            name: "operations", group: .keepSafe,
            summary: "List the changes that this command made to a store",
            discussion: """
                Each writing command is an operation with a number; 'undo' takes the last one \\
                back. The newest hundred are listed. A backup is needed to undo one: the store \\
                keeps the newest twenty for 30 days.
                """,
            options: OptionDescription.table + [.json, .csv],
            examples: [
                ExampleDescription("operations", "What was changed, and what can be undone")
            ])
    ) { invocation, context in
        let location = SceneSessionStore.Location.container(path: context.storePath(invocation))
        let operations: StoreOperations
        do throws(SceneStoreError) {
            operations = try StoreOperations(of: location)
        } catch {
            guard error.code == .missing else {
                throw error
            }
            throw CommandError(
                .noStore,
                "there is no store at \(context.storePath(invocation).quotedPath)",
                hint: ExitStatus.noStore.hint)
        }
        var table = try TableWriter(
            [
                TableColumn("operation", "Number", alignment: .trailing, priority: 0),
                TableColumn("time", "When", priority: 2),
                TableColumn("command", "Command", priority: 0),
                TableColumn("state", "State", priority: 1),
                TableColumn("sessions", "Sessions", priority: 3, minimumWidth: 8),
                TableColumn("before", "Store before", priority: 4, minimumWidth: 12),
            ], invocation, context)
        for operation in operations.all.reversed() {
            try table.append([
                .integer(operation.number), .time(operation.time), .text(operation.command),
                .text(operation.isUndone ? "undone" : "done", operation.isUndone ? .dim : nil),
                .custom(
                    operation.sessions.joined(separator: ", "),
                    .array(operation.sessions.map { .string($0) })),
                .text(operation.before),
            ])
        }
        try table.finish(empty: "this command has changed nothing in this store")
        return .done
    }

    /// `undo [N]`.
    static let undo = Command(
        CommandDescription(
            name: "undo", group: .keepSafe,
            summary: "Take back the last change that this command made",
            discussion: """
                Puts back exactly what the store held before, and keeps what it holds now for \\
                'redo'. When the app, or a later operation, has changed anything since, it lists \\
                that and changes nothing.
                """,
            arguments: [
                ArgumentDescription(
                    "N", .integer(1...999_999_999), "The operation; else the last one",
                    count: .optional)
            ],
            options: [.wait, .dryRun, .yes, .json],
            examples: [
                ExampleDescription("undo --dry-run", "What would be taken back"),
                ExampleDescription("undo --yes", "Takes the last change back"),
            ])
    ) { invocation, context in
        try OperationTurn(invocation, context, isUndo: true).run()
    }

    /// `redo`.
    static let redo = Command(
        CommandDescription(
            name: "redo", group: .keepSafe,
            summary: "Make the change again that was undone last",
            discussion: """
                Works until something else changes the store.
                """,
            options: [.wait, .dryRun, .yes, .json],
            examples: [ExampleDescription("redo --yes", "Makes it again")])
    ) { invocation, context in
        try OperationTurn(invocation, context, isUndo: false).run()
    }
}

/// One step back or forth in the operations of a store.
private struct OperationTurn {
    let invocation: Invocation
    let context: CommandContext
    let isUndo: Bool
    let path: String
    let location: SceneSessionStore.Location

    init(_ invocation: Invocation, _ context: CommandContext, isUndo: Bool) {
        self.invocation = invocation
        self.context = context
        self.isUndo = isUndo
        path = context.storePath(invocation)
        location = .container(path: path)
    }

    private var verb: String { isUndo ? "undo" : "redo" }

    func run() throws -> ExitStatus {
        try context.finishInterrupted(invocation)
        var operation: StoreOperation?
        try context.withStore(invocation, saysFindings: false, isStrict: true) { store in
            try context.refuseOwned(store, invocation)
            operation = try target(in: store)
        }
        guard var operation, let source = isUndo ? operation.before : operation.after else {
            return .done
        }
        let text: TerminalText =
            "\(verb) operation \(operation.number), \(operation.command)\(try named(operation))"
        if invocation.flag("dry-run") {
            try say("would \(text)", operation, isDone: false)
            return .done
        }
        try context.confirm(
            "\(isUndo ? "Undo" : "Redo") operation \(operation.number), \(operation.command)\(try named(operation))?",
            invocation)
        let present = try keepPresent(operation, reading: source)
        try put(source)
        var operations = try StoreOperations(of: location)
        let old = isUndo ? operation.markBefore : operation.markAfter
        operation = operations.all.first { $0.number == operation.number } ?? operation
        operation.isUndone = isUndo
        if isUndo {
            operation.after = present
        } else {
            operation.before = present
        }
        try operations.write(operation)
        try operations.rename(mark: old, to: mark())
        try say(
            "\(isUndo ? "undid" : "redid") operation \(operation.number), \(operation.command)",
            operation, isDone: true)
        try context.note(
            isUndo
                ? "'scenestore redo' makes it again, until something else changes the store"
                : "'scenestore undo' takes it back")
        return .done
    }

    private func say(
        _ text: TerminalText, _ operation: StoreOperation, isDone: Bool
    ) throws {
        try context.say(
            verb, text, isDone: isDone,
            [
                ("operation", .count(operation.number)), ("command", .string(operation.command)),
                ("sessions", .array(operation.sessions.map { .string($0) })),
            ], invocation)
    }

    // MARK: - What it is about

    /// The operation, when there is one that can be taken back or made again.
    private func target(in store: SceneSessionStore) throws -> StoreOperation? {
        let operations = try StoreOperations(of: location)
        let operation: StoreOperation
        if isUndo, let number = invocation.argument("N").flatMap({ Int($0) }) {
            guard let found = operations.all.first(where: { $0.number == number }) else {
                throw CommandError(
                    .noStore, "there is no operation \(number)",
                    hint: "'scenestore operations' lists them")
            }
            guard !found.isUndone else {
                try context.note("operation \(number) is undone already; nothing to do")
                return nil
            }
            operation = found
        } else {
            guard let found = isUndo ? operations.last : operations.firstUndone else {
                try context.note("nothing to \(verb)")
                return nil
            }
            operation = found
        }
        guard let source = isUndo ? operation.before : operation.after else {
            throw CommandError(
                .answeredNo,
                "operation \(operation.number) can't be \(isUndo ? "undone" : "redone"): no backup "
                    + "was made")
        }
        try refuseLater(operation, operations, store)
        let examination = try ContainerExamination(of: location)
        let names =
            examination.backups.map { "backups/\($0.name)" }
            + examination.quarantine.map { "quarantine/\($0.name)" }
        guard names.contains(source) else {
            throw CommandError(
                .answeredNo,
                "operation \(operation.number) can't be \(isUndo ? "undone" : "redone"): its backup "
                    + "is gone",
                hint: "backups are kept for \(StoreBackup.commandDays) days, the newest "
                    + "\(StoreBackup.commandCapacity)")
        }
        return operation
    }

    /// Lists what came later, and ends the command with it.
    private func refuseLater(
        _ operation: StoreOperation, _ operations: StoreOperations, _ store: SceneSessionStore
    ) throws {
        let later = operations.all.filter { $0.number > operation.number && !$0.isUndone }
        if isUndo, !later.isEmpty {
            for later in later {
                try context.note(
                    "operation \(later.number) came later: \(later.command)\(try named(later, in: store))"
                )
            }
            throw CommandError(
                .answeredNo, "operation \(operation.number) is not the last one",
                hint: "undo the later ones first: 'scenestore undo'")
        }
        guard try store.contentMark() != (isUndo ? operation.markAfter : operation.markBefore)
        else {
            return
        }
        try listChanges(since: operation, store)
        throw CommandError(
            .answeredNo,
            "the store has changed since operation \(operation.number), and \(verb) would lose that",
            hint: hint(for: operation))
    }

    private func listChanges(since operation: StoreOperation, _ store: SceneSessionStore) throws {
        for launch in try store.launches(limit: 5) where launch.startedAt >= operation.time {
            let time = TimeText.relative(launch.startedAt, to: context.clock.now())
            try context.note("the app was launched \(time) (launch \(launch.number))")
        }
        let changed = Set(try store.sessionsChanged(after: operation.generation))
        let records = try store.openRecords().filter { changed.contains($0.identifier) }
        for name in try store.names(of: records.prefix(10)) {
            try context.note("\(context.spoken(name)) has changed")
        }
        if records.count > 10 {
            try context.note("and \(NumberText.grouped(records.count - 10)) more sessions")
        }
        for closed in try store.recentlyClosed()
        where closed.closedAt >= operation.time
            && !operation.sessions.contains(closed.record.identifier)
        {
            try context.note("\(context.spoken(try store.name(of: closed.record))) was discarded")
        }
    }

    /// The command that does the opposite to one thing alone.
    private func hint(for operation: StoreOperation) -> String? {
        guard isUndo else {
            return nil
        }
        let name = operation.sessions.first.map { " \($0)" } ?? ""
        return switch operation.command {
        case "discard": "'scenestore reopen\(name)' brings the window back"
        case "hold": "'scenestore release\(name)' lets it go"
        case "release": "'scenestore hold\(name)' holds it"
        case "checkout": "'scenestore history\(name)' lists the states to check out"
        default:
            operation.before.map {
                "the store before it is \($0); 'scenestore restore' brings all of it back"
            }
        }
    }

    /// ` of "Travel to Lisbon"`, for the sessions that the store still knows.
    private func named(_ operation: StoreOperation) throws -> String {
        let store = try context.openStore(at: path)
        defer { try? store.close() }
        return try named(operation, in: store)
    }

    private func named(
        _ operation: StoreOperation, in store: SceneSessionStore
    ) throws -> String {
        guard !operation.sessions.isEmpty else {
            return ""
        }
        var names = try operation.sessions.prefix(3).map { identifier in
            try store.record(identifier: identifier).map { context.spoken(try store.name(of: $0)) }
                ?? identifier
        }
        if operation.sessions.count > names.count {
            names.append("\(operation.sessions.count - names.count) more")
        }
        return " of \(names.listed(with: "and"))"
    }

    // MARK: - Doing it

    private func mark() throws -> String {
        let store = try context.openStore(at: path)
        defer { try? store.close() }
        return try store.contentMark()
    }

    /// Keeps what the store holds now, so that the turn can be turned back; answers where.
    private func keepPresent(
        _ operation: StoreOperation, reading source: String
    ) throws -> String? {
        let store = try context.openStore(at: path)
        defer { try? store.close() }
        guard try store.contentMark() == (isUndo ? operation.markAfter : operation.markBefore)
        else {
            throw CommandError(
                .busy, "the store changed in the meantime", hint: "run the command again")
        }
        let needed = source.split(separator: "/").last.map(String.init) ?? ""
        let backup = try context.backUp(store, before: verb, keeping: [needed])
        return backup.map { $0.path.split(separator: "/").suffix(2).joined(separator: "/") }
    }

    /// Puts the store at a place below the container into the store's place.
    private func put(_ source: String) throws {
        guard case .directory(let directory) = location else {
            return
        }
        let file = "\(directory)/\(source)"
        let options = context.editorOptions(invocation)
        guard !source.hasPrefix("backups/") else {
            _ = try SceneSessionStore.restore(
                from: file, to: location, options: options, keepsOld: false)
            return
        }
        let log = file + "-wal"
        let hasLog = try ContainerExamination(of: location).quarantine.contains {
            log.hasSuffix("/\($0.name)")
        }
        _ = try SceneSessionStore.replace(
            at: location, by: try context.readFile(file, limit: Int.max),
            log: hasLog ? try context.readFile(log, limit: Int.max) : nil,
            options: options, keepsOld: false)
    }
}
