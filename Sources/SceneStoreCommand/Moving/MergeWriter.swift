import SceneStore
import SceneStoreExchange

/// Writes what one store holds into an analysis database.
struct MergeWriter {
    let device: String
    let store: SceneSessionStore
    let database: AnalysisDatabase
    let redaction: ExportRedaction
    let context: CommandContext
    /// Those of the open sessions.
    private let states: [String: SessionState]

    init(
        device: String, store: SceneSessionStore, database: AnalysisDatabase,
        redaction: ExportRedaction, context: CommandContext
    ) throws {
        self.device = device
        self.store = store
        self.database = database
        self.redaction = redaction
        self.context = context
        states = try SessionState.ofOpen(in: store)
    }

    /// Answers how many sessions were written, and how much of the store was damaged.
    ///
    /// - Parameter tell: Told how many sessions are written and which part of all that is.
    func write(
        tell: (_ sessions: Int, _ part: Double) throws -> Void
    ) throws -> (sessions: Int, findings: Int) {
        let basics = try StoreBasics(reading: store)
        let closed = try store.discards.recentlyClosed()
        let closings = Dictionary(closed.map { ($0.record.key, $0) }) { first, _ in first }
        let all = try store.openRecords() + closed.map(\.record)
        let hidden = Set(all.filter { $0.privacy == .ephemeral }.map(\.identifier))
        let records = all.filter { $0.privacy != .ephemeral }
        // The device comes first: behind the rows that refer to it SQLite would look through those
        // of all devices for some that lacked it.
        try insert(
            .device,
            [
                .text(device), .text(basics.uuid), text(basics.appIdentifier),
                .integer(Int64(basics.schemaVersion)), .text(basics.libraryVersion),
                time(basics.createdAt), .integer(basics.generation),
                .integer(Int64(basics.openSessions)), .integer(0),
            ])
        var sessions = 0
        var start = 0
        while start < records.count {
            let chunk = records[start..<min(records.count, start + 1_024)]
            for (record, label) in zip(chunk, try SessionLabel.labels(of: chunk, in: store)) {
                try tell(sessions, Double(sessions) / Double(records.count))
                try write(record, label, record.isOpen ? nil : closings[record.key])
                sessions += 1
            }
            start += chunk.count
        }
        try writeLaunches(hidden)
        try writeEvents(hidden)
        // Payloads are not merged, but their damage counts.
        _ = try store.inbox.pending()
        let damage = (basics.findings + store.takeDiagnostics()).count { $0.severity == .error }
        if damage > 0 {
            do {
                try database.set(findings: damage, of: device)
            } catch {
                throw MergeFailure(error: error, isOfOutput: true)
            }
            try context.note(
                "\("damaged", .red) \(device.withoutLink): \(NumberText.counted(damage, "finding"))"
            )
        }
        return (sessions, damage)
    }

    // MARK: - Sessions

