import SceneStoreValues

/// What a launch judges of one session: whether it is held, parked, and given its state.
extension LaunchRules {
    /// A session as this launch judges it: after what the launch before was, and who is blamed.
    private func judged(_ record: SessionRecord) -> SessionRecord {
        var record = record
        // Which place of the history a state has is the store's to know.
        let slot = record.hasState ? 0 : nil
        var pins = SessionPins()
        if previousWasStable, record.crashCount > 0 {
            if record.flags.settle(
                isRestored: false, slot: slot, version: appVersion,
                offered: offeredVersions[record.key], &pins)
            {
                record.crashCount = 0
            }
        }
        if record.key == blamed {
            record.crashCount += 1
            record.flags.blame(slot: slot, &pins)
        }
        return record
    }

    /// Whether the session's state is blamed. Without a death the launch judges it as it is stored, and
    /// a copy to be judged costs more than all other rules.
    private func isStateBlamed(_ record: SessionRecord) -> Bool {
        guard record.crashCount > 0 || record.key == blamed else {
            return record.isStateBlamed
        }
        return judged(record).isStateBlamed
    }

    package func isHeld(_ record: SessionRecord) -> Bool {
        guard !record.isHeldByHand, record.crashCount > 0 || record.key == blamed else {
            return record.isHeldByHand
        }
        let judged = judged(record)
        // A state that is offered again, or was saved since, is restored as usual (L-52b). Whoever
        // killed the process without its state is held back, too.
        return judged.crashCount >= max(1, holdsAfterCrashes)
            && (judged.isStateBlamed || judged.isStateKeptBack)
    }

    /// Why a session is kept without a scene, and takes no event (L-18); nil when it is not.
    package func parked(_ record: SessionRecord) -> ParkedCause? {
        if unparked.contains(record.key) {
            return nil
        }
        if record.parkedCause == .notKept {
            return .notKept
        }
        if record.parkedCause == .displaced, !supportsMultipleScenes {
            return .displaced
        }
        if isUnshowable(record) || isOfUnknownApp && record.parkedCause == .noEntry {
            return .noEntry
        }
        // What was left behind is open as any other session is, where there may be several.
        return (record.parkedCause == .oneWindow || record.parkedCause == .leftBehind)
            && !supportsMultipleScenes ? .oneWindow : nil
    }

    /// Whether a quit that keeps no window parks a session (L-16): one that is held back stays so, and
    /// what the app can't show waits for a version that can.
    package func parksAtQuit(_ record: SessionRecord) -> Bool {
        record.parkedCause != .noEntry && record.parkedCause != .notKept
            && record.isRestorationEnabled && !isHeld(record)
    }

    /// Whether the manifest has nothing to show a session with.
    package func isUnshowable(_ record: SessionRecord) -> Bool {
        update(of: record) == .cannotDisplay
    }

    package func heldReason(of record: SessionRecord) -> String {
        guard !record.isHeldByHand else {
            return "it is held by hand"
        }
        let count = judged(record).crashCount
        return count == 1
            ? "the process that restored it died"
            : "the processes that restored it died \(count) times in a row"
    }

    /// Whether a session's state is handed to the app, with the reason in words (L-76).
    package func decision(
        _ status: RestorationStatus, of record: SessionRecord, hasState: Bool
    ) -> DecisionRecord {
        DecisionRecord(
            .restoration, session: record.id, outcome: status.rawValue,
            reason: status == .withheld && record.flags.withheldReason == .lost
                ? RestorationStatus.lostState
                : status.reason(hasState: hasState) ?? heldReason(of: record))
    }

    /// Whether a session's state is handed to the app, unless its guard refuses it.
    package func restoration(
        of record: SessionRecord, _ update: ConfigurationResolver.Update = .current
    ) -> RestorationStatus {
        if isHeld(record) {
            return .held
        }
        if isStateBlamed(record) {
            return .withheld
        }
        if case .stale = update {
            return .stale
        }
        // As an earlier library marked it.
        if record.isStale {
            return .stale
        }
        return record.isRestorationEnabled ? .available : .disabled
    }
}
