import SceneStoreSQLite
import SceneStoreValues

/// The one row of the store's own table (S-25).
package struct StoreRow: StoredRow {
    package static let description = TableDescription(.store, "store", of: Self())
    package static var blank: Self { Self() }

    package var id: Int64 = 1
    package var uuid: [UInt8] = []
    package var containerEpoch: Int64 = 0
    package var ownerEpoch: Int64 = 0
    package var generation: Int64 = 0
    package var lastID: Int64 = 0
    package var openCount: Int64 = 0
    package var openDigest: Int64 = 0
    package var rowDigest: Int64 = 0
    package var eventCount: Int64 = 0
    package var launchNumber: Int64 = 0
    /// How the last process that began a launch ended.
    package var launchState = PreviousProcess.End.never
    package var restoringSession: Int64?
    package var erasurePending = false
    package var featuresIgnorable: Int64 = 0
    package var featuresReadOnly: Int64 = 0
    package var featuresRequired: Int64 = 0
    package var appIdentifier: String?
    package var writtenBy = ""
    package var createdAt: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit(_ column: inout ColumnPass) {
        column("id", &id, .unsealed)
        column("uuid", &uuid, .fixed)
        column("container_epoch", &containerEpoch, .counter)
        column("owner_epoch", &ownerEpoch, .counter)
        column("generation", &generation, .counter)
        column("last_id", &lastID, .counter)
        column("open_count", &openCount, .counter)
        column("open_digest", &openDigest)
        column("row_digest", &rowDigest)
        column("event_count", &eventCount, .counter)
        column("launch_number", &launchNumber, .counter)
        var state = launchState.rawValue
        column("launch_state", &state)
        launchState = PreviousProcess.End(rawValue: state) ?? .running
        column("restoring_session", &restoringSession)
        column("erasure_pending", &erasurePending)
        column("features_ignorable", &featuresIgnorable, .fixed)
        column("features_read_only", &featuresReadOnly, .fixed)
        column("features_required", &featuresRequired, .fixed)
        column("app_identifier", &appIdentifier, .fixed)
        column("written_by", &writtenBy)
        column("created_at", &createdAt, .fixed)
    }

    /// The fence of each transaction: it changes the row only while nobody else has.
    package static let exchange = description.update(if: "owner_epoch = ? AND generation = ?")

    /// Seals the row and binds what `exchange` sets, and what it expects to find.
    mutating func writeExchange(
        to statement: borrowing Statement, _ sealer: RowSealer, expecting old: StoreRow
    ) throws(SQLiteError) {
        let index = try write(to: statement, sealer, mask: Self.exchange.mask)
        try statement.bind(index, id)
        try statement.bind(index + 1, old.ownerEpoch)
        try statement.bind(index + 2, old.generation)
    }

    /// Whether the counters are such as ordinary use can reach, so that counting on cannot
    /// overflow.
    package var isPlausible: Bool {
        let counters = [
            containerEpoch, ownerEpoch, generation, lastID, openCount, eventCount, launchNumber,
        ]
        return uuid.count == 16 && counters.allSatisfy { (0...(1 << 54)).contains($0) }
    }
}
