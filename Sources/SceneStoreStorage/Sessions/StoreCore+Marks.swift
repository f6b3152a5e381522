import SceneStoreSQLite
import SceneStoreValues

/// The marks by which the next launch chooses (L-11).
extension StoreReading where Self: ~Copyable {
    /// Drops the marks that change nothing.
    func effective(_ marks: [MarkChange]) throws(SceneStoreError) -> [StoreCore.ChangedMark] {
        var result: [StoreCore.ChangedMark] = []
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
            let becameActive =
                mark.becameActive
                && (parts.caches.mostRecent != mark.key || result.contains(where: \.becameActive))
            if let earlier {
                result[earlier].isFront = isFront
                result[earlier].becameActive = result[earlier].becameActive || becameActive
            } else {
                positions[mark.key] = result.count
                result.append(
                    StoreCore.ChangedMark(
                        session: session, isFront: isFront, becameActive: becameActive))
            }
        }
        return result.filter { $0.becameActive || $0.isFront != $0.session.row.isFront }
    }
}

extension StoreWriter {
    /// Writes marks, within a transaction.
    package func apply(_ marks: [StoreCore.ChangedMark]) throws(SceneStoreError) {
        let time = now
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
            try updateRow(mark.session, SessionRow.markUpdate) { row in
                row.isFront = mark.isFront
                if mark.becameActive {
                    row.recency = generation
                    row.lastActiveAt = time
                }
            }
            note(
                .mark, mark.session.row.identifier,
                mark.becameActive ? "active" : mark.isFront ? "front" : "background")
        }
        if let latest = marks.last(where: \.becameActive) {
            parts.caches.mostRecent = latest.session.row.id
        }
    }
}

extension StoreCore {
    /// A mark that differs from the stored one.
    package struct ChangedMark {
        package var session: StoreCaches.Session
        package var isFront: Bool
        package var becameActive: Bool
    }

    /// Changes the flags of a session.
    func setFlag(
        _ flag: SessionFlags, _ isOn: Bool, key: Int64, _ detail: String,
        durability: Durability = .normal
    ) throws(SceneStoreError) {
        let session = try knownSession(key)
        guard session.row.flags.contains(flag) != isOn else {
            return
        }
        try write(durability) { writer throws(SceneStoreError) in
            try writer.updateRow(session) { $0.flags.set(flag, isOn) }
            writer.note(.change, session.row.identifier, detail)
        }
    }
}

extension SceneSessionStore {
    /// Stores which sessions are in front and which became active, in mode normal; nothing is
    /// written when nothing changes.
    package func applyMarks(_ marks: [MarkChange]) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            let changed = try core.effective(marks)
            guard !changed.isEmpty else {
                return
            }
            try core.write(.normal) { writer throws(SceneStoreError) in try writer.apply(changed) }
        }
    }

    /// Marks a session as one whose configuration is gone, or as sound again.
    package func setStale(_ isStale: Bool, key: Int64) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.setFlag(.stale, isStale, key: key, isStale ? "stale" : "not stale")
        }
    }

    /// Holds a session back by hand, or releases it; releasing clears its count of crashes too. The
    /// parking of those that take its place ends with that.
    package func setHeld(
        _ isHeld: Bool, key: Int64, freeing freed: [Int64] = []
    ) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            let session = try core.knownSession(key)
            guard
                session.row.flags.contains(.held) != isHeld
                    || (!isHeld && session.row.crashCount > 0)
            else {
                return
            }
            try core.write(.full) { writer throws(SceneStoreError) in
                try writer.judge(session) { row, pins in
                    row.flags.set(.held, isHeld)
                    if !isHeld {
                        // It displaces none that was used after it, also if it was reopened before.
                        row.flags.remove(.reopened)
                        row.crashCount = 0
                        row.flags.release(slot: row.stateSlot, &pins)
                    }
                }
                writer.note(.change, session.row.identifier, isHeld ? "held" : "released")
                for key in freed {
                    try writer.park(key, nil)
                }
            }
        }
    }

    /// Keeps a session from being pruned, whatever its age.
    package func setPinned(_ isPinned: Bool, key: Int64) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.setFlag(.pinned, isPinned, key: key, isPinned ? "pinned" : "unpinned")
        }
    }

    /// Whether a session is remembered after this launch (L-44). While it is not, its states are
    /// not stored; the beginning of the next launch removes it without a discard.
    package func setRestorationEnabled(
        _ isEnabled: Bool, key: Int64
    ) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.setFlag(
                .notRemembered, !isEnabled, key: key,
                isEnabled ? "restoration enabled" : "restoration disabled")
        }
    }
}
