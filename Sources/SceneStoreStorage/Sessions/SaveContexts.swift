import SceneStoreSQLite
import SceneStoreValues

/// Reads the table `save_context`: the versions of the app and the system that states were saved under
/// (S-51).
extension Database {
    /// All of them, read once.
    package func contexts() throws(SceneStoreError) -> [SaveContextRow] {
        if let contexts = caches.contexts {
            return contexts
        }
        let contexts = try rows(Queries.saveContexts, binding(store.containerEpoch))
        caches.contexts = contexts
        return contexts
    }

    /// What a row of `save_context` says, at a time.
    package func context(_ id: Int64, savedAt: Int64) throws(SceneStoreError) -> SaveContext {
        let row = try contexts().first { $0.id == id }
        return SaveContext(
            appVersion: row?.appVersion, systemVersion: row?.systemVersion, idiom: row?.idiom,
            savedAt: savedAt)
    }
}

/// Writes that table, and in it what the last launch declared (S-43).
extension Transaction {
    /// The row of a context, which is made when there is none.
    package func intern(_ context: SaveContext) throws(SceneStoreError) -> Int64 {
        let known = try db.contexts()
        for row in known
        where row.appVersion == context.appVersion && row.systemVersion == context.systemVersion
            && row.idiom == context.idiom
        {
            return row.id
        }
        for name in [context.appVersion, context.systemVersion, context.idiom] {
            try db.encoder.check(name, path: "context")
        }
        let row = try insert(
            SaveContextRow(
                id: nextID(), epoch: store.containerEpoch, appVersion: context.appVersion,
                systemVersion: context.systemVersion, idiom: context.idiom))
        db.caches.contexts = known + [row]
        return row.id
    }

    /// Remembers what a launch under a context declared; nothing is written when that is known
    /// already (S-43). One row holds the last declaration, so that updates add no rows.
    package func declare(_ declared: String?, in contextID: Int64) throws(SceneStoreError) {
        var known = try db.contexts()
        guard let index = known.firstIndex(where: { $0.id == contextID }),
            known[index].declared != declared
        else {
            return
        }
        let old = known[index].checksum
        known[index].declared = declared
        known[index] = try update(known[index], counted: old)
        db.caches.contexts = known
    }
}
