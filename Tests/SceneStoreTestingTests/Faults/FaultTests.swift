import SceneStoreTesting
import Testing

@Suite("Fault programmes")
struct FaultTests {
    static let kinds: [FaultDisk.Kind] = [.memory, .passThrough]

    struct Case: Sendable, CustomTestStringConvertible {
        let kind: FaultDisk.Kind
        let operation: FaultDisk.Operation
        let isPermanent: Bool
        let effect: FaultDisk.Fault.Effect
        let journal: String

        var testDescription: String {
            "\(kind) \(operation) \(effect) \(isPermanent ? "for good" : "once") \(journal)"
        }
    }

    static let cases: [Case] = kinds.flatMap { kind in
        FaultDisk.Operation.failable.flatMap { operation in
            [false, true].flatMap { isPermanent in
                [FaultDisk.Fault.Effect.refused, .doneButReported, .short].flatMap { effect in
                    ["WAL", "DELETE"].map {
                        Case(
                            kind: kind, operation: operation, isPermanent: isPermanent,
                            effect: effect, journal: $0)
                    }
                }
            }
        }
    }

    @Test(
        "R-61 each call failed in turn leaves a whole database, and the next save works",
        arguments: cases)
    func sweep(_ tested: Case) throws {
        let fixture = try Fixture(tested.kind)
        try fixture.prepare(journal: tested.journal)
        var done: Int64 = 0
        var hits = 0
        var failures = 0
        for number in 1...200 {
            fixture.disk.program = [
                .init(
                    [tested.operation], at: UInt64(number), isPermanent: tested.isPermanent,
                    effect: tested.effect)
            ]
            let next = done + 1
            let failure = code { () throws(Connection.Failure) in
                let connection = try fixture.open(.write)
                try connection.run(
                    "PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0;"
                        + "UPDATE entry SET value = \(next) WHERE id < 3")
                // Another save may fail where the first did not.
                try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
                connection.close()
            }
            let isHit = fixture.disk.firedFaults > 0
            fixture.disk.program = []
            hits += isHit ? 1 : 0
            failures += failure != 0 ? 1 : 0
            #expect(isHit || failure == 0)
            let check = try fixture.open(.write)
            #expect(try check.text("PRAGMA integrity_check") == "ok")
            let sum = try check.number("SELECT sum(value) FROM entry")
            #expect(sum == 3 * done || sum == 3 * next, "half a save after call \(number)")
            try check.run("PRAGMA synchronous=FULL; UPDATE entry SET value = \(next) WHERE id < 3")
            done = next
            check.close()
            if !isHit {
                break
            }
        }
        #expect(hits < 200, "the sweep never ended")
        // A sweep that never hit anything proves nothing.
        let unused: Set<FaultDisk.Operation> =
            tested.journal == "WAL"
            ? [.checkReservedLock]
            : [.checkReservedLock, .sharedMemoryMap, .sharedMemoryLock, .truncate]
        #expect((hits == 0) == unused.contains(tested.operation))
        #expect(failures <= hits)
    }

