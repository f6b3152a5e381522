import SceneStoreSQLite
import SceneStoreValues

/// Looking at all rows and all pages when nobody waits: SQLite does not notice a damaged index, and
/// rows that only it could have found are missing without a word (R-22, S-13).
extension StoreUpkeep {
    /// Looks a little further, rows first; false when all was seen.
    func checkOnePiece(until deadline: ContinuousClock.Instant) throws(SceneStoreError) -> Bool {
        guard damage.pageCheck.areRowsChecked else {
            try checkRows(until: deadline)
            return true
        }
        return try checkOneTable(until: deadline)
    }

    private func checkRows(until deadline: ContinuousClock.Instant) throws(SceneStoreError) {
        do throws(SceneStoreError) {
            let begun = damage.verification.generation
            guard try verifyRows(until: deadline) else {
                return
            }
            damage.pageCheck.attempts += 1
            // Of rows that were gone through while others were written the sums tell nothing.
            let isCompared = begun < 0 || begun == store.generation
            damage.pageCheck.areRowsChecked = isCompared || damage.pageCheck.attempts >= 3
        } catch {
            guard error.code == .corrupt else {
                throw error
            }
            // The pages will tell in which table.
            damage.verification = VerificationState()
            damage.pageCheck.areRowsChecked = true
        }
    }

    /// Looks at the pages of one table and its indexes; false when none is left.
    private func checkOneTable(
        until deadline: ContinuousClock.Instant
    ) throws(SceneStoreError) -> Bool {
        let tables = StoreTable.allCases
        guard !damage.pageCheck.isOver else {
            return false
        }
        let table = tables[damage.pageCheck.tables]
        let report = try translating {
            // SQLite cannot go on where it stopped within a table: each gets the time it takes.
            try connection.check(table: table.name, budget: Budget())
        }
        damage.pageCheck.tables += 1
        if let problem = report.problems.first {
            noteDamage(of: table, problem)
        }
        return !damage.pageCheck.isOver
    }

    private func noteDamage(of table: StoreTable, _ problem: String) {
        guard damage.pageCheck.damaged.insert(table).inserted else {
            return
        }
        core.noteDamagedPages()
        damage.diagnostics.append(
            Diagnostic(
                .pageDamage, .error,
                "the pages of table \(table.name) are damaged: \(problem)", path: table.name,
                fix: "run scenestore repair"))
    }
}
