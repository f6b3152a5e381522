import SceneStoreValues

/// Which of the remembered sessions come back by themselves (L-11), with those that belong to them.
extension LaunchPlan {
    /// The remembered sessions that connect without being asked for, in their order (L-11).
    mutating func returning(
        _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        guard rules.behavior == .restore else {
            if rules.supportsMultipleScenes {
                overtake(try skeleton.openRecords())
            }
            return []
        }
        // Perhaps not in the previous process: one that was held or parked was not connected in it.
        let wasFront = LaunchRules.Reconnection.foreground.reason
        if let wanted = rules.reconnection.count {
            let count = max(wanted, 0)
            let able = able(try skeleton.openRecords())
            // Whoever reopens a window wants to see it (L-48).
            let connected =
                count < able.count
                ? able.prefix(count)
                    + able.dropFirst(count).filter { $0.flags.contains(.reopened) }
                : able
            let first = try handsOver ? connected : joining(connected, skeleton)
            reasons.reserveCapacity(reasons.count + first.count)
            for record in first where record.key != joined {
                reasons[record.key] =
                    record.flags.contains(.reopened)
                    ? "it was reopened" : record.isFront ? wasFront : rules.reconnection.reason
            }
            return try withChildren(first, skeleton)
        }
        let inFront = able(try skeleton.frontRecords())
        let front = try withChildren(
            handsOver ? inFront : joining(inFront, skeleton), skeleton)
        for record in front {
            let reason = reasons[record.key] ?? wasFront
            decide(
                .reconnect, record,
                record.key == joined
                    ? "most-recent" : reasons[record.key] == Self.isChild ? "child" : "foreground",
                reason)
            reasons[record.key] = reason
        }
        // One that is held is told, whoever comes instead of it.
        guard front.isEmpty, let recent = try mostRecent(skeleton), !handsOver else {
            return front
        }
        let reason = "nothing was in front; it was active last"
        decide(.reconnect, recent, "most-recent", reason)
        reasons[recent.key] = reason
        let back = try withChildren(joining([recent], skeleton), skeleton)
        for window in back where window.key != recent.key {
            decide(
                .reconnect, window, window.key == joined ? "most-recent" : "child",
                reasons[window.key] ?? "")
        }
        return back
    }

    private mutating func mostRecent(
        _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> SessionRecord? {
        guard let recent = try skeleton.mostRecentRecord(role: nil) else {
            return nil
        }
        if isThere(recent), !rules.isHeld(recent) {
            return recent
        }
        let open = try skeleton.openRecords().filter(isThere)
        guard let first = open.first, rules.isHeld(first) else {
            return open.first
        }
        return noteHeld(open).first
    }

    /// Those that can connect; the others count as reopened no more.
    private mutating func able(_ records: some Collection<SessionRecord>) -> [SessionRecord] {
        // There is seldom one, and each look at the rules copies them.
        if records.contains(where: { $0.flags.contains(.reopened) }) {
            overtake(records.filter { !isThere($0) || rules.isHeld($0) })
        }
        return noteHeld(records.filter(isThere))
    }

    /// Sessions that were reopened and don't connect although there may be several: the next launch
    /// goes by their use (L-12).
    private mutating func overtake(_ records: some Sequence<SessionRecord>) {
        guard rules.supportsMultipleScenes else {
            return
        }
        // A launch removes the rows of those that are not remembered.
        judgement.overtaken += records.filter {
            $0.flags.contains(.reopened) && $0.isRestorationEnabled
        }.map(\.key)
    }

    /// Tells of sessions that are held back, and answers the others. Their front marks stay: after
    /// a launch that stays up they are offered again (L-52), and come back by themselves.
    mutating func noteHeld(_ candidates: [SessionRecord]) -> [SessionRecord] {
        let rules = rules
        return candidates.filter { record in
            guard rules.isHeld(record) else {
                return true
            }
            if noted.insert(record.key).inserted {
                let reason = rules.heldReason(of: record)
                steps.append(.note(.held, session: record.id, reason: reason))
                decide(.stay, record, "held", reason)
                steps.append(.report(record.heldFinding))
            }
            return false
        }
    }

    /// Counts those that are held or parked and that nobody asked for (S-40).
    mutating func noteKeptBack(_ exceptional: [SessionRecord]) {
        for record in parked + exceptional where record.isRestorationEnabled {
            let verdict = verdict(for: record)
            let outcome: LaunchOutcome
            switch verdict.fate {
            case .held: outcome = .held
            case .parked: outcome = .parked
            case .connects, .stays, .forgotten, .discarded: continue
            }
            guard noted.insert(record.key).inserted else {
                continue
            }
            steps.append(.note(outcome, session: record.id, reason: verdict.reason))
        }
    }

    // MARK: Families

    static let isChild = "it belongs to a window that comes back"

    /// The windows that belong to some that come back come, too (L-49).
    mutating func withChildren(
        _ returning: [SessionRecord], _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        let rules = rules
        let children = noteHeld(
            try engine.children(of: returning, skeleton) { isThere($0) && !rules.isHeld($0) }
                .filter(isThere))
        for child in children {
            reasons[child.key] = Self.isChild
        }
        return returning + children
    }

    /// The windows that belong to those which take a payload, and that don't come back by themselves.
    mutating func companions(
        _ returning: [SessionRecord], _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        let known = Set((connecting + returning).map(\.key))
        let roles = connecting.map(\.role)
        let rules = rules
        func hasPlace(_ child: SessionRecord) -> Bool {
            !roles.contains { rules.isBarred(child, by: $0) }
        }
        let children = noteHeld(
            try engine.children(of: connecting, skeleton) {
                isThere($0) && !rules.isHeld($0) && hasPlace($0)
            }
            .filter { isThere($0) && !known.contains($0.key) && hasPlace($0) })
        for child in children {
            decide(.reconnect, child, "child", Self.isChild)
            reasons[child.key] = Self.isChild
        }
        return children
    }
}

extension LaunchRules.Reconnection {
    /// How many of the most recently active sessions connect; nil when it goes by who was in front.
    fileprivate var count: Int? {
        switch self {
        case .foreground: nil
        case .all: .max
        case .first(let count): count
        }
    }

    fileprivate var reason: String {
        switch self {
        case .foreground: "it was in front when it was last connected"
        case .all: "every remembered session connects"
        case .first(let count): "it is among the \(count) that were active last"
        }
    }
}
