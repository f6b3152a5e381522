import SceneStoreValues

extension Engine {
    /// The open session of an identifier. A connected one is known by its row, whatever an index says.
    package func openRecord(
        _ identifier: SceneSession.ID, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> SessionRecord? {
        if let record = try skeleton.openRecord(identifier) {
            return record
        }
        for key in machine.all {
            if let record = try skeleton.record(key: key), record.isOpen, record.id == identifier {
                skeleton.noteNotFound(record)
                return record
            }
        }
        return nil
    }
}
