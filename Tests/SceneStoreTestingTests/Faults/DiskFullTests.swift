import SceneStoreTesting
import Testing

@Suite("Full disks and forgetful ones")
struct DiskFullTests {
    @Test(
        "R-61 a disk full at every 512 bytes is reported as full and mends",
        arguments: FaultTests.kinds)
    func everyStep(_ kind: FaultDisk.Kind) throws {
        let fixture = try Fixture(kind)
        try fixture.prepare()
        let used =
            kind == .memory
            ? fixture.disk.files.reduce(0) { $0 + (fixture.disk.fileSize($1) ?? 0) } : 0
        var value: Int64 = 0
        var failures = 0
        for step in 0..<200 {
            fixture.disk.configure { $0.capacity = used + UInt64(step) * 512 }
            let next = value + 1
            let failure = code { () throws(Connection.Failure) in
                let connection = try fixture.open(.write)
                try connection.run("PRAGMA synchronous=FULL; UPDATE entry SET value = \(next)")
                try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
                connection.close()
            }
            #expect(failure == 0 || failure == Code.full, "step \(step)")
            failures += failure == 0 ? 0 : 1
            fixture.disk.configure { $0.capacity = nil }
            let check = try fixture.open(.write)
            #expect(try check.text("PRAGMA integrity_check") == "ok")
            let sum = try check.number("SELECT sum(value) FROM entry")
            #expect(sum == 8 * value || sum == 8 * next)
            try check.run("UPDATE entry SET value = \(next)")
            check.close()
            value = next
            if failure == 0 {
                break
            }
        }
        #expect(failures > 10 && failures < 199)
    }

    @Test("R-61 a limit is kept to the byte")
    func limit() throws {
        let disk = FaultDisk(seed: 1)
        disk.configure { $0.capacity = 10_000 }
        #expect(disk.settings.capacity == 9_728)
        let connection = try Connection(disk, "/a.sqlite")
        #expect(
            code { () throws(Connection.Failure) in
                try connection.run("CREATE TABLE a (b); INSERT INTO a VALUES (zeroblob(20000))")
            } == Code.full)
        let used = disk.files.reduce(0) { $0 + (disk.fileSize($1) ?? 0) }
        #expect(used <= 9_728)
    }

    /// Saves, lets one sync fail, goes on in a new process, and returns what a cut leaves.
    private func forgetful(dropsCache: Bool) throws -> (acknowledged: Int64, found: Int64) {
        let fixture = try Fixture(.memory)
        try fixture.prepare()
        let first = try fixture.open(.write)
        try first.run("PRAGMA synchronous=FULL; UPDATE entry SET value = 1 WHERE id = 0")
        fixture.disk.program = [.init([.sync], files: [.writeAheadLog], effect: .forgotten)]
        #expect(
            code { () throws(Connection.Failure) in
                try first.run("UPDATE entry SET value = 2 WHERE id = 0")
            } == 1034)
        fixture.disk.program = []
        fixture.disk.crash()
        first.close()
        if dropsCache {
            fixture.disk.dropCache()
        }
        let second = try fixture.open(.write)
        try second.run("PRAGMA synchronous=FULL; UPDATE entry SET value = 3 WHERE id = 0")
        let cut = fixture.disk.powerCut(seed: 1, mode: .loseAll)
        let check = try Connection(cut, fixture.path, .write)
        return (3, try check.number("SELECT value FROM entry WHERE id = 0"))
    }

    @Test("R-61 after a failed sync a later one succeeds and the data are lost all the same")
    func forgottenWrites() throws {
        let result = try forgetful(dropsCache: false)
        #expect(result.found < result.acknowledged)
    }

    @Test("R-61 dropping the cache after a failed sync shows what was lost, and nothing more is")
    func droppedCache() throws {
        let result = try forgetful(dropsCache: true)
        #expect(result.found == result.acknowledged)
    }

    @Test("R-61 forgotten writes are read until the cache is dropped")
    func visibility() throws {
        let fixture = try Fixture(.memory)
        try fixture.prepare(journal: "OFF")
        let before = fixture.disk.exportFile(fixture.path)
        let connection = try fixture.open(.write)
        try connection.run("PRAGMA journal_mode=OFF; PRAGMA synchronous=FULL")
        fixture.disk.program = [.init([.sync], isPermanent: true, effect: .forgotten)]
        _ = code { () throws(Connection.Failure) in
            try connection.run("UPDATE entry SET value = 4")
        }
        fixture.disk.program = []
        fixture.disk.crash()
        #expect(fixture.disk.exportFile(fixture.path) != before)
        #expect(fixture.disk.powerCut(seed: 1, mode: .keepAll).exportFile(fixture.path) == before)
        fixture.disk.dropCache()
        #expect(fixture.disk.exportFile(fixture.path) == before)
    }

    @Test("R-61 a disk that lies about syncing loses what it said was safe")
    func lies() throws {
        let fixture = try Fixture(.memory)
        try fixture.prepare()
        fixture.disk.configure { $0.liesAboutSync = true }
        let connection = try fixture.open(.write)
        try connection.run("PRAGMA synchronous=FULL; UPDATE entry SET value = 1 WHERE id = 0")
        #expect(try PowerCutTests.value(fixture.disk.powerCut(seed: 1, mode: .loseAll)) == 0)
        fixture.disk.configure { $0.liesAboutSync = false }
        try connection.run("UPDATE entry SET value = 2 WHERE id = 0")
        #expect(try PowerCutTests.value(fixture.disk.powerCut(seed: 1, mode: .loseAll)) == 2)
    }
}
