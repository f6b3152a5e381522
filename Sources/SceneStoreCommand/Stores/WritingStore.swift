import SceneStore
import SceneStoreExchange
import SceneStoreRecovery

extension CommandContext {
    /// Runs a command that writes a store: looks and plans without a lock, prints the plan or asks,
    /// then takes the owner's lock, makes sure that the plan still holds, makes a backup, notes that
    /// the operation begins, acts, and completes the note so that it can be undone.
    ///
    /// Until the question is answered nothing is written and nobody waits. A damaged store is
    /// refused, except by what can't be undone anyway.
    ///
    /// - Parameters:
    ///   - reason: One word for the name of the backup and the list of operations.
    ///   - isUndoable: Whether it leaves anything to undo it with; an erasing command does not.
    ///   - keepsContent: Whether the store holds the same afterwards: then it is no operation, and
    ///     what was done before can still be undone.
    ///   - plan: Reads what is to be done.
    ///   - show: Prints the plan for `--dry-run`.
    ///   - question: Names the loss; nil when there is nothing to do, and the command ends.
    ///   - act: Does it and prints what was done.
    func edit<Plan: Equatable>(
        _ invocation: Invocation, reason: String, isUndoable: Bool = true,
        keepsContent: Bool = false,
        plan: (SceneSessionStore) throws -> Plan,
        show: (Plan) throws -> Void,
        question: (Plan) throws -> TerminalText?,
        act: (SceneSessionStore, Plan) throws -> Void
    ) throws -> ExitStatus {
        try finishInterrupted(invocation)
        let (wanted, begun, owner) = try withStore(invocation, isStrict: true) { store in
            let wanted = try plan(store)
            var change = try StoreChange(
                reason: reason, path: storePath(invocation), in: store,
                sessions: (wanted as? any NamesSessions)?.sessionIdentifiers ?? [])
            change.isUndoable = isUndoable
            return (wanted, change, try store.owner())
        }
        // Also when there seems to be nothing to do: what is to be done may be what can't be read.
        if isUndoable, !owner.isOwned {
            try refuseDamaged(invocation)
        }
        guard let question = try question(wanted) else {
            return .done
        }
        try refuseOwned(owner, invocation)
        if isUndoable, owner.isOwned {
            try refuseDamaged(invocation)
        }
        if invocation.flag("dry-run") {
            try show(wanted)
            return .done
        }
        try confirm(
            question, invocation, losesWayBack: isUndoable && !keepsContent ? nil : false)
        let bar = Progress(invocation.path.joined(separator: " "), invocation, self)
        defer { bar.finish() }
        try change(
            invocation, keepsContent: keepsContent, telling: bar,
            prepare: { store in
                guard try plan(store) == wanted else {
                    throw CommandError(
                        .busy, "the store changed in the meantime", hint: "run the command again")
                }
                guard try !store.isUnchanged(since: begun.markBefore, begun.generation) else {
                    return begun
                }
                // What an app did while the question stood is no part of an operation before it.
                var late = begun
                late.markBefore = try store.contentMark()
                late.generation = store.currentGeneration()
                return late
            }, act: { try act($0, wanted) })
        return .done
    }

    /// Opens the store and changes it: makes a backup, notes that the operation begins, acts, and
    /// completes the note so that it can be undone.
    ///
    /// - Parameter prepare: Makes sure that the change can still be made, and returns it.
    func change(
        _ invocation: Invocation, keepsContent: Bool = false, telling bar: Progress? = nil,
        prepare: (SceneSessionStore) throws -> StoreChange,
        act: (SceneSessionStore) throws -> Void
    ) throws {
        let store = try openEditor(invocation, telling: bar)
        do {
            var change = try prepare(store)
            if change.isUndoable, !invocation.flag("no-backup") {
                change.backup = try backUp(store, before: change.reason)
            }
            if change.isUndoable, !keepsContent {
                try begin(&change)
            }
            let failure = try make(change, in: store) { try act(store) }
            bar?.finish()
            if keepsContent {
                var operations = try StoreOperations(of: .container(path: change.path))
                try operations.rename(mark: change.markBefore, to: store.contentMark())
            } else if change.isUndoable {
                try record(change, in: store, invocation)
            }
            if let failure {
                throw failure
            }
        } catch {
            try? store.close()
            throw error
        }
        try store.close()
    }

