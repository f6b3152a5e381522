import SceneStoreSQLite
import SceneStoreValues

/// The windows that were connected when a process ended (L-48).
///
/// Those in front are marked as such anyway. A window that is connected behind them has the number
/// of the launch in a value of its own, so that it counts for that launch only.
extension StoreReading where Self: ~Copyable {
    /// The open sessions that were connected when a launch ended, most recently active first.
    package func connected(atEndOf launch: Int64) throws(SceneStoreError) -> [SessionRecord] {
        var result: [SessionRecord] = []
        for record in try openRecords() {
            guard try isConnected(record, in: launch) else {
                continue
            }
            if record.parkedCause == .notKept, try parking(of: record.key)?.launch != launch {
                continue
            }
            result.append(record)
        }
        return result
    }

    private func isConnected(
        _ record: SessionRecord, in launch: Int64
    ) throws(SceneStoreError) -> Bool {
        if record.isFront {
            return true
        }
        return try launchBehind(record.key) == launch
    }

    private func launchBehind(_ key: Int64) throws(SceneStoreError) -> Int64? {
        guard let bytes = try value(.behind, of: key) else {
            return nil
        }
        return NumberPair(bytes)?.first
    }
}

extension StoreWriter {
    /// Notes that a window is connected without being in front, or no longer.
    func setBehind(_ isBehind: Bool, _ key: Int64) throws(SceneStoreError) {
        try put(.behind, isBehind ? NumberPair(store.launchNumber, 0).bytes : nil, of: key)
    }

    /// Notes that windows are connected without being in front.
    func setBehind(_ keys: [Int64]) throws(SceneStoreError) {
        let bytes = NumberPair(store.launchNumber, 0).bytes
        for key in keys {
            try put(.behind, bytes, of: key)
        }
    }

    /// What the launch before this one left connected counts as left by this one.
    func carryLastSession() throws(SceneStoreError) {
        let launch = store.launchNumber - 1
        for record in try connected(atEndOf: launch) {
            if !record.isFront {
                try setBehind(true, record.key)
            }
            if record.parkedCause == .notKept, let since = try parking(of: record.key) {
                let parking = Parking(time: since.time, launch: store.launchNumber)
                try put(.parking, parking.bytes, of: record.key)
            }
        }
    }
}
