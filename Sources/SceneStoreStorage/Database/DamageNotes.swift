import SceneStoreSQLite
import SceneStoreValues

/// What was noticed about the store, and how far the looking for damage has come.
package struct DamageNotes {
    package var openingDiagnostics: [Diagnostic] = []
    /// The exchanges of stores among what was noticed, of which no app was told yet.
    var untold: Set<String> = []
    /// What was put in the place of a newer store.
    package var rollback: (closedAt: Int64?, lastUsedAt: Int64)?
    /// What was noticed since it was asked for last.
    package var diagnostics: [Diagnostic] = []
    /// Rows that failed their checksum.
    package var rows: Set<DamagedRow> = []
    /// Those of them that were dealt with.
    package var setAside: Set<DamagedRow> = []
    /// Whether the skeleton was found to be smaller than recorded.
    package var isShrunk = false
    /// Whether that stays recorded, because the evidence could not be copied.
    var isLossKept = false
    /// Sessions whose state was read, and those whose last state is not there, or may not be.
    var shown: Set<Int64> = []
    package var lostStates: Set<Int64> = []
    package var verification = VerificationState()
    var pageCheck = PageCheck()
    /// Whether the next owner was told that pages are damaged.
    var isNoted = false
    /// Whether a write was refused as damaged right after the store was salvaged for it.
    var isSalvageVain = false
}

extension Diagnostic.Code {
    /// Another program cut off the index of the log while the store was open; nothing is lost.
    public static let cutIndex = Self("cutIndex")
}

/// How far the check in the background has come.
package struct VerificationState {
    /// Position in ``StoreTable/digested``.
    package var table = 0
    /// The last row that was looked at in it.
    package var after: Int64 = .min
    /// The generation at which the scan began: the sums hold only if it is still the same.
    package var generation: Int64 = -1
    package var sums = DigestSums()
    /// How many rows were looked at.
    package var rows = 0
    /// What is told of them, when somebody waits for the end.
    package var stage: WorkProgress?

    package init() {}
}

/// What the rows of a store add up to.
package struct DigestSums {
    package var openCount: Int64 = 0
    package var openDigest: Int64 = 0
    package var rowDigest: Int64 = 0
    /// Open sessions by configuration.
    var openByConfiguration: [Int64: Int64] = [:]

    package mutating func add(_ row: some StoredRow) {
        guard row.isOpenSession, let session = row as? SessionRow else {
            rowDigest = rowDigest &+ row.checksum
            return
        }
        openCount += 1
        openDigest = openDigest &+ session.checksum
        openByConfiguration[session.configurationID, default: 0] += 1
    }

    /// Whether the store's row says the same.
    func areRecorded(by store: StoreRow) -> Bool {
        openCount == store.openCount && openDigest == store.openDigest
            && rowDigest == store.rowDigest
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

/// A row that failed its checksum.
package struct DamagedRow: Hashable, Sendable {
    package var table: StoreTable
    package var id: Int64
    package var reason: String
}

/// Noting what is not as it was written, so that it counts as absent.
extension Database {
    /// Whether nothing was noticed that was not told.
    var hasNothingToTell: Bool {
        damage.diagnostics.isEmpty && damage.untold.isEmpty && !connection.isIndexRestored
    }

    /// Answers what was noticed since the last call.
    func takeDiagnostics() -> [Diagnostic] {
        if connection.isIndexRestored {
            connection.isIndexRestored = false
            damage.diagnostics.append(
                Diagnostic(
                    .cutIndex, .warning,
                    "another program cut off the log's index; it was made anew from the log",
                    path: ContainerName.index, fix: "find out which program writes there"))
        }
        defer { damage.diagnostics.removeAll() }
        return damage.diagnostics
    }

    /// Notes a row whose columns are of other types than its table has; throws anything else.
    func noteUnreadable(
        _ statement: borrowing Statement, _ table: StoreTable, _ error: SQLiteError
    ) throws(SceneStoreError) {
        guard error.isOfRow else {
            throw SceneStoreError(error)
        }
        try noteDamage(statement, table, "type")
    }

    /// Notes a row that fails its checksum. SQLite reads columns that an index has from the index: if
    /// the row is whole in its own place, it is the index that is damaged.
    func noteFailed<Row: StoredRow>(
        _ statement: borrowing Statement, _ query: RowQuery<Row>
    ) throws(SceneStoreError) {
        if !query.text.isSame(as: Row.byNumber.text), statement.columnType(at: 0) == .integer {
            let id = try translating { try statement.integer(at: 0) }
            if try isWhole(Row.self, id) {
                return noteMisplaced(Row.table, id)
            }
        }
        try noteDamage(statement, Row.table, "checksum")
    }

    func noteDamage(
        _ statement: borrowing Statement, _ table: StoreTable, _ what: String
    ) throws(SceneStoreError) {
        // The first column is the row's number, an alias of the rowid, which cannot be of
        // another type.
        do {
            noteDamage(table, try statement.integer(at: 0), what)
        } catch {
            guard error.kind == .wrongType else {
                throw SceneStoreError(error)
            }
            noteDamage(table, 0, what)
        }
    }

    /// Remembers a row that failed its checksum, once.
    package func noteDamage(_ table: StoreTable, _ id: Int64, _ what: String) {
        let row = DamagedRow(table: table, id: id, reason: what)
        guard damage.rows.insert(row).inserted else {
            return
        }
        damage.diagnostics.append(
            Diagnostic(
                .damagedRow, .error,
                "row \(id) of table \(table.name) fails its \(what) check and counts as absent",
                fix: "it is set aside in idle time; see the table quarantined_row"))
    }

    /// Remembers that a row answered for another one, or didn't answer, once for each table.
    func noteMisplaced(
        _ table: StoreTable, _ id: Int64,
        _ finding: String = "was found where another one belongs"
    ) {
        if damage.pageCheck.misplaced.insert(table).inserted {
            noteDamagedPages(
                of: table,
                "row \(id) of table \(table.name) \(finding): an index or a page of the file is "
                    + "damaged")
        }
    }

    func noteDamagedPages(of table: StoreTable, _ message: String) {
        noteDamagedPages()
        damage.diagnostics.append(
            Diagnostic(
                .pageDamage, .error, message, path: table.name, fix: "run scenestore repair"))
    }

    /// Tells the next owner that pages are damaged: it salvages the store instead of opening it.
    func noteDamagedPages() {
        guard !damage.isNoted, !isReader else {
            return
        }
        damage.isNoted = true
        container.noteDamage()
    }

    /// The same, if that is what an error means.
    func noteDamagedPages(_ error: SceneStoreError) {
        if error.isOfDamage {
            noteDamagedPages()
        }
    }
}
