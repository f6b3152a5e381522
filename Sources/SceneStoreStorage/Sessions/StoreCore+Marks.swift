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
                && (parts.caches.mostRecent != mark.key || session.row.flags.contains(.reopened)
                    || result.contains(where: \.becameActive))
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
            try writer.updateRow(session) { $0.flags[flag] = isOn }
            writer.note(.change, session.row.identifier, detail)
        }
    }
}
