import SceneStoreSQLite
import SceneStoreValues

/// Marks on sessions: which are in front, held, pinned, remembered, private (L-11, L-44, L-48).
package struct StoredMarks: Sendable {
    let store: SceneSessionStore

    /// Stores which sessions are in front and which became active, in mode normal; nothing is
    /// written when nothing changes.
    package func apply(_ marks: [MarkChange]) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            let changed = try db.effective(marks)
            guard !changed.isEmpty else {
                return
            }
            try db.write(.normal) { transaction throws(SceneStoreError) in
                try transaction.apply(changed)
            }
        }
    }

    /// Holds a session back by hand, or releases it; releasing clears its count of crashes too,
    /// and, while no app runs, the death that nobody has counted yet. A withheld state is the session's
    /// again, unless `keepsState`: its window shows something else. In the same transaction the parking
    /// of some ends, and others are parked as displaced.
    package func setHeld(
        _ isHeld: Bool, key: Int64, isRunning: Bool = true, keepsState: Bool = false,
        freeing freed: [Int64] = [], displacing displaced: [Int64] = []
    ) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            let session = try db.knownSession(key)
            let isBlamed = !isHeld && !isRunning && db.restoringSession == key
            guard
                session.row.flags.contains(.held) != isHeld
                    || (!isHeld && session.row.crashCount > 0) || isBlamed
            else {
                return
            }
            try db.write(.full) { transaction throws(SceneStoreError) in
                try transaction.judge(session) { row, pins in
                    row.flags[.held] = isHeld
                    if !isHeld {
                        // It displaces none that was used after it, also if it was reopened before.
                        row.flags.remove(.reopened)
                        row.crashCount = 0
                        if !keepsState {
                            row.flags.release(slot: row.stateSlot, &pins)
                        }
                    }
                }
                transaction.note(.change, session.row.identifier, isHeld ? "held" : "released")
                if isBlamed {
                    transaction.endRestoring(key)
                }
                // One that was left behind is wanted again, and does not expire with the others.
                let isLeft = !isHeld && session.row.flags.parkedCause == .leftBehind
                for key in isLeft ? freed + [key] : freed {
                    try transaction.park(key, nil)
                }
                for key in displaced {
                    try transaction.park(key, .displaced)
                }
            }
        }
    }

    /// Keeps a session from being pruned, whatever its age.
    package func setPinned(_ isPinned: Bool, key: Int64) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            try db.setFlag(.pinned, isPinned, key: key, isPinned ? "pinned" : "unpinned")
        }
    }

    /// Whether a session is remembered after this launch (L-44). While it is not, its states are
    /// not stored; the beginning of the next launch removes it without a discard.
    package func setRestorationEnabled(_ isEnabled: Bool, key: Int64) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            try db.setFlag(
                .notRemembered, !isEnabled, key: key,
                isEnabled ? "restoration enabled" : "restoration disabled")
        }
    }

    /// A session is connected no longer; mode normal. Nothing is written when that is known.
    package func noteGone(_ key: Int64) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            guard let session = try db.session(key) else {
                return
            }
            let isBehind = try db.isBehind(key, in: db.store.launchNumber)
            guard session.row.isFront || isBehind else {
                return
            }
            try db.write(.normal) { transaction throws(SceneStoreError) in
                if session.row.isFront {
                    try transaction.updateRow(session, SessionRow.markUpdate) { $0.isFront = false }
                }
                try transaction.noteNotBehind(key)
            }
        }
    }

    /// A process made a window of its own: open sessions that it found and did not connect are left
    /// behind (L-48), or displaced until the next launch that restores (L-16). Mode normal.
    package func leaveBehind(_ keys: [Int64], as cause: ParkedCause) throws(SceneStoreError) {
        try store.write(.normal) { transaction throws(SceneStoreError) in
            for key in keys {
                guard let session = try transaction.db.session(key), session.row.isOpen,
                    session.row.flags.parkedCause == nil
                else {
                    continue
                }
                try transaction.noteNotBehind(key)
                try transaction.park(key, cause)
                if cause == .displaced {
                    try transaction.returnAtNextLaunch([key])
                }
            }
        }
    }

    /// A session's window belongs to another one, or to none any more. Mode normal; nothing is
    /// written when that is known.
    package func noteParent(_ parent: SceneSession.ID?, key: Int64) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            try db.setFlag(
                .isChild, parent != nil, key: key,
                parent == nil ? "belongs to no window" : "belongs to a window")
            guard let parent, let row = try db.session(identifier: parent.rawValue) else {
                return
            }
            try db.setFlag(.hasChildren, true, key: row.id, "has windows of its own")
        }
    }

    /// Changes a session's class of privacy (S-70). Durable.
    ///
    /// Turning it ephemeral erases what was stored of it from every file of the container,
    /// backups and quarantine included; while a reader looks at the write-ahead log, it throws
    /// ``SceneStoreError/Code/erasurePending`` and the rest is erased in idle time.
    ///
    /// - Parameter isRemembered: Whether the session is remembered from now on; nil changes nothing.
    package func setPrivacy(
        _ privacy: PrivacyClass, isRemembered: Bool? = nil, taken: [Int64] = [], key: Int64
    ) throws(SceneStoreError) {
        let set: @Sendable (Database) throws(SceneStoreError) -> Void = {
            db throws(SceneStoreError) in
            try db.setPrivacy(privacy, isRemembered: isRemembered, taken: taken, key: key)
        }
        try privacy == .ephemeral ? store.usingFile(set) : store.using(set)
    }
}

