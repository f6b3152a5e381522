#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreEngine
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreTesting

/// Who gets a link, and how.
struct LinkAnswer {
    private let question: LinkQuestion
    private let plan: DeliveryPlan?
    /// The app, as far as it is known.
    private let options: SceneApplicationOptions
    private let names: [String: SessionName]
    /// The sessions that are shown of those that were compared.
    private let candidates: [EventTarget.Candidate]
    /// Windows that prefer the link, and are held or parked; without --all the first few.
    private let keptBack: [(known: ConditionedRecord, verdict: LaunchPlan.Verdict)]
    /// How many of those that were compared the rule could have chosen.
    private let rivals: Int
    /// How many could get the link, and are not shown.
    private let unshown: Int
    /// Who gets the link if the chosen window is closed, as far as its conditions tell.
    private let next: SessionRecord?
    /// The callbacks of the chosen window and of the app, or with --all of every window.
    private let callbacks: [DeliveryPlan.Callback]
    /// How many windows get the callbacks that are left out, and each of those with its number.
    private let others: (windows: Int, calls: [(name: String, count: Int)])
    private let invocation: Invocation
    private let context: CommandContext

    /// Works the answer out; without a store the link got no further than the filter.
    init(
        _ question: LinkQuestion, _ store: SceneSessionStore?, _ invocation: Invocation,
        _ context: CommandContext
    ) throws {
        self.question = question
        self.invocation = invocation
        self.context = context
        guard let store else {
            plan = nil
            options = question.options
            names = [:]
            candidates = []
            keptBack = []
            (rivals, unshown, next) = (0, 0, nil)
            callbacks = []
            others = (0, [])
            return
        }
        let isOwned = try store.owner().isOwned
        let state =
            try invocation.text("app-state").flatMap { DeliveryPlan.AppState(rawValue: $0) }
            ?? (!isOwned ? .cold : store.frontRecords().isEmpty ? .background : .foreground)
        options = try context.options(invocation, rememberedBy: store)
        let plan = try DeliveryPlan(
            reading: store, options: options,
            payload: Self.payload(of: question.url), appState: state,
            isRunning: isOwned)
        let chosen = plan.candidates.filter { $0.record.key == plan.target.record?.key }
        let others = plan.candidates.filter {
            $0.record.key != plan.target.record?.key && ($0.prefers || $0.can)
        }.sorted {
            $0.prefers == $1.prefers
                ? SessionRecord.comesBefore($0.record, $1.record) : $0.prefers
        }
        rivals =
            chosen.count + others.count { plan.target.rule == .prefers ? $0.prefers : $0.can }
        // Of those without conditions, one stands for all.
        next = chosen.first?.conditions == ActivationConditions() ? nil : others.first?.record
        let isShort = invocation.flag("why") && invocation.format == .text
        let isAll = invocation.flag("all")
        candidates =
            isAll
            ? plan.candidates
            : chosen + (isShort ? others.prefix(Self.shownRivals) : [])
        unshown = isAll ? 0 : chosen.count + others.count - candidates.count
        keptBack = Array(
            try LaunchPlan(
                reading: store, options: options, isRunning: isOwned, isSparse: true
            ).keptBack(preferring: Self.payload(of: question.url), in: store)
                .prefix(isAll ? .max : Self.shownRivals))
        let records = candidates.map(\.record) + keptBack.map(\.known.record)
        names = Dictionary(
            zip(records.map(\.identifier), try store.names(of: records)),
            uniquingKeysWith: { first, _ in first })
        let target = plan.target.record?.id
        callbacks = plan.callbacks.filter {
            isAll || $0.carriesPayload || $0.identifier == nil || $0.identifier == target
        }
        self.others = isAll ? (0, []) : Self.others(than: target, in: plan.callbacks)
        self.plan = plan
    }

    /// How many windows but one get callbacks without the link, and which, in their order.
    private static func others(
        than target: SceneSession.ID?, in callbacks: [DeliveryPlan.Callback]
    ) -> (windows: Int, calls: [(name: String, count: Int)]) {
        var windows: Set<SceneSession.ID> = []
        var calls: [(name: String, count: Int)] = []
        for callback in callbacks where callback.identifier != target && !callback.carriesPayload {
            guard let identifier = callback.identifier else {
                continue
            }
            windows.insert(identifier)
            if let place = calls.firstIndex(where: { $0.name == callback.name }) {
                calls[place].count += 1
            } else {
                calls.append((callback.name, 1))
            }
        }
        return (windows.count, calls)
    }

