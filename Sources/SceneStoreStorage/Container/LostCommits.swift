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
    /// Whether the log can't be read at all, and nothing tells what was in it.
    private var isUnreadable = false
    /// Whether something stands in the lock file that no owner wrote.
    private var isLockJunk = false
    /// Whether folders of a container are there, so that this is no copy of files, which has no lock.
    private var isContainer = false

    /// Whether the log's index names frames that the log lacks.
    private var isIndexAhead = false

    /// Looks at a log whose owner left no note of what was durable.
    package init(
        _ folder: ContainerFolder, debt: OwnerLock.Debt?, isLockJunk: Bool = false
    ) throws(ContainerError) {
        self.debt = debt
        self.isLockJunk = isLockJunk
        guard debt?.generation == nil else { return }
        if debt?.isUnknown == true {
            for name in ContainerName.folders {
                if try folder.status(of: name) != nil { isContainer = true }
            }
        }
        let scan = try WALScan(folder)
        if debt?.isUnknown == true {
            isIndexAhead = try WALScan.lacksFrames(scan, in: folder)
        }
        if let scan {
            commitsBehind = scan.commitsBehind
        } else if debt?.isUnknown == true, try folder.status(of: ContainerName.log) != nil {
            isUnreadable = try folder.contents(of: ContainerName.log, limit: 1 << 20)
                .contains { $0 != 0 }
        }
    }

    /// Makes it of the note alone.
    package init(debt: OwnerLock.Debt?) {
        self.debt = debt
    }

    /// What the log itself shows, before SQLite reads, and perhaps shortens, it; nil when nothing
    /// is amiss. One commit behind a bad frame is a torn end.
    var damageOfLog: String? {
        guard !isUnreadable else {
            return "the write-ahead log is damaged and can't be read"
        }
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

    /// What is to be told where the lock file doesn't say how the last process ended: what a log that
    /// is gone or cut short had can't be missed then.
    package func doubt(_ row: StoreRow) -> Diagnostic? {
        guard debt?.isUnknown == true, row.ownerEpoch > 0,
            isLockJunk || isIndexAhead || isContainer && row.launchState == .running
        else { return nil }
        return Diagnostic(
            .unreadableLock, .warning,
            isLockJunk
                ? "owner.lock is damaged, so whether the last changes are all here can't be proved"
                : "owner.lock is missing, and the last process did not end properly, so whether "
                    + "its last changes are all here can't be proved",
            path: ContainerName.lock,
            fix: "nothing, if the windows are as you left them; else restore a backup")
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
