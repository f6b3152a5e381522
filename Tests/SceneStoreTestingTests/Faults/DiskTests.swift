import SceneStoreTesting
import Testing

@Suite("The disk itself")
struct DiskTests {
    @Test(
        "R-61 a durable save is exactly one sync and at most three frames",
        arguments: FaultTests.kinds)
    func saveIsCounted(_ kind: FaultDisk.Kind) throws {
        let fixture = try Fixture(kind)
        try fixture.prepare()
        let connection = try fixture.open(.write)
        try connection.run("PRAGMA synchronous=FULL; UPDATE entry SET value = 1 WHERE id = 1")
        let cost = try fixture.disk.counting { () throws(Connection.Failure) in
            try connection.run("UPDATE entry SET value = 2 WHERE id = 1")
        }
        #expect(cost.syncs == 1)
        #expect(cost[.sync, .writeAheadLog] == 1)
        #expect(cost.walFrames >= 1 && cost.walFrames <= 3)
        #expect(cost.bytesWritten == cost.walFrames * (4096 + 24))
        #expect(cost.bytesWritten(.mainDatabase) == 0)
        #expect(cost.writes == 2 * cost.walFrames)
        let idle = try fixture.disk.counting { () throws(Connection.Failure) in
            _ = try connection.number("SELECT count(*) FROM entry")
        }
        #expect(idle.writes == 0 && idle.syncs == 0)
        #expect(idle.count(.sharedMemoryLock) > 0 && idle.operations > 0)
    }

    @Test(
        "R-61 SQLite asks a memory disk for exactly what it asks a real one",
        arguments: ["WAL", "DELETE"])
    func sameCalls(_ journal: String) throws {
        let costs = try FaultTests.kinds.map { kind in
            let fixture = try Fixture(kind)
            try fixture.prepare(journal: journal)
            let connection = try fixture.open(.write)
            let reader = try fixture.open(.read)
            for value in 0..<20 {
                try connection.run("UPDATE entry SET value = \(value)")
                _ = try reader.number("SELECT sum(value) FROM entry")
            }
            try connection.run("PRAGMA wal_checkpoint(RESTART); UPDATE entry SET value = 1; VACUUM")
            reader.close()
            connection.close()
            let counters = fixture.disk.counters
            return FaultDisk.Operation.allCases.flatMap { operation in
                FaultDisk.FileKind.allCases.map { counters[operation, $0] }
            }
                + FaultDisk.FileKind.allCases.flatMap {
                    [counters.bytesRead($0), counters.bytesWritten($0)]
                }
        }
        #expect(costs[0] == costs[1])
        #expect(costs[0].contains { $0 > 0 })
    }

    @Test("R-61 a file of the memory disk is an ordinary SQLite file, and the other way round")
    func exchange() throws {
        let memory = try Fixture(.memory)
        try memory.prepare(count: 30)
        let bytes = try #require(memory.disk.exportFile(memory.path))
        #expect(bytes.starts(with: Array("SQLite format 3".utf8)))
        #expect(memory.disk.files == [memory.path])
        let copy = FaultDisk(seed: 9)
        copy.importFile("/copy", bytes: bytes)
        let connection = try Connection(copy, "/copy", .write)
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
        #expect(try connection.number("SELECT count(*) FROM entry") == 30)
        // The same statements on a real disk give the same bytes.
        let real = try Fixture(.passThrough)
        try real.prepare(count: 30)
        #expect(try realBytes(real.path) == bytes)
    }

    @Test("R-61 every 64th byte flipped and every 512th byte cut: an answer, never a crash")
    func damage() throws {
        let fixture = try Fixture(.memory)
        try fixture.prepare(count: 4)
        let bytes = try #require(fixture.disk.exportFile(fixture.path))
        let look = { (disk: FaultDisk) in
            code { () throws(Connection.Failure) in
                let connection = try Connection(disk, fixture.path, .write)
                _ = try connection.text("PRAGMA quick_check")
                _ = try connection.number("SELECT count(filler) FROM entry")
            }
        }
        let disk = FaultDisk(seed: 1)
        var refused = 0
        for offset in stride(from: 0, to: bytes.count, by: 64) {
            disk.importFile(fixture.path, bytes: bytes)
            #expect(disk.damageFile(fixture.path, at: offset))
            refused += look(disk) == 0 ? 0 : 1
        }
        for size in stride(from: 0, to: bytes.count, by: 512) {
            disk.importFile(fixture.path, bytes: bytes)
            #expect(disk.shortenFile(fixture.path, to: size))
            refused += look(disk) == 0 ? 0 : 1
        }
        #expect(refused > 0)
        #expect(!disk.damageFile(fixture.path, at: bytes.count))
        #expect(!disk.damageFile("/none", at: 0))
        #expect(!disk.shortenFile("/none", to: 0))
        disk.importFile(fixture.path, bytes: bytes)
        #expect(look(disk) == 0)
    }

