import SceneStoreCSQLite
import SceneStoreCSupport

extension Connection {
    /// What a connection is for; everything about how the file is opened follows from it.
    package enum Role: Hashable, Sendable {
        /// The one connection in the world that writes and checkpoints the store.
        case owner
        /// Reads a store that a live owner has open; creates no file and checkpoints nothing.
        case reader
        /// Reads a file that nobody writes and that has no log; creates no file.
        case immutable
        /// Reads a private copy, which `image` has.
        case copy
        /// A file that only this process knows, the target of a backup: written, no log.
        case scratch
        /// A database without a file.
        case memory
        /// A file that the next process goes on with if this one is killed: written, with a journal
        /// beside it.
        case draft

        /// Whether statements may change the database.
        package var writes: Bool {
            switch self {
            case .owner, .scratch, .draft, .memory: true
            case .reader, .immutable, .copy: false
            }
        }
    }

    /// How to open one.
    package struct Options: Sendable {
        package var role: Role
        /// Views may be queried: for people's own SQL, never for ours.
        package var allowsViews = false
        /// SQLite may make the file; only for stores that live inside a file system of `vfs`.
        package var allowsCreation = false
        /// The SQLite file system to use, or nil for the default one.
        package var vfs: String?
        /// How long a call waits for another connection's lock.
        package var busyMilliseconds: Int32 = 1_000
        /// The `application_id` that the file must carry, and that a new one gets.
        package var applicationID: Int32?
        /// The file that the path was checked to name; opening another one is an error.
        package var identity: FileIdentity?
        /// The bytes of a database that is read from memory.
        package var image: InspectionCopy?
        /// What reading the schema may cost.
        package var openingBudget = Budget.opening
        /// What the page cache may take at most, in KiB; nil for SQLite's default.
        package var pageCacheKibibytes: Int?
        /// How many compiled statements are kept, not counting those that end transactions.
        package var statementCapacity = Int.max
        /// Makes calls fail in tests.
        package var fault: FaultSeam?

        package init(_ role: Role) {
            self.role = role
        }
    }
}

extension Connection.Options {
    var flags: Int32 {
        // NOMUTEX: the store's own lock serialises all use of a connection. NOFOLLOW: the path
        // was resolved before, so a link in it was put there since.
        let common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
        switch role {
        case .owner, .scratch, .draft:
            let create = allowsCreation ? SQLITE_OPEN_CREATE : 0
            return common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | create
        case .reader, .immutable:
            return common | SQLITE_OPEN_READONLY | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_URI
        case .memory, .copy:
            return common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
        }
    }

    /// What SQLite is given for a path.
    func name(of path: String) -> String {
        switch role {
        case .owner, .scratch, .draft: path
        case .reader: "file:\(Self.escaped(path))?readonly_shm=1"
        case .immutable: "file:\(Self.escaped(path))?immutable=1"
        case .memory, .copy: ":memory:"
        }
    }

    /// A path as it stands in a `file:` URI.
    private static func escaped(_ path: String) -> String {
        percentEncoded(path) { byte, _ in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"):
                true
            default: false
            }
        }
    }

    /// Boolean options and what they must be, in the order in which they are set.
    var switches: [(name: StaticString, option: Int32, value: Bool)] {
        [
            ("defensive", SQLITE_DBCONFIG_DEFENSIVE, true),
            ("trusted_schema", SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
            ("writable_schema", SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
            ("triggers", SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
            ("views", SQLITE_DBCONFIG_ENABLE_VIEW, allowsViews),
            ("extension loading", SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false),
            ("tokenizer registration", SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
            ("double-quoted strings", SQLITE_DBCONFIG_DQS_DML, false),
            ("double-quoted strings in schemas", SQLITE_DBCONFIG_DQS_DDL, false),
            ("foreign keys", SQLITE_DBCONFIG_ENABLE_FKEY, true),
            ("no checkpoint on close", SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, role != .owner),
        ]
    }

    /// Limits that bound what a file or a statement from outside can ask for.
    var limits: [(name: StaticString, limit: Int32, value: Int32)] {
        [
            // Two sections of 16 MiB in one row, and room for the rest.
            ("length", SQLITE_LIMIT_LENGTH, 64 << 20),
            ("SQL length", SQLITE_LIMIT_SQL_LENGTH, 256 << 10),
            ("columns", SQLITE_LIMIT_COLUMN, 200),
            ("expression depth", SQLITE_LIMIT_EXPR_DEPTH, 100),
            ("compound select", SQLITE_LIMIT_COMPOUND_SELECT, 50),
            ("program length", SQLITE_LIMIT_VDBE_OP, 100_000),
            ("function arguments", SQLITE_LIMIT_FUNCTION_ARG, 100),
            // VACUUM attaches a database of its own; readers need none.
            ("other databases", SQLITE_LIMIT_ATTACHED, role.writes ? 1 : 0),
            ("pattern length", SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
            ("parameters", SQLITE_LIMIT_VARIABLE_NUMBER, 250),
            // Foreign key actions count as triggers.
            ("trigger depth", SQLITE_LIMIT_TRIGGER_DEPTH, 10),
            ("worker threads", SQLITE_LIMIT_WORKER_THREADS, 0),
        ]
    }
}

/// The fixed page size of a store.
package let storePageSize: Int64 = 4_096
