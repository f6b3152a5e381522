#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import SceneStoreCSQLite
import SceneStoreCTestSupport
import SceneStoreSQLite
import Synchronization
import Testing

/// The `application_id` of the tests' stores.
let applicationID: Int32 = 0x5343_4e45

/// A folder that goes with the value.
final class Scratch: Sendable {
    let path: String

    init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/scenestore-tests.XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { mkdtemp($0) != nil } ?? false
        }
        try #require(made)
        let text = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = try System.resolve(text)
    }

    deinit {
        Self.remove(path)
    }

    static func remove(_ path: String) {
        if let status = try? System.status(at: path), status.kind == .folder {
            chmod(path, 0o700)
            if let folder = opendir(path) {
                while let entry = readdir(folder) {
                    let name = withUnsafePointer(to: &entry.pointee.d_name) {
                        $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                            String(cString: $0)
                        }
                    }
                    if name != ".", name != ".." { remove("\(path)/\(name)") }
                }
                closedir(folder)
            }
            rmdir(path)
        } else {
            unlink(path)
        }
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// A container folder inside.
    func container(_ name: String = "container") throws -> ContainerFolder {
        try ContainerFolder.open(file(name), access: .owner, createsMissing: true)
    }

    /// A container with an empty store, and the store's file.
    func store() throws -> (folder: ContainerFolder, file: StoreFile) {
        let folder = try container()
        try folder.createStore(applicationID: applicationID)
        let file = try #require(try folder.checkStore(applicationID: applicationID))
        return (folder, file)
    }
}

/// Everything about every file of a folder that a reader must leave alone.
func snapshot(_ folder: ContainerFolder) throws -> [String: [UInt8]] {
    var result: [String: [UInt8]] = [:]
    for entry in try folder.entries() where entry.status.kind == .regular {
        result["\(entry.name) \(entry.status.permissions)"] = read("\(folder.path)/\(entry.name)")
    }
    return result
}

/// A file's bytes, read by a child process: closing a descriptor here could drop SQLite's locks.
func read(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    // Kept open on purpose.
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&block, 1, block.count, file)
        if count == 0 { return bytes }
        bytes += block.prefix(count)
    }
}

func write(_ bytes: [UInt8], to path: String, at offset: Int = 0) {
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    defer { close(file) }
    _ = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(offset)) }
}

/// Runs SQL with a plain SQLite, as somebody else would.
@discardableResult
func plainSQLite(_ path: String, _ sql: String) -> Int32 {
    var database: OpaquePointer?
    guard sqlite3_open(path, &database) == SQLITE_OK else { return SQLITE_CANTOPEN }
    defer { sqlite3_close(database) }
    return sqlite3_exec(database, sql, nil, nil, nil)
}

func memory(
    _ script: String = "", fault: FaultSeam? = nil, allowsViews: Bool = false
) throws -> Connection {
    var options = Connection.Options(.memory)
    options.fault = fault
    options.allowsViews = allowsViews
    let connection = try Connection(path: "", options: options)
    try connection.execute(script: script, named: "the test's script")
    return connection
}

func owner(
    _ folder: ContainerFolder, _ file: StoreFile, fault: FaultSeam? = nil
) throws -> Connection {
    var options = Connection.Options(.owner)
    options.identity = file.identity
    options.applicationID = applicationID
    options.fault = fault
    return try Connection(path: folder.storePath, options: options)
}

/// A seam that a test arms, and that counts.
final class Fault: Sendable {
    private struct State {
        var operation: SQLiteOperation?
        var code: Int32 = SQLITE_OK
        var countdown = 0
        var counts: [SQLiteOperation: Int] = [:]
    }

    private let state = Mutex(State())

    var seam: FaultSeam {
        { [self] operation in
            state.withLock { state in
                state.counts[operation, default: 0] += 1
                guard state.countdown > 0, state.operation == nil || state.operation == operation
                else { return nil }
                state.countdown -= 1
                return state.countdown == 0 ? state.code : nil
            }
        }
    }

    /// Fails the n-th call from now on, of one operation or of any.
    func arm(_ operation: SQLiteOperation?, _ code: Int32, call: Int = 1) {
        state.withLock {
            $0.operation = operation
            $0.code = code
            $0.countdown = call
        }
    }

