import SceneStore
import Testing

import SceneStoreExchange
@testable import SceneStoreRecovery
@testable import SceneStoreStorage

/// What salvage makes of the rows that were found, whatever file they were found in.
@Suite("What salvage chooses")
struct SalvageChoiceTests {
    /// The rows of a file, as a carver finds them.
    struct Found {
        var rows = CarvedRows()
        var store: CarvedRow?
        /// The place of the file among the sources.
        var place = 0

        /// A file whose store recorded so many open sessions; nil when that record is lost.
        init(expected: Int64?, digest: Int64 = 0, place: Int = 0) {
            self.place = place
            store = expected.map {
                row(.store, 1, ["open_count": .integer($0), "open_digest": .integer(digest)])
            }
        }

        func row(
            _ table: StoreTable, _ id: Int64, rank: CarvedRow.Rank = .reached, checksum: Int64 = 0,
            sequence: Int = 0, _ columns: [String: ColumnValue]
        ) -> CarvedRow {
            let layout = table.description
            var row = CarvedRow(
                table: table, id: id,
                values: Array(repeating: .null, count: layout.columns.count), checksum: checksum,
                payload: nil, rank: rank, sequence: sequence)
            if layout.hasPayload {
                row.payload = CarvedRow.Payload(
                    source: place, place: PagePlace(isInLog: false, offset: 0), offset: 0, count: 1)
            }
            for name in ["epoch", "container_epoch"] where layout.index(name) != nil {
                row[name] = .integer(1)
            }
            for (name, value) in columns {
                #expect(layout.index(name) != nil, "\(layout.name) has no \(name)")
                row[name] = value
            }
            return row
        }

        mutating func add(
            _ table: StoreTable, _ id: Int64, rank: CarvedRow.Rank = .reached, checksum: Int64 = 0,
            sequence: Int = 0, _ columns: [String: ColumnValue]
        ) {
            rows.insert(
                row(table, id, rank: rank, checksum: checksum, sequence: sequence, columns))
        }

        /// An open session that was written by a transaction.
        mutating func session(
            _ id: Int64, _ name: String, at generation: Int64, rank: CarvedRow.Rank = .reached,
            checksum: Int64 = 0, _ columns: [String: ColumnValue] = [:]
        ) {
            var all: [String: ColumnValue] = [
                "identifier": .text(name), "is_open": .integer(1), "is_front": .integer(0),
                "generation": .integer(generation), "configuration_id": .integer(1),
            ]
            all.merge(columns) { $1 }
            add(.session, id, rank: rank, checksum: checksum, all)
        }

        mutating func state(
            _ key: Int64, slot: Int64, at generation: Int64, rank: CarvedRow.Rank = .reached,
            checksum: Int64 = 0
        ) {
            add(
                .state, key << 8 | slot, rank: rank, checksum: checksum,
                [
                    "generation": .integer(generation), "saved_at": .integer(1_000),
                    "context_id": .integer(1),
                ])
        }

        mutating func event(
            _ kind: StoreEvent.Kind, _ name: String, at generation: Int64, _ detail: String? = nil
        ) {
            add(
                .event, Int64(rows[.event].count + 1),
                [
                    "kind": .text(kind.rawValue), "session_identifier": .text(name),
                    "generation": .integer(generation), "happened_at": .integer(5),
                    "detail": detail.map { .text($0) } ?? .null,
                ])
        }

        mutating func tombstone(
            _ id: Int64, _ name: String, at generation: Int64, delivery: Int64 = 0,
            rank: CarvedRow.Rank = .reached
        ) {
            add(
                .discard, id, rank: rank,
                [
                    "identifier": .text(name), "generation": .integer(generation),
                    "delivery": .integer(delivery), "configuration_id": .integer(1),
                ])
        }
    }

    private func salvage(_ found: Found...) throws -> Salvage {
        let sources = found.map {
            SalvageSource(rows: $0.rows, store: $0.store, commitsBehind: 0)
        }
        return try #require(Salvage(SalvageInput(sources: sources)))
    }

    private func open(_ salvage: Salvage) -> [String] {
        salvage.rows[.session].filter { $0.number("is_open") == 1 }
            .compactMap { $0["identifier"].text }.sorted()
    }

