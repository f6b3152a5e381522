import SceneStoreSQLite
import SceneStoreValues

/// What an opening says of files, and how it looks at those that an earlier owner found damaged.
extension StoreOpening {
    /// What earlier processes recovered, and told no app: only the app is told.
    mutating func note(_ exchanges: [UntoldExchange]) {
        guard options.access == .owner else {
            return
        }
        for exchange in exchanges where untold.insert(exchange.name).inserted {
            diagnostics += exchange.findings
            replacements += exchange.findings
        }
    }

    mutating func note(_ warnings: Set<StoreFile.Warning>) {
        if warnings.contains(.hardLink) {
            diagnostics.append(
                Diagnostic(
                    .secondLink, .warning, "the store's file has a second name",
                    path: ContainerName.store, fix: "remove it once the backup is made"))
        }
        if warnings.contains(.permissionsTightened) {
            diagnostics.append(
                Diagnostic(
                    .permissionsTightened, .note,
                    "other users could read the store; its permissions were corrected",
                    path: ContainerName.store))
        }
        if warnings.contains(.replaceable) {
            diagnostics.append(
                Diagnostic(
                    .replaceableContainer, .warning,
                    "every user can put another folder in the container's place",
                    fix: "on the folder above the container, remove others' write permission or "
                        + "set the sticky bit"))
        }
    }

    /// An earlier owner came upon damaged pages: what it could not read or write would be missing
    /// in every launch to come (S-11). Only then is a file looked through before it is opened.
    func checkPages(_ connection: Connection) throws(SceneStoreError) {
        let report = try translating { try connection.check(budget: Budget()) }
        guard report.problems.isEmpty else {
            throw SceneStoreError(
                .corrupt, "pages of the store are damaged", path: ContainerName.store)
        }
    }

    /// The same of the rows: a page whose last write was lost is a whole page.
    func checkSums(_ db: Database) throws(SceneStoreError) {
        _ = try db.verifyRows(until: nil)
        guard !db.damage.isShrunk else {
            throw SceneStoreError(
                .corrupt, "rows of the store are missing or older than recorded",
                path: ContainerName.store)
        }
        db.damage = DamageNotes()
    }
}
