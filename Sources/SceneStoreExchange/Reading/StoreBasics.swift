import SceneStore
import SceneStoreSQLite

/// What a store's own row says, and what is known to be wrong without a look at its sessions.
package struct StoreBasics: Sendable {
    package var schemaVersion: Int
    package var libraryVersion: String
    package var uuid: String
    package var appIdentifier: String?
    package var createdAt: Int64
    package var generation: Int64
    /// How often it was opened to be written. A file that was put in an older one's place has more.
    package var ownerEpoch: Int64
    /// Open sessions, as recorded.
    package var openSessions: Int
    /// What is not as it should be, as far as a look shows it.
    package var findings: [Diagnostic] = []

    /// Looks at a store; reads no session.
    package init(reading store: SceneSessionStore) throws(SceneStoreError) {
        self = try store.read { db throws(SceneStoreError) in try StoreBasics(db) }
        findings = store.ownDiagnostics + findings + store.takeDiagnostics()
    }

    /// Whether two stores are one: one of them has had the identity of the other. A salvage gives a
    /// store another one, because it seals its rows anew.
    package static func isSame(_ first: SceneSessionStore, _ second: SceneSessionStore) -> Bool {
        guard let one = try? identities(of: first), let other = try? identities(of: second) else {
            return false
        }
        return one.all.contains(other.own) || other.all.contains(one.own)
    }

    /// The identity of a store, and all that it has had, as far as its journal names them.
    private static func identities(
        of store: SceneSessionStore
    ) throws(SceneStoreError) -> (own: String, all: Set<String>) {
        try store.read { db throws(SceneStoreError) in
            let own = HexText.text(db.store.uuid)
            let kinds = [StoreEvent.Kind.open.rawValue, StoreEvent.Kind.identity.rawValue]
            var found: Set = [own]
            do throws(SceneStoreError) {
                try db.eachEntry { row in
                    if kinds.contains(row.kind), let identity = row.detail {
                        found.insert(identity)
                    }
                    return true
                } orAnew: {
                    found = [own]
                }
            } catch {
                // What of the journal can't be read names nothing.
            }
            return (own, found)
        }
    }

    init(_ db: Database) throws(SceneStoreError) {
        schemaVersion = try StoreMigrator.version(db.connection)
        libraryVersion = db.store.writtenBy
        uuid = HexText.text(db.store.uuid)
        appIdentifier = db.store.appIdentifier
        createdAt = db.store.createdAt
        generation = db.store.generation
        ownerEpoch = db.store.ownerEpoch
        openSessions = Int(clamping: db.store.openCount)
        // Since the launch before: the last one began with it, or the next one will.
        let earlier = try db.launches(limit: 2).dropFirst().first?.generation ?? -1
        // Without the saves, which are read from the rows of all states.
        var read = 0
        var lost: [String] = []
        try db.eachEntry { row in
            if row.kind == StoreEvent.Kind.lostCommits.rawValue, row.generation > earlier {
                lost.append(row.detail ?? "some")
            }
            read += 1
            return read < 200 && row.generation > earlier
        } orAnew: {
            (read, lost) = (0, [])
        }
        for detail in lost {
            findings.append(
                Diagnostic(
                    .lostCommits, .error,
                    "commits could not be brought back when the store was rebuilt: \(detail)",
                    path: ContainerName.quarantine, fix: "see the ledger in quarantine/"))
        }
        if db.store.erasurePending {
            findings.append(
                Diagnostic(
                    .erasurePending, .warning,
                    "erased content may still be in the write-ahead log",
                    fix: "let the app run for a moment, or run scenestore compact"))
        }
    }
}

extension SceneSessionStore {
    /// What opening it showed. Beside another store's log is that store's lock, too, which tells
    /// nothing of this one.
    package var ownDiagnostics: [Diagnostic] {
        let all = openingDiagnostics
        return all.contains { $0.code == .foreignLog }
            ? all.filter { $0.code != .rolledBack && $0.code != .otherStore } : all
    }
}

extension Diagnostic.Code {
    /// Erased content may still be in the write-ahead log.
    public static let erasurePending = Self("erasurePending")
}
