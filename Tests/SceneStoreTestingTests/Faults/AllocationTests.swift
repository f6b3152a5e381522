import SceneStoreTesting
import Testing

/// The failing allocator must be in place before SQLite is used, so each test is a process.
@Suite("Failing allocations")
struct AllocationTests {
    @Test(
        "R-61 each allocation failed once and for good is out of memory and leaves a whole database"
    )
    func everyAllocation() async {
        await #expect(processExitsWith: .success) {
            try #require(AllocationFaults.install())
            let fixture = try Fixture(.memory)
            try fixture.prepare()
            var value: Int64 = 0
            for isPermanent in [false, true] {
                var number: UInt64 = 0
                var failures = 0
                var isHit = true
                while isHit {
                    number += 1
                    let next = value + 1
                    let failure = AllocationFaults.failing(at: number, isPermanent: isPermanent) {
                        code { () throws(Connection.Failure) in
                            let connection = try fixture.open(.write)
                            try connection.run("UPDATE entry SET value = \(next)")
                        }
                    }
                    isHit = AllocationFaults.failures > 0
                    try #require(isHit || failure == 0)
                    try #require(failure == 0 || failure & 0xff == Code.noMemory || failure == 3082)
                    failures += failure == 0 ? 0 : 1
                    let check = try fixture.open(.write)
                    try #require(try check.text("PRAGMA integrity_check") == "ok")
                    let sum = try check.number("SELECT sum(value) FROM entry")
                    try #require(sum == 8 * value || sum == 8 * next)
                    try check.run("UPDATE entry SET value = \(next)")
                    value = next
                }
                try #require(failures > 20)
                try #require(AllocationFaults.allocations > 20)
            }
        }
    }

    @Test("R-61 a fault concerns its own thread and its own run only")
    func scope() async {
        await #expect(processExitsWith: .success) {
            try #require(AllocationFaults.install())
            try #require(FaultDisk.configureRigProcess(seed: 7))
            let fixture = try Fixture(.memory)
            try fixture.prepare()
            let connection = try fixture.open()
            let disk = fixture.disk
            let path = fixture.path
            let counted = AllocationFaults.failing(at: 0) {
                code { () throws(Connection.Failure) in
                    try connection.run("SELECT count(*) FROM entry")
                }
            }
            try #require(counted == 0 && AllocationFaults.allocations > 0)
            try #require(AllocationFaults.failures == 0)
            for isPermanent in [false, true] {
                let codes = AllocationFaults.failing(at: 1, isPermanent: isPermanent) {
                    (0..<2).map { _ in
                        code { () throws(Connection.Failure) in
                            try connection.run("SELECT count(*) FROM entry")
                        }
                    }
                }
                try #require(codes == [Code.noMemory, isPermanent ? Code.noMemory : 0])
            }
            try connection.run("SELECT count(*) FROM entry")
            // Another thread never saw it.
            let other = await Task.detached {
                code { () throws(Connection.Failure) in
                    _ = try Connection(disk, path, .write).number("SELECT count(*) FROM entry")
                }
            }.value
            try #require(other == 0)
        }
    }

    @Test("R-61 the allocator is refused once SQLite is in use")
    func tooLate() async {
        await #expect(processExitsWith: .success) {
            let disk = FaultDisk(seed: 1)
            try #require(!AllocationFaults.install())
            try #require(!disk.vfsName.isEmpty)
        }
    }
}
