#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreEngine
import SceneStoreExchange

/// Everything that is known about a session, as one tree: what `show` prints, and where its key
/// paths lead.
///
/// What the store keeps as values stays what it is; everything else is text, numbers and Booleans.
struct SessionDetails {
    let record: SessionRecord
    let session: SceneSession
    /// What the window is called; of a private session the title of the scene itself.
    let title: String?
    let verdict: LaunchPlan.Verdict
    let state: SessionState
    let closed: ClosedSession?
    let history: [StateVersion]
    let storage: [String: Value]
    let places: StoredPlaces?

    init(_ record: SessionRecord, in store: SceneSessionStore) throws {
        let isOwned = try store.owner().isOwned
        self.record = record
        session = try store.session(for: record)
        title = try store.name(of: record).title ?? session.title
        let plan = try LaunchPlan(
            reading: store, options: .remembered(by: store), isRunning: isOwned, isSparse: true)
        verdict = try plan.outlook(for: record).given(
            SessionLabel.labels(of: [record], in: store).first, record, LostStates(reading: store)
        ).found(record, in: store)
        state = SessionState(of: record, verdict, isOwned: isOwned)
        closed =
            record.isOpen
            ? nil : try store.discards.recentlyClosed().first { $0.record.key == record.key }
        history = try store.history.versions(key: record.key)
        storage = try store.values.storageValues(key: record.key)
        places = try StoredPlaces(record, in: store)
    }

    /// The tree.
    var tree: ValueDictionary {
        var tree: ValueDictionary = [
            "session": .string(record.identifier),
            "title": .text(title),
            "state": .string(state.rawValue),
            "inFront": .boolean(record.isFront),
            "configuration": .dictionary(configuration),
            "created": .time(record.createdAt),
            "lastActive": .time(record.lastActiveAt),
            "saved": .time(record.savedAt),
            "crashes": .integer(Int64(record.crashCount)),
            "heldByHand": .boolean(record.isHeldByHand),
            "pinned": .boolean(record.isPinned),
            "privacy": .string(record.privacy.rawValue),
            "stale": .boolean(record.isStale),
            "restorationEnabled": .boolean(record.isRestorationEnabled),
            "nextLaunch": .dictionary(launch),
        ]
        tree["conditions"] = [
            "canActivate": .string(session.activationConditions.canActivate.notation),
            "prefersToActivate": .string(session.activationConditions.prefersToActivate.notation),
        ]
        tree["discard"] =
            closed.map { closed -> Value in
                ["cause": .string(closed.cause.rawValue), "closed": .time(closed.closedAt)]
            } ?? .null
        tree["placement"] = session.placement.map { .dictionary($0.tree) } ?? .null
        tree["arrangements"] =
            places.map { .array($0.memory.arranged.map { .dictionary($0.placement.tree) }) }
            ?? .null
        tree["presentedValue"] = session.presentedValue ?? .null
        tree["history"] = [
            "states": .integer(Int64(history.count)),
            "bytes": .integer(history.reduce(0) { $0 &+ Int64($1.byteCount) }),
            "oldest": .time(history.last?.context.savedAt),
        ]
        tree["savedUnder"] = savedUnder
        tree["userInfo"] = .dictionary(session.userInfo)
        tree["storage"] = .dictionary(ValueDictionary(storage))
        tree["activity"] =
            session.stateRestorationActivity.map { .dictionary($0.tree) } ?? .null
        return tree
    }

    /// The tree for programs: a field that other commands print, too, is the same here, and its parts
    /// have another name.
    var fields: ValueDictionary {
        var fields = tree
        fields["configurationParts"] = fields["configuration"]
        fields["configuration"] = .text(session.configuration.name)
        fields["savedActivity"] = fields["activity"]
        fields["activity"] = .text(session.stateRestorationActivity?.activityType)
        return fields
    }

    private var savedUnder: Value {
        guard let context = history.first(where: \.isCurrent)?.context else {
            return .null
        }
        return [
            "appVersion": .text(context.appVersion),
            "systemVersion": .text(context.systemVersion),
            "idiom": .text(context.idiom),
        ]
    }