    @Test("R-61 the check for a hot journal's owner can fail", arguments: kinds)
    func reservedLock(_ kind: FaultDisk.Kind) throws {
        let fixture = try Fixture(kind)
        try fixture.prepare(journal: "DELETE")
        fixture.disk.program = [
            .init([.delete], files: [.rollbackJournal], isPermanent: true),
            .init([.truncate], files: [.rollbackJournal], isPermanent: true),
            .init([.write], files: [.rollbackJournal], at: 4, isPermanent: true),
        ]
        let connection = try fixture.open(.write)
        #expect(
            code { () throws(Connection.Failure) in
                try connection.run("UPDATE entry SET value = 1")
            } != 0)
        connection.abandon()
        fixture.disk.program = [.init([.checkReservedLock])]
        let read = { () throws(Connection.Failure) in
            let reader = try fixture.open(.write)
            guard try reader.number("SELECT sum(value) FROM entry") == 0 else {
                throw Connection.Failure(code: -1)
            }
        }
        #expect(code(read) == 3594)
        #expect(code(read) == 0, "the journal is played back")
    }

    @Test("R-61 an injected code comes out as it was put in", arguments: kinds)
    func codes(_ kind: FaultDisk.Kind) throws {
        let fixture = try Fixture(kind)
        try fixture.prepare()
        let usual: [(FaultDisk.Operation, Int32)] = [
            (.read, 266), (.write, 778), (.sync, 1034), (.lock, 3850), (.sharedMemoryLock, 5130),
            (.access, 3338), (.fileSize, 1802),
        ]
        for (operation, expected) in usual {
            for chosen in [nil, Code.full, 1290] {
                fixture.disk.program = [
                    .init([operation], isPermanent: true, code: chosen)
                ]
                let failure = code { () throws(Connection.Failure) in
                    let connection = try fixture.open(.write)
                    try connection.run("PRAGMA synchronous=FULL; UPDATE entry SET value = 1")
                }
                #expect(failure == chosen ?? expected, "\(operation)")
                #expect(fixture.disk.firedFaults > 0)
                fixture.disk.program = []
            }
        }
        fixture.disk.program = [.init([.open], files: [.mainDatabase])]
        #expect(code { () throws(Connection.Failure) in _ = try fixture.open() } == Code.cannotOpen)
    }

    @Test("R-61 a fault hits the n-th matching call of its files and no other", arguments: kinds)
    func matching(_ kind: FaultDisk.Kind) throws {
        let fixture = try Fixture(kind)
        try fixture.prepare()
        let connection = try fixture.open(.write)
        try connection.run("PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0")
        let save = { () throws(Connection.Failure) in
            try connection.run("UPDATE entry SET value = value + 1 WHERE id = 0")
        }
        fixture.disk.program = [
            .init([.sync], files: [.mainDatabase]),
            .init([.sync], files: [.writeAheadLog], at: 3, code: 4106),
        ]
        #expect(fixture.disk.program.count == 2)
        // The first save of a new log also syncs the log's header.
        var codes = (0..<4).map { _ in code(save) }
        #expect(codes.filter { $0 == 4106 }.count == 1)
        #expect(fixture.disk.firedFaults == 1)
        fixture.disk.program = [
            .init([.sync], files: [.writeAheadLog], at: 2, isPermanent: true)
        ]
        codes = (0..<4).map { _ in code(save) }
        #expect(codes == [0, 1034, 1034, 1034])
        // Each counts for itself, also what another one hit.
        fixture.disk.program = [.init([.sync], code: 4106), .init([.sync], at: 2, code: 5386)]
        #expect((0..<3).map { _ in code(save) } == [4106, 5386, 0])
        fixture.disk.program = [
            .init([.sync], files: [.writeAheadLog], at: 2, isPermanent: true)
        ]
        _ = (0..<4).map { _ in code(save) }
        #expect(fixture.disk.firedFaults == 3)
        fixture.disk.program = []
        try save()
    }

    @Test("R-61 the error number behind a failure is the disk's", arguments: kinds)
    func systemErrors(_ kind: FaultDisk.Kind) throws {
        let fixture = try Fixture(kind)
        try fixture.prepare()
        let connection = try fixture.open(.write)
        fixture.disk.program = [.init([.read], files: [.mainDatabase])]
        // SQLite asks for it where a statement fails, but not where a commit does.
        #expect(
            code { () throws(Connection.Failure) in
                _ = try connection.number("SELECT sum(value) FROM entry")
            } == 266)
        #expect(connection.systemError == 5)
    }

    @Test("R-61 an ignored write is lost although all went well")
    func ignored() throws {
        let fixture = try Fixture(.memory)
        try fixture.prepare(journal: "OFF")
        let before = fixture.disk.exportFile(fixture.path)
        fixture.disk.program = [
            .init([.write], files: [.mainDatabase], isPermanent: true, effect: .ignored)
        ]
        let connection = try fixture.open(.write)
        try connection.run("PRAGMA journal_mode=OFF; UPDATE entry SET value = 1")
        #expect(fixture.disk.firedFaults > 0)
        #expect(fixture.disk.exportFile(fixture.path) == before)
    }

    @Test("R-61 a done but reported deletion and creation are done", arguments: kinds)
    func done(_ kind: FaultDisk.Kind) throws {
        let fixture = try Fixture(kind)
        fixture.disk.program = [.init([.open], effect: .doneButReported)]
        #expect(code { () throws(Connection.Failure) in _ = try fixture.open() } == Code.cannotOpen)
        fixture.disk.program = []
        #expect(code { () throws(Connection.Failure) in _ = try fixture.open(.write) } == 0)
        try fixture.prepare(journal: "DELETE")
        let connection = try fixture.open(.write)
        fixture.disk.program = [
            .init([.delete], files: [.rollbackJournal], effect: .doneButReported)
        ]
        _ = code { () throws(Connection.Failure) in
            try connection.run("UPDATE entry SET value = 1")
        }
        #expect(fixture.disk.firedFaults == 1)
        connection.abandon()
        let other = try fixture.open(.write)
        #expect(try other.number("SELECT sum(value) FROM entry") == 8, "the journal was gone")
    }

    @Test("R-61 nothing works after the power went at an operation", arguments: kinds)
    func powerOff(_ kind: FaultDisk.Kind) throws {
        let fixture = try Fixture(kind)
        try fixture.prepare()
        let start = fixture.disk.counters.operations
        for step in 1...12 {
            let connection = try? fixture.open(.write)
            fixture.disk.powerOff(atOperation: fixture.disk.counters.operations + UInt64(step))
            var failure: Int32 = 0
            for _ in 0..<4 where failure == 0 {
                failure = code { () throws(Connection.Failure) in
                    try connection?.run("UPDATE entry SET value = value + 1")
                }
            }
            #expect([Code.inputOutput, Code.cannotOpen].contains(failure & 0xff))
            fixture.disk.powerOff(atOperation: nil)
        }
        #expect(fixture.disk.counters.operations > start)
        let check = try fixture.open(.write)
        #expect(try check.text("PRAGMA integrity_check") == "ok")
    }
}
