import SceneStoreSQLite
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite struct OpenStoreTests {
    /// The log's index, which a log of more than 4 062 frames makes longer than one part.
    private static let parts = 2 * 32_768

    private func logged(_ scratch: Scratch) throws -> (Connection, index: String, rows: Int64) {
        let (folder, file) = try scratch.store()
        let connection = try owner(folder, file)
        try connection.run("CREATE TABLE a (x INTEGER, y BLOB) STRICT")
        try connection.run(
            """
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 4200)
            INSERT INTO a SELECT x, zeroblob(4000) FROM n
            """)
        let rows = try #require(try connection.integer("SELECT count(*) FROM a"))
        let index = "\(folder.path)/\(ContainerName.index)"
        #expect(try System.status(at: index).size == Self.parts)
        return (connection, index, rows)
    }

    @Test("R-10 an index of the log that is cut off is made anew from the log, whatever comes next")
    func cutIndex() throws {
        let scratch = try Scratch()
        var (connection, index, rows) = try logged(scratch)
        for length in [0, 100, 4_096, 32_768, 40_000, Self.parts - 1] {
            #expect(truncate(index, off_t(length)) == 0)
            #expect(try connection.integer("SELECT count(*) FROM a") == rows)
            #expect(connection.isIndexRestored)
            connection.isIndexRestored = false
            #expect(truncate(index, off_t(length)) == 0)
            try connection.write { transaction throws(SQLiteError) in
                try transaction.run("INSERT INTO a VALUES (0, zeroblob(4000))")
            }
            rows += 1
            #expect(connection.isIndexRestored)
            connection.isIndexRestored = false
        }
        #expect(try connection.integer("SELECT count(*) FROM a WHERE y = zeroblob(4000)") == rows)
        #expect(!connection.isIndexRestored)
        #expect(truncate(index, 32_768) == 0)
        #expect(try connection.checkpoint(.passive).isComplete)
        try connection.run("INSERT INTO a VALUES (0, zeroblob(4000))")
        #expect(truncate(index, 4_096) == 0)
        try connection.close()
        let again = try Connection(path: connection.path, options: connection.options)
        #expect(try again.integer("SELECT count(*) FROM a WHERE y = zeroblob(4000)") == rows + 1)
    }

    @Test("R-10 at each step a backup makes an index that was cut off anew")
    func cutWhileCopying() throws {
        let scratch = try Scratch()
        let (connection, index, rows) = try logged(scratch)
        write([], to: scratch.file("copy"))
        let copy = try Connection(
            path: scratch.file("copy"), options: Connection.Options(.scratch))
        #expect(truncate(index, 4_096) == 0)
        var steps = 0
        try connection.backup(to: copy, pagesPerStep: 1_000) { _, _ in
            // SQLite begins anew with a new index: it is cut off twice, not for ever.
            #expect(connection.isIndexRestored == (steps < 2))
            connection.isIndexRestored = false
            steps += 1
            return steps > 1 || truncate(index, 4_096) == 0
        }
        #expect(steps > 3)
        #expect(try copy.integer("SELECT count(*) FROM a") == rows)
    }

    @Test("R-10 an index that nobody cut off is left alone: an earlier process's, or another file")
    func uncutIndex() throws {
        let scratch = try Scratch()
        var (connection, index, rows) = try logged(scratch)
        try connection.close()
        write([UInt8](repeating: 1, count: 4 * 32_768), to: index)
        connection = try Connection(path: connection.path, options: connection.options)
        #expect(try connection.integer("SELECT count(*) FROM a") == rows)
        try connection.run("INSERT INTO a VALUES (0, zeroblob(4000))")
        #expect(try connection.checkpoint(.truncate).isComplete)
        #expect(!connection.isIndexRestored)
        rename(index, index + "-moved")
        write([1, 2, 3], to: index)
        #expect(try connection.integer("SELECT count(*) FROM a") == rows + 1)
        #expect(!connection.isIndexRestored)
        #expect(read(index) == [1, 2, 3])
    }

    @Test("R-06 a store that was moved or replaced is noticed; one left alone is not")
    func watch() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        let connection = try owner(folder, file)
        try connection.run("CREATE TABLE a (x INTEGER) STRICT")
        var watch = StoreWatch(folder, store: file.identity)
        func kind(_ failure: ContainerError?) -> String {
            failure.map { "\($0.kind.rawValue) \($0.file ?? "")" } ?? "none"
        }
        func verify() -> String { kind(error(ContainerError.self) { try watch.verify() }) }
        #expect(verify() == "none")
        #expect(verify() == "none")
        try folder.move(ContainerName.log, to: folder, as: "log")
        #expect(verify() == "moved scenes.sqlite-wal")
        write([1], to: "\(folder.path)/\(ContainerName.log)")
        #expect(verify() == "replaced scenes.sqlite-wal")
        try folder.remove(ContainerName.log)
        try folder.move("log", to: folder, as: ContainerName.log)
        #expect(verify() == "none")
        try folder.move(ContainerName.store, to: folder, as: "moved")
        #expect(verify() == "moved scenes.sqlite")
        try folder.createStore(applicationID: applicationID)
        #expect(verify() == "replaced scenes.sqlite")
        try folder.remove(ContainerName.store)
        try folder.move("moved", to: folder, as: ContainerName.store)
        #expect(verify() == "none")
        rename(folder.path, scratch.file("elsewhere"))
        #expect(verify() == "moved scenes.sqlite")
    }

    @Test("R-08 no descriptor of the database is closed while SQLite has it open; one waits")
    func heldDescriptors() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        do {
            let connection = try owner(folder, file)
            for _ in 0..<3 {
                _ = try folder.checkStore(applicationID: applicationID)
                try folder.dropCachedPages()
                _ = try InspectionCopy(of: folder, applicationID: applicationID)
            }
            #expect(DatabaseDescriptors.waitingCount(of: file.identity) == 1)
            try connection.close()
        }
        #expect(DatabaseDescriptors.waitingCount(of: file.identity) == 0)
        _ = try folder.checkStore(applicationID: applicationID)
        #expect(DatabaseDescriptors.waitingCount(of: file.identity) == 0)
    }

    @Test("R-04 the cached pages of a closed store can be dropped")
    func dropsCache() throws {
        let scratch = try Scratch()
        let (folder, _) = try scratch.store()
        write([1], to: "\(folder.path)/\(ContainerName.log)")
        let calls = try systemCalls { try folder.dropCachedPages() }
        #expect(
            calls == nil || calls == ["drop \(ContainerName.store)", "drop \(ContainerName.log)"])
    }

    @Test("S-30 the machine's start can be told from the one before")
    func bootIdentifier() {
        let identifier = System.bootIdentifier
        #expect(identifier?.isEmpty == false)
        #expect(identifier == System.bootIdentifier)
    }
}
