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
