import SceneStore
import SceneStoreTesting
import Testing

@testable import SceneStoreRecovery
@testable import SceneStoreStorage

/// The rows of a table that a recovery has in memory.
@Suite("Rows of a recovery")
struct RowTableTests {
    private func row(_ id: Int64, _ checksum: Int64) -> CarvedRow {
        CarvedRow(
            table: .session, id: id, values: [], checksum: checksum, payload: nil, rank: .reached,
            sequence: 0)
    }

    @Test("S-62 the holes of a long file ask for no memory")
    func holes() throws {
        var rows = CarvedRows()
        rows.reserveCapacity(pages: 1 << 20)
        for table in [StoreTable.session, .state] {
            let reserved = Mirror(reflecting: rows[table]).descendant("rows") as? [CarvedRow]
            #expect(try #require(reserved).capacity < 1 << 21)
        }
    }

    @Test(
        "R-28 a table of rows holds what a dictionary holds, whatever comes and goes",
        arguments: 0..<8)
    func asDictionary(_ seed: UInt64) {
        var random = SeededRandom(seed)
        var table = RowTable()
        var known: [Int64: Int64] = [:]
        if seed % 2 == 0 {
            table.reserveCapacity(40)
        }
        for step in 0..<2_000 as Range<Int64> {
            // Neighbours, numbers far apart and negative ones; few enough to meet again.
            let id = Int64.random(in: -40...400, using: &random) << Int64(seed * 6)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                table[id] = nil
                known[id] = nil
            case 1:
                table[id]?.checksum += 1
                known[id]? += 1
            default:
                table[id] = row(id, step)
                known[id] = step
            }
            #expect(table[id]?.checksum == known[id])
            #expect(table.count == known.count && table.isEmpty == known.isEmpty)
        }
        table.changeEach { $0.checksum -= 7 }
        #expect(
            Dictionary(uniqueKeysWithValues: table.map { ($0.id, $0.checksum) })
                == known.mapValues { $0 - 7 })
        #expect(table.ids.sorted() == known.keys.sorted())
        #expect(known.keys.allSatisfy { table[$0]?.id == $0 })
    }

    @Test("R-28 rows are visited in the order in which they came, those that came back too")
    func order() {
        var table = RowTable()
        for id in [9, 2, 700, 5] as [Int64] {
            table[id] = row(id, id)
        }
        #expect(table.ids == [9, 2, 700, 5])
        table[2] = nil
        #expect(table.ids == [9, 700, 5])
        table[2] = row(2, 3)
        table[9] = row(9, 4)
        #expect(table.ids == [9, 2, 700, 5])
        #expect(table.map(\.checksum) == [4, 3, 700, 5])
    }
}