    private var configuration: ValueDictionary {
        let configuration = session.configuration
        return [
            "name": .text(configuration.name),
            "role": .string(configuration.role.rawValue),
            "sceneClass": .text(configuration.sceneClassName),
            "delegateClass": .text(configuration.delegateClassName),
            "storyboard": .text(configuration.storyboardName),
            "immersionStyle": .text(configuration.initialImmersionStyle),
            "resolution": .string(configuration.resolution.word),
        ]
    }

    private var launch: ValueDictionary {
        var launch: ValueDictionary = [
            "reconnects": .boolean(verdict.connects), "reason": .string(verdict.reason),
            "order": .null,
            "outcome": .text(record.isOpen ? verdict.outcome : nil),
            "restoration": .string(verdict.restores),
            "restorationReason": .string(verdict.restorationReason),
        ]
        if case .connects(let order, _) = verdict.fate {
            launch["order"] = .integer(Int64(order))
        }
        return launch
    }
}

extension LaunchPlan.Verdict {
    /// The same, given what is in the file of the session's state.
    func given(_ label: SessionLabel?, _ record: SessionRecord, _ lost: LostStates) -> Self {
        var verdict = self
        let isMissing = label?.isStateMissing == true
        verdict.hasState = hasState && !isMissing
        guard restoration == .available else {
            return verdict
        }
        if isMissing {
            verdict.restorationReason = "the state that was saved last is not in the file"
        } else if label?.isStateEarlier == true {
            verdict.restorationReason = Self.earlierReason
        } else if lost.includes(record, label) {
            verdict.restorationReason = hasState ? LostStates.olderReason : LostStates.reason
        }
        return verdict
    }
}

/// What a session is, for people and filters.
enum SessionState: String {
    /// In front of a running app.
    case connected
    /// Remembered, without a scene as far as the store shows.
    case disconnected
    /// Kept from connecting.
    case held
    /// Kept with its state, without a place among the app's windows (L-18).
    case parked
    /// Gone for good, unless it is reopened.
    case discarded

    /// The states of all open sessions, by identifier.
    static func ofOpen(in store: SceneSessionStore) throws -> [String: SessionState] {
        let isOwned = try store.owner().isOwned
        let plan = try LaunchPlan(
            reading: store, options: .remembered(by: store), isRunning: isOwned, isSparse: true)
        return Dictionary(
            try store.openRecords().map { record in
                (
                    record.identifier,
                    SessionState(of: record, plan.outlook(for: record), isOwned: isOwned)
                )
            }, uniquingKeysWith: { first, _ in first })
    }

    /// As the plan of the next launch judges it, so that every command says the same.
    init(of record: SessionRecord, _ verdict: LaunchPlan.Verdict, isOwned: Bool) {
        guard record.isOpen else {
            self = .discarded
            return
        }
        switch verdict.fate {
        // It may still bear the mark of the process that died with it in front.
        case .held: self = .held
        case .parked: self = .parked
        default: self = record.isFront && isOwned ? .connected : .disconnected
        }
    }

    var style: TerminalText.Style? {
        switch self {
        case .disconnected: nil
        case .connected: .green
        case .held, .parked: .yellow
        case .discarded: .dim
        }
    }
}

extension SceneConfiguration.Resolution {
    /// The word for it.
    var word: String {
        switch self {
        case .application: "application"
        case .manifest: "manifest"
        case .unresolved: "unresolved"
        }
    }
}

extension ActivationConditions {
    /// The conditions for people: what the window can show, and what it prefers.
    var words: String { "can show \(canActivate.words), prefers \(prefersToActivate.words)" }
}

extension ActivationConditions.Rule {
    /// The rule for people: which targets it is about.
    var words: String {
        switch self {
        case .always: "any target"
        case .never: "none"
        case .equals(let text): "\"\(text)\""
        case .hasPrefix(let text): "what begins with \"\(text)\""
        case .hasSuffix(let text): "what ends with \"\(text)\""
        case .contains(let text): "what contains \"\(text)\""
        case .matches(let pattern): "what the pattern \"\(pattern)\" matches"
        case .any(let rules): rules.map(\.words).joined(separator: " or ")
        case .all(let rules): rules.map(\.words).joined(separator: " and ")
        case .not(let rule): "not \(rule.words)"
        }
    }