    /// Makes a change; answers why it could not be printed. What fails without having changed anything
    /// is no operation.
    private func make(
        _ change: StoreChange, in store: SceneSessionStore, _ act: () throws -> Void
    ) throws -> OutputError? {
        let mark = try store.contentMark()
        do {
            return try outputFailure(act)
        } catch {
            do {
                try withdraw(change, since: mark, in: store)
            } catch is SceneStoreError {
                // It stays noted as begun; what went wrong first is what the caller needs to know.
            }
            throw error
        }
    }

    /// Ends with 4 before the question when an app has the store and nobody wants to wait.
    func refuseOwned(
        _ owner: (isOwned: Bool, process: Int32?), _ invocation: Invocation
    ) throws {
        if owner.isOwned, !invocation.flag("dry-run"), invocation.duration("wait") == nil {
            throw SceneStoreError(
                .owned, "a living process owns the container", ownerProcess: owner.process)
        }
    }

    /// Ends with 5 before the question when the store is damaged: its backup would be, too, and no
    /// backup with damage is ever restored.
    ///
    /// - Parameter allowsLostCommits: Whether commits may be out of reach: a launch settles that by
    ///   itself.
    func refuseDamaged(_ invocation: Invocation, allowsLostCommits: Bool = false) throws {
        try refuseUnwritable(invocation)
        let report = try withStore(invocation, saysFindings: false, isStrict: true) { store in
            try store.verify()
        }
        let first = report.findings.first {
            $0.severity >= .warning && !(allowsLostCommits && $0.code == .lostCommits)
        }
        if let first {
            throw damaged(first.message, invocation)
        }
    }

    /// What is wrong with a store of an older schema; nil if its migrated copy is sound.
    func damageOfOlder(at path: String) throws -> String? {
        let found = try findStore(at: path)
        defer { found.close() }
        if let damage = found.damage {
            return damage.message
        }
        return try found.store.verify().findings.first { $0.severity >= .warning }?.message
    }

    private func damaged(_ reason: String, _ invocation: Invocation) -> CommandError {
        CommandError(
            .damaged, "the store is damaged (\(reason)), and nothing was changed",
            hint: "\(advice("repair", at: storePath(invocation))) builds a sound store of the "
                + "rest; change that one")
    }

    /// Makes a backup in the container and tells of it, and of those that it takes the place of. What
    /// an undo still needs stays.
    ///
    /// - Parameter isTurn: Whether it is made by an undo or a redo.
    func backUp(
        _ store: SceneSessionStore, before reason: String, isTurn: Bool = false
    ) throws -> StoreBackup? {
        // The new one is one of those that are kept; an undo is no change of its own.
        let count = StoreBackup.commandCapacity - (isTurn ? 0 : 1)
        let needed = try StoreOperations(of: store.location).needed(count, now: clock.now())
        let names = needed.compactMap { $0.split(separator: "/").last.map(String.init) }
        guard let backup = try store.backUp(before: reason, keeping: Set(names)) else {
            return nil
        }
        try note("backup: \(backup.path, .dim)")
        if !backup.removed.isEmpty {
            try note("removed old backups: \(backup.removed.joined(separator: ", "), .dim)")
        }
        return backup
    }

    /// Ends what a killed restore or repair began, before a command that writes looks at the store:
    /// the old one is back in its place then, or the new one is there for good.
    func finishInterrupted(_ invocation: Invocation, at path: String? = nil) throws {
        if path == nil || path == unpacked?.path {
            try refuseUnpacked()
        }
        guard !invocation.flag("dry-run"),
            try ContainerExamination.finishInterrupted(
                at: .container(path: path ?? storePath(invocation)),
                options: editorOptions(invocation))
        else {
            return
        }
        try note("a restore or repair had been interrupted; the store is back in its place")
    }

    /// Opens a store to change it, waiting for its owner as long as `--wait` says.
    func openEditor(
        _ invocation: Invocation, telling bar: Progress? = nil
    ) throws -> SceneSessionStore {
        try refuseUnwritable(invocation)
        return try SceneSessionStore.open(
            at: .container(path: storePath(invocation)),
            options: editorOptions(invocation, telling: bar))
    }