    /// The recorded state of a session whose state lies in a place of its history.
    private func current(_ key: Int64, slot: Int64, bound: Int64 = 0) -> [String: ColumnValue] {
        [
            "state_id": .integer(key << 8 | slot), "saved_at": .integer(1_000),
            "state_checksum": .integer(bound),
        ]
    }

    // MARK: Sessions

    @Test(
        "R-24 what was forgotten or pruned after its row was written stays gone, and nothing else",
        arguments: [StoreEvent.Kind.forget, .prune], [CarvedRow.Rank.reached, .possible, .old])
    func removed(_ kind: StoreEvent.Kind, _ rank: CarvedRow.Rank) throws {
        for (generation, isThere) in [(4, true), (5, true), (6, false)] as [(Int64, Bool)] {
            var found = Found(expected: 1)
            found.session(1, "A", at: 5, rank: rank)
            found.event(kind, "A", at: generation)
            let salvage = try salvage(found)
            #expect(open(salvage) == (isThere ? ["A"] : []), "\(generation)")
            let isHonored = !isThere && rank != .old
            #expect(salvage.report.counts[.honored] == (isHonored ? 1 : nil))
        }
    }

    @Test("R-24 of two rows of one identifier the later one counts, whichever is found first")
    func rivals() throws {
        for (first, second) in [(5, 7), (7, 5)] as [(Int64, Int64)] {
            var found = Found(expected: 1)
            found.session(1, "A", at: first)
            found.session(2, "A", at: second)
            let rows = try salvage(found).rows[.session]
            #expect(rows.ids.sorted() == [first > second ? 1 : 2])
            #expect(rows.map { $0.number("generation") } == [7])
        }
    }

    @Test("R-24 of a backup no more sessions come back than are missing, and none that is gone")
    func backups() throws {
        for (expected, back) in [
            (1, ["A"]), (2, ["A"]), (3, ["A", "B", "C"]), (4, ["A", "B", "C"]),
        ] as [(Int64, [String])] {
            var found = Found(expected: expected)
            found.session(1, "A", at: 9)
            var backup = Found(expected: 3, place: 1)
            for (id, name) in [(1, "A"), (2, "B"), (3, "C")] as [(Int64, String)] {
                backup.session(id, name, at: 3)
            }
            let salvage = try salvage(found, backup)
            #expect(open(salvage) == back, "\(expected)")
            #expect(salvage.report.counts[.fromBackup] == (back.count > 1 ? 2 : nil))
            #expect(!salvage.report.isComplete || back.count == 1)
        }
        // A tombstone of any time, or a discard in the journal, and the backup's is gone.
        for tells in 0..<4 {
            var found = Found(expected: 2)
            found.session(1, "A", at: 9)
            switch tells {
            case 1: found.tombstone(2, "B", at: 2)
            case 2: found.event(.discard, "B", at: 4)
            case 3: found.event(.forget, "B", at: 4)
            default: break
            }
            var backup = Found(expected: 2, place: 1)
            backup.session(2, "B", at: 3)
            #expect(open(try salvage(found, backup)) == (tells == 0 ? ["A", "B"] : ["A"]))
        }
    }

    @Test("R-24 S-50 a discard in the journal is obeyed, until the session was reopened")
    func reopened() throws {
        for (reopened, isOpen) in [(nil, false), (4, false), (6, true)] as [(Int64?, Bool)] {
            var found = Found(expected: 1)
            found.session(1, "A", at: 3)
            found.event(.discard, "A", at: 5, DiscardCause.user.rawValue)
            if let reopened {
                found.event(.reopen, "A", at: reopened)
            }
            let salvage = try salvage(found)
            #expect(open(salvage) == (isOpen ? ["A"] : []))
            #expect(salvage.rows[.discard].count == (isOpen ? 0 : 1))
        }
    }

    @Test("R-24 L-37 of a discard that it was told of the app is not told again")
    func delivered() throws {
        for (told, delivery) in [(nil, 0), (4, 0), (5, 2), (6, 2)] as [(Int64?, Int64)] {
            var found = Found(expected: 0)
            found.session(1, "A", at: 3)
            found.event(.discard, "A", at: 5)
            if let told {
                found.event(.discardDelivered, "A", at: told)
            }
            let discards = try salvage(found).rows[.discard]
            #expect(discards.map { $0.number("delivery") } == [delivery])
        }
    }