    private func write(
        _ record: SessionRecord, _ label: SessionLabel, _ closing: ClosedSession?
    ) throws {
        let isShown = redaction == .none && record.privacy == .standard
        let hasNames = redaction != .all && record.privacy == .standard
        let versions = try store.history.versions(key: record.key)
        let userInfo =
            hasNames ? try store.session(for: record).userInfo : ValueDictionary()
        let identifier = record.identifier
        let state = states[identifier] ?? .discarded
        let title = isShown ? try store.name(of: record, label).title : nil
        try insert(
            .session,
            [
                .text(device), .text(identifier), text(title),
                .text(state.rawValue), flag(record.isFront), text(record.configuration.name),
                .text(record.configuration.role.rawValue),
                text(hasNames ? label.activityType : nil),
                label.byteCount.map { .integer(Int64($0)) } ?? .null,
                .integer(Int64(versions.count)), time(record.lastActiveAt), time(record.savedAt),
                time(record.createdAt), time(closing?.closedAt), text(closing?.cause.rawValue),
                .integer(Int64(record.crashCount)), flag(record.isStale), flag(record.isPinned),
                .text(record.privacy.rawValue),
                userInfo.isEmpty ? .null : .text(json(.dictionary(userInfo))),
            ])
        for state in versions {
            let activity =
                hasNames
                ? try store.history.state(key: record.key, generation: state.generation) : nil
            try insert(
                .activity,
                [
                    .text(device), .text(identifier), text(hasNames ? state.activityType : nil),
                    flag(state.isCurrent), time(state.context.savedAt),
                    .integer(Int64(state.byteCount)), text(state.context.appVersion),
                    text(state.context.systemVersion), text(state.context.idiom),
                    .integer(state.generation), text(try activity.map(stateJSON)),
                ])
        }
        if hasNames {
            let values = try store.values.storageValues(key: record.key)
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                try insert(
                    .storage,
                    [.text(device), .text(identifier), .text(key), .text(json(value))])
            }
        }
    }

    /// An activity as it is stored, as JSON.
    private func stateJSON(_ activity: UserActivity) throws -> String {
        json(try ValueCodec.decode(ValueCodec.encode(activity)))
    }

    private func json(_ value: Value) -> String {
        redaction == .none
            ? CanonicalJSON(stored: value).text : CanonicalJSON(redacted: value).text
    }

    // MARK: - Launches and the journal

    private func writeLaunches(_ hidden: Set<String>) throws {
        let launches = try store.launches.records(limit: .max)
        let endings = launches.endings(isOwned: try store.owner().isOwned)
        for launch in launches {
            let counts = LaunchOutcome.allCases.map { outcome in
                StoreQuery.Value.integer(Int64(launch.ledger.counts[outcome] ?? 0))
            }
            try insert(
                .launch,
                [
                    .text(device), .integer(launch.number), .text(launch.reason.rawValue),
                    time(launch.startedAt), time(launch.endedAt),
                    text(endings[launch.number]?.word),
                    text(launch.context.appVersion), text(launch.context.systemVersion),
                    launch.expected.map { StoreQuery.Value.integer(Int64($0)) } ?? .null,
                ] + counts + [.integer(Int64(launch.processIdentifier))])
            for entry in launch.ledger.exceptions
            where !hidden.contains(entry.sessionIdentifier.rawValue) {
                try insert(
                    .launchException,
                    [
                        .text(device), .integer(launch.number),
                        .text(entry.sessionIdentifier.rawValue),
                        .text(entry.outcome.rawValue),
                        text(redaction == .all ? nil : entry.reason),
                    ])
            }
        }
    }

    private func writeEvents(_ hidden: Set<String>) throws {
        for event in try store.journal.events(limit: .max).reversed()
        where !(event.sessionIdentifier.map { hidden.contains($0.rawValue) } ?? false) {
            try context.checkInterruption()
            let entry = JournalEntry(event)
            let isShown = redaction == .none
            try insert(
                .event,
                [
                    .text(device), .integer(event.generation), time(event.happenedAt),
                    .text(event.kind.rawValue), text(event.sessionIdentifier?.rawValue),
                    text(isShown ? entry.outcome : nil), text(isShown ? entry.reason : nil),
                    event.launch == 0 ? .null : .integer(event.launch),
                ])
        }
    }

    // MARK: - Values

    private func insert(_ table: AnalysisDatabase.Table, _ row: [StoreQuery.Value]) throws {
        do {
            try database.insert(table, row)
        } catch {
            // A row that is there twice is the fault of the store it comes from.
            throw MergeFailure(error: error, isOfOutput: error.code != .corrupt)
        }
    }

    private func text(_ text: String?) -> StoreQuery.Value {
        text.map { .text($0) } ?? .null
    }

    private func time(_ time: Int64?) -> StoreQuery.Value {
        time.map { .text(TimeText.iso8601($0)) } ?? .null
    }

    private func flag(_ value: Bool) -> StoreQuery.Value {
        .integer(value ? 1 : 0)
    }
}