    /// Refuses a store that this process can't write, by the path of what it can't write.
    func refuseUnwritable(_ invocation: Invocation) throws {
        try refuseUnpacked()
        let path = storePath(invocation)
        guard let found = try? ContainerExamination(of: .container(path: path)) else {
            return
        }
        if let name = found.blockedFolders.first {
            throw CommandError.usage(
                "\("\(found.directory)/\(name)".quotedPath) is not a folder",
                hint: "move it elsewhere; the folder is made when it is needed")
        }
        if let room = volumeRoom(found.directory), room.hasNoEntry {
            throw CommandError(
                ExitStatus(errorCode: SceneStoreError.Code.diskFull.rawValue),
                "\(SceneStoreError.Code.diskFull.rawValue): \(room.message)",
                hint: VolumeRoom.remedy)
        }
        guard let first = found.unwritable.first(where: \.isRefused) else {
            return
        }
        throw CommandError.usage(
            "this user can't write \(first.path.quotedPath)",
            hint: first.isMode
                ? "\(advice("doctor --fix", at: path)) changes its mode"
                : "make the volume writable")
    }

    /// The options of a command that writes.
    func editorOptions(
        _ invocation: Invocation, telling bar: Progress? = nil
    ) -> SceneSessionStore.Options {
        var options = SceneSessionStore.Options()
        options.workObserver = bar?.observer
        options.access = .editor
        options.clock = clock.now
        if let wait = invocation.duration("wait") {
            options.ownerTimeout = Int(min(wait / .milliseconds(1), 1e9))
        }
        return options
    }
}

extension OptionDescription {
    /// Where the output goes.
    static func output(_ help: String, endings: [String] = []) -> OptionDescription {
        value("output", letter: "o", "FILE", .file(endings: endings), help)
    }

    /// Overwrite what is there.
    static let force = flag("force", "Overwrite an existing file")
}

/// A plan that names the sessions it is about, for the list of operations.
protocol NamesSessions {
    var sessionIdentifiers: [String] { get }
}

/// A session that a command is about to change.
struct EditedSession: Equatable {
    var key: Int64
    var identifier: String
    var name: SessionName
    /// How many states are stored, the current one included.
    var states: Int
    var hasState: Bool
    var isOpen: Bool
    var isParked: Bool
    var isHeld: Bool
    var lastActiveAt: Int64

    /// Whether its window was closed, or is kept without one.
    var isGone: Bool { !isOpen || isParked }

    init(_ record: SessionRecord, in store: SceneSessionStore) throws {
        self.init(
            record, name: try store.name(of: record),
            states: try store.history.versions(key: record.key).count)
    }

    private init(_ record: SessionRecord, name: SessionName, states: Int) {
        key = record.key
        identifier = record.identifier
        self.name = name
        self.states = states
        hasState = record.hasState
        isOpen = record.isOpen
        isParked = record.parkedCause != nil
        isHeld = record.isHeldByHand || record.crashCount > 0
        lastActiveAt = record.lastActiveAt
    }

    /// All open sessions of a store; nobody reads their names and states.
    static func allOpen(in store: SceneSessionStore) throws -> [EditedSession] {
        try store.openRecords().map {
            EditedSession(
                $0, name: SessionName($0, title: nil), states: $0.hasState ? 1 : 0)
        }
    }

    /// The sessions that words name, each once.
    ///
    /// A part of a title is enough only where a person sees, in the question, what it was taken
    /// for.
    static func named(
        by words: [String], in store: SceneSessionStore, _ invocation: Invocation,
        _ context: CommandContext
    ) throws -> [EditedSession] {
        var seen: Set<Int64> = []
        var result: [EditedSession] = []
        for word in words {
            let record = try context.session(word, in: store, invocation)
            if seen.insert(record.key).inserted {
                result.append(try EditedSession(record, in: store))
            }
        }
        return result
    }

    /// The session for programs.
    func json(_ action: String, isDone: Bool) -> CanonicalJSON {
        [
            "action": .string(action), "done": .boolean(isDone), "session": .string(identifier),
        ]
    }
}

extension CommandContext {
    /// The session that a word names, for a command that reads.
    func session(_ word: String, in store: SceneSessionStore) throws -> SessionRecord {
        let (record, way) = try SessionArgument(word, showsTitles: terminal.isErrorTerminal)
            .find(in: store)
        if way == .formerTitle {
            try note("an earlier state of \(spoken(try store.name(of: record))) has that title")
        }
        return record
    }

