internal import SceneStoreCFaults

extension FaultDisk {
    /// The operations that SQLite can request from a disk.
    public enum Operation: Int, Sendable, Hashable, CaseIterable {
        /// Reading bytes.
        case read
        /// Writing bytes.
        case write
        /// Changing a file's size.
        case truncate
        /// Making a file durable.
        case sync
        /// Asking for a file's size.
        case fileSize
        /// Opening or creating a file.
        case open
        /// Closing a file; counted only.
        case close
        /// Deleting a file.
        case delete
        /// Checking whether a file exists.
        case access
        /// Taking a file lock.
        case lock
        /// Giving a file lock back, which is done even when it is said to fail.
        case unlock
        /// Asking for another's reserved lock.
        case checkReservedLock
        /// Mapping shared memory.
        case sharedMemoryMap
        /// Taking a lock in the shared memory. Releasing one is not counted and never fails.
        case sharedMemoryLock
        /// Unmapping shared memory; counted only.
        case sharedMemoryUnmap

        /// The operations that a fault can hit.
        public static let failable: [Operation] = allCases.filter {
            $0 != .close && $0 != .sharedMemoryUnmap
        }
    }

    /// The kinds of files that SQLite uses.
    public enum FileKind: Int, Sendable, Hashable, CaseIterable {
        /// A database file.
        case mainDatabase
        /// A rollback journal or a super-journal.
        case rollbackJournal
        /// A write-ahead log.
        case writeAheadLog
        /// The shared memory of a write-ahead log.
        case sharedMemory
        /// A temporary file.
        case temporary
    }

    /// One fault of a programme: which operation fails, and how.
    public struct Fault: Sendable, Hashable {
        /// The effects of a fault on its operation.
        public enum Effect: Int32, Sendable, Hashable, CaseIterable {
            /// Nothing is done, and the error is returned.
            case refused
            /// All is done, and the error is returned all the same. Locks, sizes and shared memory
            /// take it for ``refused``.
            case doneButReported
            /// Half of the bytes are read or written; other operations take it for ``refused``. A
            /// short read comes with `SQLITE_IOERR_READ`: the unix VFS goes on reading, and ends in
            /// an error or at the end of the file. Choose the code `SQLITE_IOERR_SHORT_READ` (522)
            /// for a disk that pretends the file ends there. SQLite then takes the rest for zeros
            /// and may write them back; no database survives that.
            case short
            /// The disk does nothing and reports success.
            ///
            /// Writes, syncs, truncations and deletions are lost, and reads return zeros. Opening
            /// fails; other operations are carried out.
            case ignored
            /// A sync fails, and the kernel marks the unwritten pages as clean.
            ///
            /// The pages are still read, no later sync writes them, and the next power cut loses
            /// them (PostgreSQL's "fsyncgate").
            case forgotten
        }

        /// The operations that match.
        public var operations: Set<Operation>
        /// The files that match.
        public var files: Set<FileKind>
        /// The number of the first matching operation that is hit, from 1.
        public var first: UInt64
        /// Whether every later matching operation is hit as well.
        public var isPermanent: Bool
        /// The effect on the operation.
        public var effect: Effect
        /// The extended result code of SQLite to return; nil for the operation's usual code.
        ///
        /// The usual code is, for example, `SQLITE_IOERR_WRITE` for a write and `SQLITE_FULL` for a
        /// short one.
        public var code: Int32?

        /// Makes a fault.
        public init(
            _ operations: Set<Operation>,
            files: Set<FileKind> = Set(FileKind.allCases),
            at first: UInt64 = 1,
            isPermanent: Bool = false,
            effect: Effect = .refused,
            code: Int32? = nil
        ) {
            self.operations = operations
            self.files = files
            self.first = first
            self.isPermanent = isPermanent
            self.effect = effect
            self.code = code
        }

        var raw: ssf_fault {
            ssf_fault(
                operations: operations.reduce(0) { $0 | 1 << UInt32($1.rawValue) },
                kinds: files.reduce(0) { $0 | 1 << UInt32($1.rawValue) },
                first: first,
                permanent: isPermanent,
                effect: effect.rawValue,
                code: code ?? 0)
        }
    }
}
