import SceneStore
import SceneStoreTesting

/// What the end of a process, and its being stable, mean for the sessions (L-52).
extension StateLedger {
    /// What the process before means for who died in it.
    mutating func judge(at now: Int64) {
        wasStable =
            hasEndedCleanly
            ? true : hasJumped ? nil : now - startedAt < 10_000 ? false : diedWithin ? nil : true
        for name in sessions.keys {
            if wasStable == true {
                sessions[name]?.settle()
            }
            sessions[name]?.wasRestored = nil
        }
        judgeAdoptions()
        startedAt = now
        hasEndedCleanly = false
        diedWithin = false
        hasJumped = false
    }

    /// A launch is stable when it has lived ten seconds by the clock that a call reads, or a timer, which
    /// runs anew for what connects later: what happens to the process afterwards changes nothing of that.
    mutating func noteStable(_ outcome: StepOutcome, _ before: Before, isRefusing: Bool) {
        let time = outcome.readsClock ? before.now : outcome.now
        guard outcome.wasRunning, !isRefusing, !self.isRefusing, !hasJumped,
            outcome.readsClock
                || choices.hasTimers && outcome.isRunning && outcome.words.first == "wait",
            time - startedAt >= 10_000
        else {
            return
        }
        for (name, session) in sessions
        where outcome.readsClock || time - session.connectedAt >= 10_000 {
            sessions[name]?.settle()
        }
        if outcome.readsClock {
            endAdoptions(isStable: true)
        }
    }

    /// A process ended without a farewell.
    mutating func die(_ outcome: StepOutcome) {
        // Who connected last may have been restoring.
        if outcome.hasDiedWithin,
            let name = outcome.callbacks.last(where: { $0.name == .connect })?.session
        {
            sessions[name]?.blame = .blamed
            sessions[name]?.wasRestored = nil
            sessions[name]?.noteDeath()
            if let state = sessions[name]?.current {
                sessions[name]?.pin(state)
            }
        }
        guard isRefusing, !outcome.isCut else {
            return
        }
        // What was judged, closed or pinned since may not be on the disk.
        for name in sessions.keys {
            sessions[name]?.isUnsure = true
            sessions[name]?.blame = .blamed
            sessions[name]?.deaths = nil
            sessions[name]?.pinned = []
        }
    }
}

extension StateLedger.Session {
    mutating func noteDeath() {
        deaths = deaths.map { $0 + 1 }
    }

    /// It was in a stable launch: with its state it is blamed no more, and without it is offered again.
    mutating func settle() {
        if wasRestored == true, !hasFailed {
            deaths = deaths.map { _ in 0 }
        }
        guard blame == .blamed else {
            return
        }
        if wasRestored == true {
            blame = .none
        } else if wasRestored == false, !wasOffered, !isGone {
            blame = .due
            wasOffered = true
        }
    }
}
