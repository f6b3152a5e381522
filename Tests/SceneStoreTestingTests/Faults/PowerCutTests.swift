import SceneStoreTesting
import Testing

@Suite("Power cuts")
struct PowerCutTests {
    static let name = "/test.sqlite"

    static func value(_ disk: FaultDisk) throws -> Int64 {
        let connection = try Connection(disk, name, .write)
        defer { connection.abandon() }
        return try connection.number("SELECT sum(value) FROM entry")
    }

    @Test(
        "R-60 what was synced survives every kind of cut",
        arguments: FaultDisk.PowerCutMode.allCases)
    func synced(_ mode: FaultDisk.PowerCutMode) throws {
        let fixture = try Fixture(.memory)
        try fixture.prepare()
        let connection = try fixture.open()
        try connection.run("PRAGMA synchronous=FULL; UPDATE entry SET value = 7 WHERE id = 0")
        for seed in 0..<50 {
            let disk = fixture.disk.powerCut(seed: UInt64(seed), mode: mode)
            #expect(try Self.value(disk) == 7)
        }
    }

    @Test("R-60 an unsynced save survives a kill, and a cut only if it was written")
    func unsynced() throws {
        let fixture = try Fixture(.memory)
        try fixture.prepare()
        let connection = try fixture.open()
        try connection.run("PRAGMA synchronous=NORMAL; UPDATE entry SET value = 1 WHERE id = 0")
        #expect(try Self.value(fixture.disk.powerCut(seed: 1, mode: .loseAll)) == 0)
        #expect(try Self.value(fixture.disk.powerCut(seed: 1, mode: .keepAll)) == 1)
        fixture.disk.crash()
        #expect(try Self.value(fixture.disk) == 1)
    }

