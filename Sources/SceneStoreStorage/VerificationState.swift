import SceneStoreValues

/// How far the check in the background has come.
package struct VerificationState {
    /// Position in ``StoreTable/digested``.
    package var table = 0
    /// The last row that was looked at in it.
    package var after: Int64 = .min
    /// The generation at which the scan began: the sums hold only if it is still the same.
    package var generation: Int64 = -1
    package var sums = DigestSums()
    /// How many rows were looked at.
    package var rows = 0
    /// What is told of them, when somebody waits for the end.
    package var stage: WorkProgress?

    package init(
        table: Int = 0, after: Int64 = .min, generation: Int64 = -1,
        sums: DigestSums = DigestSums(), rows: Int = 0, stage: WorkProgress? = nil
    ) {
        self.table = table
        self.after = after
        self.generation = generation
        self.sums = sums
        self.rows = rows
        self.stage = stage
    }
}

/// What the rows of a store add up to.
package struct DigestSums {
    package var openCount: Int64 = 0
    package var openDigest: Int64 = 0
    package var rowDigest: Int64 = 0
    /// Open sessions by configuration.
    var openByConfiguration: [Int64: Int64] = [:]

    package mutating func add(_ row: some StoredRow) {
        guard row.isOpenSession, let session = row as? SessionRow else {
            rowDigest = rowDigest &+ row.checksum
            return
        }
        openCount += 1
        openDigest = openDigest &+ session.checksum
        openByConfiguration[session.configurationID, default: 0] += 1
    }

    /// Whether the store's row says the same.
    func areRecorded(by store: StoreRow) -> Bool {
        openCount == store.openCount && openDigest == store.openDigest
            && rowDigest == store.rowDigest
    }
}
