import SceneStore
import SceneStoreEngine
import SceneStoreExchange
import SceneStoreTesting

/// An entry of the journal, read as a callback or a decision.
struct JournalEntry {
    private(set) var event: StoreEvent
    /// Whether it says why something happened, and not that it did.
    let isDecision: Bool
    /// What came out, a word or a few.
    let outcome: String?
    /// Why, of a decision and of what was done because of one.
    private(set) var reason: String?

    init(_ event: StoreEvent) {
        self.event = event
        if let decision = DecisionRecord(event) {
            isDecision = true
            // What has no state restores nothing: so all commands call it.
            let isEmpty = decision.reason == RestorationStatus.available.reason(hasState: false)
            outcome = isEmpty ? LaunchPlan.Verdict.nothing : decision.outcome
            reason = isEmpty ? LaunchPlan.noCurrentState : decision.reason
        } else {
            isDecision = false
            outcome = event.detail
            reason = event.kind == .clear ? Self.clearReason : nil
        }
    }

    /// What it means that a state was cleared: the app was asked for one.
    static let clearReason = "the app returned no state"

    /// The entry, told with another launch.
    func inLaunch(_ number: Int64) -> JournalEntry {
        var moved = self
        moved.event.launch = number
        return moved
    }

    /// The entry, told with the reason that was noted beside it.
    func because(_ reason: String) -> JournalEntry {
        var explained = self
        explained.reason = reason
        return explained
    }

    /// The entry of a payload, told with the window that got it, and with what came of that.
    func delivered(to session: String?, _ reason: String?) -> JournalEntry {
        var explained = self
        explained.event.sessionIdentifier =
            event.sessionIdentifier ?? session.map { SceneSession.ID($0) }
        explained.reason = reason ?? explained.reason
        return explained
    }

    /// When it happened, to the second.
    var time: String { TimeText.moment(event.happenedAt) }

    /// Its place among the entries of one transaction.
    var rank: Int {
        if isDecision {
            return 0
        }
        switch event.kind {
        // Its decisions are stored with it.
        case .blame, .launch: return -1
        case .save, .clear: return 2
        case .mark: return outcome == "background" ? 1 : 3
        default: return 1
        }
    }

    /// The callback that the entry belongs to.
    var call: CallShortName? {
        if isDecision {
            return event.kind.rawValue == "provider" && outcome == "asked" ? .config : nil
        }
        switch event.kind {
        case .launch: return .did
        case .create: return .connect
        case .save, .clear: return .save
        case .discardDelivered: return .discard
        case .mark:
            return switch outcome {
            case "active": .active
            case "front": .fg
            case "background": .bg
            default: nil
            }
        default: return nil
        }
    }
}
