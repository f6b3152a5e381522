import SceneStore
import SceneStoreExchange
import SceneStoreFormats

enum InfoCommand {
    /// `info`.
    static let command = Command(
        CommandDescription(
            name: "info", group: .look,
            summary: "Show the store on one screen",
            discussion: """
                Shows where the store is, its size, its sessions, the process that owns it, and \
                how the last launch began and ended.

                The last line shows whether anything looks wrong: sessions that are held after \
                crashes or parked, states that are declined, stale or withheld, payloads that are set \
                aside, several launches in a row that died, or a problem met while opening the store. 'scenestore doctor' \
                names each of them with its cause, and also checks the files, every row and the \
                limits.
                """,
            options: [.json],
            examples: [
                ExampleDescription("info", "The store of --store, $SCENESTORE or this directory"),
                ExampleDescription("info --store ~/app/scenes.sqlite --json", "For scripts"),
            ])
    ) { invocation, context in
        try context.withFound(invocation, saysFindings: false) { found in
            var summary = try context.summary(of: found.store, invocation)
            if let damage = found.damage {
                summary.basics.findings.insert(
                    Diagnostic(
                        Diagnostic.Code(damage.code.rawValue), .error,
                        found.isRefused
                            ? "a newer version wrote the store; only what this version knows is shown"
                            : "only what could be salvaged is shown: \(damage.message)"), at: 0)
            }
            let page = InfoPage(summary, context)
            if invocation.format == .json {
                try context.output.json(page.json)
            } else {
                try page.write()
            }
        }
        return .done
    }
}

/// What is to be said about a store.
private struct InfoPage {
    private let summary: StoreSummary
    private let context: CommandContext
    private let now: Int64

    init(_ summary: StoreSummary, _ context: CommandContext) {
        self.summary = summary
        self.context = context
        now = context.clock.now()
    }

    // MARK: - For people

    func write() throws {
        try line("Store", summary.directory ?? "in memory")
        var schema = "\(summary.basics.schemaVersion), written by \(summary.basics.libraryVersion)"
        if let app = summary.basics.appIdentifier {
            schema += " for \(app)"
        }
        try line("Schema", schema)
        try line("Identity", summary.basics.uuid)
        try line("Created", age(summary.basics.createdAt))
        try line("Size", size)
        try line("Sessions", sessions)
        if !waiting.isEmpty {
            try line("Waiting", waiting.joined(separator: ", "))
        }
        try line("Owner", owner)
        try writeLaunch()
        try line(
            "Durability",
            "saves survive a power cut unless the app chose mode normal (write-ahead log)")
        if let log = summary.log {
            let commits = NumberText.counted(log.commits, "commit")
            let pages = NumberText.counted(log.frames, "page")
            try line(
                "WAL",
                NumberText.bytes(log.bytes)
                    + (isLogForeign
                        ? ", not this store's: nothing of it is read"
                        : ": \(commits), \(pages), not yet in the file"))
        } else {
            try line("WAL", "empty")
        }
        if summary.basics.findings.isEmpty, oddities.isEmpty, summary.earlierStates == 0 {
            try context.output.labelled(
                "Health", "\("nothing found", .green); 'scenestore doctor' checks more")
        }
        if !oddities.isEmpty {
            try line(
                "Health",
                oddities.listed(with: "and") + "; "
                    + context.advice("doctor", at: summary.directory ?? ".") + " tells what to do")
        }
        if summary.earlierStates > 0 {
            try line(
                "Health",
                NumberText.counted(summary.earlierStates, "earlier state")
                    + " can be brought back; "
                    + context.advice("doctor", at: summary.directory ?? ".") + " names each")
        }
        for finding in summary.basics.findings {
            try context.output.labelled("Health", finding.line)
        }
    }

    private var isLogForeign: Bool {
        summary.basics.findings.contains { $0.code == .foreignLog }
    }

    private func line(_ name: String, _ text: String) throws {
        try context.output.labelled(name, TerminalText(text))
    }

    private func age(_ time: Int64) -> String {
        TimeText.relative(time, to: now)
    }

