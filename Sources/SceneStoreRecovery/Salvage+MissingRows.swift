import SceneStoreStorage
import SceneStoreValues

/// Which rows beside those of the open sessions are missing (S-11, S-40).
extension Salvage {
    /// What the source's rows add up to, and the tables that were not read to their end.
    static func missing(from source: SalvageSource, epoch: Int64) -> (misses: Bool, [String]) {
        let gaps = Set(source.gaps.map(\.table))
        let tables = StoreTable.digested.map(\.name).filter { gaps.contains($0) }
        guard let store = source.store else {
            return (!tables.isEmpty, tables)
        }
        var digest: Int64 = 0
        for table in StoreTable.digested {
            for row in source.rows[table].values
            where isLive(row, epoch) && isOwned(row, source.rows, epoch)
                && !(table == .session && row.number("is_open") == 1)
            {
                digest = digest &+ row.checksum
            }
        }
        let misses = digest != store.number("row_digest")
        return (misses, misses ? tables : [])
    }

    private static func isLive(_ row: CarvedRow, _ epoch: Int64) -> Bool {
        row.rank != .old && (row.layout.index("epoch") == nil || row.number("epoch") == epoch)
    }

    /// Whether the session or launch that the row belongs to is there.
    private static func isOwned(_ row: CarvedRow, _ rows: CarvedRows, _ epoch: Int64) -> Bool {
        let owner: CarvedRow?
        switch row.table {
        case .state, .sessionValue: owner = rows[.session][row.id >> 8]
        case .sceneStorage: owner = rows[.session][row.number("session_id")]
        case .launchException: owner = rows[.launch][row.number("launch")]
        default: return true
        }
        return owner.map { isLive($0, epoch) } ?? false
    }

    /// Why earlier states of a session are lost, or may be; nil if nothing shows that.
    static func earlierLoss(
        of key: Int64, current: Int64?, in source: SalvageSource, missesRows: Bool
    ) -> String? {
        if source.rows.damaged.contains(where: {
            $0.table == .state && $0.id >> 8 == key && $0.id != current
        }) {
            return "an earlier state is damaged"
        }
        let ids = (key << 8)...(key << 8 | 255)
        let isBroken = source.gaps.contains {
            $0.table == StoreTable.state.name && $0.ids.overlaps(ids)
        }
        return missesRows && isBroken
            ? "the page where earlier states of it may have been can't be read" : nil
    }
}
