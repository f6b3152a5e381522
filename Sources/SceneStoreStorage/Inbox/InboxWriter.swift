import SceneStoreValues

/// Writes the payloads that wait, within a transaction.
package struct InboxWriter: ~Copyable {
    private let writer: StoreWriter

    init(_ writer: borrowing StoreWriter) {
        self.writer = writer.again()
    }

    /// Writes a payload that waits.
    package func insert(
        _ bytes: [UInt8], session: String? = nil, dedupe: String?, isOffered: Bool = false
    ) throws(SceneStoreError) -> Int64 {
        var row = InboxRow(
            id: writer.nextID(), epoch: writer.store.containerEpoch, sessionIdentifier: session,
            dedupeKey: dedupe, receivedLaunch: writer.store.launchNumber, receivedAt: writer.now,
            generation: writer.store.generation, contentHash: StoreCore.hash(bytes))
        if isOffered {
            row.beginDelivery(launch: writer.store.launchNumber, order: writer.store.generation)
        }
        try writer.insert(row, payload: bytes)
        writer.note(.inbox, session, "received")
        return row.id
    }

    /// Offers or acknowledges payloads.
    package func advance(_ ids: [Int64], isDone: Bool) throws(SceneStoreError) {
        try rewrite(ids, isDone ? "acknowledged" : "offered") { row in
            if isDone {
                row.isDone = true
            } else {
                row.beginDelivery(launch: writer.store.launchNumber, order: writer.store.generation)
            }
        }
    }

    /// Changes the rows of payloads that wait.
    func rewrite(
        _ ids: [Int64], _ detail: String, _ change: (inout InboxRow) -> Void
    ) throws(SceneStoreError) {
        for (old, payload) in try InboxReader(parts: writer.parts).waiting(ids) {
            var row = old
            change(&row)
            // An acknowledged payload leaves its key alone.
            let kept = row.isDone ? [] : payload
            row.contentHash = StoreCore.hash(kept)
            try writer.update(row, counted: old.checksum, payload: kept)
            writer.note(.inbox, row.sessionIdentifier, detail)
        }
    }
}

extension StoreWriter {
    package var inbox: InboxWriter { InboxWriter(self) }
}
