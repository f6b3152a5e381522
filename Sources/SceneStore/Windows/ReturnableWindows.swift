import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// Windows that can come back, and why they are not there.
///
/// ```swift
/// for windows in try application.returnableWindows() where windows.cause == .held {
///     try application.bringBack(windows)
/// }
/// ```
public struct ReturnableWindows: Sendable {
    /// The stored sessions. Those of a group that was closed or left behind come back together.
    public let sessions: [SceneSession]
    /// What keeps them back.
    public let cause: Cause
    /// The reason in words.
    public let reason: String
    /// The time when they were closed or left behind, and of others when they were active last; in
    /// milliseconds since 1970.
    public let since: Int64

    /// What keeps windows back.
    public enum Cause: Sendable, Hashable {
        /// They were closed.
        case closed
        /// They are parked or left behind (L-18).
        case parked(ParkedCause)
        /// The session died too often, or is held by hand.
        case held
        /// The window is there, and its state is kept from it.
        case withheld(WithheldReason)
        /// The session is open and was not connected.
        case waiting
    }
}

extension SceneApplication {
    /// Returns all windows that can come back and are not there, and those whose state is withheld;
    /// newest first.
    ///
    /// Reads every session. ``bringBack(_:)`` brings windows back.
    public func returnableWindows() throws(SceneStoreError) -> [ReturnableWindows] {
        try requireRunning()
        return try core.briefly(KeptWindows(application: self).all())
    }

    /// Brings windows back: reopens or activates them, ends a hold, or gives a withheld state back.
    ///
    /// Throws what ``reopen(sessions:)``, ``setHeld(_:for:)`` and
    /// ``restoreWithheldState(for:generation:)`` throw.
    public func bringBack(_ windows: ReturnableWindows) throws(SceneStoreError) {
        let sessions = windows.sessions.map(\.id)
        switch windows.cause {
        case .closed, .parked: return try reopen(sessions: sessions)
        case .held, .waiting, .withheld: break
        }
        for session in sessions {
            let wasThere = scene(for: session) != nil
            if windows.cause == .held {
                try setHeld(false, for: session)
            }
            if core.engine.rules.supportsMultipleScenes || scene(for: session) != nil {
                try event { [self] () throws(SceneStoreError) in
                    try activate(.init(session: session))
                }
            } else {
                // It takes the place of another one.
                try reopen(session)
            }
            // What was saved since stays, unless the state before it is what was asked for.
            if let back = scene(for: session)?.session, let reason = back.withheldState,
                windows.cause == .withheld(reason) || !wasThere && back.restoration != .available
            {
                try restoreWithheldState(for: session)
            }
        }
    }
}

/// Finds what is kept without a window.
private struct KeptWindows {
    let application: SceneApplication
    private var core: ApplicationCore { application.core }

    func all() throws(SceneStoreError) -> [ReturnableWindows] {
        var found = try WindowReopening(application: application).closedGroups()
        var left: [Int64: [SessionRecord]] = [:]
        let rules = core.engine.rules
        for record in try core.store.openRecords() where record.isRestorationEnabled {
            if let session = core.live.scene(record.key)?.session {
                // If all its states are damaged, there is nothing to give back.
                if let cause = session.withheldState,
                    try !core.store.history.withheldVersions(key: record.key).isEmpty
                {
                    let now =
                        record.flags.isDisjoint(with: .withholding)
                        ? "an earlier state is withheld"
                        : session.restoration.reason(hasState: true) ?? rules.heldReason(of: record)
                    let reason = cause == .lost ? RestorationStatus.lostState : now
                    found.append(try single(record, .withheld(cause), reason))
                }
            } else if rules.isHeld(record) {
                found.append(try single(record, .held, rules.heldReason(of: record)))
            } else if record.parkedCause == .leftBehind {
                let launch = try core.store.discards.parking(of: record.key)
                left[launch?.launch ?? 0, default: []].append(record)
            } else if let cause = rules.parked(record) {
                found.append(try single(record, .parked(cause), cause.reason))
            } else {
                found.append(try single(record, .waiting, rules.waitingReason))
            }
        }
        for (_, records) in left.sorted(by: { $0.key < $1.key }) {
            found.append(try leftBehind(records))
        }
        if !rules.supportsMultipleScenes {
            // Only one of a role can be brought back, and none whose role is gone.
            found = found.flatMap { group in
                let records = group.sessions.map {
                    try? core.store.record(identifier: $0.id.rawValue)
                }
                let areShown = records.allSatisfy { $0.map(rules.isUnshowable) == false }
                guard !areShown || Set(group.sessions.map(\.role)).count < group.sessions.count
                else {
                    return [group]
                }
                return group.sessions.map { session in
                    ReturnableWindows(
                        sessions: [session], cause: group.cause, reason: group.reason,
                        since: group.since)
                }
            }
        }
        return found.sorted { $0.since > $1.since }
    }

    private func leftBehind(_ records: [SessionRecord]) throws(SceneStoreError) -> ReturnableWindows
    {
        var sessions: [SceneSession] = []
        var since: Int64 = 0
        for record in records {
            sessions.append(try core.store.session(for: record))
            since = max(since, try core.store.discards.parking(of: record.key)?.time ?? 0)
        }
        return ReturnableWindows(
            sessions: sessions, cause: .parked(.leftBehind),
            reason: ParkedCause.leftBehind.reason, since: since)
    }

    private func single(
        _ record: SessionRecord, _ cause: ReturnableWindows.Cause, _ reason: String
    ) throws(SceneStoreError) -> ReturnableWindows {
        ReturnableWindows(
            sessions: [try core.store.session(for: record)], cause: cause, reason: reason,
            since: record.lastActiveAt)
    }
}
