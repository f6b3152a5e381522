internal import SceneStoreCFaults

extension FaultDisk {
    /// The number of requests for each operation, with their bytes.
    ///
    /// Subtract two of them, or use ``FaultDisk/counting(_:)``, to learn what one action cost: a
    /// durable save is exactly one sync and at most three frames.
    public struct Counters: Sendable, Hashable {
        static let kinds = FileKind.allCases.count
        static let operationKinds = Operation.allCases.count
        static let valueCount = Int(SSF_COUNTER_COUNT)

        // As C lays them out: calls, bytes read, bytes written, frames, directory syncs,
        // operations.
        let values: [UInt64]

        /// The number of requests for this operation on this kind of file.
        public subscript(operation: Operation, file: FileKind) -> UInt64 {
            values[operation.rawValue * Self.kinds + file.rawValue]
        }

        /// Returns how often this operation was requested, over all files.
        public func count(_ operation: Operation) -> UInt64 {
            FileKind.allCases.reduce(0) { $0 + self[operation, $1] }
        }

        /// All reads.
        public var reads: UInt64 { count(.read) }

        /// All writes.
        public var writes: UInt64 { count(.write) }

        /// All syncs of files.
        public var syncs: UInt64 { count(.sync) }

        /// Returns the number of bytes read from this kind of file.
        public func bytesRead(_ file: FileKind) -> UInt64 {
            values[Self.operationKinds * Self.kinds + file.rawValue]
        }

        /// Returns the number of bytes written to this kind of file.
        public func bytesWritten(_ file: FileKind) -> UInt64 {
            values[(Self.operationKinds + 1) * Self.kinds + file.rawValue]
        }

        /// The bytes written to any file.
        public var bytesWritten: UInt64 {
            FileKind.allCases.reduce(0) { $0 + bytesWritten($1) }
        }

        /// The frames written to write-ahead logs, counted by their headers. A transaction that
        /// spills and rewrites a page it had spilled counts that page again.
        public var walFrames: UInt64 { values[(Self.operationKinds + 2) * Self.kinds] }

        /// The syncs of directories.
        public var directorySyncs: UInt64 { values[(Self.operationKinds + 2) * Self.kinds + 1] }

        /// All operations over the disk's life: the index that
        /// ``FaultDisk/powerOff(atOperation:)`` takes.
        public var operations: UInt64 { values[(Self.operationKinds + 2) * Self.kinds + 2] }

        /// Returns the difference between two readings.
        public static func - (later: Counters, earlier: Counters) -> Counters {
            Counters(values: zip(later.values, earlier.values).map { $0 &- $1 })
        }
    }
}
