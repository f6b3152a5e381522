import SceneStoreTesting
import Testing

/// The model itself, one call at a time.
@Suite("Files between cache and disk")
struct FileCallTests {
    static let old = [UInt8](repeating: 1, count: 8_192)

    /// A disk with a durable file of ones.
    private func makeDisk() -> FaultDisk {
        let disk = FaultDisk(seed: 1)
        disk.importFile("/file", bytes: Self.old)
        return disk
    }

    private func cuts(
        _ disk: FaultDisk, _ mode: FaultDisk.PowerCutMode, count: UInt64 = 300
    ) -> [[UInt8]] {
        (0..<count).map { disk.powerCut(seed: $0, mode: mode).exportFile("/file") ?? [] }
    }

    @Test("R-60 an orderly disk stops amid a write")
    func prefix() {
        let disk = makeDisk()
        #expect(disk.write([UInt8](repeating: 2, count: 2_000), to: "/file", at: 100) == 0)
        #expect(disk.write([UInt8](repeating: 3, count: 500), to: "/file", at: 5_000) == 0)
        var partial = 0
        for bytes in cuts(disk, .prefix) {
            let first = bytes[100..<2_100].prefix { $0 == 2 }.count
            let second = bytes[5_000..<5_500].prefix { $0 == 3 }.count
            #expect(second == 0 || first == 2_000, "in order")
            var expected = Self.old
            expected.replaceSubrange(100..<100 + first, with: repeatElement(2, count: first))
            expected.replaceSubrange(5_000..<5_000 + second, with: repeatElement(3, count: second))
            #expect(bytes == expected)
            partial += (1..<2_000).contains(first) ? 1 : 0
        }
        #expect(partial > 0)
    }

    @Test(
        "R-60 a torn write harms no byte beside it, unless the disk is said to",
        arguments: [true, false])
    func torn(_ isPowersafe: Bool) {
        let disk = makeDisk()
        disk.configure { $0.hasPowersafeOverwrite = isPowersafe }
        #expect(disk.write([UInt8](repeating: 2, count: 1_000), to: "/file", at: 300) == 0)
        var harmed = 0
        var torn = 0
        for bytes in cuts(disk, .torn) {
            #expect(bytes.count == Self.old.count)
            // Sectors that the write does not touch are never harmed.
            #expect(bytes[1_536...] == Self.old[1_536...])
            let isHarmed =
                bytes[..<300] != Self.old[..<300] || bytes[1_300...] != Self.old[1_300...]
            harmed += isHarmed ? 1 : 0
            let inside = Set(bytes[300..<512])
            torn += inside.count > 1 ? 1 : 0
        }
        #expect((harmed == 0) == isPowersafe)
        #expect(torn > 0)
    }

    @Test("R-60 on a disk that reorders, an older version of a sector may be the one that stays")
    func reordered() {
        let disk = makeDisk()
        for value in 2...4 {
            let bytes = [UInt8](repeating: UInt8(value), count: 1_024)
            #expect(disk.write(bytes, to: "/file") == 0)
        }
        let seen = Set(cuts(disk, .reordered).map { [$0[0], $0[512]] })
        // In order, the second sector would never be ahead of the first.
        #expect(seen.contains([1, 4]) && seen.contains([3, 4]))
        #expect(seen.contains([1, 1]) && seen.contains([2, 2]) && seen.contains([4, 4]))
        for bytes in cuts(disk, .reordered) {
            #expect(Set(bytes[0..<512]).count == 1 && Set(bytes[512..<1_024]).count == 1)
        }
    }

    @Test("R-60 a file that grows is longer before its bytes are there")
    func growth() {
        let disk = makeDisk()
        #expect(disk.write([UInt8](repeating: 2, count: 1_024), to: "/file", at: 9_216) == 0)
        #expect(disk.exportFile("/file")?.count == 10_240)
        let found = cuts(disk, .subset)
        #expect(Set(found.map(\.count)) == [8_192, 9_728, 10_240])
        for bytes in found {
            #expect(Array(bytes[..<8_192]) == Self.old)
            #expect(bytes[8_192...].prefix(1_024).allSatisfy { $0 == 0 }, "a hole reads as zeros")
            #expect(bytes[8_192...].allSatisfy { $0 == 0 || $0 == 2 })
        }
        #expect(found.contains { $0.count == 10_240 && $0[9_216] == 0 && $0[9_728] == 0 })
    }

    @Test("R-60 what was cut off does not come back when the file grows")
    func truncation() {
        let disk = makeDisk()
        #expect(disk.truncate("/file", to: 5_000) == 0)
        #expect(disk.write([7], to: "/file", at: 7_000) == 0)
        let expected =
            Array(Self.old[..<5_000]) + [UInt8](repeating: 0, count: 2_000) + [7]
        #expect(disk.exportFile("/file") == expected)
        #expect(disk.powerCut(seed: 1, mode: .keepAll).exportFile("/file") == expected)
        #expect(disk.powerCut(seed: 1, mode: .loseAll).exportFile("/file") == Self.old)
        #expect(disk.sync("/file") == 0)
        #expect(disk.powerCut(seed: 1, mode: .loseAll).exportFile("/file") == expected)
    }