    /// The session that a word names, for a command that writes.
    func session(
        _ word: String, in store: SceneSessionStore, _ invocation: Invocation
    ) throws -> SessionRecord {
        let (record, way): (SessionRecord, SessionArgument.Way)
        do {
            (record, way) = try SessionArgument(word, showsTitles: terminal.isErrorTerminal)
                .find(in: store)
        } catch var error as CommandError where error.status == .noStore {
            error.hint = error.hint ?? listingSessions(at: storePath(invocation))
            throw error
        }
        let isAsked =
            !invocation.flag("yes") && terminal.isInputTerminal && terminal.isErrorTerminal
        guard way == .partOfTitle || way == .formerTitle, !isAsked else {
            return record
        }
        let name = spoken(try store.name(of: record))
        throw way == .partOfTitle
            ? CommandError.usage(
                "\(word.quotedForError) is only a part of the title of \(name)",
                hint: "write the full title, or the identifier \(record.identifier)")
            : .usage(
                "only an earlier state of \(name) has the title \(word.quotedForError)",
                hint: "write the identifier \(record.identifier)")
    }
}

extension EditedSession: NamesSessions {
    var sessionIdentifiers: [String] { [identifier] }
}

extension Array: NamesSessions where Element: NamesSessions {
    var sessionIdentifiers: [String] { flatMap(\.sessionIdentifiers) }
}

extension [EditedSession] {
    /// `"Travel to Lisbon" (2 states, last used yesterday)`, or of several the names and the sum.
    func described(in context: CommandContext) -> TerminalText {
        let now = context.clock.now()
        let states = NumberText.counted(reduce(0) { $0 + $1.states }, "state")
        let newest = TimeText.relative(map(\.lastActiveAt).max() ?? now, to: now)
        guard count > 1 else {
            return
                "\(first.map { context.spoken($0.name) } ?? "nothing") (\(states), last used \(newest))"
        }
        var names = prefix(5).map { context.spoken($0.name) }
        if count > names.count {
            names.append("\(NumberText.grouped(count - names.count)) more")
        }
        return
            "\(NumberText.counted(count, "session")): \(names.listed(with: "and")) (\(states), last used \(newest))"
    }

    /// `3 sessions, 2 with state, newest 2 min old`.
    func loss(at now: Int64) -> TerminalText {
        let states = count { $0.hasState }
        var text: TerminalText = "\(NumberText.counted(count, "session"))"
        if states > 0 {
            text.append(", \(NumberText.grouped(states)) with state")
        }
        if let newest = map(\.lastActiveAt).max() {
            text.append(", newest \(TimeText.age(newest, at: now)) old")
        }
        return text
    }
}

extension CommandContext {
    /// Prints what was done, or would be done, to each session: a line, or a value, for each.
    func say(
        _ action: String, _ verb: String, _ sessions: [EditedSession], isDone: Bool = true,
        _ invocation: Invocation
    ) throws {
        for session in sessions {
            if invocation.format == .json {
                try output.json(session.json(action, isDone: isDone))
                continue
            }
            try output.line("\(verb) \(titled(session.identifier, session.name))")
        }
    }

    /// A session by its identifier, on a terminal also by its title.
    func titled(_ identifier: String, _ name: SessionName?) -> TerminalText {
        guard terminal.isOutputTerminal, let name, name.title != nil else {
            return "\(identifier)"
        }
        return "\(identifier)  \(name.quoted)"
    }

    /// Says of sessions that there is nothing to do.
    func sayUnchanged(_ sessions: [EditedSession], _ state: String) throws {
        for session in sessions {
            try note("\(spoken(session.name)) is \(state) already; nothing to do")
        }
    }

    /// Prints what was done, or would be done, to the store as a whole.
    func say(
        _ action: String, _ text: TerminalText, isDone: Bool = true,
        _ members: [CanonicalJSON.Object.Member], _ invocation: Invocation
    ) throws {
        if invocation.format == .json {
            try output.json(
                .object(
                    CanonicalJSON.Object(
                        [("action", .string(action)), ("done", .boolean(isDone))] + members)))
        } else {
            try output.line(text)
        }
    }
}
