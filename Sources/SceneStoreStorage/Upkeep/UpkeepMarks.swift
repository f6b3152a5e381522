import SceneStoreValues

/// What upkeep remembers between two idle moments.
package struct UpkeepMarks {
    /// Whether rows of an earlier epoch may be left; found out in idle time.
    package internal(set) var hasOldRows: Bool
    /// The last time that other readings of the clock agreed to.
    var agreedTime: Int64?
    /// What was found to be pruned and is there still.
    var pruning = WaitingPruning()
}

/// What was found to be pruned, taken away piece by piece: finding it reads every discarded session.
struct WaitingPruning {
    /// The first one last.
    var candidates: [PruneCandidate] = []
    /// The transaction after which they were found. What was changed since is pruned no more.
    var generation: Int64 = 0
    /// The container that they are of.
    var epoch: Int64 = 0
}
