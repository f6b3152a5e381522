import SceneStoreSQLite
import SceneStoreValues

/// Whether a container's log lacks commits that were made: one judgement for the
/// owner that opens the store, for a repair, and for whoever only looks.
///
/// A dead owner's note beside the lock tells best: the epoch under which it wrote, and the last
/// commit that it made durable. Without such a note the log itself is asked. Commits that were not
/// durable may go in a power cut, in any order, and are no reason for an alarm.
package struct LostCommits {
    /// What the owner that died had written down; nil when none did.
    package var debt: OwnerLock.Debt?
    /// Commits behind a damage of the log; 0 where the note tells more.
    package var commitsBehind = 0

    /// Looks at a log whose owner left no note of what was durable.
    package init(
        _ folder: ContainerFolder, debt: OwnerLock.Debt?
    ) throws(ContainerError) {
        self.debt = debt
        if debt?.generation == nil {
            commitsBehind = try WALScan(folder)?.commitsBehind ?? 0
        }
    }

    /// Makes it of the note alone.
    package init(debt: OwnerLock.Debt?) {
        self.debt = debt
    }

    /// What the log itself shows, before SQLite reads, and perhaps shortens, it; nil when nothing
    /// is amiss. One commit behind a bad frame is a torn end.
    var damageOfLog: String? {
        guard commitsBehind >= 2 else {
            return nil
        }
        return "\(commitsBehind) commits behind a damage of the log are out of reach"
    }

    /// What is missing in a store whose own row is known; nil when nothing is.
    package func message(_ row: StoreRow) -> String? {
        if let owed = debt?.generation, row.generation < owed {
            let count = owed - row.generation
            let what = count == 1 ? "1 commit that was" : "\(count) commits that were"
            return "the write-ahead log is damaged or gone: \(what) durable "
                + (count == 1 ? "is" : "are") + " out of reach"
        }
        if let debt, row.ownerEpoch < debt.epoch {
            return "the last process died and its write-ahead log is gone: what it saved since "
                + "its start is not in the file"
        }
        return damageOfLog
    }

    /// The same as a finding.
    package func finding(_ row: StoreRow) -> Diagnostic? {
        message(row).map {
            Diagnostic(
                .lostCommits, .error, $0, path: ContainerName.log,
                fix: "run scenestore repair before the app runs")
        }
    }
}

extension Diagnostic.Code {
    /// The write-ahead log is damaged or gone, so commits are lost.
    public static let lostCommits = Self("lostCommits")
}
