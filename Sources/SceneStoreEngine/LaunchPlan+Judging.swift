import SceneStoreValues

/// What a launch judges before it connects anything.
extension LaunchPlan {
    /// Whether a new window is made whatever is remembered (L-16).
    private func makesNewWindow(_ skeleton: some Skeleton) throws(SceneStoreError) -> Bool {
        guard rules.behavior == .fresh else {
            return false
        }
        return try rules.makesWindow ? true : makesWindowForPayload(skeleton)
    }

    mutating func blame(_ record: SessionRecord) {
        blamed = record.id
        steps.append(
            .report(
                Diagnostic(
                    .restorationCrashed, .warning,
                    "the previous process died while it restored this session",
                    fix: record.hasState
                        ? "its state is withheld; a launch that stays up offers it again"
                        : "it connects, and is held if that goes on",
                    sessionIdentifier: record.id)))
    }

    /// Sessions that saved under another configuration than their own, in a launch that died after it
    /// was stable, go on under that one: nobody was left to write it down (L-50).
    mutating func adopt(_ before: LaunchRules, _ skeleton: some Skeleton) throws(SceneStoreError) {
        for use in try skeleton.configurationsInUse() {
            let shown: SceneConfiguration
            switch before.update(of: use.configuration) {
            case .replaced(let configuration), .stale(let configuration): shown = configuration
            case .current, .cannotDisplay: continue
            }
            for record in try skeleton.recordsSavedLast(configurationKey: use.key) {
                engine.rules.adopted[record.key] = shown
            }
        }
        judgement.adopted = engine.rules.adopted
    }

    /// Judges each remembered configuration once (L-50), and the one-scene limit (L-12). The answer
    /// is for this launch alone: what was remembered stays as it is.
    mutating func judge(
        _ skeleton: some Skeleton, _ exceptional: [SessionRecord]
    ) throws(SceneStoreError) {
        for use in try skeleton.configurationsInUse() {
            let update = rules.update(of: use.configuration)
            guard update != .current else {
                continue
            }
            for record in try skeleton.records(configurationKey: use.key)
            where record.isRestorationEnabled {
                try takeFormerName(of: record, skeleton)
                judge(record, rules.update(of: record))
            }
        }
        // All sessions are only read when there is one too many.
        if try hasOneTooMany(skeleton) {
            let open = try skeleton.openRecords()
            try judgeSurplus(open, skeleton)
            endParkings(of: open.filter { $0.parkedCause != nil })
        } else {
            let parked = exceptional.filter { $0.parkedCause?.isJudged == true }
                .sorted(by: SessionRecord.comesBefore)
            try judgeSurplus(parked, skeleton)
            endParkings(of: parked)
        }
        try expire(skeleton, exceptional)
    }

    /// An older version of the app knows a session by a name that it had before (L-50): it goes on under
    /// that one in this launch.
    private mutating func takeFormerName(
        of record: SessionRecord, _ skeleton: some Skeleton
    ) throws(SceneStoreError) {
        if let entry = try engine.formerEntry(of: record, in: skeleton) {
            engine.rules.adopted[record.key] = entry
            decide(
                .configuration, record, "renamed",
                "the manifest has it under a name that it had before")
        }
    }

    private mutating func judge(_ record: SessionRecord, _ update: ConfigurationResolver.Update) {
        switch update {
        case .current: break
        case .replaced:
            decide(
                .configuration, record, "renamed",
                "the manifest has it under another name or class now")
        case .stale:
            decide(
                .configuration, record, "stale",
                "its configuration is gone; the role's default is used")
            steps.append(
                .report(
                    Diagnostic(
                        .staleConfiguration, .warning,
                        "the remembered configuration is gone; the role's default is used"
                            + " and the state is kept",
                        fix: "name its successor in the rename map",
                        sessionIdentifier: record.id)))
        case .cannotDisplay:
            // What the app did not keep, or another session displaced, is not the manifest's to
            // give back.
            park(
                record, rules.parked(record) ?? .noEntry,
                "the manifest has no configuration for its role")
        }
    }

    /// Discards what has been parked too long, for the app may never show it again, and what was left
    /// behind as long ago as closed sessions expire (L-18).
    private mutating func expire(
        _ skeleton: some Skeleton, _ exceptional: [SessionRecord]
    ) throws(SceneStoreError) {
        let before =
            parked.filter {
                $0.parkedCause?.isJudged == true
                    && places[$0.key] == $0.parkedCause.map(Place.parked)
            }
            + exceptional.filter {
                $0.parkedCause?.isJudged == false && !rules.isHeld($0)
                    && !rules.unparked.contains($0.key)
            }
        guard !before.isEmpty else {
            return
        }
        for record in try skeleton.expired(
            before, stablePeriod: rules.stablePeriod,
            previousWasStable: judgement.previousWasStable)
        where !judgement.returning.contains(record.key) {
            var cause = DiscardCause.expired
            var reason = "it was parked for 30 days and three stable launches"
            if record.parkedCause == .leftBehind {
                reason = "it was left behind, and as long ago as closed windows are kept"
            } else if record.parkedCause?.isHopeless == true {
                cause = .cannotDisplay
            }
            places[record.key] = .discarded
            judgement.expired.append((record.key, cause))
            reasons[record.key] = reason
            decide(.discard, record, cause.rawValue, reason)
            expected -= 1
            discards.append(
                Discard(
                    identifier: record.id, configuration: record.configuration,
                    cause: cause, isRedelivered: false, reason: reason))
        }
    }

