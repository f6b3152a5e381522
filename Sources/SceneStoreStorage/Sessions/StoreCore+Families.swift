import SceneStoreSQLite
import SceneStoreValues

/// Windows that belong to other ones (L-49).
///
/// Which one is in the placement; that there are such is in two flags, so that a launch reads
/// placements only where it has to.
extension StoreReading where Self: ~Copyable {
    /// The open sessions whose window belongs to another, most recently active first.
    package func children() throws(SceneStoreError) -> [ChildRecord] {
        var result: [ChildRecord] = []
        for record in try openRecords() where record.flags.contains(.isChild) {
            guard let row = try session(record.key)?.row,
                let placement = try placements(of: row)?.placement, let parent = placement.parent
            else {
                continue
            }
            result.append(ChildRecord(record: record, parent: parent, tab: placement.tab))
        }
        return result
    }
}

extension SceneSessionStore {
    /// A session's window belongs to another one, or to none any more. Mode normal; nothing is
    /// written when that is known.
    package func noteParent(
        _ parent: SceneSession.ID?, key: Int64
    ) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.setFlag(
                .isChild, parent != nil, key: key,
                parent == nil ? "belongs to no window" : "belongs to a window")
            guard let parent, let row = try core.session(identifier: parent.rawValue) else {
                return
            }
            try core.setFlag(.hasChildren, true, key: row.id, "has windows of its own")
        }
    }
}