/// The marks by which the next launch chooses (L-11).
extension Database {
    /// Drops the marks that change nothing.
    package func effective(_ marks: [MarkChange]) throws(SceneStoreError) -> [ChangedMark] {
        var result: [ChangedMark] = []
        var positions: [Int64: Int] = [:]
        for mark in marks {
            let session = try knownSession(mark.key)
            guard session.row.isOpen else {
                continue
            }
            // Within one call later marks see earlier ones.
            let earlier = positions[mark.key]
            let isFront =
                mark.isFront ?? earlier.map { result[$0].isFront } ?? session.row.isFront
            // Who stays the latest is written again after an hour, for its time of last use.
            let becameActive =
                mark.becameActive
                && (caches.mostRecent != mark.key || session.row.flags.contains(.reopened)
                    || now.saturatingMinus(session.row.lastActiveAt) >= HistoryPolicy.hour
                    || result.contains(where: \.becameActive))
            if let earlier {
                result[earlier].isFront = isFront
                result[earlier].becameActive = result[earlier].becameActive || becameActive
            } else {
                positions[mark.key] = result.count
                result.append(
                    ChangedMark(session: session, isFront: isFront, becameActive: becameActive))
            }
        }
        return result.filter { $0.becameActive || $0.isFront != $0.session.row.isFront }
    }

    /// A mark that differs from the stored one.
    package struct ChangedMark {
        package var session: StoreCaches.Session
        package var isFront: Bool
        package var becameActive: Bool
    }

    /// Changes the flags of a session.
    func setFlag(
        _ flag: SessionFlags, _ isOn: Bool, key: Int64, _ detail: String
    ) throws(SceneStoreError) {
        let session = try knownSession(key)
        guard session.row.flags.contains(flag) != isOn else {
            return
        }
        try write(.normal) { transaction throws(SceneStoreError) in
            try transaction.updateRow(session) { $0.flags[flag] = isOn }
            transaction.note(.change, session.row.identifier, detail)
        }
    }
}

extension Transaction {
    /// Writes marks, within a transaction.
    package func apply(_ marks: [Database.ChangedMark]) throws(SceneStoreError) {
        let time = db.now
        var hasActivated = false
        for mark in marks {
            if mark.becameActive, hasActivated {
                // Of several that became active in one transaction each has its own rank.
                store.generation += 1
            }
            hasActivated = hasActivated || mark.becameActive
            let generation = store.generation
            if mark.isFront != mark.session.row.isFront {
                try setBehind(!mark.isFront, mark.session.row.id)
            }
            // Who is in use goes by that use from now on, also if it was reopened (L-12).
            let isUsedAgain = mark.becameActive && mark.session.row.flags.contains(.reopened)
            try updateRow(
                mark.session, isUsedAgain ? SessionRow.description.update : SessionRow.markUpdate
            ) { row in
                row.isFront = mark.isFront
                if mark.becameActive {
                    row.flags.remove(.reopened)
                    row.recency = generation
                    row.lastActiveAt = time
                }
            }
            note(
                .mark, mark.session.row.identifier,
                mark.becameActive ? "active" : mark.isFront ? "front" : "background")
        }
        if let latest = marks.last(where: \.becameActive) {
            db.caches.mostRecent = latest.session.row.id
        }
    }

    /// Notes that a window is connected without being in front, or that it came to the front.
    func setBehind(_ isBehind: Bool, _ key: Int64) throws(SceneStoreError) {
        try put(.behind, isBehind ? NumberPair(store.launchNumber, 0).bytes : nil, of: key)
    }

    /// A session is not connected behind those in front, whatever the launch began with.
    func noteNotBehind(_ key: Int64) throws(SceneStoreError) {
        let isListed = try db.behind(in: store.launchNumber).contains(key)
        try put(.behind, isListed ? NumberPair(store.launchNumber, 1).bytes : nil, of: key)
    }

