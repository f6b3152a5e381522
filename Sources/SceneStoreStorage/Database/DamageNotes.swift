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
package struct DamagedRow: Hashable, Sendable, Comparable {
    package var table: StoreTable
    package var id: Int64
    package var reason: String

    package static func < (left: Self, right: Self) -> Bool {
        (left.table.rawValue, left.id, left.reason) < (right.table.rawValue, right.id, right.reason)
    }
}