    /// The rule as scenarios write it: `always`, `never`, `=TEXT`, `^PREFIX`, `$SUFFIX`,
    /// `~CONTAINS`, `glob:PATTERN`, several joined by `|`; beyond that `all(…, …)` and `not(…)`.
    var notation: String {
        switch self {
        case .always: "always"
        case .never: "never"
        case .equals(let text): "=" + text
        case .hasPrefix(let text): "^" + text
        case .hasSuffix(let text): "$" + text
        case .contains(let text): "~" + text
        case .matches(let pattern): "glob:" + pattern
        case .any(let rules): rules.map(\.notation).joined(separator: "|")
        case .all(let rules): "all(" + rules.map(\.notation).joined(separator: ", ") + ")"
        case .not(let rule): "not(" + rule.notation + ")"
        }
    }
}

extension ScenePlacement {
    var tree: ValueDictionary {
        [
            "x": x.map { .double($0) } ?? .null, "y": y.map { .double($0) } ?? .null,
            "width": .double(width), "height": .double(height), "display": .text(display),
            "windowState": .string(windowState.rawValue),
            "stackingOrder": .integer(Int64(stackingOrder)),
            "parent": .text(parent?.rawValue),
            "tab": tabIndex.map {
                .dictionary([
                    "index": .integer(Int64($0)), "isSelected": .boolean(isSelectedTab),
                ])
            } ?? .null,
        ]
    }
}

extension UserActivity {
    /// The activity with all its fields, those that are not set as null.
    var tree: ValueDictionary {
        let words: [(Eligibility, String)] = [
            (.handoff, "handoff"), (.search, "search"), (.publicIndexing, "publicIndexing"),
            (.prediction, "prediction"),
        ]
        var tree: ValueDictionary = [
            "type": .string(activityType),
            "title": .text(title),
            "userInfo": .dictionary(userInfo),
            "requiredUserInfoKeys": .set(Set(requiredUserInfoKeys.map { .string($0) })),
            "webpageURL": webpageURL.map { .url($0) } ?? .null,
            "referrerURL": referrerURL.map { .url($0) } ?? .null,
            "targetContentIdentifier": .text(targetContentIdentifier),
            "persistentIdentifier": .text(persistentIdentifier),
            "expirationDate": expirationDate.map { .date($0) } ?? .null,
            "keywords": .set(Set(keywords.map { .string($0) })),
            "eligibility": .array(
                words.filter { eligibility.contains($0.0) }.map { .string($0.1) }),
        ]
        // Most apps have had one version only.
        if stateVersion != 1 {
            tree["stateVersion"] = .integer(Int64(stateVersion))
        }
        return tree
    }
}

extension LaunchPlan.Verdict {
    /// What has no state restores this.
    static let nothing = "nothing"
    /// What has a state whose bytes are damaged restores this.
    static let damaged = "damaged"

    /// What becomes of its state, in a word; `nothing` where none was saved.
    var restores: String {
        guard restoration == .available, !hasState else {
            return restoration.rawValue
        }
        return restorationReason == Self.damagedReason ? Self.damaged : Self.nothing
    }

    private static let damagedReason = "the state that was saved last is damaged"
    private static let earlierReason = "an earlier state was chosen"

    /// What a list tells of its state that is available; nil if it is as it was saved last.
    var remark: String? {
        [Self.damagedReason, Self.earlierReason, LostStates.reason, LostStates.olderReason].first {
            $0 == restorationReason
        }
    }

    /// The same of a session whose state is damaged in the file, as far as it was read.
    func found(_ record: SessionRecord, in store: SceneSessionStore) throws -> Self {
        guard restoration == .available, try store.isStateDamaged(of: record) else {
            return self
        }
        var verdict = self
        verdict.hasState = false
        verdict.restorationReason = Self.damagedReason
        return verdict
    }
}

extension Value {
    /// Text, or null.
    static func text(_ text: String?) -> Value {
        text.map { .string($0) } ?? .null
    }

    /// A point in time as every command prints it, or null.
    static func time(_ time: Int64?) -> Value {
        time.map { .string(TimeText.iso8601($0)) } ?? .null
    }
}