    @Test("R-60 a file never synced is written back in the end, and changes keep their order")
    func writeBack() {
        let disk = makeDisk()
        for index in 0..<20_000 {
            let bytes = [UInt8(index % 251), UInt8(index % 241)]
            _ = disk.write(bytes, to: "/file", at: UInt64(index % 4_000))
        }
        let live = disk.exportFile("/file")
        #expect(disk.powerCut(seed: 1, mode: .keepAll).exportFile("/file") == live)
        #expect(disk.powerCut(seed: 1, mode: .loseAll).exportFile("/file") != Self.old)
    }

    @Test("R-61 a page that a failed sync forgot is written whole by the next write to it")
    func forgottenPage() {
        let disk = makeDisk()
        #expect(disk.write([UInt8](repeating: 2, count: 100), to: "/file", at: 0) == 0)
        #expect(disk.write([UInt8](repeating: 2, count: 100), to: "/file", at: 4_096) == 0)
        disk.program = [.init([.sync], effect: .forgotten)]
        #expect(disk.sync("/file") == 1034)
        disk.program = []
        #expect(disk.sync("/file") == 0, "nothing is dirty any more")
        #expect(disk.exportFile("/file")?[0] == 2)
        #expect(disk.powerCut(seed: 1, mode: .keepAll).exportFile("/file") == Self.old)
        // One byte of the first page makes that page dirty again, and not the second.
        #expect(disk.write([3], to: "/file", at: 4_000) == 0)
        var expected = Self.old
        expected.replaceSubrange(0..<100, with: repeatElement(2, count: 100))
        expected[4_000] = 3
        #expect(disk.powerCut(seed: 1, mode: .keepAll).exportFile("/file") == expected)
        disk.dropCache()
        #expect(disk.exportFile("/file") == expected)
        #expect(disk.sync("/file") == 0)
        #expect(disk.powerCut(seed: 1, mode: .loseAll).exportFile("/file") == expected)
    }

    @Test("R-61 the size of a file outlives a sync that forgot its bytes")
    func forgottenGrowth() {
        let disk = makeDisk()
        #expect(disk.write([2, 2, 2], to: "/file", at: 8_192) == 0)
        disk.program = [.init([.sync], effect: .forgotten)]
        #expect(disk.sync("/file") == 1034)
        disk.program = []
        let grown = Self.old + [0, 0, 0]
        #expect(disk.powerCut(seed: 1, mode: .loseAll).exportFile("/file") == Self.old)
        #expect(disk.powerCut(seed: 1, mode: .keepAll).exportFile("/file") == grown)
        #expect(disk.sync("/file") == 0)
        #expect(disk.powerCut(seed: 1, mode: .loseAll).exportFile("/file") == grown)
    }

    @Test(
        "R-07 a file written aside, synced, renamed and its directory synced is whole after any cut"
    )
    func replacement() throws {
        for syncsFile in [true, false] {
            let disk = FaultDisk(seed: 1)
            disk.importFile("/export", bytes: [1])
            disk.startTrace()
            #expect(disk.write([UInt8](repeating: 2, count: 2_000), to: "/export.new") == 0)
            if syncsFile {
                #expect(disk.sync("/export.new") == 0)
            }
            disk.renameFile("/export.new", to: "/export")
            disk.syncDirectory(of: "/export")
            disk.mark(1)
            let trace = try #require(disk.endTrace())
            var broken = 0
            trace.forEachPowerCut(seed: 3, outcomes: 30) { cut, disk in
                let bytes = disk.exportFile("/export")
                let isNew = bytes == [UInt8](repeating: 2, count: 2_000)
                broken += isNew || (bytes == [1] && cut.mark == 0) ? 0 : 1
                return true
            }
            #expect((broken == 0) == syncsFile, "without the sync it is not")
        }
    }

    @Test(
        "R-61 calls without SQLite are counted and fail like SQLite's own",
        arguments: FaultTests.kinds)
    func calls(_ kind: FaultDisk.Kind) throws {
        let fixture = try Fixture(kind)
        let cost = fixture.disk.counting {
            _ = fixture.disk.write([1, 2, 3], to: fixture.path)
            _ = fixture.disk.truncate(fixture.path, to: 2)
            _ = fixture.disk.sync(fixture.path)
        }
        #expect([cost.writes, cost.count(.truncate), cost.syncs] == [1, 1, 1])
        #expect(cost.bytesWritten == 3)
        #expect(cost.count(.open) == 3 && cost.count(.close) == 3)
        if kind == .passThrough {
            #expect(try realBytes(fixture.path) == [1, 2])
        } else {
            #expect(fixture.disk.exportFile(fixture.path) == [1, 2])
        }
        #expect(fixture.disk.sync(fixture.path + "-none") == Code.cannotOpen)
        fixture.disk.program = [.init([.write], effect: .short)]
        #expect(fixture.disk.write([9, 9, 9, 9], to: fixture.path) == Code.full)
        fixture.disk.program = [.init([.truncate], code: 1546)]
        #expect(fixture.disk.truncate(fixture.path, to: 0) == 1546)
    }
}
