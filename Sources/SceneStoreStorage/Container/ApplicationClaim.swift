import SceneStoreSQLite
import SceneStoreValues

/// Who runs on a store. It lasts as long as the application that holds it.
package final class ApplicationClaim: Sendable {
    package init() {}
}

/// The claim on a store, if its application is still there.
struct ClaimHolder {
    weak var holder: ApplicationClaim?
}

extension SceneSessionStore {
    /// Takes the store for one application; two would overwrite each other's windows.
    package func claim(_ claim: ApplicationClaim) throws(SceneStoreError) {
        let isTaken = held.withLock { held in
            held.holder = held.holder ?? claim
            return held.holder === claim
        }
        guard isTaken else {
            throw SceneStoreError(
                .storeInUse, "another application runs on the store already; use that one")
        }
    }

    /// Gives the store back.
    package func release(_ claim: ApplicationClaim) {
        held.withLock { held in
            if held.holder === claim {
                held.holder = nil
            }
        }
    }
}

extension SceneStoreError.Code {
    /// Another application of this process runs on the store.
    public static let storeInUse = Self("storeInUse")
}