    /// Whether a role that has one scene may have to give another session up.
    private func hasOneTooMany(_ skeleton: some Skeleton) throws(SceneStoreError) -> Bool {
        guard !rules.supportsMultipleScenes else {
            return false
        }
        let roles = Set(try skeleton.configurationsInUse().map(\.configuration.role))
        let places = try makesNewWindow(skeleton) ? 0 : 1
        for role in roles where try skeleton.openCount(role: role) > places {
            return true
        }
        return false
    }

    /// With one scene a role, all but one session of each role are parked.
    private mutating func judgeSurplus(
        _ open: some Sequence<SessionRecord>, _ skeleton: some Skeleton
    ) throws(SceneStoreError) {
        guard !rules.supportsMultipleScenes else {
            return
        }
        let able = open.filter {
            $0.isRestorationEnabled && places[$0.key] == nil && !rules.isHeld($0)
                && $0.parkedCause != .notKept
        }
        guard try !makesNewWindow(skeleton) else {
            // The window that this launch makes has the only place of its role, until the next launch
            // brings the one back that was there. An app that always begins anew, and restores after
            // a crash alone, has the window back that crashed (L-14).
            let returning =
                rules.afterCrash?.behavior == .restore ? [] : rules.returning(among: able)
            for record in able where record.role == rules.defaultRole {
                if returning.contains(record.key) {
                    judgement.returning.append(record.key)
                } else if record.flags.contains(.reopened) {
                    judgement.overtaken.append(record.key)
                }
                park(record, .displaced, "the app supports one scene, and begins with a new one")
            }
            return
        }
        let kept = rules.returning(among: able)
        guard kept.count < able.count else {
            return unpark(able)
        }
        let onceHeld = try skeleton.onceHeld()
        let staying = able.filter { kept.contains($0.key) }
        for record in able where !kept.contains(record.key) {
            if record.flags.contains(.reopened) {
                judgement.overtaken.append(record.key)
            }
            let isDisplaced =
                record.parkedCause == .displaced
                || onceHeld.contains(record.id)
                || staying.contains {
                    $0.flags.contains(.reopened)
                        && $0.role == record.role
                }
            park(
                record, isDisplaced ? .displaced : .oneWindow,
                isDisplaced
                    ? "the app supports one scene, and another session has its place"
                    : "the app supports one scene; a more recently active one is kept")
        }
        unpark(staying)
    }

    private mutating func park(_ record: SessionRecord, _ cause: ParkedCause, _ reason: String) {
        places[record.key] = .parked(cause)
        reasons[record.key] = reason
        parked.append(record)
        // What was left behind is that again when the app can show it.
        guard record.parkedCause != cause, record.parkedCause != .leftBehind else {
            return
        }
        judgement.parked.append((record.key, cause))
        decide(.stay, record, "parked", reason)
        guard cause != .displaced else {
            // It was displaced by what the user opened: nothing is to be done.
            return
        }
        steps.append(
            .report(
                Diagnostic(
                    .sessionParked, .warning, "the session is parked: \(reason)",
                    fix: "it is kept with its state, and comes back when the app can show it again",
                    sessionIdentifier: record.id)))
    }

    /// A parking ends in the launch that can show the session again (L-18): the next one begins
    /// anew, and nobody believes an old cause.
    private mutating func endParkings(of records: [SessionRecord]) {
        unpark(
            records.filter {
                $0.isRestorationEnabled && places[$0.key] == nil && rules.parked($0) == nil
            })
    }

    private mutating func unpark(_ records: [SessionRecord]) {
        for record in records
        where record.parkedCause != nil && !rules.unparked.contains(record.key) {
            judgement.parked.append((record.key, nil))
            engine.rules.unparked.insert(record.key)
        }
    }
}

