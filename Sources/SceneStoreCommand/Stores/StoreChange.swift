import SceneStore
import SceneStoreExchange

/// A change of a store that goes on: what an operation is made of when it is done.
struct StoreChange {
    /// One word, such as `discard`.
    var reason: String
    /// The store's container, as it was named.
    var path: String
    var sessions: [String]
    /// What the store held before.
    var markBefore: String
    /// The backup that was made before.
    var backup: StoreBackup?
    /// Where the store before it is, below the container, when it is no backup.
    var setAside: String?
    /// The store's generation before.
    var generation: Int64
    /// Whether it leaves anything to undo it with; an erasing one does not.
    var isUndoable = true
    /// The number of the operation, once it is noted that it begins.
    var number: Int?

    /// What stands for a store that can't be read.
    static let unreadableMark = "unreadable"

    /// Whether a store did not open because of what is wrong with its bytes.
    static func isUnreadable(_ error: any Error) -> Bool {
        switch error {
        case let error as SceneStoreError:
            [.damaged, .noStore].contains(ExitStatus(errorCode: error.code.rawValue))
        case let error as CommandError: [.damaged, .noStore].contains(error.status)
        default: false
        }
    }

    init(
        reason: String, path: String, in store: SceneSessionStore?, sessions: [String] = []
    ) throws {
        self.reason = reason
        self.path = path
        self.sessions = sessions
        markBefore = try store?.contentMark() ?? Self.unreadableMark
        generation = store?.currentGeneration() ?? 0
    }

    /// Whether it changes the rows of the sessions that it names, and nothing else: then it can be
    /// undone when others have changed since.
    var isOfSessions: Bool {
        ["discard", "reopen", "hold", "release", "checkout", "forget", "import"].contains(reason)
            && !sessions.isEmpty
    }

    /// Where the store before it is, below the container.
    var before: String? {
        backup.map { StoreOperations.place($0.path) } ?? setAside
    }
}

extension CommandContext {
    /// Notes that a change begins, before anything of it is made: where that can't be written,
    /// nothing changes, and a change that is cut short can be taken back.
    func begin(_ change: inout StoreChange) throws {
        var operations = try StoreOperations(of: .container(path: change.path))
        var operation = StoreOperation(
            number: operations.nextNumber, time: clock.now(), command: change.reason,
            sessions: change.sessions, before: change.before, markBefore: change.markBefore,
            markAfter: "", generation: change.generation)
        operation.isPending = true
        do {
            try operations.write(operation)
        } catch {
            throw CommandError.usage(
                "nothing was changed: 'undo' would not know of it: \(error.description)",
                hint: "make room in \(change.path.quotedPath), and let this user write there")
        }
        change.number = operation.number
    }

    /// Takes back that a change began, because it failed.
    ///
    /// - Parameters:
    ///   - mark: What the store held when it began; nil when only its own work tells.
    ///   - store: The store that was to be changed.
    func withdraw(
        _ change: StoreChange, since mark: String? = nil, in store: SceneSessionStore? = nil
    ) throws {
        guard let number = change.number else {
            return
        }
        let now = try store?.contentMark()
        guard now == mark else {
            try note(
                "operation \(number) did not finish: \(advice("undo", at: change.path)) takes back what it has changed"
            )
            return
        }
        var operations = try StoreOperations(of: .container(path: change.path))
        try operations.remove(number)
        if let now {
            // Opening the store left its mark; what was done before can be undone as before.
            try operations.rename(mark: change.markBefore, to: now)
        }
    }

    /// Notes a change as an operation, and says how to take it back.
    func record(
        _ change: StoreChange, in store: SceneSessionStore, _ invocation: Invocation
    ) throws {
        let markAfter = try store.contentMark()
        guard markAfter != change.markBefore else {
            // Nothing that the store holds is another than before.
            return try withdraw(change)
        }
        var operations = try StoreOperations(of: .container(path: change.path))
        var operation = StoreOperation(
            number: change.number ?? operations.nextNumber, time: clock.now(),
            command: change.reason, sessions: change.sessions, before: change.before,
            markBefore: change.markBefore, markAfter: markAfter,
            generation: store.currentGeneration())
        if change.isOfSessions {
            operation.sessionMarks = try SessionRows.marks(of: change.sessions, in: store)
        }
        var incomplete: SceneStoreError?
        do {
            try operations.add(operation)
        } catch {
            guard change.number != nil, change.setAside == nil else {
                throw unnoted(change, error)
            }
            incomplete = error
        }
        if invocation.declares("json"), invocation.format == .json {
            try output.json([
                "operation": .count(operation.number), "backup": .text(change.before),
                "undo": .text(
                    change.before.map { _ in
                        commandLine("undo \(operation.number)", at: change.path)
                    }),
                "until": .time(change.before.map { _ in operation.expiresAt }),
            ])
        }
        let undo = advice("undo", at: change.path)
        if let incomplete {
            try note(
                "\("warning", .yellow): operation \(operation.number) could not be noted as done: \(incomplete.description)"
            )
        }
        try note(
            change.before == nil
                ? "operation \(operation.number), without a backup: it can't be undone"
                : incomplete != nil
                    ? "operation \(operation.number): \(undo) takes it back, until the app has launched or something else has changed"
                    : "operation \(operation.number): \(undo) takes it back, until \(TimeText.date(operation.expiresAt)) or 20 changes from now"
        )
    }

