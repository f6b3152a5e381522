import SceneStore
import SceneStoreEngine
import SceneStoreExchange

enum PlanCommand {
    /// `plan`.
    static let command = Command(
        CommandDescription(
            name: "plan", group: .ask,
            summary: "Show what the next launch would do, and why",
            discussion: """
                Lists what the launch does, in order. First the app is told which sessions were \
                discarded. Then sessions connect, and each gets its window. OUTCOME shows whether \
                the window becomes active, or stays in the foreground or background. Sessions that \
                don't connect by themselves come last, each with the reason.

                --manifest plans an update: it reads the Info.plist of the new version, and shows \
                which sessions get a renamed configuration, which lose theirs, and which can't be \
                shown any more. Without --manifest, 'plan' uses the manifest that the app's last \
                launch declared. Other options, such as how many sessions reconnect, are always \
                those of the last launch. 'plan' can't know what the app's own code decides during \
                the launch.

                --behaviour plans a launch that begins without its windows. --url plans a launch \
                that a link starts. Each link, and each payload that waits in the inbox, has a \
                line with the session that takes it. The line names no session if the payload gets \
                a new one. OUTCOME is then the callback that delivers it, 'waiting' or \
                'set-aside'. The exit status is 1 if 'open-url' would refuse a link.
                """,
            options: [
                .manifest, .rename,
                .value(
                    "reason", "REASON", .choice(LaunchReason.allCases.map(\.rawValue)),
                    "Assume this reason for the launch; else the store's"),
                .value(
                    "reconnect", "POLICY", .text,
                    "Connect the sessions that were in front (foreground), all, or the last used N "
                        + "(first:N); else as the last launch did"),
                .behaviour,
                .value(
                    "url", "URL", .text, "A link that starts the app", isRepeatable: true),
                .json, .csv,
            ] + OptionDescription.tableWithoutTimes,
            columns: [
                "step", "order", "session", "title", "outcome", "restoration", "configuration",
                "role", "reason",
            ],
            examples: [
                ExampleDescription("plan", "Which windows come back"),
                ExampleDescription(
                    "plan --manifest New/Info.plist --rename Editor:Writer",
                    "Which windows come back after an update"),
                ExampleDescription(
                    "plan --behaviour fresh --url notes://note/42",
                    "Who takes a link when no window comes back"),
                ExampleDescription(
                    "plan --reason recover --json", "What comes back after a crash, for scripts"),
            ])
    ) { invocation, context in
        let renames = try invocation.renames()
        let reconnection = try invocation.text("reconnect").map(reconnection)
        let links = invocation.texts("url")
        for link in links {
            try context.refuseForeign(link, invocation)
        }
        return try context.withStore(invocation) { store in
            var options = try context.options(invocation, rememberedBy: store)
            if !renames.isEmpty {
                options.configurationRenames = renames
            }
            if let reconnection {
                options.reconnection = reconnection
            }
            let plan = try LaunchPlan(
                reading: store, options: options,
                reason: invocation.text("reason").flatMap { LaunchReason(rawValue: $0) },
                isRunning: store.owner().isOwned,
                payloads: links.map { LinkAnswer.payload(of: $0) })
            let source: ManifestSource =
                invocation.isGiven("manifest")
                ? .given : options.isOfUnknownApp ? .unknown : .remembered
            try PlanPage(plan, store, source, invocation, context).write()
            return .done
        }
    }

    /// `foreground`, `all` or `first:N`.
    private static func reconnection(
        _ text: String
    ) throws(CommandError) -> SceneApplicationOptions.Reconnection {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        switch parts.first {
        case "foreground" where parts.count == 1: return .foreground
        case "all" where parts.count == 1: return .all
        case "first" where parts.count == 2:
            if let count = Int(parts[1]), count >= 0 {
                return .first(count)
            }
        default: break
        }
        throw .usage(
            "--reconnect must be foreground, all or first:N, not \(text.quotedForError)")
    }
}

extension SceneApplicationOptions.Reconnection {
    /// As `--reconnect` and a scenario's 'policy' take it.
    var word: String {
        switch self {
        case .foreground: "foreground"
        case .all: "all"
        case .first(let count): "first:\(count)"
        }
    }
}

extension CommandContext {
    /// Ends the command with 1 for a link that the app never gets, as 'open-url' says.
    fileprivate func refuseForeign(_ link: String, _ invocation: Invocation) throws {
        let question = try LinkQuestion(link, invocation, self)
        guard let refusal = question.decision.refusal else {
            return
        }
        throw CommandError(
            .answeredNo,
            "the app never gets \(link.quotedForError): \(refusal.description)",
            hint: refusal.hint
                ?? "\(advice("open-url URL", at: storePath(invocation))) shows each rule that was asked"
        )
    }
}

