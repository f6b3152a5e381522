import SceneStoreCFaults
import SceneStoreTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A raw SQLite connection: nothing of the library is between the tests and the VFS.
final class Connection {
    struct Failure: Error, Equatable {
        let code: Int32
    }

    enum Mode: Int32 {
        case write, create, read
    }

    private let pointer: OpaquePointer
    private var isOpen = true

    init(_ disk: FaultDisk, _ path: String, _ mode: Mode = .create) throws(Failure) {
        var code: Int32 = 0
        guard let pointer = ssf_connection_open(disk.vfsName, path, mode.rawValue, &code) else {
            throw Failure(code: code)
        }
        self.pointer = pointer
    }

    deinit {
        close()
    }

    /// Closes, with the checkpoint that SQLite makes for the last connection.
    func close() {
        guard isOpen else {
            return
        }
        isOpen = false
        ssf_connection_close(pointer)
    }

    /// Closes without that checkpoint.
    func abandon() {
        guard isOpen else {
            return
        }
        isOpen = false
        ssf_connection_abandon(pointer)
    }

    func run(_ sql: String) throws(Failure) {
        let code = ssf_connection_execute(pointer, sql)
        guard code == 0 else {
            throw Failure(code: code)
        }
    }

    func number(_ sql: String) throws(Failure) -> Int64 {
        var code: Int32 = 0
        let number = ssf_connection_number(pointer, sql, &code)
        guard code == 0 else {
            throw Failure(code: code)
        }
        return number
    }

    func text(_ sql: String) throws(Failure) -> String? {
        var code: Int32 = 0
        let text = ssf_connection_text(pointer, sql, &code)
        defer { ssf_free(text) }
        guard code == 0 else {
            throw Failure(code: code)
        }
        return text.map { String(cString: $0) }
    }

    var systemError: Int32 { ssf_connection_errno(pointer) }
}

/// SQLite's extended result codes that the tests name.
enum Code {
    static let busy: Int32 = 5
    static let noMemory: Int32 = 7
    static let inputOutput: Int32 = 10
    static let full: Int32 = 13
    static let cannotOpen: Int32 = 14
    static let movedDatabase: Int32 = 1032
}

/// A database on a disk of either kind, with a table `entry` of numbers and texts.
struct Fixture {
    let disk: FaultDisk
    let path: String
    let folder: TemporaryFolder?

    init(_ kind: FaultDisk.Kind, seed: UInt64 = 1) throws {
        disk = FaultDisk(seed: seed, kind: kind)
        folder = kind == .passThrough ? try TemporaryFolder() : nil
        path = (folder?.path ?? "") + "/test.sqlite"
    }

    func open(_ mode: Connection.Mode = .create) throws(Connection.Failure) -> Connection {
        try Connection(disk, path, mode)
    }

    /// Makes the table with `count` rows and closes.
    func prepare(journal: String = "WAL", synchronous: String = "FULL", count: Int = 8) throws {
        let connection = try open()
        try connection.run(
            """
            PRAGMA journal_mode=\(journal);
            PRAGMA synchronous=\(synchronous);
            CREATE TABLE entry (id INTEGER PRIMARY KEY, value INTEGER, filler TEXT);
            """)
        try connection.run("BEGIN")
        for index in 0..<count {
            try connection.run("INSERT INTO entry VALUES (\(index), 0, hex(zeroblob(600)))")
        }
        try connection.run("COMMIT")
        connection.close()
    }
}

/// A folder that goes when nothing holds it any more.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "scenestore-faults-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path(percentEncoded: false)
    }

    deinit {
        _ = try? FileManager.default.removeItem(atPath: path)
    }
}

/// The code that `body` fails with, 0 when it does not.
func code(_ body: () throws(Connection.Failure) -> Void) -> Int32 {
    do {
        try body()
        return 0
    } catch {
        return error.code
    }
}

/// The bytes of a real file.
func realBytes(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(filePath: path)))
}
