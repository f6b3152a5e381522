import SceneStore
import SceneStoreExchange

/// One step back or forth in the operations of a store.
struct OperationTurn {
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

    /// An operation that can be taken back or made again, and how.
    private struct Target {
        var operation: StoreOperation
        /// The store to take from, below the container.
        var source: String
        /// What the store holds now.
        var mark: String
        /// Whether nothing else has changed since, so that the store itself is exchanged. Otherwise
        /// the sessions of the operation are put back one by one, and everything else stays.
        var isWhole: Bool
        /// Whether a backup of what the store holds now could be restored.
        var isSound: Bool
    }

    private var verb: String { isUndo ? "undo" : "redo" }

    func run() throws -> ExitStatus {
        try context.finishInterrupted(invocation)
        guard let target = try target() else {
            return .done
        }
        var operation = target.operation
        let name = try named(operation)
        if !target.isWhole {
            try context.note("other sessions have changed since; they stay unchanged")
        }
        if invocation.flag("dry-run") {
            try say(
                "would \(verb) operation \(operation.number), \(operation.command)\(name)",
                operation,
                isDone: false)
            return .done
        }
        try context.confirm(
            "\(isUndo ? "Undo" : "Redo") operation \(operation.number), \(operation.command)\(name)?",
            invocation)
        var present = try target.isSound ? keepPresent(target) : nil
        if target.isWhole {
            let setAside = try put(target.source, keepsOld: !target.isSound)
            present = present ?? setAside.map { "quarantine/\($0).sqlite" }
        } else {
            try putSessions(target)
        }
        var operations = try StoreOperations(of: location)
        operation = operations.all.first { $0.number == operation.number } ?? operation
        operation.isUndone = isUndo
        operation.undoNumber = isUndo ? operations.nextUndoNumber : 0
        let mark = try mark()
        if isUndo {
            operation.after = present
        } else {
            operation.before = present
        }
        if !target.isWhole {
            operation.markBefore = mark
            operation.markAfter = target.mark
        }
        let old = isUndo ? operation.markBefore : operation.markAfter
        if target.isWhole, old == StoreChange.unreadableMark {
            // It stands for any store that can't be read: this operation's alone is known now.
            operation.markBefore = mark
        }
        try operations.write(operation)
        if target.isWhole, old != StoreChange.unreadableMark {
            try operations.rename(mark: old, to: mark)
        }
        try say(
            "\(isUndo ? "undid" : "redid") operation \(operation.number), \(operation.command)",
            operation, isDone: true)
        try context.note(
            isUndo
                ? "\(context.advice("redo", at: path)) makes it again, until something else changes the store"
                : "\(context.advice("undo", at: path)) takes it back")
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

    /// The operation, when there is one that can be taken back or made again; also in a store that
    /// an undone repair has put back, damaged as it was.
    private func target() throws -> Target? {
        var found: Target?
        do {
            try context.withStore(invocation, saysFindings: false, isStrict: true) { store in
                let isSound = try store.verify().isSound
                found = try target(in: store, mark: store.contentMark(), isSound: isSound)
                if found != nil {
                    try context.refuseOwned(store.owner(), invocation)
                }
            }
        } catch {
            guard !isUndo, StoreChange.isUnreadable(error),
                let operation = try StoreOperations(of: location).redoable,
                operation.markBefore == StoreChange.unreadableMark
            else {
                throw error
            }
            found = try target(in: nil, mark: StoreChange.unreadableMark, isSound: false)
        }
        return found
    }

    private func target(
        in store: SceneSessionStore?, mark: String, isSound: Bool
    ) throws -> Target? {
        let operations = try StoreOperations(of: location)
        let operation: StoreOperation
        if isUndo, let number = invocation.argument("N").flatMap({ Int($0) }) {
            guard let found = operations.all.first(where: { $0.number == number }) else {
                throw CommandError(
                    .noStore, "there is no operation \(number)",
                    hint: "\(context.advice("operations", at: path)) lists them")
            }
            guard !found.isUndone else {
                try context.note("operation \(number) is undone already; nothing to do")
                return nil
            }
            operation = found
        } else {
            guard let found = isUndo ? operations.last : operations.redoable else {
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
        let isWhole = mark == (isUndo ? operation.markAfter : operation.markBefore)
        if !isWhole {
            if let store {
                try refuseChanged(operation, operations, store)
            }
            try context.refuseDamaged(invocation)
        }
        guard try StoreOperations.kept(at: location).contains(source) else {
            throw CommandError(
                .answeredNo,
                "operation \(operation.number) can't be \(isUndo ? "undone" : "redone"): \(source) "
                    + "is gone",
                hint: source.hasPrefix("quarantine/")
                    ? "somebody removed it; the store before the operation is lost"
                    : "backups are kept for \(StoreBackup.commandDays) days, the newest "
                        + "\(StoreBackup.commandCapacity)")
        }
        return Target(
            operation: operation, source: source, mark: mark, isWhole: isWhole, isSound: isSound)
    }

    /// Lists what has changed since, and ends the command with it, unless all of that is about other
    /// sessions.
    private func refuseChanged(
        _ operation: StoreOperation, _ operations: StoreOperations, _ store: SceneSessionStore
    ) throws {
        let isOfSessions = isUndo && !operation.sessionMarks.isEmpty
        let marks = isOfSessions ? try SessionRows.marks(of: operation.sessions, in: store) : []
        guard !isOfSessions || marks != operation.sessionMarks else {
            return
        }
        let own = Set(operation.sessions)
        let rivals = operations.all.filter { later in
            later.number > operation.number && !later.isUndone
                && (!isOfSessions || later.sessionMarks.isEmpty
                    || !own.isDisjoint(with: later.sessions))
        }
        for later in rivals {
            try context.note(
                "operation \(later.number) came later: \(later.command)\(try named(later, in: store))"
            )
        }
        if isOfSessions {
            for (identifier, marks) in zip(operation.sessions, zip(marks, operation.sessionMarks))
            where marks.0 != marks.1 {
                let record = try store.record(identifier: identifier)
                let name = try record.map { context.spoken(try store.name(of: $0)) } ?? identifier
                try context.note("\(name) has changed")
            }
            try listLaunches(since: operation, store)
        } else {
            try listChanges(since: operation, store)
        }
        throw CommandError(
            .answeredNo,
            isOfSessions
                ? "\(operation.sessions.count == 1 ? "the session has" : "sessions have") changed since operation \(operation.number), and \(verb) would lose that"
                : "the store has changed since operation \(operation.number), and \(verb) would lose that",
            hint: try rivals.isEmpty || !canBeUndone(rivals)
                ? hint(for: operation)
                : "undo the later ones first: \(context.advice("undo", at: path))")
    }

    /// Whether the stores before some operations, and before this one, are still there.
    private func canBeUndone(_ operations: [StoreOperation]) throws -> Bool {
        let kept = try StoreOperations.kept(at: location)
        return operations.allSatisfy { $0.before.map(kept.contains) ?? false }
    }

    private func listLaunches(since operation: StoreOperation, _ store: SceneSessionStore) throws {
        for launch in try store.launches.records(limit: 5) where launch.startedAt >= operation.time
        {
            let time = TimeText.relative(launch.startedAt, to: context.clock.now())
            try context.note("the app was launched \(time) (launch \(launch.number))")
        }
    }

    private func listChanges(since operation: StoreOperation, _ store: SceneSessionStore) throws {
        try listLaunches(since: operation, store)
        let changed = Set(try store.sessionsChanged(after: operation.generation))
        let records = try store.openRecords().filter { changed.contains($0.identifier) }
        let shown = records.prefix(10)
        for (record, name) in zip(shown, try store.names(of: shown)) {
            let isNew = record.createdAt >= operation.time
            try context.note("\(context.spoken(name)) \(isNew ? "is new" : "has changed")")
        }
        if records.count > 10 {
            try context.note("and \(NumberText.grouped(records.count - 10)) more sessions")
        }
        for closed in try store.discards.recentlyClosed()
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
        case "discard": "\(context.advice("reopen\(name)", at: path)) brings the window back"
        case "hold": "\(context.advice("release\(name)", at: path)) lets it go"
        case "release": "\(context.advice("hold\(name)", at: path)) holds it"
        case "checkout":
            "\(context.advice("history\(name)", at: path)) lists the states to check out"
        default: operation.before.map { place in earlierStore(at: "\(path)/\(place)") }
        }
    }

    /// What a person can do who wants the store of before in spite of what has changed since.
    private func earlierStore(at place: String) -> String {
        place.contains("/backups/")
            ? "\(context.advice("restore \(CommandContext.quoted(place))", at: path)) puts the earlier "
                + "store back, without these changes; "
                + "'undo' then brings them back"
            : "the earlier store is \(place.quotedPath)"
    }

    /// ` of "Travel to Lisbon"`, for the sessions that the store still knows.
    private func named(_ operation: StoreOperation) throws -> String {
        guard !operation.sessions.isEmpty else {
            return ""
        }
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
        do {
            let store = try context.openStore(at: path)
            defer { try? store.close() }
            return try store.contentMark()
        } catch {
            guard StoreChange.isUnreadable(error) else {
                throw error
            }
            return StoreChange.unreadableMark
        }
    }

    /// Keeps what the store holds now, so that the turn can be turned back; answers where.
    private func keepPresent(_ target: Target) throws -> String? {
        let store = try context.openStore(at: path)
        defer { try? store.close() }
        guard try store.contentMark() == target.mark else {
            throw Self.changedMeanwhile
        }
        let backup = try context.backUp(store, before: verb, isTurn: true)
        return backup.map { $0.path.split(separator: "/").suffix(2).joined(separator: "/") }
    }

    private static var changedMeanwhile: CommandError {
        CommandError(.busy, "the store changed in the meantime", hint: "run the command again")
    }

    /// Puts the sessions of an operation back as the store before it has them.
    private func putSessions(_ target: Target) throws {
        guard case .directory(let directory) = location else {
            return
        }
        let sessions = target.operation.sessions
        let earlier = try context.findStore(at: "\(directory)/\(target.source)")
        defer { earlier.close() }
        let rows = try SessionRows.read(of: sessions, from: earlier.store)
        let blame = try earlier.store.blame()
        let store = try context.openEditor(invocation)
        do {
            guard try SessionRows.marks(of: sessions, in: store) == target.operation.sessionMarks
            else {
                throw Self.changedMeanwhile
            }
            try SessionRows.put(rows, into: store)
            if let blame, sessions.contains(blame.session) {
                try store.blame(blame)
            }
        } catch {
            try? store.close()
            throw error
        }
        try store.close()
    }

    /// Puts the store at a place below the container into the store's place; answers the name under
    /// which the one that was there is kept.
    private func put(_ source: String, keepsOld: Bool) throws -> String? {
        guard case .directory(let directory) = location else {
            return nil
        }
        let options = context.editorOptions(invocation)
        guard let name = source.split(separator: "/").last, source.hasPrefix("quarantine/") else {
            return try SceneSessionStore.restore(
                from: "\(directory)/\(source)", to: location, options: options,
                keepsOld: keepsOld)
        }
        return try StoreReplacement.putBack(
            String(name.dropLast(".sqlite".utf8.count)), at: location, options: options,
            keepsOld: keepsOld)
    }
}
