import Foundation
import SceneStoreSQLite

/// Another program that opens a store's database by itself, as people do with `sqlite3`.
enum ForeignTool {
    static func run(_ sql: String, on path: String) throws {
        let resolved = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        let connection = try Connection(path: resolved, options: Connection.Options(.owner))
        try connection.execute(script: sql, named: "a foreign statement")
        try connection.close()
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }
}