    /// What the launch before this one left connected counts as left by this one, too: answers those
    /// of them that are behind.
    func carryLastSession() throws(SceneStoreError) -> [Int64] {
        let launch = store.launchNumber
        var behind: [Int64] = []
        for record in try db.connected(atEndOf: launch) {
            if !record.isFront {
                behind.append(record.key)
            }
            if record.parkedCause == .notKept, let since = try db.parking(of: record.key) {
                try put(.parking, NumberPair(since.time, launch + 1).bytes, of: record.key)
            }
        }
        return behind
    }
}

/// The windows that were connected when a process ended (L-48).
///
/// Those in front are marked as such anyway. Those that a launch connects behind them stand in its
/// own row. What came after has a value of the session: the number of the launch, and whether the
/// window is gone.
extension Database {
    /// The open sessions that were connected when a launch ended, most recently active first.
    package func connected(atEndOf launch: Int64) throws(SceneStoreError) -> [SessionRecord] {
        var result: [SessionRecord] = []
        var left: [SessionRecord] = []
        for record in try openRecords() {
            if record.parkedCause == .leftBehind {
                left.append(record)
                continue
            }
            if !record.isFront, try !isBehind(record.key, in: launch) {
                continue
            }
            if record.parkedCause == .notKept, try parking(of: record.key)?.launch != launch {
                continue
            }
            result.append(record)
        }
        return try result.isEmpty ? lastGroup(of: left.filter(\.isFront)) : result
    }

    /// Of sessions that were left behind, those of the process that left the first of them.
    package func lastGroup(of left: [SessionRecord]) throws(SceneStoreError) -> [SessionRecord] {
        let groups = try left.map { record throws(SceneStoreError) in
            try parking(of: record.key)?.launch
        }
        return zip(left, groups).filter { $1 == groups[0] }.map(\.0)
    }

    /// Whether a window was connected behind those in front when a launch ended, and no later launch
    /// has connected it.
    func isBehind(_ key: Int64, in launch: Int64) throws(SceneStoreError) -> Bool {
        if let noted = try value(.behind, of: key).flatMap(NumberPair.init), noted.first >= launch {
            return noted.first == launch && noted.second == 0
        }
        let isLast = launch == store.launchNumber
        let later = isLast ? SessionRanges([]) : try behind(in: store.launchNumber)
        return try behind(in: launch).contains(key) && !later.contains(key)
    }

    /// The sessions that a launch began with behind those in front.
    func behind(in launch: Int64) throws(SceneStoreError) -> SessionRanges {
        if let known = caches.behind[launch] {
            return known
        }
        let sessions = SessionRanges(try self.launch(launch)?.behind ?? "")
        caches.behind[launch] = sessions
        return sessions
    }
}

/// Classes of privacy (S-70).
extension Transaction {
    /// Removes a session's states, values and storage; where its window is stays.
    fileprivate func deleteContent(of session: StoreCaches.Session) throws(SceneStoreError) {
        let key = session.row.id
        try delete(try db.states(of: session))
        session.states = []
        session.pins = nil
        db.caches.keep(nil, of: session)
        for kind in SessionValueKind.allCases where kind != .placement {
            try put(kind, nil, of: key)
        }
        try delete(try db.storageRows(key))
        // Whose a damaged row was cannot be told.
        try delete(try db.rows(Queries.quarantinedRows, binding(store.containerEpoch)))
    }
}

extension Database {
    /// Gives a session another class. An ephemeral one loses what is stored of its content, with the
    /// payloads that it has `taken`, and the file is rewritten so that no byte of it stays.
    package func setPrivacy(
        _ privacy: PrivacyClass, isRemembered: Bool? = nil, taken: [Int64] = [], key: Int64
    ) throws(SceneStoreError) {
        let session = try knownSession(key)
        guard session.row.flags.privacy != privacy else {
            if privacy == .ephemeral, store.erasurePending {
                try finishErasure()
            }
            return
        }
        try write(.full) { transaction throws(SceneStoreError) in
            if privacy == .ephemeral {
                try transaction.deleteContent(of: session)
                // With the names under which they were kept.
                for item in taken {
                    if let row = try transaction.db.row(InboxRow.self, item) {
                        try transaction.delete(row)
                    }
                }
                transaction.store.erasurePending = true
            }
            try transaction.updateRow(session) { row in
                row.flags.privacy = privacy
                if let isRemembered {
                    row.flags[.notRemembered] = !isRemembered
                }
                if privacy == .ephemeral {
                    row.flags.withheldReason = nil
                    row.flags.remove(.withholding)
                    row.point(at: nil)
                    row.valueHash = nil
                    row.conditionsID = nil
                }
            }
            if privacy == .ephemeral {
                // Those that no session has any more: those that sessions had before, too.
                try transaction.delete(
                    try rows(Queries.unusedConditions, binding(store.containerEpoch)))
                caches.conditions.removeAll()
            }
            transaction.note(.change, session.row.identifier, "privacy \(privacy.rawValue)")
        }
        if privacy == .ephemeral {
            try finishErasure()
        }
    }
}
