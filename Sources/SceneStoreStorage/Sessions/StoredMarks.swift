import SceneStoreValues

/// Marks on sessions: which are in front, held, pinned, remembered, private (L-11, L-44, L-48).
package struct StoredMarks: Sendable {
    let store: SceneSessionStore

    /// Stores which sessions are in front and which became active, in mode normal; nothing is
    /// written when nothing changes.
    package func apply(_ marks: [MarkChange]) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            let changed = try core.effective(marks)
            guard !changed.isEmpty else {
                return
            }
            try core.write(.normal) { writer throws(SceneStoreError) in try writer.apply(changed) }
        }
    }

    /// Holds a session back by hand, or releases it; releasing clears its count of crashes too,
    /// and, while no app runs, the death that nobody has counted yet. In
    /// the same transaction the parking of some ends, and others are parked as displaced.
    package func setHeld(
        _ isHeld: Bool, key: Int64, isRunning: Bool = true, freeing freed: [Int64] = [],
        displacing displaced: [Int64] = []
    ) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            let session = try core.knownSession(key)
            let isBlamed = !isHeld && !isRunning && core.launches.restoringSession == key
            guard
                session.row.flags.contains(.held) != isHeld
                    || (!isHeld && session.row.crashCount > 0) || isBlamed
            else {
                return
            }
            try core.write(.full) { writer throws(SceneStoreError) in
                try writer.judge(session) { row, pins in
                    row.flags[.held] = isHeld
                    if !isHeld {
                        // It displaces none that was used after it, also if it was reopened before.
                        row.flags.remove(.reopened)
                        row.crashCount = 0
                        row.flags.release(slot: row.stateSlot, &pins)
                    }
                }
                writer.note(.change, session.row.identifier, isHeld ? "held" : "released")
                if isBlamed {
                    writer.endRestoring(key)
                }
                for key in freed {
                    try writer.park(key, nil)
                }
                for key in displaced {
                    try writer.park(key, .displaced)
                }
            }
        }
    }

    /// Keeps a session from being pruned, whatever its age.
    package func setPinned(_ isPinned: Bool, key: Int64) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            try core.setFlag(.pinned, isPinned, key: key, isPinned ? "pinned" : "unpinned")
        }
    }

    /// Whether a session is remembered after this launch (L-44). While it is not, its states are
    /// not stored; the beginning of the next launch removes it without a discard.
    package func setRestorationEnabled(
        _ isEnabled: Bool, key: Int64
    ) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            try core.setFlag(
                .notRemembered, !isEnabled, key: key,
                isEnabled ? "restoration enabled" : "restoration disabled")
        }
    }

    /// Sessions are connected no longer, others are, behind those in front; mode normal. Nothing is
    /// written when that is known.
    package func noteConnected(
        behind: [Int64] = [], gone: [Int64]
    ) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            var old: [Int64] = []
            for key in gone {
                if let session = try core.session(key) {
                    let stored = try core.value(.behind, of: key)
                    if session.row.isFront || stored != nil {
                        old.append(key)
                    }
                }
            }
            guard !old.isEmpty || !behind.isEmpty else {
                return
            }
            try core.write(.normal) { writer throws(SceneStoreError) in
                for key in old {
                    if let session = try writer.session(key), session.row.isFront {
                        try writer.updateRow(session, SessionRow.markUpdate) { $0.isFront = false }
                    }
                    try writer.setBehind(false, key)
                }
                try writer.setBehind(behind)
            }
        }
    }

    /// A process made a window of its own: open sessions that it found and did not connect are left
    /// behind (L-48). Mode normal.
    package func leaveBehind(_ keys: [Int64]) throws(SceneStoreError) {
        try store.write(.normal) { writer throws(SceneStoreError) in
            for key in keys {
                guard let session = try writer.session(key), session.row.isOpen,
                    session.row.flags.parkedCause == nil
                else {
                    continue
                }
                if session.row.isFront {
                    try writer.updateRow(session, SessionRow.markUpdate) { $0.isFront = false }
                }
                try writer.setBehind(false, key)
                try writer.park(key, .leftBehind)
            }
        }
    }

    /// A session's window belongs to another one, or to none any more. Mode normal; nothing is
    /// written when that is known.
    package func noteParent(
        _ parent: SceneSession.ID?, key: Int64
    ) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            try core.setFlag(
                .isChild, parent != nil, key: key,
                parent == nil ? "belongs to no window" : "belongs to a window")
            guard let parent, let row = try core.session(identifier: parent.rawValue) else {
                return
            }
            try core.setFlag(.hasChildren, true, key: row.id, "has windows of its own")
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
        _ privacy: PrivacyClass, isRemembered: Bool? = nil, key: Int64
    ) throws(SceneStoreError) {
        guard privacy == .ephemeral else {
            return try store.using { core throws(SceneStoreError) in
                try core.setPrivacy(privacy, isRemembered: isRemembered, key: key)
            }
        }
        try store.usingFile { core throws(SceneStoreError) in
            try core.setPrivacy(privacy, isRemembered: isRemembered, key: key)
        }
    }
}

extension SceneSessionStore {
    package var marks: StoredMarks { StoredMarks(store: self) }
}