    private var size: String {
        let parts = summary.files.filter { $0.bytes > 0 }.map { file in
            let count = file.count == 1 ? "" : " (\(NumberText.counted(file.count, "file")))"
            return "\(file.name) \(NumberText.bytes(file.bytes))\(count)"
        }
        return ([NumberText.bytes(totalBytes)] + parts).joined(separator: "; ")
    }

    private var totalBytes: Int64 {
        summary.files.reduce(0) { $0 &+ $1.bytes }
    }

    private var sessions: String {
        var parts = ["\(NumberText.grouped(summary.basics.openSessions)) open"]
        let kinds =
            [(summary.frontSessions, "in front")]
            + LaunchOutcome.obstacles.map { obstacle in
                (
                    summary.obstacles[obstacle] ?? 0,
                    "\(obstacle.isOfState ? "with state " : "")\(obstacle.rawValue)"
                )
            }
        let details = kinds.filter { $0.0 > 0 }.map { "\(NumberText.grouped($0.0)) \($0.1)" }
        if !details.isEmpty {
            parts[0] += " (\(details.joined(separator: ", ")))"
        }
        parts.append("\(NumberText.grouped(summary.closedSessions)) recently closed")
        return parts.joined(separator: ", ")
    }

    /// What a look shows that the doctor also finds.
    private var oddities: [String] {
        var parts: [String] = []
        if summary.crashedSessions > 0 {
            parts.append(
                NumberText.counted(summary.crashedSessions, "session") + " held after crashes")
        }
        if let parked = summary.obstacles[.parked] {
            parts.append(NumberText.counted(parked, "session") + " parked")
        }
        for obstacle in LaunchOutcome.obstacles where obstacle.isOfState {
            if let count = summary.obstacles[obstacle] {
                parts.append(NumberText.counted(count, "\(obstacle.rawValue) state"))
            }
        }
        if summary.lostStates > 0 {
            parts.append(NumberText.counted(summary.lostStates, "lost state"))
        }
        if summary.payloadsSetAside > 0 {
            parts.append(
                NumberText.counted(summary.payloadsSetAside, "payload") + " set aside")
        }
        if summary.isDying {
            parts.append("the last launches died")
        }
        return parts
    }

    private var waiting: [String] {
        var parts: [String] = []
        if summary.pendingDiscards > 0 {
            parts.append(NumberText.counted(summary.pendingDiscards, "discard") + " to be told")
        }
        if summary.waitingPayloads > 0 {
            parts.append(
                NumberText.counted(summary.waitingPayloads, "payload") + " to be acknowledged")
        }
        if summary.payloadsSetAside > 0 {
            parts.append(
                NumberText.counted(summary.payloadsSetAside, "payload") + " set aside")
        }
        return parts
    }

    private var owner: String {
        guard summary.isOwned else {
            return "nobody, the app is not running"
        }
        return summary.ownerProcess.map { "process \($0), running" } ?? "a running process"
    }

    private func writeLaunch() throws {
        guard let launch = summary.lastLaunch else {
            try line("Last launch", "none since the store was made or reset")
            return
        }
        var text = "number \(launch.number), \(launch.reason.rawValue)"
        text += ": \(launch.reason.explanation); \(age(launch.startedAt)), \(end(of: launch))"
        if let version = launch.context.appVersion {
            text += ", app \(version)"
        }
        try line("Last launch", text)
        if !launch.ledger.counts.isEmpty {
            // A scene that was never made was not evicted.
            try line(
                "Ledger",
                "as launch \(launch.number) began: "
                    + launch.ledger.summary.replacing(" evicted", with: " without a window"))
        }
    }

    private func end(of launch: LaunchRecord) -> String {
        let ending = launch.ending(isLast: true, isOwned: summary.isOwned)
        switch ending {
        case .quit, .forceQuit:
            let after = launch.endedAt.map { ended in
                " after "
                    + DurationText.describe(
                        .milliseconds(
                            max(
                                0,
                                ended.subtractingReportingOverflow(launch.startedAt)
                                    .partialValue)))
            }
            return ending.text + (after ?? "")
        case .running, .died, .unknown: return ending.text
        }
    }