/// Which of the remembered sessions come back by themselves (L-11), with those that belong to them.
extension LaunchPlan {
    /// The remembered sessions that connect without being asked for, in their order (L-11).
    mutating func returning(_ skeleton: some Skeleton) throws(SceneStoreError) -> [SessionRecord] {
        guard rules.behavior == .restore else {
            if rules.supportsMultipleScenes {
                overtake(try skeleton.openRecords())
            }
            return []
        }
        // Perhaps not in the previous process: one that was held or parked was not connected in it.
        let wasFront = LaunchRules.Reconnection.foreground.reason
        if let count = rules.reconnection.count,
            case let able = try able(skeleton.openRecords(), skeleton), !able.isEmpty
        {
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
        let inFront = try able(skeleton.frontRecords(), skeleton)
        let front = try withChildren(handsOver ? inFront : joining(inFront, skeleton), skeleton)
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
        let recent = front.isEmpty ? try mostRecent(skeleton) : []
        guard !recent.isEmpty, !handsOver else {
            return front
        }
        for window in recent {
            let reason =
                window.parkedCause == .leftBehind && window.isFront
                ? "it was in front when it was left behind"
                : "nothing was in front; it was active last"
            decide(.reconnect, window, "most-recent", reason)
            reasons[window.key] = reason
        }
        let back = try withChildren(joining(recent, skeleton), skeleton)
        for window in back where !recent.contains(where: { $0.key == window.key }) {
            decide(
                .reconnect, window, window.key == joined ? "most-recent" : "child",
                reasons[window.key] ?? "")
        }
        return back
    }

    /// The session that was active last; if it was left behind, all that was in front with it.
    private mutating func mostRecent(
        _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        guard let recent = try skeleton.mostRecentRecord(role: nil) else {
            return []
        }
        if isThere(recent), !rules.isHeld(recent) {
            return try group(
                of: recent,
                among: skeleton.openRecords().filter { isThere($0) && !rules.isHeld($0) }, skeleton)
        }
        var open = try skeleton.openRecords().filter(isThere)
        if let first = open.first, rules.isHeld(first) {
            open = noteHeld(open)
        }
        return try open.first.map { first throws(SceneStoreError) in
            try group(of: first, among: open, skeleton)
        } ?? []
    }

    /// A session; if it was left behind, all that was in front with it, of those that are `open`.
    func group(
        of session: SessionRecord,
        among open: @autoclosure () throws(SceneStoreError) -> [SessionRecord],
        _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        guard session.parkedCause == .leftBehind, session.isFront else {
            return [session]
        }
        return try skeleton.lastGroup(
            of: open().filter { $0.parkedCause == .leftBehind && $0.isFront })
    }

    /// Those that can connect; the others count as reopened no more. What was left behind is not among
    /// them (L-48), unless nothing took its place: no window is in front or was used after it. Then
    /// they are those that were in front.
    private mutating func able(
        _ records: some Collection<SessionRecord>, _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        // There is seldom one, and each look at the rules copies them.
        if records.contains(where: { $0.flags.contains(.reopened) }) {
            overtake(records.filter { !isThere($0) || rules.isHeld($0) })
        }
        let there = records.filter(isThere)
        let isLast =
            there.first?.parkedCause == .leftBehind
            && !there.contains { $0.isFront && $0.parkedCause != .leftBehind }
        return noteHeld(
            isLast
                ? try skeleton.frontRecords().filter(isThere)
                : there.filter { $0.parkedCause != .leftBehind })
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
        for record in parked + exceptional {
            if let (outcome, reason) = keptBack(record), noted.insert(record.key).inserted {
                steps.append(.note(outcome, session: record.id, reason: reason))
            }
        }
    }

    /// Whether a session is held or parked, and why.
    private func keptBack(_ record: SessionRecord) -> (LaunchOutcome, reason: String)? {
        let place = places[record.key]
        switch place {
        case .connects, .discarded: return nil
        case .parked, nil:
            if rules.isHeld(record) {
                return (.held, rules.heldReason(of: record))
            }
            let reason = place == nil ? rules.parked(record)?.reason : reasons[record.key]
            return reason.map { (.parked, $0) }
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
        case .first(let count): max(count, 0)
        }
    }

    fileprivate var reason: String {
        switch self {
        case .foreground: "it was in front when it was last connected"
        case .all: "every window of the latest process connects"
        case .first(let count): "it is among the \(count) that were active last"
        }
    }
}

/// The window that a launch makes.
extension LaunchPlan {
    /// Makes a window of the default role (L-01), or of the one that the app named for a payload.
    mutating func makeFirstWindow(
        _ reason: String, handing places: [Int] = [], role: SceneSessionRole? = nil,
        presenting value: Value? = nil
    ) {
        let role = role ?? rules.defaultRole
        let connection = firstWindow(handing: places, role: role, presenting: value)
        let order = connecting.count + newSessions.count + 1
        noteFront(.active, Int64(-order), role)
        newSessions.append(
            NewSession(
                role: role,
                configuration: connection.configurationName == nil
                    ? rules.resolver.manifest?.defaultConfiguration(for: role) : rules.opening,
                order: order, reason: reason))
        steps.append(.connect(connection))
    }

    /// A window, of the default role unless another is named: of the configuration that the app
    /// names for one that a launch makes by itself (L-16), else of the one that the provider answers.
    func firstWindow(
        handing places: [Int] = [], role: SceneSessionRole? = nil, presenting value: Value? = nil
    ) -> SceneConnection {
        var connection = connection(
            .new(role ?? rules.defaultRole, presentedValue: value), .active, handing: places)
        connection.configurationName = places.isEmpty ? rules.opening?.name : nil
        return connection
    }
}

extension LaunchPlan {
    /// Whether a window of the app connects or is made: a projector alone is not all that comes back.
    var hasAppWindow: Bool {
        connecting.contains { rules.isOfApplication($0.role) }
            || newSessions.contains { rules.isOfApplication($0.role) }
    }
}
