import SceneStoreValues

/// Holding each row against the question that found it.
///
/// A checksum proves that a row is what was written, not that it is the one that was asked for:
/// SQLite believes its indexes and interior pages, and when one of them is damaged, or a page lies
/// where another one belongs, whole rows answer for others. Such a row is not damaged and is not
/// set aside, for in its own place it is right; here it counts as absent.
extension StoreReading where Self: ~Copyable {
    /// Whether a whole row is the one that was asked for; says so when it is not.
    @inline(__always)
    package func isAsked(_ isAsked: Bool, _ table: StoreTable, _ id: Int64) -> Bool {
        if isAsked {
            return true
        }
        noteMisplaced(table, id)
        return false
    }

    /// Remembers that a row answered for another one, or didn't answer, once for each table.
    func noteMisplaced(
        _ table: StoreTable, _ id: Int64,
        _ finding: String = "was found where another one belongs"
    ) {
        guard parts.damage.pageCheck.misplaced.insert(table).inserted else {
            return
        }
        noteDamagedPages()
        parts.damage.diagnostics.append(
            Diagnostic(
                .pageDamage, .error,
                "row \(id) of table \(table.name) \(finding): an index or a page of the file is "
                    + "damaged", path: table.name,
                fix: "run scenestore repair"))
    }
}

extension StoreReading where Self: ~Copyable {
    /// Tells the next owner that pages are damaged: it salvages the store instead of opening it.
    func noteDamagedPages() {
        guard !parts.damage.isNoted, !isReader else {
            return
        }
        parts.damage.isNoted = true
        container.noteDamage()
    }
}

/// How far the look at the pages has come (S-13, S-61): once for each opening, after the rows.
struct PageCheck {
    /// How many of ``StoreTable/allCases`` were looked at.
    var tables = 0
    /// Whether all rows were looked at since the store was opened, and their sums compared.
    var areRowsChecked = false
    /// How often the rows were gone through while others were written; then the sums tell nothing.
    var attempts = 0
    /// The tables of which a row answered for another one.
    var misplaced: Set<StoreTable> = []
    /// The tables whose pages SQLite finds damaged.
    var damaged: Set<StoreTable> = []

    /// Whether the pages can no longer be relied on: nothing is cleared away then, for `repair`
    /// finds more in the file as it is.
    var hasDamage: Bool { !misplaced.isEmpty || !damaged.isEmpty }

    /// Whether the pages of every table were looked at.
    var isOver: Bool { tables == StoreTable.allCases.count }
}
