import SceneStore
import SceneStoreRecovery

/// The sessions whose last state was lost in a salvage, as far as the journal knows (S-42).
package struct LostStates: Sendable {
    /// When the states were lost, by session: a later one is not.
    private var generations: [String: Int64] = [:]
    /// The launch that the last salvage came after: of it and those before the journal may be lost.
    package private(set) var launch: Int64 = 0

    package static let reason = "the state that was saved last was lost in a salvage"
    package static let olderReason =
        "an older one, because a salvage lost the one that was saved last"

    init() {}

    package init(reading store: SceneSessionStore) throws(SceneStoreError) {
        let outcomes = [SalvageReport.Outcome.olderState, .withoutState]
        (generations, launch) = try store.read { db throws(SceneStoreError) in
            var newest: [String: Int64] = [:]
            var launch: Int64 = 0
            try db.eachEntry { row throws(SceneStoreError) in
                let isSalvage = row.kind == StoreEvent.Kind.salvage.rawValue
                if isSalvage {
                    launch = max(launch, row.launch)
                }
                guard let session = row.sessionIdentifier, newest[session] == nil else {
                    return true
                }
                if row.kind == StoreEvent.Kind.clear.rawValue {
                    newest[session] = .min
                } else if isSalvage,
                    outcomes.contains(where: { row.detail?.hasPrefix($0.rawValue + ":") == true })
                {
                    newest[session] = row.generation
                }
                return true
            } orAnew: {
                newest.removeAll()
                launch = 0
            }
            return (newest, launch)
        }
    }

    /// Whether what a session shows is not what it saved last.
    package func includes(_ record: SessionRecord, _ label: SessionLabel?) -> Bool {
        !generations.isEmpty && record.privacy != .ephemeral
            && label?.stateGeneration ?? .min < generations[record.identifier] ?? .min
    }
}