    @Test(
        "R-60 connections of before a cut or a kill are dead and change nothing", arguments: [0, 1])
    func deadConnections(_ way: Int) throws {
        let fixture = try Fixture(.memory)
        try fixture.prepare()
        let old = try fixture.open()
        try old.run("PRAGMA synchronous=FULL; UPDATE entry SET value = 1 WHERE id = 0")
        let reader = try fixture.open()
        try reader.run("BEGIN; SELECT count(*) FROM entry")
        if way == 0 {
            fixture.disk.reboot(seed: 4)
        } else {
            fixture.disk.crash()
        }
        let new = try fixture.open(.write)
        try new.run("UPDATE entry SET value = 2 WHERE id = 0")
        #expect(
            code { () throws(Connection.Failure) in
                try old.run("UPDATE entry SET value = 9")
            } & 0xff == Code.inputOutput)
        old.close()
        reader.close()
        #expect(try new.number("SELECT sum(value) FROM entry") == 2)
        #expect(try new.text("PRAGMA integrity_check") == "ok")
    }

    @Test("R-60 a killed process leaves no lock behind", arguments: ["WAL", "DELETE"])
    func locksAfterKill(_ journal: String) throws {
        let fixture = try Fixture(.memory)
        try fixture.prepare(journal: journal)
        let old = try fixture.open()
        try old.run("BEGIN EXCLUSIVE; UPDATE entry SET value = 1")
        let new = try fixture.open(.write)
        let save = { () throws(Connection.Failure) in try new.run("UPDATE entry SET value = 2") }
        #expect(code(save) == Code.busy)
        fixture.disk.crash()
        let next = try fixture.open(.write)
        try next.run("BEGIN EXCLUSIVE; UPDATE entry SET value = 3; COMMIT")
        #expect(try next.number("SELECT sum(value) FROM entry") == 24)
    }

    @Test("R-60 a cut does not disturb the disk it was made of, nor a copy its source")
    func independence() throws {
        let fixture = try Fixture(.memory)
        try fixture.prepare()
        let before = fixture.disk.files.map { fixture.disk.exportFile($0) }
        for disk in [fixture.disk.powerCut(seed: 2), fixture.disk.copy()] {
            let connection = try Connection(disk, Self.name)
            try connection.run("UPDATE entry SET value = 3")
            connection.close()
        }
        #expect(fixture.disk.files.map { fixture.disk.exportFile($0) } == before)
    }

    @Test("R-60 the end of a recording is the disk itself")
    func replayReachesTheEnd() throws {
        let fixture = try Fixture(.memory)
        try fixture.prepare(journal: "DELETE")
        fixture.disk.startTrace()
        let connection = try fixture.open()
        for value in 1...5 {
            try connection.run("UPDATE entry SET value = \(value)")
            fixture.disk.mark(UInt64(value))
        }
        try connection.run("PRAGMA journal_mode=WAL; UPDATE entry SET value = 6; VACUUM")
        let trace = try #require(fixture.disk.endTrace())
        #expect(fixture.disk.endTrace() == nil)
        var replay = trace.makeReplay()
        while replay.advance() {}
        #expect(replay.position == trace.count)
        #expect(replay.mark == 5)
        let end = replay.powerCut(seed: 1, mode: .keepAll)
        #expect(Set(end.files) == Set(fixture.disk.files))
        for file in end.files {
            #expect(end.exportFile(file) == fixture.disk.exportFile(file))
        }
        let durable = fixture.disk.powerCut(seed: 1, mode: .loseAll)
        let other = replay.powerCut(seed: 1, mode: .loseAll)
        for file in durable.files {
            #expect(other.exportFile(file) == durable.exportFile(file))
        }
    }

    @Test("R-60 every step of a recording can be cut, and walks agree on any thread")
    func everyStep() async throws {
        let fixture = try Fixture(.memory)
        try fixture.prepare()
        fixture.disk.startTrace()
        let connection = try fixture.open()
        for value in 1...4 {
            try connection.run("UPDATE entry SET value = \(value) WHERE id = 0")
            fixture.disk.mark(UInt64(value))
        }
        let trace = try #require(fixture.disk.endTrace())
        let walk: @Sendable () throws -> [Int64] = {
            var values: [Int64] = []
            try trace.forEachPowerCut(seed: 9, outcomes: 3) { cut, disk in
                let value = try Self.value(disk)
                #expect(value >= Int64(cut.mark) && value <= Int64(cut.mark) + 1)
                values.append(value)
                return true
            }
            return values
        }
        async let first = walk()
        async let second = walk()
        let (left, right) = try await (first, second)
        #expect(left == right)
        // Marks aside, each step and the end has its cuts.
        #expect(left.count == (trace.count - 4 + 1) * 3)
        #expect(left.last == 4)
        var cuts = 0
        trace.forEachPowerCut(seed: 9, outcomes: 5, positions: 2..<3) { cut, _ in
            cuts += 1
            return cut.outcome < 2
        }
        #expect(cuts == 3)
    }

    @Test("R-60 a new file, a deletion and a renaming last when the directory is synced")
    func directories() {
        for durability in FaultDisk.Settings.DirectoryDurability.allCases {
            let disk = FaultDisk(seed: 3)
            disk.configure { $0.directoryDurability = durability }
            disk.importFile("/folder/old", bytes: [1])
            disk.importFile("/folder/moving", bytes: [2])
            disk.removeFile("/folder/old")
            disk.renameFile("/folder/moving", to: "/folder/moved")
            let isImmediate = durability == .immediate
            let after = Set(disk.powerCut(seed: 1, mode: .loseAll).files)
            #expect(after == (isImmediate ? ["/folder/moved"] : ["/folder/old", "/folder/moving"]))
            disk.syncDirectory(of: "/elsewhere/file")
            #expect(Set(disk.powerCut(seed: 1, mode: .loseAll).files) == after)
            disk.syncDirectory(of: "/folder/any")
            #expect(disk.powerCut(seed: 1, mode: .loseAll).files == ["/folder/moved"])
        }
    }

    @Test("R-60 unsynced renames are kept or lost whole, and builds on nothing that was lost")
    func renames() {
        let disk = FaultDisk(seed: 3)
        disk.importFile("/store", bytes: [1])
        disk.importFile("/store.new", bytes: [2])
        disk.renameFile("/store", to: "/store.old")
        disk.renameFile("/store.new", to: "/store")
        var seen: Set<[String]> = []
        for seed in 0..<200 {
            let cut = disk.powerCut(seed: UInt64(seed), mode: .subset)
            seen.insert(cut.files.sorted())
            #expect(cut.exportFile("/store") != nil || cut.files.contains("/store.old"))
        }
        #expect(
            seen == [
                ["/store", "/store.new"], ["/store.new", "/store.old"], ["/store", "/store.old"],
            ])
    }

    @Test("R-60 a database is gone after a cut when neither it nor its directory was synced")
    func newDatabase() throws {
        for (durability, isLost) in [
            (FaultDisk.Settings.DirectoryDurability.strict, true), (.ext4, false),
        ] {
            let fixture = try Fixture(.memory)
            fixture.disk.configure { $0.directoryDurability = durability }
            try fixture.prepare(journal: "OFF")
            let cut = fixture.disk.powerCut(seed: 1, mode: .loseAll)
            #expect(cut.files.contains(Self.name) == !isLost)
            fixture.disk.syncDirectory(of: Self.name)
            #expect(fixture.disk.powerCut(seed: 1, mode: .loseAll).files.contains(Self.name))
        }
    }

    @Test("R-60 sectors of the chosen size are kept or lost, nothing else changes")
    func sectors() throws {
        for size in [FaultDisk.Settings.SectorSize.bytes512, .bytes4096] {
            let fixture = try Fixture(.memory)
            fixture.disk.configure { $0.sectorSize = size }
            try fixture.prepare(journal: "OFF", synchronous: "FULL", count: 40)
            let old = try #require(fixture.disk.exportFile(Self.name))
            let connection = try fixture.open()
            try connection.run(
                "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; UPDATE entry SET value = id + 1")
            let new = try #require(fixture.disk.exportFile(Self.name))
            let sector = Int(size.rawValue)
            var mixed = 0
            for seed in 0..<40 {
                let cut = fixture.disk.powerCut(seed: UInt64(seed), mode: .subset)
                let bytes = try #require(cut.exportFile(Self.name))
                var kept = 0
                for start in stride(from: 0, to: old.count, by: sector) {
                    let range = start..<min(start + sector, old.count)
                    kept += bytes[range] == new[range] && old[range] != new[range] ? 1 : 0
                    #expect(bytes[range] == old[range] || bytes[range] == new[range])
                }
                mixed += kept > 0 && bytes != new ? 1 : 0
            }
            #expect(mixed > 10)
        }
    }
}
