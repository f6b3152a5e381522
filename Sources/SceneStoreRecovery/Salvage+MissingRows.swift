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
            source.rows[table].lookAtEach { row in
                if isLive(row, epoch), isOwned(row, source.rows, epoch),
                    !(table == .session && row.number(.isOpen) == 1)
                {
                    digest = digest &+ row.checksum
                }
            }
        }
        let misses = digest != store.number("row_digest")
        return (misses, misses ? tables : [])
    }

    @inline(__always)
    private static func isLive(_ row: borrowing CarvedRow, _ epoch: Int64) -> Bool {
        row.rank != .old && (!KnownColumn.epoch.isIn(row.table) || row.number(.epoch) == epoch)
    }

    /// Whether the session or launch that the row belongs to is there.
    @inline(__always)
    private static func isOwned(
        _ row: borrowing CarvedRow, _ rows: CarvedRows, _ epoch: Int64
    ) -> Bool {
        let (table, id): (StoreTable, Int64)
        switch row.table {
        case .state, .sessionValue: (table, id) = (.session, row.id >> 8)
        case .sceneStorage: (table, id) = (.session, row.number("session_id"))
        case .launchException: (table, id) = (.launch, row.number("launch"))
        default: return true
        }
        return rows[table].look(at: id) { isLive($0, epoch) } ?? false
    }
}

/// What shows that earlier states of sessions are lost, or may be. Asked for each session, by their
/// numbers.
struct StateLosses {
    /// The numbers of damaged states, by session.
    private var damaged: [Int64: [Int64]] = [:]
    /// The numbers of states that may have been on pages that can't be read, in their order, without
    /// those before the session that was asked for last.
    private var gaps: ArraySlice<ClosedRange<Int64>>

    init(_ source: SalvageSource) {
        gaps =
            source.gaps.filter { $0.table == StoreTable.state.name }.map(\.ids)
            .sorted { $0.lowerBound < $1.lowerBound }[...]
        for row in source.rows.damaged where row.table == .state {
            damaged[row.id >> 8, default: []].append(row.id)
        }
    }

    /// Why earlier states of a session are lost; nil if nothing shows that.
    mutating func reason(for key: Int64, current: Int64?, missesRows: Bool) -> String? {
        if damaged[key]?.contains(where: { $0 != current }) == true {
            return "an earlier state is damaged"
        }
        let ids = (key << 8)...(key << 8 | 255)
        while let gap = gaps.first, gap.upperBound < ids.lowerBound {
            gaps.removeFirst()
        }
        return missesRows && gaps.first?.overlaps(ids) == true
            ? "the page where earlier states of it may have been can't be read" : nil
    }
}
