import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Whether an older file was put in the place of the store.
extension StoreOpening {
    /// Looks whether the store is the one that was closed last, or a later one. Who only
    /// looks is told; an owner does as its options say.
    mutating func rollback(
        _ row: StoreRow, _ connection: Connection, sealer: RowSealer,
        after farewell: OwnerLock.Farewell?
    ) throws(SceneStoreError) -> (closedAt: Int64?, lastUsedAt: Int64)? {
        guard let farewell,
            row.ownerEpoch < farewell.epoch
                || row.generation < farewell.closing?.generation ?? 0
        else {
            return nil
        }
        let launch = try connection.uncheckedRows(
            LaunchRow.byNumber, binding(row.launchNumber))?.first
        // When a launch in the store began or ended last.
        let lastUse = launch.flatMap { $0.isWhole(sealer) ? $0.endedAt ?? $0.startedAt : nil }
        let found = (closedAt: farewell.closing?.time, lastUsedAt: lastUse ?? row.createdAt)
        guard options.rollback == .accept || options.access == .reader else {
            throw SceneStoreError(.rolledBack, Self.message(found), path: ContainerName.store)
        }
        diagnostics.append(
            Diagnostic(
                .rolledBack, .warning, Self.message(found), path: ContainerName.store,
                fix: "put the newer file back while no app runs, if this was not meant"))
        return found
    }

    static let otherStore = Diagnostic(
        .otherStore, .warning,
        "another store's file was put in the place of the one that was open here last",
        path: ContainerName.store,
        fix: "put the store's own file back while no app runs, if this was not meant")

    private static func message(_ found: (closedAt: Int64?, lastUsedAt: Int64)) -> String {
        let closed = found.closedAt.map { " on \(Self.date($0))" } ?? ""
        return "an older file was put in the place of the store that was closed\(closed); this one "
            + "was last used on \(Self.date(found.lastUsedAt))"
    }

    /// The number may be anything: beyond the years 1 to 9999 it stays one.
    private static func date(_ milliseconds: Int64) -> String {
        (-62_135_596_800_000...253_402_300_799_999).contains(milliseconds)
            ? Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(.iso8601)
            : "\(milliseconds / 1_000)"
    }
}
