import SceneStoreSQLite
import SceneStoreValues

/// Going on while the file refuses what is written (L-17).
extension SceneSessionStore {
    /// From now on a write that the file refuses is held in memory. Whoever asks for this tells the
    /// app of ``refusal``: nothing that is held was stored.
    package func holdRefusedWrites() {
        core.withLock { $0.parts.holdsRefusedWrites = true }
    }

    /// Why the file takes nothing; nil while it does.
    package var refusal: SceneStoreError? {
        core.withLock { $0.parts.held?.cause }
    }

    /// The sessions of which something is held, by identifier; those that are gone in memory and
    /// still in the file among them.
    package var heldSessions: [String] {
        core.withLock { $0.heldIdentifiers }
    }

    /// Writes what is held, if the file takes it; opens it anew if nothing else can have taken its
    /// place. Throws what refuses.
    package func writeHeld() throws(SceneStoreError) {
        try core.withLock { core throws(SceneStoreError) in
            if core.parts.held?.mayReopen == true {
                try StoreCore.reopen(&core, at: location)
            } else {
                try StoreCore.writeHeld(&core)
            }
        }
    }

    /// Opens the file at its place anew, with all checks, and writes what is held.
    ///
    /// Throws ``SceneStoreError/Code/replaced`` when another store stands there: it is left as it is.
    package func reopenFile() throws(SceneStoreError) {
        try core.withLock { core throws(SceneStoreError) in
            try StoreCore.reopen(&core, at: location)
        }
    }

}

extension StoreCore {
    /// The sessions of which something is held, without those that don't come back anyhow.
    fileprivate var heldIdentifiers: [String] {
        guard let held = parts.held else {
            return []
        }
        let rows = connection.changedRows
        var keys = rows[StoreTable.session.name] ?? []
        for table in [StoreTable.state, .sessionValue] {
            keys.formUnion((rows[table.name] ?? []).map { $0 >> 8 })
        }
        var identifiers: [String] = []
        for key in keys.sorted() {
            // What can't be read is named by nobody.
            let row = (try? session(key)?.row) ?? (try? held.file?.session(key)?.row)
            if let row, !row.flags.contains(.notRemembered), !identifiers.contains(row.identifier) {
                identifiers.append(row.identifier)
            }
        }
        return identifiers
    }
}