extension LaunchPlan.Verdict {
    /// What the launch makes of a session, a word; the same in `plan`, `sessions`, `show`, `why` and
    /// `report`.
    var outcome: String {
        switch fate {
        case .connects(_, let arrival): arrival.rawValue
        case .forgotten: "forgotten"
        case .parked: "parked"
        case .held: "held"
        case .stays: "disconnected"
        case .discarded: "discarded"
        }
    }
}

/// Where the manifest is from that a plan is judged by.
private enum ManifestSource {
    case given
    case remembered
    case unknown

    /// What a reader of the plan must know of it.
    var note: TerminalText? {
        switch self {
        case .given: nil
        case .remembered: "It is planned with the manifest that the last launch declared"
        case .unknown:
            "No launch declared a manifest: it isn't known whether the app shows several windows"
        }
    }
}

/// The plan of a launch as a table.
private struct PlanPage {
    private let plan: LaunchPlan
    private let store: SceneSessionStore
    private let source: ManifestSource
    private let invocation: Invocation
    private let context: CommandContext
    private let isForPeople: Bool
    /// How much of identifiers is shown.
    private let length: Int

    init(
        _ plan: LaunchPlan, _ store: SceneSessionStore, _ source: ManifestSource,
        _ invocation: Invocation, _ context: CommandContext
    ) {
        self.plan = plan
        self.store = store
        self.source = source
        self.invocation = invocation
        self.context = context
        isForPeople = invocation.format == .text
        length =
            isForPeople && context.terminal.width != nil
            ? SessionArgument.shortLength(of: plan.records) : Int.max
    }

    private static let columns = [
        TableColumn("step", "Step", priority: 0),
        TableColumn("order", "#", alignment: .trailing, priority: 1),
        TableColumn("session", "Session", priority: 2, cut: .middle),
        TableColumn("title", "Title", priority: 0, minimumWidth: 12),
        TableColumn("outcome", "Outcome", priority: 0),
        TableColumn("restoration", "Restoration", priority: 2),
        TableColumn("configuration", "Configuration", priority: 3, minimumWidth: 8),
        TableColumn("role", "Role", priority: 4, minimumWidth: 8),
        TableColumn("reason", "Reason", priority: 1, minimumWidth: 31),
    ]

    func write() throws {
        var table = try TableWriter(Self.columns, invocation, context)
        if isForPeople {
            try context.output.prose(
                "Launch \(plan.start.number) has the reason \(plan.start.reason.rawValue, .bold): \(plan.start.text)"
            )
            if let note = source.note {
                try context.output.prose(note)
            }
            if !invocation.isGiven("behaviour"), try store.hasBegunAnew() {
                try context.output.prose(
                    "It is planned as a launch that restores, but \(SceneSessionStore.begunAnew); --behaviour fresh plans one like that"
                )
            }
            if let blamed = plan.blamed {
                try context.output.prose(
                    "The last process died restoring \(blamed.rawValue); its count of crashes rises by one"
                )
            }
            if plan.waitingPayloads > 0 {
                let count = NumberText.counted(plan.waitingPayloads, "payload")
                try context.output.prose(
                    "\(count) of the inbox \(plan.waitingPayloads == 1 ? "is" : "are") offered again"
                )
            }
            try context.output.line()
        } else {
            try table.append(
                row("launch", outcome: plan.start.reason.rawValue, why: plan.start.text))
        }
        for discard in plan.discards where !table.isFull {
            try table.append(
                row(
                    "discard", session: discard.identifier.rawValue,
                    name: try store.name(of: discard.identifier.rawValue),
                    outcome: discard.cause.rawValue,
                    configuration: discard.configuration,
                    why: discard.isRedelivered ? "once more: \(discard.reason)" : discard.reason))
        }
        try appendConnecting(&table)
        try appendPayloads(&table)
        let staying = try appendStaying(&table)
        try table.finish()
        if isForPeople, staying > 0 {
            try context.output.line()
            try context.output.line(
                "\(NumberText.grouped(staying)) more \(staying == 1 ? "session stays" : "sessions stay") open until activated"
            )
        }
    }