    /// How many others that could have got the link are shown without --all.
    private static let shownRivals = 4

    /// Why the session was chosen, with what decided between several.
    private func reason(_ plan: DeliveryPlan) -> String {
        plan.target.rule == .prefers && rivals > 1
            ? "\(plan.target.reason), and it was active last of the \(rivals) windows whose conditions do"
            : plan.target.reason
    }

    /// How a link arrives: a universal link as an activity, any other as a link to open.
    static func payload(of url: String) -> Payload {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard scheme == "https" || scheme == "http",
            let page = URL(string: url, encodingInvalidCharacters: false)
        else {
            return .urls([OpenURLContext(url: url)])
        }
        do throws(SceneStoreError) {
            var activity = try UserActivity(activityType: UserActivity.browsingWeb)
            try activity.setWebpageURL(page)
            return .activity(activity)
        } catch {
            return .urls([OpenURLContext(url: url)])
        }
    }

    /// Whether a window for the link can be made at all: a manifest without an entry for the role
    /// leaves it to a provider.
    private var isDoubtful: Bool {
        plan?.lacksConfiguration == true
            && options.manifest?.isPresent == true
    }

    func write() throws -> ExitStatus {
        let status: ExitStatus = plan == nil ? .answeredNo : .done
        if invocation.format == .json {
            try context.output.json(json)
            return status
        }
        try writeFilter()
        guard let plan else {
            try line("Delivered", "\("to nobody", .red)")
            return status
        }
        try line("Route", "not known here; the app's router decides which screen")
        try writeSession(plan)
        try writeDelivery(plan)
        return status
    }

    private func line(_ name: String, _ text: TerminalText) throws {
        try context.output.labelled(name, text)
    }

    // MARK: - Filter

    private func writeFilter() throws {
        if let refusal = question.decision.refusal {
            try line("Filter", "\("refused", .red), \(refusal.description)")
        } else {
            try line("Filter", "\("accepted", .green), the link is the app's")
        }
        let isShown = question.decision.refusal != nil || invocation.flag("why")
        for step in question.steps where isShown {
            try line("", "\(step.isPassed ? "✓" : "✗") \(step.name): \(step.answer)")
        }
        for assumption in question.assumptions where question.decision.refusal == nil {
            try line("", "\("· " + assumption, .dim)")
        }
        if let hint = question.decision.refusal?.hint {
            try line("", "hint: \(hint)")
        }
    }

    // MARK: - Session

