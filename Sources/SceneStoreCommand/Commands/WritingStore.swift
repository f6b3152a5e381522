import SceneStore

extension CommandContext {
    /// Runs a command that writes a store: looks and plans without a lock, says the plan or asks,
    /// then takes the owner's lock, makes sure that the plan still holds, makes a backup, and acts.
    ///
    /// Until the question is answered nothing is written and nobody waits.
    ///
    /// - Parameters:
    ///   - reason: One word for the name of the backup.
    ///   - plan: Reads what is to be done.
    ///   - show: Prints the plan for `--dry-run`.
    ///   - question: Names the loss; nil when there is nothing to do, and the command ends.
    ///   - act: Does it and prints what was done.
    func edit<Plan: Equatable>(
        _ invocation: Invocation, reason: String,
        plan: (SceneSessionStore) throws -> Plan,
        show: (Plan) throws -> Void,
        question: (Plan) throws -> TerminalText?,
        act: (SceneSessionStore, Plan) throws -> Void
    ) throws -> ExitStatus {
        try finishInterrupted(invocation)
        let wanted = try withStore(invocation) { store in
            let wanted = try plan(store)
            let owner = try store.owner()
            if owner.isOwned, !invocation.flag("dry-run"), invocation.duration("wait") == nil {
                throw SceneStoreError(
                    .owned, "a living process owns the container", ownerProcess: owner.process)
            }
            return wanted
        }
        if invocation.flag("dry-run") {
            try show(wanted)
            return .done
        }
        guard let question = try question(wanted) else {
            return .done
        }
        try confirm(question, invocation)
        let bar = Progress(invocation.path.joined(separator: " "), invocation, self)
        defer { bar.finish() }
        let store = try openEditor(invocation, telling: bar)
        do {
            guard try plan(store) == wanted else {
                throw CommandError(
                    .busy, "the store changed in the meantime", hint: "run the command again")
            }
            if !invocation.flag("no-backup"), let backup = try store.backUp(before: reason) {
                try note("backup: \(backup.path, .dim)")
            }
            try act(store, wanted)
            bar.finish()
        } catch {
            try? store.close()
            throw error
        }
        try store.close()
        return .done
    }

    /// Ends what a killed restore or repair began, before a command that writes looks at the store:
    /// the old one is back in its place then, or the new one is there for good.
    func finishInterrupted(_ invocation: Invocation, at path: String? = nil) throws {
        guard !invocation.flag("dry-run"),
            try SceneSessionStore.finishInterrupted(
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
        try SceneSessionStore.open(
            at: .container(path: storePath(invocation)),
            options: editorOptions(invocation, telling: bar))
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
    static let force = flag("force", "Overwrite a file that is there")
}

/// A session that a command is about to change.
struct EditedSession: Equatable {
    var key: Int64
    var identifier: String
    var hasState: Bool
    var isOpen: Bool
    var lastActiveAt: Int64

    init(_ record: SessionRecord) {
        key = record.key
        identifier = record.identifier
        hasState = record.hasState
        isOpen = record.isOpen
        lastActiveAt = record.lastActiveAt
    }

    /// The sessions that words name, each once.
    static func named(
        by words: [String], in store: SceneSessionStore
    ) throws -> [EditedSession] {
        var seen: Set<Int64> = []
        var result: [EditedSession] = []
        for word in words {
            let record = try SessionArgument(word).resolve(in: store)
            if seen.insert(record.key).inserted {
                result.append(EditedSession(record))
            }
        }
        return result
    }
}

extension [EditedSession] {
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
        _ verb: String, _ sessions: [EditedSession], _ invocation: Invocation
    ) throws {
        for session in sessions {
            try output.line("\(verb) \(session.identifier)")
        }
    }
}
