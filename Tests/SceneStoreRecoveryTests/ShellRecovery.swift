import Foundation
import SceneStoreSQLite

import SceneStore

/// SQLite's own recovery, `.recover` of its shell, to be compared with.
enum ShellRecovery {
    /// The shell, if it is installed and can recover.
    static let shell: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let paths = folders.map { "\($0)/sqlite3" }
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// An open session: its row, all columns of it, and its state.
    struct Session {
        var row: [String]
        var state: UserActivity?
    }

    /// The open sessions that a recovered copy has.
    static func sessions(of path: String) throws -> [String: Session] {
        let recovered = path + ".recovered"
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        // What cannot be recovered is said on standard error, and the rest goes on.
        process.arguments = [
            "-c", "\"$0\" \"$1\" .recover 2>/dev/null | \"$0\" \"$2\" >/dev/null 2>&1 || true",
            shell ?? "sqlite3", path, recovered,
        ]
        try process.run()
        process.waitUntilExit()
        defer { try? FileManager.default.removeItem(atPath: recovered) }
        var result: [String: Session] = [:]
        do {
            let connection = try Connection(
                path: recovered, options: Connection.Options(.immutable))
            try connection.withStatement(
                text: """
                    SELECT identifier, hex(payload), session.* FROM session
                    LEFT JOIN state ON state.id = state_id WHERE is_open = 1
                    """
            ) { statement throws(SQLiteError) in
                while try statement.step() {
                    let bytes = HexText.bytes(try statement.text(at: 1)) ?? []
                    var row: [String] = []
                    for column in 2..<statement.columnCount {
                        switch statement.columnType(at: column) {
                        case .integer: row.append(String(try statement.integer(at: column)))
                        case .text: row.append(try statement.text(at: column))
                        default: row.append("-")
                        }
                    }
                    result[try statement.text(at: 0)] = Session(
                        row: row, state: try? ValueCodec.decodeActivity(bytes))
                }
            }
            try connection.close()
        } catch {
            // Not even the tables came back.
        }
        return result
    }
}