    // MARK: - For programs

    var json: CanonicalJSON {
        var object = CanonicalJSON.Object([
            ("app", .text(summary.basics.appIdentifier)),
            ("bytes", .integer(totalBytes)),
            ("created", .time(summary.basics.createdAt)),
            (
                "files",
                .array(
                    summary.files.map {
                        [
                            "bytes": .integer($0.bytes), "count": .count($0.count),
                            "name": .string($0.name),
                        ]
                    })
            ),
            ("findings", .array(summary.basics.findings.map(\.json))),
            ("generation", .integer(summary.basics.generation)),
            (
                "healthy",
                .boolean(
                    oddities.isEmpty
                        && summary.basics.findings.allSatisfy { $0.severity == .note })
            ),
            ("path", .text(summary.directory)),
            ("payloadsSetAside", .count(summary.payloadsSetAside)),
            ("schema", .count(summary.basics.schemaVersion)),
            ("uuid", .string(summary.basics.uuid)),
            ("waitingPayloads", .count(summary.waitingPayloads)),
            ("writtenBy", .string(summary.basics.libraryVersion)),
        ])
        object["lastLaunch"] = launchJSON
        object["wal"] =
            summary.log.map { log in
                [
                    "bytes": .integer(log.bytes),
                    "commits": .count(isLogForeign ? 0 : log.commits),
                    "pages": .count(isLogForeign ? 0 : log.frames),
                ]
            } ?? .null
        object["owner"] = [
            "process": summary.ownerProcess.map { .integer(Int64($0)) } ?? .null,
            "running": .boolean(summary.isOwned),
        ]
        object["counts"] = .object(
            CanonicalJSON.Object(
                [
                    ("closed", .count(summary.closedSessions)),
                    ("inFront", .count(summary.frontSessions)),
                    ("open", .count(summary.basics.openSessions)),
                    ("pendingDiscards", .count(summary.pendingDiscards)),
                ]
                    + CanonicalJSON.obstacles(
                        summary.obstacles, earlier: summary.earlierStates, lost: summary.lostStates)
            ))
        return .object(object)
    }

    private var launchJSON: CanonicalJSON {
        guard let launch = summary.lastLaunch else {
            return .null
        }
        let ending = launch.ending(isLast: true, isOwned: summary.isOwned).word
        return [
            "appVersion": .text(launch.context.appVersion), "ending": .text(ending),
            "ended": .time(launch.endedAt),
            "expected": launch.expected.map { .count($0) } ?? .null,
            "launch": .integer(launch.number),
            "process": .integer(Int64(launch.processIdentifier)),
            "reason": .string(launch.reason.rawValue), "started": .time(launch.startedAt),
            "systemVersion": .text(launch.context.systemVersion),
            "ledger": .object(
                CanonicalJSON.Object(
                    LaunchOutcome.allCases.map {
                        ($0.rawValue, .count(launch.ledger.counts[$0] ?? 0))
                    })),
        ]
    }
}

extension LaunchRecord {
    /// How many sessions it expected; nil if it died before it wrote its ledger.
    var expected: Int? {
        ledger.counts.isEmpty && endedAt == nil && reason != .first ? nil : ledger.expected
    }
}

extension CanonicalJSON {
    /// How many sessions the next launch keeps back, or their states, by what keeps them, and how many
    /// of the others have an earlier state that can be brought back, or lost theirs in a salvage.
    static func obstacles(
        _ counts: [LaunchOutcome: Int], earlier: Int, lost: Int
    ) -> [Object.Member] {
        LaunchOutcome.obstacles.map { ($0.rawValue, .count(counts[$0] ?? 0)) }
            + [("earlier", .count(earlier)), ("lost", .count(lost))]
    }
}

extension LaunchReason {
    /// What the reason says.
    var explanation: String {
        switch self {
        case .first: "the container saw no launch before"
        case .launch: "the process before it ended cleanly"
        case .recover: "the process before it died, or the user ended it"
        case .restore: "the system was restarted before it"
        }
    }
}
