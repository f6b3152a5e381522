import SceneStore
import SceneStoreExchange

/// What has changed since an operation, and what to do then.
extension OperationTurn {
    /// Lists what has changed since, and ends the command with it, unless all of that is about other
    /// sessions.
    func refuseChanged(
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
                let name = try store.name(of: identifier).map(context.spoken) ?? identifier
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

    /// What a turn changes, a line for each of at most ten sessions; empty if one of the stores can't be
    /// read.
    ///
    /// - Parameters:
    ///   - source: The store to take from, below the container.
    ///   - sessions: All that it takes; nil if it takes the whole store.
    func changes(takenFrom source: String, only sessions: [String]?) throws -> [String] {
        do {
            let store = try context.openStore(at: path)
            defer { try? store.close() }
            let found = try context.findStore(at: "\(path)/\(source)")
            defer { found.close() }
            let differing = try SessionDigests(of: store).differing(
                from: try SessionDigests(of: found.store)
            ).filter { first, second in
                sessions.map { $0.contains(first?.identifier ?? second?.identifier ?? "") } ?? true
            }
            let shown = differing.prefix(10)
            let difference = try StoreDifference(
                try SessionDigests.export(shown.compactMap(\.first), of: store),
                try SessionDigests.export(shown.compactMap(\.second), of: found.store))
            var lines = try shown.map { first, second in
                let identifier = first?.identifier ?? second?.identifier ?? ""
                let known = try store.name(of: identifier) ?? found.store.name(of: identifier)
                let name = known.map(context.spoken) ?? identifier
                guard first != nil, second != nil else {
                    return first == nil ? "\(name) comes back" : "\(name) goes"
                }
                let fields = difference.sessions.first { $0.identifier == identifier }?.fields
                let words = try Self.words(identifier, fields ?? [], store, found.store)
                return "\(name): \(words.joined(separator: ", "))"
            }
            if differing.count > shown.count {
                lines.append("and \(NumberText.grouped(differing.count - shown.count)) more")
            }
            return lines
        } catch {
            guard error is SceneStoreError || error is CommandError else {
                throw error
            }
            return []
        }
    }

    /// What becomes of a session, given the store that it is in and the one that takes its place.
    ///
    /// - Parameter fields: What of it differs, by the names of an export.
    private static func words(
        _ identifier: String, _ fields: [String], _ present: SceneSessionStore,
        _ other: SceneSessionStore
    ) throws -> [String] {
        func look(
            _ store: SceneSessionStore
        ) throws -> (savedAt: Int64?, isWithheld: Bool?) {
            let record = try store.record(identifier: identifier)
            return (record?.savedAt, record?.isStateWithheld)
        }
        let (now, then) = (try look(present), try look(other))
        var words: [String] = []
        if now.savedAt != then.savedAt {
            words.append(
                then.savedAt.map { "its state is again the one saved at \(TimeText.spoken($0))" }
                    ?? "it has no state again")
        }
        if let isWithheld = then.isWithheld, isWithheld != now.isWithheld {
            words.append("its state is \(isWithheld ? "withheld again" : "no longer withheld")")
        }
        words += fields.filter { $0 != "withheld" || words.isEmpty }
        return words.isEmpty ? ["its earlier states"] : words
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
        let closed = try store.discards.recentlyClosed().filter {
            $0.closedAt >= operation.time
                && !operation.sessions.contains($0.record.identifier)
        }
        for closed in closed {
            try context.note("\(context.spoken(try store.name(of: closed.record))) was discarded")
        }
        guard records.isEmpty, closed.isEmpty else {
            return
        }
        let events = try store.journal.events(session: nil, limit: 10)
        for event in events where event.generation > operation.generation {
            let time = TimeText.relative(event.happenedAt, to: context.clock.now())
            try context.note("the journal has: \(event.kind.rawValue), \(time)")
        }
    }

    /// The command that does the opposite to one thing alone.
    private func hint(for operation: StoreOperation) -> String? {
        guard isUndo else {
            return nil
        }
        let name = operation.sessions.first.map { " \(CommandContext.quoted($0))" } ?? ""
        return switch operation.command {
        case "discard": "\(context.advice("reopen\(name)", at: path)) brings the window back"
        case "hold": "\(context.advice("release\(name)", at: path)) lets it go"
        case "release" where !operation.sessions.isEmpty:
            "\(context.advice("hold\(name)", at: path)) holds it"
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
    func named(_ operation: StoreOperation) throws -> String {
        guard !operation.sessions.isEmpty else {
            return ""
        }
        let store = try context.openStore(at: path)
        defer { try? store.close() }
        return try named(operation, in: store)
    }

    func named(
        _ operation: StoreOperation, in store: SceneSessionStore
    ) throws -> String {
        guard !operation.sessions.isEmpty else {
            return ""
        }
        var names = try operation.sessions.prefix(3).map { identifier in
            try store.name(of: identifier).map(context.spoken) ?? identifier
        }
        if operation.sessions.count > names.count {
            names.append("\(operation.sessions.count - names.count) more")
        }
        return " of \(names.listed(with: "and"))"
    }
}
