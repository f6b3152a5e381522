import BesideWindow
import Foundation
import GRDB

/// Windows as records of a general SQLite library, one row a window, the state in a column as JSON.
struct GeneralRecords: WindowKeeping {
    private let queue: DatabaseQueue

    init(folder: String, isDurable: Bool) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try db.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
        }
        queue = try DatabaseQueue(
            path: "\(folder)/windows.sqlite", configuration: configuration)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("first") { db in
            try db.create(table: "window") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("identifier", .text).notNull().unique()
                table.column("role", .text).notNull()
                table.column("configuration", .text).notNull()
                table.column("title", .text).notNull()
                table.column("isInFront", .boolean).notNull()
                table.column("lastActive", .double).notNull()
                table.column("state", .jsonText).notNull()
            }
            try db.create(table: "launch") { table in
                table.autoIncrementedPrimaryKey("number")
                table.column("endedByItself", .boolean).notNull()
            }
        }
        try migrator.migrate(queue)
    }

    mutating func add(_ windows: [BesideWindow]) throws {
        try queue.write { db in
            for window in windows {
                try window.insert(db)
            }
        }
    }

    mutating func launch() throws -> [BesideWindow] {
        try queue.write { db in
            try db.execute(sql: "INSERT INTO launch (endedByItself) VALUES (0)")
            return try BesideWindow.fetchAll(db)
        }
    }

    mutating func save(_ window: BesideWindow) throws {
        try queue.write { db in try window.update(db) }
    }

    mutating func quit() throws {
        try queue.write { db in
            try db.execute(
                sql: """
                    UPDATE launch SET endedByItself = 1
                    WHERE number = (SELECT max(number) FROM launch)
                    """)
        }
        try queue.close()
    }
}

extension BesideWindow: FetchableRecord, PersistableRecord {
    /// The name of the table.
    package static var databaseTableName: String { "window" }
}

@main
enum Program {
    static func main() throws {
        try run(GeneralRecords.self)
    }
}