    @Test(
        "R-61 connections of one process lock each other out as on a real disk",
        arguments: FaultTests.kinds, ["WAL", "DELETE"])
    func locks(_ kind: FaultDisk.Kind, _ journal: String) throws {
        let fixture = try Fixture(kind)
        try fixture.prepare(journal: journal)
        let first = try fixture.open(.write)
        let second = try fixture.open(.write)
        let reader = try fixture.open(.read)
        try first.run("BEGIN IMMEDIATE; UPDATE entry SET value = 1")
        #expect(
            code { () throws(Connection.Failure) in
                try second.run("BEGIN IMMEDIATE")
            } == Code.busy)
        #expect(try reader.number("SELECT sum(value) FROM entry") == 0)
        try reader.run("BEGIN")
        #expect(try reader.number("SELECT sum(value) FROM entry") == 0)
        let commit = code { () throws(Connection.Failure) in try first.run("COMMIT") }
        #expect(commit == (journal == "WAL" ? 0 : Code.busy))
        #expect(try reader.number("SELECT sum(value) FROM entry") == 0, "a snapshot stays")
        if journal == "WAL" {
            let isBlocked = try second.number("PRAGMA wal_checkpoint(TRUNCATE)")
            #expect(isBlocked == 1, "a reader holds the log")
        }
        try reader.run("COMMIT")
        if journal == "WAL" {
            #expect(try second.number("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
        }
        if commit != 0 {
            try first.run("COMMIT")
        }
        #expect(try reader.number("SELECT sum(value) FROM entry") == 8)
        try second.run("UPDATE entry SET value = 2")
        #expect(try reader.number("SELECT sum(value) FROM entry") == 16)
    }

    @Test("R-61 threads with a connection each lose no update", arguments: ["WAL", "DELETE"])
    func threads(_ journal: String) async throws {
        let fixture = try Fixture(.memory)
        try fixture.prepare(journal: journal)
        fixture.disk.configure { $0.simulatesSleep = false }
        let disk = fixture.disk
        let path = fixture.path
        let failures = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var failures = 0
                    guard let connection = try? Connection(disk, path, .write) else {
                        return 1
                    }
                    _ = try? connection.run(
                        "PRAGMA busy_timeout=86400000; PRAGMA synchronous=NORMAL")
                    for _ in 0..<60 {
                        let failure = code { () throws(Connection.Failure) in
                            try connection.run("BEGIN IMMEDIATE")
                            try connection.run("UPDATE entry SET value = value + 1 WHERE id = 0")
                            try connection.run("COMMIT")
                        }
                        failures += failure == 0 ? 0 : 1
                    }
                    return failures
                }
            }
            return await group.reduce(0, +)
        }
        #expect(failures == 0)
        let check = try fixture.open()
        #expect(try check.number("SELECT value FROM entry WHERE id = 0") == 180)
        #expect(try check.text("PRAGMA integrity_check") == "ok")
    }

    @Test("R-61 a busy wait on a memory disk takes no time")
    func simulatedSleep() throws {
        let fixture = try Fixture(.memory)
        try fixture.prepare()
        let first = try fixture.open()
        let second = try fixture.open()
        try first.run("BEGIN IMMEDIATE")
        try second.run("PRAGMA busy_timeout=3600000")
        #expect(
            code { () throws(Connection.Failure) in
                try second.run("BEGIN IMMEDIATE")
            } == Code.busy)
    }

    @Test("R-09 readonly_shm=1 reads a live log and writes nothing", arguments: FaultTests.kinds)
    func readsLive(_ kind: FaultDisk.Kind) throws {
        let fixture = try Fixture(kind)
        try fixture.prepare()
        let writer = try fixture.open()
        try writer.run("PRAGMA wal_autocheckpoint=0; UPDATE entry SET value = 1")
        let cost = try fixture.disk.counting { () throws(Connection.Failure) in
            let reader = try Connection(
                fixture.disk, "file:\(fixture.path)?mode=ro&readonly_shm=1", .read)
            guard try reader.number("SELECT sum(value) FROM entry") == 8 else {
                throw Connection.Failure(code: -1)
            }
            reader.close()
        }
        #expect(cost.writes == 0 && cost.count(.delete) == 0 && cost.count(.truncate) == 0)
        let read = { () throws(Connection.Failure) in
            let reader = try Connection(
                fixture.disk, "file:\(fixture.path)?mode=ro&readonly_shm=1", .read)
            _ = try reader.number("SELECT sum(value) FROM entry")
        }
        // Left behind, the shared memory is unreliable, and the log alone is read; after a clean
        // close there is none.
        writer.abandon()
        #expect(code(read) == 0)
        try fixture.open().run("SELECT * FROM entry")
        #expect(code(read) == Code.cannotOpen)
    }

    @Test("R-06 a database renamed while open is noticed")
    func moved() throws {
        let fixture = try Fixture(.memory)
        try fixture.prepare(journal: "DELETE")
        let connection = try fixture.open()
        #expect(try connection.number("SELECT count(*) FROM entry") == 8)
        fixture.disk.renameFile(fixture.path, to: "/elsewhere.sqlite")
        #expect(
            code { () throws(Connection.Failure) in
                try connection.run("UPDATE entry SET value = 1")
            } == Code.movedDatabase)
    }

    @Test(
        "R-61 temporary files, VACUUM and a transaction over two files work",
        arguments: FaultTests.kinds)
    func largerWork(_ kind: FaultDisk.Kind) throws {
        let fixture = try Fixture(kind)
        try fixture.prepare(journal: "DELETE", count: 200)
        let connection = try fixture.open()
        let cost = try fixture.disk.counting { () throws(Connection.Failure) in
            try connection.run(
                """
                PRAGMA cache_size=10; PRAGMA temp_store=FILE; PRAGMA temp.cache_size=2;
                CREATE TEMP TABLE copy AS SELECT * FROM entry a, (SELECT 1 UNION SELECT 2);
                ATTACH '\(fixture.path)-other' AS other;
                CREATE TABLE other.note (text);
                BEGIN; UPDATE entry SET value = 5; INSERT INTO other.note VALUES ('x'); COMMIT;
                DELETE FROM entry WHERE id > 20; VACUUM;
                """)
        }
        #expect(cost[.write, .temporary] > 0)
        #expect(try connection.number("SELECT count(*) FROM copy") == 400)
        #expect(try connection.number("SELECT sum(value) FROM entry") == 105)
        connection.close()
        if kind == .memory {
            #expect(Set(fixture.disk.files) == [fixture.path, fixture.path + "-other"])
        }
    }

    @Test("R-61 disks have names of their own and may go before their connections")
    func lifetimes() throws {
        var names: Set<String> = []
        var connections: [Connection] = []
        for seed in 0..<20 {
            let disk = FaultDisk(seed: UInt64(seed))
            names.insert(disk.vfsName)
            let connection = try Connection(disk, "/a.sqlite")
            try connection.run("CREATE TABLE a (b); INSERT INTO a VALUES (\(seed))")
            connections.append(connection)
        }
        #expect(names.count == 20)
        for (seed, connection) in connections.enumerated() {
            #expect(try connection.number("SELECT b FROM a") == Int64(seed))
            connection.close()
        }
    }

    @Test("R-61 without powersafe overwrite SQLite pads its log, and loses nothing to junk")
    func padding() throws {
        let fixture = try Fixture(.memory)
        try fixture.prepare()
        fixture.disk.configure { $0.hasPowersafeOverwrite = false }
        fixture.disk.configure { $0.sectorSize = .bytes4096 }
        let connection = try fixture.open(.write)
        try connection.run("PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0")
        fixture.disk.startTrace()
        var frames: UInt64 = 0
        for value in 1...3 {
            frames += try fixture.disk.counting { () throws(Connection.Failure) in
                try connection.run("UPDATE entry SET value = \(value) WHERE id = 0")
            }.walFrames
            fixture.disk.mark(UInt64(value))
        }
        #expect(frames > 3)
        let trace = try #require(fixture.disk.endTrace())
        try trace.forEachPowerCut(seed: 5, outcomes: 20, mode: .torn) { cut, disk in
            let value = try PowerCutTests.value(disk)
            #expect(value >= Int64(cut.mark))
            return true
        }
    }
}
