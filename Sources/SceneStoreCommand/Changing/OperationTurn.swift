import SceneStore
import SceneStoreExchange
import SceneStoreRecovery

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

    var verb: String { isUndo ? "undo" : "redo" }

    func run() throws -> ExitStatus {
        try context.finishInterrupted(invocation)
        guard let target = try target() else {
            return .done
        }
        var operation = target.operation
        let name = try named(operation)
        if operation.isPending {
            try context.note("it did not finish: what it has changed is taken back")
        }
        if !target.isWhole {
            try context.note("other sessions have changed since; they stay unchanged")
        }
        if invocation.flag("dry-run") {
            try say(
                "would \(verb) operation \(operation.number), \(operation.command)\(name)",
                operation, try changes(target), isDone: false)
            return .done
        }
        try context.confirm(
            "\(isUndo ? "Undo" : "Redo") operation \(operation.number), \(operation.command)\(name)?",
            invocation)
        let changes = try changes(target)
        // One that was killed may be made by now, and has noted what the store held before it.
        let noted = isUndo ? operation.after : operation.before
        var present =
            operation.isPending && target.isWhole && noted != nil
            ? noted : try target.isSound ? keepPresent(target) : nil
        try begin(target, present)
        do {
            if target.isWhole {
                let setAside = try put(target)
                present = present ?? setAside.map { "quarantine/\($0).sqlite" }
            } else {
                try putSessions(target)
            }
        } catch {
            do {
                var operations = try StoreOperations(of: location)
                try operations.write(target.operation)
            } catch {
                // It stays noted as begun; what went wrong first is what the caller needs to know.
            }
            throw error
        }
        do {
            operation = try complete(target, present)
        } catch let error as SceneStoreError {
            throw CommandError(
                ExitStatus(errorCode: error.code.rawValue),
                "\(verb) is done, but 'operations' doesn't know of it: \(error.description)",
                hint: present.map { "the store before it is \("\(path)/\($0)".quotedPath)" })
        }
        try say(
            "\(isUndo ? "undid" : "redid") operation \(operation.number), \(operation.command)\(name)",
            operation, changes, isDone: true)
        try context.note(
            isUndo
                ? "\(context.advice("undo --redo", at: path)) makes it again, until something else changes the store"
                : "\(context.advice("undo", at: path)) takes it back")
        return .done
    }

    /// Notes that the turn begins, before anything changes: where that can't be written, nothing does.
    private func begin(_ target: Target, _ present: String?) throws {
        var operations = try StoreOperations(of: location)
        var operation = target.operation
        operation.isPending = true
        if let present, isUndo {
            operation.after = present
        }
        try operations.write(operation)
    }

    /// Notes that the turn is done.
    private func complete(_ target: Target, _ present: String?) throws -> StoreOperation {
        var operations = try StoreOperations(of: location)
        var operation =
            operations.all.first { $0.number == target.operation.number } ?? target.operation
        operation.isUndone = isUndo
        operation.undoNumber = isUndo ? operations.nextUndoNumber : 0
        let mark = try mark()
        if isUndo {
            operation.after = present
        } else {
            operation.before = present
        }
        if target.operation.isPending, isUndo {
            operation.markAfter = target.mark
        }
        operation.isPending = false
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
        return operation
    }

    private func say(
        _ text: TerminalText, _ operation: StoreOperation, _ changes: [String], isDone: Bool
    ) throws {
        try context.say(
            verb, text, isDone: isDone,
            [
                ("operation", .count(operation.number)), ("command", .string(operation.command)),
                ("sessions", .array(operation.sessions.map { .string($0) })),
            ], invocation)
        guard invocation.format == .text else {
            return
        }
        for change in changes {
            try context.output.line("  \(change)")
        }
    }

    private func changes(_ target: Target) throws -> [String] {
        try changes(
            takenFrom: target.source, only: target.isWhole ? nil : target.operation.sessions)
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
                "operation \(operation.number) can't be \(isUndo ? "undone" : "redone"): "
                    + (operation.isPending
                        ? "it did not finish, and noted no store before it"
                        : "no backup was made"))
        }
        let isWhole =
            operation.isPending
            ? try isNewest(operation, operations, mark, store)
            : try mark == (isUndo ? operation.markAfter : operation.markBefore)
                || isUndo
                    && store.map {
                        try $0.isUnchanged(since: operation.markAfter, operation.generation)
                    } == true
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

    /// Whether nothing has changed the store since an operation that did not finish: nobody knows what
    /// the store held after that one.
    private func isNewest(
        _ operation: StoreOperation, _ operations: StoreOperations, _ mark: String,
        _ store: SceneSessionStore?
    ) throws -> Bool {
        guard !operations.all.contains(where: { $0.number > operation.number && !$0.isUndone })
        else {
            return false
        }
        // Where another store came, its journal says so.
        return try StoreOperations.isOneLaunch(mark, operation.markBefore)
            || operation.before?.hasPrefix("quarantine/") == true
                && store?.journal.events(session: nil, limit: 1_000)
                    .first { ![.open, .lostCommits].contains($0.kind) }?.kind == .salvage
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
        return try context.backUp(store, before: verb, isTurn: true)
            .map { StoreOperations.place($0.path) }
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

    /// Puts the store before the operation, or after it, into the store's place; answers the name under
    /// which the one that was there is kept.
    private func put(_ target: Target) throws -> String? {
        guard case .directory(let directory) = location else {
            return nil
        }
        let (source, keepsOld) = (target.source, !target.isSound)
        var options = context.editorOptions(invocation)
        if !keepsOld {
            // A copy was made of what the store held then; an owner may have changed it since.
            options.whenOwned = { [location] _ throws(SceneStoreError) in
                var reading = SceneSessionStore.Options()
                (reading.access, reading.lenience) = (.reader, [.anyPlace])
                let store = try SceneSessionStore.open(at: location, options: reading)
                defer { try? store.close() }
                guard try store.contentMark() == target.mark else {
                    throw SceneStoreError(.busy, "the store changed; run the command again")
                }
            }
        }
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
