import SceneStoreStorage
import SceneStoreValues

/// Saved activities of an import, which are known by their persistent identifiers.
extension StoreImporter {
    /// What becomes of a saved activity.
    enum ActivityVerdict {
        case refused
        case left
        /// It comes in, and these go.
        case taken([SavedActivityRow])
    }

    func verdict(
        _ activity: UserActivity, _ bytes: [UInt8], savedAt time: Int64, _ known: ImportRivals
    ) throws(SceneStoreError) -> ActivityVerdict {
        guard let identifier = activity.persistentIdentifier else {
            return known.isSaved(bytes, at: time) ? .left : .taken([])
        }
        let rivals = try db.savedActivityRows(identifier)
        guard let known = rivals.map(\.savedAt).max() else {
            return .taken([])
        }
        return switch merge {
        case .refuse: .refused
        case .keep: .left
        case .replace: .taken(rivals)
        case .newest, .renumber: time > known ? .taken(rivals) : .left
        }
    }
}