    private func appendConnecting(_ table: inout TableWriter) throws {
        func append(_ new: LaunchPlan.NewSession) throws {
            let origin =
                new.configuration == nil
                ? "the provider is asked" : "the provider is asked, else the manifest's first"
            try table.append(
                row(
                    "new", order: new.order, outcome: plan.arrival(of: new).rawValue,
                    configuration: new.configuration
                        ?? SceneConfiguration(name: nil, role: new.role),
                    why: "\(new.reason); \(origin)"))
        }
        var made = plan.newSessions[...]
        // Nothing is read of those that --limit leaves out.
        let lost = try LostStates(reading: store)
        let connecting = plan.connecting.prefix(table.leadingLimit ?? .max)
        for (record, label) in zip(connecting, try SessionLabel.labels(of: connecting, in: store)) {
            let name = try store.name(of: record, label)
            let verdict = try plan.outlook(for: record).given(label, record, lost)
                .found(record, in: store)
            guard case .connects(let order, let arrival) = verdict.fate else {
                continue
            }
            while let new = made.first, new.order < order {
                try append(made.removeFirst())
            }
            try table.append(
                row(
                    "connect", order: order, session: record.identifier,
                    name: name,
                    outcome: arrival.rawValue,
                    restoration: verdict.restores,
                    configuration: verdict.configuration, why: why(verdict)))
        }
        try made.forEach(append)
    }

    private func appendPayloads(_ table: inout TableWriter) throws {
        for (planned, fate) in plan.payloadFates where !table.isFull {
            let what = planned.payload.noun
            let why = planned.wasOffered ? "\(what), offered again" : what
            let cells =
                switch fate {
                case .handed(let session, let order, let call):
                    row(
                        "payload", order: order, session: session?.rawValue,
                        name: try session.flatMap { try store.name(of: $0.rawValue) },
                        outcome: call,
                        why: why)
                case .waits: row("payload", outcome: "waiting", why: why)
                case .setAside:
                    row(
                        "payload", outcome: "set-aside", why: "\(what): \(InboxItem.setAsideReason)"
                    )
                }
            try table.append(cells)
        }
    }

    /// Those that do not connect; for people the plain ones are only counted.
    private func appendStaying(_ table: inout TableWriter) throws -> Int {
        var count = 0
        var shown: [(step: String, record: SessionRecord)] = []
        for record in plan.records {
            let verdict = plan.outlook(for: record)
            switch verdict.fate {
            case .connects, .discarded: continue
            case .held: shown.append(("held", record))
            case .parked: shown.append(("park", record))
            case .forgotten: shown.append(("forget", record))
            case .stays:
                let isPlain = verdict.restoration == .available && !verdict.isReconfigured
                if isForPeople, isPlain {
                    count += 1
                } else {
                    shown.append(("stay", record))
                }
            }
        }
        // No name is read that --limit leaves out.
        shown.removeLast(max(shown.count - (table.leadingLimit ?? .max), 0))
        let names = try store.names(of: shown.map(\.record))
        for ((step, record), name) in zip(shown, names) {
            let verdict = plan.outlook(for: record)
            try table.append(
                row(
                    step, session: record.identifier, name: name,
                    outcome: verdict.outcome,
                    restoration: verdict.restores,
                    configuration: verdict.configuration, why: why(verdict)))
        }
        return count
    }

    /// Why a session connects or not, and what is odd about its state or configuration.
    private func why(_ verdict: LaunchPlan.Verdict) -> String {
        // What is odd comes first: it is what must not be cut off.
        if let remark = verdict.remark {
            return "\(remark); \(verdict.reason)"
        }
        if verdict.restoration != .available, verdict.restoration != .held {
            let state = "state \(verdict.restoration.rawValue): \(verdict.restorationReason)"
            // Switched-off restoration is why it is forgotten, too.
            return verdict.fate == .forgotten ? state : "\(state); \(verdict.reason)"
        }
        return verdict.isReconfigured
            ? "its configuration has another name or class now; \(verdict.reason)"
            : verdict.reason
    }

    private func row(
        _ step: String, order: Int? = nil, session: String? = nil, name: SessionName? = nil,
        outcome: String,
        restoration: String? = nil, configuration: SceneConfiguration? = nil, why: String
    ) -> [TableCell] {
        [
            .text(step, step == "connect" || step == "new" ? .green : nil),
            order.map { .integer($0) } ?? .none,
            session.map { .custom(SessionArgument.shortened($0, to: length), .string($0)) }
                ?? .none,
            name.map { .custom($0.text, .text($0.title)) } ?? .none,
            .text(outcome), .text(restoration), .text(configuration?.name),
            configuration.map {
                .custom(RoleName.short(for: $0.role), .string($0.role.rawValue))
            } ?? .none,
            .text(why),
        ]
    }
}