    private func writeSession(_ plan: DeliveryPlan) throws {
        if let record = plan.target.record {
            try line("Session", "\(name(record), .bold): \(reason(plan))")
        } else {
            try line("Session", "\("a new one", .bold): \(plan.target.reason)")
            if isDoubtful {
                try line(
                    "", "the manifest has no configuration for its role: the app needs a provider")
            }
        }
        guard invocation.flag("why") else {
            return
        }
        for candidate in candidates {
            let answer = candidate.prefers ? "prefers it" : candidate.can ? "can show it" : "cannot"
            let conditions = candidate.conditions
            let rules =
                conditions == ActivationConditions()
                ? "no conditions of its own"
                : conditions.words
            try line("", "\(name(candidate.record)): \(answer) (\(rules))")
        }
        for (known, verdict) in keptBack {
            try line(
                "",
                "\(name(known.record)): prefers it, and isn't asked, because it is \(verdict.outcome): \(verdict.reason)"
            )
        }
        if unshown > 0 {
            try line("", "\("and \(unshown) more; --all shows them", .dim)")
        }
        if let record = plan.target.record, let next {
            let discard = context.advice(
                "discard \(CommandContext.quoted(record.identifier))",
                at: context.storePath(invocation))
            let now = context.clock.now()
            try line(
                "",
                "the chosen window is open, also while it is in the background: made \(TimeText.relative(record.createdAt, to: now)), active last \(TimeText.relative(record.lastActiveAt, to: now)); \(discard) closes it, and then \(name(next)) gets the link"
            )
        }
        try line("", "\("compared with the link's complete text", .dim)")
        try line(
            "",
            "\("the app isn't asked: its target(for:) may choose another window; 'deliver url' asks it", .dim)"
        )
    }

    private func name(_ record: SessionRecord) -> String {
        let title = names[record.identifier]?.title
        return title.map { "\($0) (\(record.identifier))" } ?? record.identifier
    }

    // MARK: - Delivery

    private func writeDelivery(_ plan: DeliveryPlan) throws {
        let way =
            plan.callbacks.first(where: \.carriesPayload)?.name == CallShortName.connect.rawValue
            ? "in the options of its connection" : "by callback"
        let scene =
            plan.appState == .cold
            ? "the app is launched"
            : plan.isConnected ? "its scene is connected" : "it has no scene yet"
        try line("Delivered", "\(way); \(scene) (app state \(plan.appState.rawValue))")
        for callback in callbacks {
            let call = Self.call(callback.name)
            let who = callback.identifier.map { " \($0)" } ?? ""
            let mark = callback.carriesPayload ? " ← the link" : ""
            try line(
                "", "\(call, callback.carriesPayload ? .bold : nil)\(who, .dim)\(mark, .green)")
        }
        guard others.windows > 0 else {
            return
        }
        let calls = others.calls.map {
            ($0.count == 1 ? "" : "\(NumberText.grouped($0.count)) × ") + Self.call($0.name)
        }
        try line(
            "",
            "\("\(NumberText.counted(others.windows, "other window")): \(calls.listed(with: "and")); --all lists them", .dim)"
        )
    }

    private static func call(_ name: String) -> String {
        CallShortName(rawValue: name)?.swiftName(in: .scene) ?? name
    }

    // MARK: - For programs

    private var json: CanonicalJSON {
        let decision = question.decision
        var object = CanonicalJSON.Object([
            ("accepted", .boolean(decision.isAccepted)),
            ("delivered", .boolean(plan != nil)),
            ("notAsked", .array(question.assumptions.map { .string($0) })),
            ("reason", .text(decision.refusal?.description)),
            ("refusal", .text(decision.refusal?.reason.rawValue)),
            ("route", .null),
            (
                "steps",
                .array(
                    question.steps.map {
                        [
                            "answer": .string($0.answer), "name": .string($0.name),
                            "passed": .boolean($0.isPassed),
                        ]
                    })
            ),
            ("appState", .null), ("callbacks", []), ("candidates", []), ("isConnected", .null),
            ("isNewSession", .null), ("others", .null), ("rule", .null), ("session", .null),
        ])
        guard let plan else {
            return .object(object)
        }
        object["appState"] = .string(plan.appState.rawValue)
        object["isConnected"] = .boolean(plan.isConnected)
        object["isNewSession"] = .boolean(plan.target.record == nil)
        object["rule"] = .string(plan.target.rule.rawValue)
        object["session"] = .text(plan.target.record?.identifier)
        object["reason"] = .string(reason(plan))
        if !invocation.flag("all") {
            object["others"] = [
                "callbacks": .array(
                    others.calls.map {
                        [
                            "call": .string(Self.call($0.name)), "count": .count($0.count),
                            "name": .string($0.name),
                        ]
                    }),
                "count": .count(others.windows),
            ]
        }
        object["callbacks"] = .array(
            callbacks.map {
                LiveDelivery.json(
                    $0.name, CallShortName(rawValue: $0.name), session: $0.identifier?.rawValue,
                    carriesPayload: $0.carriesPayload)
            })
        object["candidates"] = .array(
            candidates.map {
                [
                    "outcome": .null, "reason": .null,
                    "can": .boolean($0.can), "prefers": .boolean($0.prefers),
                    "canActivate": .string($0.conditions.canActivate.notation),
                    "prefersToActivate": .string($0.conditions.prefersToActivate.notation),
                    "session": .string($0.record.identifier),
                ]
            }
                + keptBack.map { known, verdict in
                    [
                        "outcome": .string(verdict.outcome), "reason": .string(verdict.reason),
                        "can": .boolean(false), "prefers": .boolean(true),
                        "canActivate": .string(known.conditions.canActivate.notation),
                        "prefersToActivate": .string(known.conditions.prefersToActivate.notation),
                        "session": .string(known.record.identifier),
                    ]
                })
        return .object(object)
    }
}
