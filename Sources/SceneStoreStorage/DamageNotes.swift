import SceneStoreSQLite
import SceneStoreValues

/// What was noticed about the store, and how far the looking for damage has come.
package struct DamageNotes {
    package var openingDiagnostics: [Diagnostic] = []
    /// The exchanges of stores among what was noticed, of which no app was told yet.
    var untold: Set<String> = []
    /// What was put in the place of a newer store.
    package var rollback: StoreRollback?
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

extension StoreCore {
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
}

extension Diagnostic.Code {
    /// Another program cut off the index of the log while the store was open; nothing is lost.
    public static let cutIndex = Self("cutIndex")
}