    /// Whether the armed call was reached.
    var hasFired: Bool { state.withLock { $0.countdown == 0 } }

    func count(_ operation: SQLiteOperation) -> Int {
        state.withLock { $0.counts[operation] ?? 0 }
    }

    func disarm() { state.withLock { $0.countdown = 0 } }
}

/// The error of a body, of an expected type.
func error<E: Error, R: ~Copyable>(_ type: E.Type, _ body: () throws -> R) -> E? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? E
    }
}

func sqliteKind<R: ~Copyable>(_ body: () throws -> R) -> SQLiteError.Kind? {
    error(SQLiteError.self, body)?.kind
}

func containerKind<R: ~Copyable>(_ body: () throws -> R) -> ContainerError.Kind? {
    error(ContainerError.self, body)?.kind
}

/// Runs a body in a forked child and answers the child; its result is the exit status.
func forked(_ body: () -> Int32) -> pid_t {
    withoutActuallyEscaping(body) { body in
        var body = body
        return withUnsafeMutablePointer(to: &body) { pointer in
            scenestore_test_fork(
                { context in
                    context?.assumingMemoryBound(to: (() -> Int32).self).pointee() ?? 99
                }, pointer)
        }
    }
}

/// A pipe between processes: one end waits for a byte of the other.
struct Signal {
    private var ends: (Int32, Int32)

    init() {
        var pair: [Int32] = [0, 0]
        pipe(&pair)
        ends = (pair[0], pair[1])
    }

    func send(_ byte: UInt8 = 1) {
        var byte = byte
        _ = Self.write(ends.1, &byte)
    }

    /// The byte, or nil when every sender is gone.
    func wait() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = Self.read(ends.0, &byte)
            if count == 1 { return byte }
            if count < 0, errno == EINTR { continue }
            return nil
        }
    }

    func closeSender() { close(ends.1) }

    #if canImport(Darwin)
        private static func write(_ file: Int32, _ byte: UnsafePointer<UInt8>) -> Int {
            Darwin.write(file, byte, 1)
        }
        private static func read(_ file: Int32, _ byte: UnsafeMutablePointer<UInt8>) -> Int {
            Darwin.read(file, byte, 1)
        }
    #elseif canImport(Glibc)
        private static func write(_ file: Int32, _ byte: UnsafePointer<UInt8>) -> Int {
            Glibc.write(file, byte, 1)
        }
        private static func read(_ file: Int32, _ byte: UnsafeMutablePointer<UInt8>) -> Int {
            Glibc.read(file, byte, 1)
        }
    #endif
}

extension Scratch {
    /// Makes a symbolic link inside the folder.
    func link(to target: String, at name: String) -> Bool {
        symlink(target, file(name)) == 0
    }
}

/// Which files a body syncs, renames, removes and drops from the cache, by their last names, in
/// their order; nil where that can't be recorded.
func systemCalls(_ body: () throws -> Void) throws -> [String]? {
    guard scenestore_test_record_calls() else {
        return nil
    }
    defer { _ = scenestore_test_recorded_calls() }
    try body()
    return String(cString: scenestore_test_recorded_calls()).split(separator: "\n").map { line in
        let words = line.split(separator: " ", maxSplits: 1)
        let name = words.last?.split(separator: "/").last ?? ""
        // `.scenestore.4711.12.tmp-wal`
        guard let mark = name.firstRange(of: ".tmp") else {
            return "\(words[0]) \(name)"
        }
        return "\(words[0]) temporary\(name[mark.upperBound...])"
    }
}

extension Connection {
    /// The integer in the first column of the first row, or nil without a row.
    func integer(_ sql: StatementText) throws(SQLiteError) -> Int64? {
        try withStatement(sql) { statement throws(SQLiteError) in
            try statement.step() ? try statement.integer(at: 0) : nil
        }
    }
}

extension ConnectionTransaction {
    /// Runs a statement without parameters to its end.
    func run(_ sql: StatementText) throws(SQLiteError) {
        try withStatement(sql) { statement throws(SQLiteError) in
            try statement.run()
        }
    }
}
