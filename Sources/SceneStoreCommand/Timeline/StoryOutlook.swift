import SceneStore
import SceneStoreEngine
import SceneStoreExchange

/// What is on top of a report: what the next launch does with each window and why, what the doctor
/// found, and which store it is.
struct StoryOutlook: Sendable {
    /// A window at the next launch.
    struct Window: Sendable {
        var identifier: String
        var title: String?
        var name: String
        /// A word or two: `connects first`, `held`.
        var fate: String
        var isConnected: Bool
        /// Why, for people: with what is odd about its state.
        var reason: String
        /// What the plan says, in its own words.
        var outcome: String
        var plannedReason: String
        var restoration: String
        var restorationReason: String
    }

    /// A line of the doctor's: what isn't in order, and what can be brought back.
    struct Finding: Sendable {
        var mark: DoctorFinding.Mark
        var code: String
        var message: String
        var fix: String?
    }

    var windows: [Window] = []
    /// How many sessions are open, and how many of them the next launch connects.
    var openCount = 0
    var connectedCount = 0
    /// How many of them the next launch keeps back, or their states, by what keeps them (S-44).
    var obstacles: [LaunchOutcome: Int] = [:]
    /// How many of the others have an earlier state that can be brought back.
    var earlierStates = 0
    /// How many of the others lost theirs in a salvage.
    var lostStates = 0
    var findings: [Finding] = []
    /// What the store is, by name, without what redaction hides.
    var facts: [(name: String, text: String)] = []

    /// Windows that are listed.
    static let limit = 40

    /// Reads what a store would do next.
    init(
        of story: StoreStory, reading store: SceneSessionStore, _ summary: StoreSummary
    ) throws {
        let isOwned = summary.isOwned
        let plan = try LaunchPlan(
            reading: store, options: .remembered(by: store), isRunning: isOwned,
            isSparse: true)
        let sessions = Dictionary(
            story.sessions.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
        let records = try store.openRecords()
        var verdicts: [(place: Int, index: Int, verdict: LaunchPlan.Verdict)] = []
        for (index, record) in records.enumerated() {
            let verdict = plan.outlook(for: record)
            var place = Int.max
            if case .connects(let order, _) = verdict.fate {
                place = order
            }
            verdicts.append((place, index, verdict))
        }
        openCount = records.count
        obstacles = summary.obstacles
        earlierStates = summary.earlierStates
        lostStates = summary.lostStates
        connectedCount = verdicts.count { $0.verdict.connects }
        verdicts.sort { ($0.place, $0.index) < ($1.place, $1.index) }
        windows = try verdicts.prefix(Self.limit).map { _, index, judged in
            let record = records[index]
            // Its bytes are read once, so that damage is known, whatever redaction hides.
            _ = try? store.restorationActivity(key: record.key)
            let label = try SessionLabel.labels(of: [record], in: store).first
            let verdict = try judged.given(label, record, summary.lost).found(record, in: store)
            let fate =
                switch verdict.fate {
                case .connects(let order, _): "connects, number \(order)"
                case .stays: "waits"
                case .parked: "is parked"
                case .held: "is held"
                case .discarded: "is discarded"
                case .forgotten: "is forgotten"
                }
            var reason = verdict.reason
            if verdict.connects, verdict.restoration != .available {
                reason +=
                    "; its state is \(verdict.restoration.rawValue): "
                    + verdict.restorationReason
            } else if let remark = verdict.remark {
                reason += "; \(remark)"
            }
            let session = sessions[record.identifier]
            return Window(
                identifier: record.identifier, title: session?.title,
                name: session?.name ?? SessionName(record, title: nil).fallback,
                fate: fate, isConnected: verdict.connects, reason: reason,
                outcome: verdict.outcome, plannedReason: verdict.reason,
                restoration: verdict.restores,
                restorationReason: verdict.restorationReason)
        }
        facts = [
            ("Owner", summary.isOwned ? "the app is running" : "nobody, the app is not running"),
            (
                "Schema",
                "\(summary.basics.schemaVersion), written by \(summary.basics.libraryVersion)"
            ),
        ]
        if let launch = summary.lastLaunch {
            facts.append(
                (
                    "Last launch",
                    "number \(launch.number) on \(TimeText.moment(launch.startedAt)): "
                        + launch.reason.explanation
                ))
        }
        // A path names a person.
        if story.redaction == .none, let directory = summary.directory {
            facts.append(("Path", directory))
        }
    }
}

extension CommandContext {
    /// What the doctor says that is not in order, and what can be brought back.
    func doctorFindings(_ invocation: Invocation) throws -> [StoryOutlook.Finding] {
        let bar = Progress("doctor", invocation, self)
        defer { bar.finish() }
        var doctor = Doctor(
            self, at: storePath(invocation), manifest: nil, renames: [:], telling: bar)
        // A path names a person.
        doctor.namesPath = invocation.redaction == .none
        do {
            let findings = try doctor.examine().filter { $0.mark != .good || $0.isOffer }
            return DoctorFinding.examples(of: findings).map {
                StoryOutlook.Finding(
                    mark: $0.mark, code: $0.code?.code ?? "", message: $0.message, fix: $0.fix)
            }
        } catch is SceneStoreError {
            // A file by itself has no container to look at.
            return []
        } catch is CommandError {
            return []
        }
    }
}

/// The top of the page.
struct ReportOutlook {
    let outlook: StoryOutlook

    func markup() -> Markup {
        var page: Markup = """
            <section aria-labelledby="h-next">
            <h2 id="h-next">At the next launch</h2>
            <p class="soft">\(summary)</p>
            <ul class="outlook">

            """
        for window in outlook.windows {
            let look: Markup = window.isConnected ? "good" : "look"
            page.append(
                """
                <li><b><bdi>\(window.name)</bdi></b><span class="\(look)">\(window.fate)</span>\
                <span>\(window.reason)</span></li>

                """)
        }
        page.append("</ul>\n")
        page.append(doctor)
        page.append("<dl class=\"store\">\n")
        for fact in outlook.facts {
            page.append("<dt>\(fact.name)</dt><dd><bdi>\(fact.text)</bdi></dd>\n")
        }
        page.append("</dl>\n</section>\n")
        return page
    }

    private var summary: String {
        guard !outlook.windows.isEmpty else {
            return "No window is remembered: the app makes a new one."
        }
        let connected = outlook.connectedCount
        let others =
            outlook.openCount > outlook.windows.count
            ? " Those and the most recent of the others are listed, \(NumberText.grouped(outlook.windows.count)) in all."
            : ""
        return
            "\(NumberText.grouped(connected)) of \(NumberText.counted(outlook.openCount, "window")) "
            + "\(connected == 1 ? "comes" : "come") back at once." + others
    }

    private var doctor: Markup {
        guard !outlook.findings.isEmpty else {
            return "<p class=\"good\">The doctor found nothing wrong.</p>\n"
        }
        var list: Markup = "<h2>What the doctor found</h2>\n<ul class=\"outlook\">\n"
        for finding in outlook.findings {
            let (look, word): (Markup, Markup) =
                switch finding.mark {
                case .good: ("good", "no fault")
                case .attention: ("look", "worth a look")
                case .bad: ("red", "wrong")
                }
            list.append(
                """
                <li><b>\(finding.code)</b><span class="\(look)">\(word)</span>\
                <span>\(finding.message)\(finding.fix.map { ": \($0)" } ?? "")</span></li>

                """)
        }
        list.append("</ul>\n")
        return list
    }
}