    /// Says that a change is made, although no operation tells where the store before it is.
    private func unnoted(_ change: StoreChange, _ error: SceneStoreError) -> CommandError {
        let way = change.before.map {
            advice("restore \(Self.quoted("\(change.path)/\($0)"))", at: change.path)
                + " takes it back"
        }
        return CommandError(
            ExitStatus(errorCode: error.code.rawValue),
            "\(change.reason) is done, but 'undo' doesn't know of it: \(error.description)",
            hint: way ?? "no backup was made, so this can't be undone")
    }

    /// Begins a change of a store that is closed meanwhile: asks, checks that no app has it, and
    /// makes a backup. Nil for `--dry-run`.
    ///
    /// - Parameters:
    ///   - show: Prints the plan, given what the store holds.
    ///   - question: Names the loss.
    func beginChange(
        _ invocation: Invocation, reason: String,
        show: (TerminalText) throws -> Void, question: (TerminalText) -> TerminalText
    ) throws -> StoreChange? {
        try finishInterrupted(invocation)
        let path = storePath(invocation)
        let present = try withStore(invocation, isStrict: true) { store in
            try refuseOwned(store.owner(), invocation)
            return try EditedSession.allOpen(in: store).loss(at: clock.now())
        }
        try refuseDamaged(invocation, allowsLostCommits: true)
        if invocation.flag("dry-run") {
            try show(present)
            return nil
        }
        try confirm(question(present), invocation)
        return try withStore(invocation, saysFindings: false, isStrict: true) { store in
            var change = try StoreChange(reason: reason, path: path, in: store)
            if !invocation.flag("no-backup") {
                change.backup = try backUp(store, before: reason)
            }
            try begin(&change)
            return change
        }
    }

    /// Runs what makes a change and then prints it; answers why it could not be printed. The change is
    /// made then, so it has to be noted before the command ends with that.
    func outputFailure(_ body: () throws -> Void) throws -> OutputError? {
        do {
            try body()
            return nil
        } catch let error as OutputError {
            return error
        }
    }

    /// Ends a change of a store that was closed meanwhile.
    func endChange(_ change: StoreChange, _ invocation: Invocation) throws {
        let store: SceneSessionStore
        do {
            store = try openStore(at: change.path)
        } catch {
            // What was done is done; a store that is gone or no longer opens has no operations.
            if let backup = change.backup {
                let restore = "restore \(Self.quoted(backup.path))"
                var left = "the store no longer opens"
                // What a scenario wiped is an empty store where backups are left.
                if case .missing = StorePlace(change.path).kind { left = "no store is left" }
                if (error as? CommandError)?.status == .noStore { left = "no store is left" }
                try note("\(left); \(advice(restore, at: change.path)) brings it back")
            }
            return
        }
        defer { try? store.close() }
        try record(change, in: store, invocation)
    }
}

extension SceneSessionStore {
    /// Whether the store was opened to be written since it had a mark and a generation, and nothing
    /// was: by this command, or by one that waited for the app, and failed.
    func isUnchanged(since mark: String, _ generation: Int64) throws -> Bool {
        guard StoreOperations.isSameContent(try contentMark(), mark) else {
            return false
        }
        let later = try journal.events(session: nil, limit: 1_000)
            .filter { $0.generation > generation }
        return later.allSatisfy { $0.kind == .open }
    }
}

extension StoreOperations {
    /// The folders of a container that hold something of earlier times.
    static func folders(at location: SceneSessionStore.Location) throws -> [String] {
        let examination = try ContainerExamination(of: location)
        let folders = [
            ("backups/", examination.backups.isEmpty),
            ("quarantine/", examination.quarantine.isEmpty),
            ("operations/", try StoreOperations(of: location).all.isEmpty),
        ]
        return folders.filter { !$0.1 }.map(\.0)
    }

    /// The stores that a container keeps of earlier times, below the container.
    static func kept(at location: SceneSessionStore.Location) throws -> Set<String> {
        kept(of: try ContainerExamination(of: location))
    }

    /// The same of a container that was looked at.
    static func kept(of examination: ContainerExamination) -> Set<String> {
        Set(
            examination.backups.map { "backups/\($0.name)" }
                + examination.quarantine.map { "quarantine/\($0.name)" })
    }
}
