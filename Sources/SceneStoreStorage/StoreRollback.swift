import SceneStoreSQLite
import SceneStoreValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// That an older file was put in the place of the store between two openings, for instance
/// from a backup that a person copied back.
public struct StoreRollback: Sendable, Hashable {
    /// When the newer store was closed, in milliseconds since 1970; nil when that was not written down.
    public var closedAt: Int64?
    /// When the store that is there now was used last, in milliseconds since 1970.
    public var lastUsedAt: Int64
}

extension SceneSessionStore {
    /// What an owner does with a store that is older than the one that it closed.
    public enum RollbackPolicy: String, Sendable, Hashable, CaseIterable {
        /// It goes on with the older one and says so: whoever put it there meant to.
        case accept
        /// The newest whole store in `backups/` or `quarantine/` takes its place, if one is newer;
        /// the older file is set aside.
        case salvageNewer
        /// Opening throws ``SceneStoreError/Code/rolledBack`` and changes nothing.
        case fail
    }

    /// What the opening found, if the store is older than the one that was closed last.
    public var rollback: StoreRollback? {
        core.withLock { $0.damage.rollback }
    }
}

extension StoreOpening {
    /// Looks whether the store is the one that was closed last, or a later one.
    mutating func rollback(
        _ row: StoreRow, _ connection: Connection, sealer: RowSealer, after held: HeldLock?
    ) throws(SceneStoreError) -> StoreRollback? {
        guard let held, case .released(let epoch) = held.predecessor,
            row.ownerEpoch < epoch || row.generation < held.closing?.generation ?? 0
        else {
            return nil
        }
        let found = StoreRollback(
            closedAt: held.closing?.time,
            lastUsedAt: try Self.lastUse(row, connection, sealer: sealer))
        guard options.rollback == .accept else {
            throw SceneStoreError(
                .rolledBack, Self.message(found), path: ContainerName.store)
        }
        diagnostics.append(
            Diagnostic(
                .rolledBack, .warning, Self.message(found), path: ContainerName.store,
                fix: "put the newer file back while no app runs, if this was not meant"))
        return found
    }

    private static func message(_ found: StoreRollback) -> String {
        let closed = found.closedAt.map { " on \(Self.date($0))" } ?? ""
        return "an older file was put in the place of the store that was closed\(closed); this one "
            + "was last used on \(Self.date(found.lastUsedAt))"
    }

    private static func date(_ milliseconds: Int64) -> String {
        ISO8601.text(of: Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
    }

    /// When a launch in the store began or ended last.
    private static func lastUse(
        _ row: StoreRow, _ connection: Connection, sealer: RowSealer
    ) throws(SceneStoreError) -> Int64 {
        let number = row.launchNumber
        do {
            let launch = try connection.withStatement(LaunchRow.byNumber.text) {
                statement throws(SQLiteError) -> LaunchRow? in
                try statement.bind(1, number)
                return try statement.step() ? try LaunchRow(statement) : nil
            }
            guard let launch, launch.isWhole(sealer) else {
                return row.createdAt
            }
            return launch.endedAt ?? launch.startedAt
        } catch {
            guard error.kind == .wrongType || error.kind == .invalidText else {
                throw SceneStoreError(error)
            }
            return row.createdAt
        }
    }
}

extension SceneStoreError.Code {
    /// An older file was put in the place of the store.
    public static let rolledBack = Self("rolledBack")
}

extension Diagnostic.Code {
    /// An older file was put in the place of the store.
    public static let rolledBack = Self("rolledBack")
}
