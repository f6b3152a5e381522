import SceneStoreValues

/// What a plan answers.
extension LaunchPlan {
    /// Whether new sessions are all that there will be: nothing connects, nothing is held or parked.
    package var isBare: Bool {
        !newSessions.isEmpty && connecting.isEmpty && noted.isEmpty
    }

    /// What becomes of one of the store's sessions. A discarded one stays what it is.
    package func verdict(for record: SessionRecord) -> Verdict {
        let update = rules.update(of: record)
        let restoration = rules.restoration(of: record, update)
        var verdict = Verdict(
            fate: places[record.key] ?? .stays, reason: reasons[record.key] ?? "",
            restoration: restoration,
            restorationReason: rules.reason(
                for: restoration, of: record, hasState: record.hasState),
            hasState: record.hasState,
            configuration: rules.configuration(of: record, .current), isReconfigured: false,
            isStale: record.isStale)
        switch update {
        case .replaced(let configuration):
            verdict.configuration = configuration
            verdict.isReconfigured = true
        case .stale(let configuration):
            verdict.configuration = configuration
            verdict.isReconfigured = true
            verdict.isStale = true
        case .current, .cannotDisplay: break
        }
        let isParked = if case .parked = verdict.fate { true } else { false }
        guard places[record.key] == nil || isParked && rules.isHeld(record) else {
            return verdict
        }
        if !record.isOpen {
            verdict.fate = .discarded
            verdict.reason = "it was discarded"
        } else if !record.isRestorationEnabled {
            verdict.fate = .forgotten
            verdict.reason = "restoration is switched off for it, and the next launch forgets it"
        } else if rules.isHeld(record) {
            verdict.fate = .held
            verdict.reason = rules.heldReason(of: record)
        } else if let cause = rules.parked(record) {
            verdict.fate = .parked(cause)
            verdict.reason = cause.reason
        } else {
            verdict.reason = "\(rules.waitingReason); it connects when it is activated"
        }
        return verdict
    }
}

extension ParkedCause {
    /// Why a session stays parked that an earlier launch or a quit has parked.
    package var reason: String {
        switch self {
        case .oneWindow: "the app supports one scene, and another session was used last"
        case .noEntry: "the manifest has no configuration for its role"
        case .displaced: "the app supports one scene, and another session has its place"
        case .notKept: "the app quit without keeping its windows"
        case .leftBehind: "a process that began with a window of its own left it behind"
        }
    }
}

extension LaunchRules {
    /// Why a session that nothing keeps back does not connect by itself.
    package var waitingReason: String {
        guard behavior == .restore else {
            return "the launch brings no window back"
        }
        switch reconnection {
        case .first(let count): return "it is not among the \(count) that were active last"
        case .foreground, .all: return "it was not in front"
        }
    }
}