    @Test("L-37 S-11 R-24 a closed session keeps its tombstone, also if its row was changed since")
    func changedSince() throws {
        for (isJournal, rank, delivery) in [
            (false, .reached, 1), (true, .reached, 0), (false, .old, nil),
        ] as [(Bool, CarvedRow.Rank, Int64?)] {
            var found = Found(expected: 0)
            found.session(1, "A", at: 9, ["is_open": .integer(0)])
            if isJournal {
                found.event(.discard, "A", at: 5, DiscardCause.expired.rawValue)
            } else {
                found.tombstone(1, "A", at: 5, delivery: 1, rank: rank)
            }
            let discards = try salvage(found).rows[.discard]
            #expect(discards.map { $0.number("delivery") } == (delivery.map { [$0] } ?? []))
            #expect(
                discards.allSatisfy {
                    ($0["cause"].text == DiscardCause.expired.rawValue) == isJournal
                })
        }
    }

    @Test("R-24 a tombstone lies over no open session, unless the app knows of it")
    func overOpen() throws {
        for (delivery, ids) in [(0, []), (1, []), (2, [9])] as [(Int64, [Int64])] {
            var found = Found(expected: 1)
            found.session(1, "A", at: 9)
            found.tombstone(9, "A", at: 3, delivery: delivery)
            let salvage = try salvage(found)
            #expect(open(salvage) == ["A"])
            #expect(salvage.rows[.discard].ids.sorted() == ids)
        }
    }

    // MARK: States

    @Test("R-26 R-24 a state of the right place is the last one only if the session bound it")
    func bound() throws {
        for (bound, outcome) in [
            (77, .restored), (78, .olderState),
        ] as [(Int64, SalvageReport.Outcome)] {
            var found = Found(expected: 1)
            found.session(1, "A", at: 9, current(1, slot: 0, bound: bound))
            found.state(1, slot: 0, at: 4, checksum: 77)
            #expect(try salvage(found).report.counts == [outcome: 1])
        }
    }

    @Test(
        "R-24 R-64 a state that was saved after its session's row is the last one, unless it is old"
    )
    func laterState() throws {
        for (rank, slot) in [(.reached, 1), (.possible, 1), (.old, 0)] as [(CarvedRow.Rank, Int64)]
        {
            var found = Found(expected: 1)
            found.session(1, "A", at: 5, current(1, slot: 0))
            found.state(1, slot: 0, at: 5)
            found.state(1, slot: 1, at: 8, rank: rank)
            let salvage = try salvage(found)
            #expect(salvage.rows[.session][1]?["state_id"] == .integer(1 << 8 | slot))
            #expect(salvage.report.counts == [.restored: 1])
        }
    }

    @Test("R-24 R-64 a backup's state takes no place that another state has")
    func slots() throws {
        var found = Found(expected: 1)
        found.session(1, "A", at: 9, current(1, slot: 5))
        for slot in [0, 1] as [Int64] {
            found.state(1, slot: slot, at: 1 + slot)
        }
        var backup = Found(expected: 1, place: 1)
        backup.session(1, "A", at: 9)
        backup.state(1, slot: 0, at: 7)
        let salvage = try salvage(found, backup)
        let states = salvage.rows[.state]
        #expect(
            Dictionary(uniqueKeysWithValues: states.map { ($0.id, $0.number("generation")) })
                == [256: 1, 257: 2, 258: 7])
        #expect(salvage.rows[.session][1]?["state_id"] == .integer(258))
        #expect(salvage.report.counts == [.olderState: 1])
        #expect(salvage.report.historyStates == 2)
    }

    @Test("R-64 L-41 a backup gives no state to another session that got the number of its own")
    func usedTwice() throws {
        for (name, state) in [("A", .integer(256)), ("B", .null)] as [(String, ColumnValue)] {
            var found = Found(expected: 1)
            found.session(1, "A", at: 9, current(1, slot: 0))
            var backup = Found(expected: 1, place: 1)
            backup.session(1, name, at: 7)
            backup.state(1, slot: 0, at: 7)
            let salvage = try salvage(found, backup)
            #expect(salvage.rows[.session][1]?["state_id"] == state)
            let outcome: SalvageReport.Outcome = state == .null ? .withoutState : .olderState
            #expect(salvage.report.counts == [outcome: 1])
        }
    }

    // MARK: What belongs to sessions

    @Test("R-24 L-87 a window that shows a value is found by it afterwards")
    func presentedValues() throws {
        var found = Found(expected: 2)
        for (id, name) in [(1, "A"), (2, "B")] as [(Int64, String)] {
            found.session(id, name, at: 3, ["value_hash": .integer(7)])
        }
        found.add(
            .sessionValue, 1 << 8 | SessionValueKind.presentedValue.rawValue,
            ["content_hash": .integer(99)])
        found.add(
            .sessionValue, 2 << 8 | SessionValueKind.title.rawValue, ["content_hash": .integer(98)])
        let rows = try salvage(found).rows[.session]
        #expect(
            Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0["value_hash"]) })
                == [1: .integer(99), 2: .null])
    }

    @Test("R-24 L-86 of two values of one storage key the later one counts")
    func storage() throws {
        for (first, second) in [(1, 2), (2, 1)] {
            var found = Found(expected: 1)
            found.session(1, "A", at: 3)
            for (id, sequence) in [(11, first), (12, second)] as [(Int64, Int)] {
                var columns: [String: ColumnValue] = ["session_id": .integer(1), "key": .text("k")]
                if StoreTable.sceneStorage.description.index("generation") != nil {
                    columns["generation"] = .integer(Int64(sequence))
                }
                found.add(.sceneStorage, id, sequence: sequence, columns)
            }
            let rows = try salvage(found).rows[.sceneStorage]
            #expect(rows.ids.sorted() == [first > second ? 11 : 12])
        }
    }

    // MARK: The ledger

    @Test(
        "R-64 S-11 a salvage is complete when the sessions add up and every state is the last one")
    func complete() throws {
        for loss in 0..<5 {
            var found = Found(expected: loss == 1 ? 2 : 1, digest: loss == 2 ? 41 : 42)
            var columns = current(1, slot: 0)
            columns["state_id"] = loss == 4 ? .null : columns["state_id"]
            found.session(1, "A", at: 9, checksum: 42, columns)
            if loss != 3 && loss != 4 {
                found.state(1, slot: 0, at: 4)
            }
            let report = try salvage(found).report
            // 0: everything. 1: a session is missing. 2: another one is there. 3: its state is.
            #expect(report.isComplete == (loss == 0 || loss == 4), "\(loss)")
            #expect(report.counts[.withoutState] == (loss == 3 ? 1 : nil))
        }
    }

    @Test("R-24 S-40 S-41 lost sessions are named as far as the journal knows them, and no others")
    func missing() throws {
        for (expected, lost, names) in [
            (1, nil, []), (2, 1, ["B"]), (3, 2, ["B", "C"]), (5, 4, ["B", "C"]),
        ] as [(Int64, Int?, [SceneSession.ID])] {
            var found = Found(expected: expected)
            found.session(1, "A", at: 9)
            for name in ["A", "B", "C"] {
                found.event(.create, name, at: 2)
            }
            let report = try salvage(found).report
            #expect(report.counts[.lost] == lost)
            #expect(
                report.entries.filter { $0.outcome == .lost }.map(\.sessionIdentifier) == names)
        }
        // Gone is not lost: it was pruned, forgotten, discarded or buried after it was made.
        for tells in 0..<5 {
            for (at, isLost) in [(4, true), (5, true), (6, false)] as [(Int64, Bool)] {
                var found = Found(expected: nil)
                found.session(1, "A", at: 9)
                found.event(.create, "B", at: 5)
                switch tells {
                case 0: found.event(.prune, "B", at: at)
                case 1: found.event(.forget, "B", at: at)
                case 2: found.event(.discard, "B", at: at)
                case 3: found.tombstone(7, "B", at: at)
                default: break
                }
                let lost = try salvage(found).report.counts[.lost]
                #expect(lost == (isLost && at < 5 || tells == 4 ? 1 : nil), "\(tells) \(at)")
            }
        }
    }
}
