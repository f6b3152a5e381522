import SceneStoreCFaults
import SceneStoreTesting
import Testing

/// The rig must find what is known to be there, or its silence proves nothing.
@Suite("Power-cut controls")
struct PowerCutControlTests {
    static let seed: UInt64 = 0x5CE7_E001

    /// What a configuration is known to do to acknowledged saves.
    enum Expectation {
        case sound, losesOnly, damages, fails
    }

    struct Control: CustomTestStringConvertible, Sendable {
        let name: String
        var journal = SSF_RIG_WAL
        var synchronous: Int32 = 2
        var sync = SSF_SYNC_SOUND
        var directory = SSF_DIRECTORY_EXT4
        var mode = SSF_CUT_MIXED
        var sector: UInt32 = 512
        let expectation: Expectation

        var testDescription: String { name }

        var options: ssf_rig_options {
            ssf_rig_options(
                journal: Int32(journal), synchronous: synchronous, sync: Int32(sync),
                directory: Int32(directory), mode: Int32(mode), sectorSize: sector,
                sessions: 12, saves: 10, outcomes: 8, stride: 1, checksIntegrity: true,
                seed: PowerCutControlTests.seed)
        }
    }

    static let controls: [Control] = [
        Control(name: "WAL full", expectation: .sound),
        Control(name: "WAL full, 4096-byte sectors", sector: 4096, expectation: .sound),
        Control(name: "WAL full, torn", mode: SSF_CUT_TORN, expectation: .sound),
        Control(name: "WAL full, reordered", mode: SSF_CUT_REORDERED, expectation: .sound),
        Control(name: "WAL full, all lost", mode: SSF_CUT_LOSE_ALL, expectation: .sound),
        Control(name: "WAL full, strict", directory: SSF_DIRECTORY_STRICT, expectation: .sound),
        Control(name: "DELETE extra", journal: SSF_RIG_DELETE, synchronous: 3, expectation: .sound),
        Control(name: "WAL normal", synchronous: 1, expectation: .losesOnly),
        Control(name: "DELETE full", journal: SSF_RIG_DELETE, expectation: .losesOnly),
        Control(name: "WAL off", synchronous: 0, expectation: .damages),
        Control(name: "DELETE off", journal: SSF_RIG_DELETE, synchronous: 0, expectation: .damages),
        Control(name: "MEMORY full", journal: SSF_RIG_MEMORY, expectation: .damages),
        Control(name: "OFF full", journal: SSF_RIG_OFF, expectation: .damages),
        Control(name: "lying disk", sync: SSF_SYNC_LIES, expectation: .fails),
        Control(name: "failed sync", sync: SSF_SYNC_FAILS, expectation: .fails),
        Control(
            name: "failed sync, cache dropped", sync: SSF_SYNC_FAILS_REMEDIED, expectation: .sound),
    ]

    static func report(_ name: String, _ result: ssf_rig_result) {
        var line = "R-60 \(name): seed \(seed), \(result.cuts) cuts at \(result.points) points, "
        line += "\(result.lost) lost, \(result.half) half, \(result.damaged) damaged, "
        line += "\(result.unopened) unopened"
        if result.hasFailure {
            line += "; first at episode \(result.first.episode), "
            line += "position \(result.first.position), outcome \(result.first.outcome)"
        }
        print(line)
    }

    @Test("R-60 each positive control fails as it is known to", arguments: controls)
    func control(_ control: Control) {
        var options = control.options
        let result = ssf_rig_run(&options, 0, 800)
        Self.report(control.name, result)
        #expect(result.cuts == 800)
        #expect(result.trouble == 0)
        #expect(result.saves > 0)
        let damaged = result.half + result.damaged + result.unopened
        switch control.expectation {
        case .sound:
            #expect(result.lost == 0 && damaged == 0)
        case .losesOnly:
            #expect(result.lost > 0 && damaged == 0)
        case .damages:
            #expect(damaged > 0)
        case .fails:
            #expect(result.lost > 0)
        }
    }

    @Test("R-60 the same seed gives the same outcomes, another seed others")
    func determinism() {
        var options = Control(name: "", synchronous: 0, expectation: .damages).options
        let first = ssf_rig_run(&options, 0, 1_200)
        let second = ssf_rig_run(&options, 0, 1_200)
        let figures = { (result: ssf_rig_result) in
            [result.cuts, result.points, result.lost, result.half, result.damaged]
        }
        #expect(figures(first) == figures(second))
        #expect(first.first.position == second.first.position)
        options.seed += 1
        #expect(figures(ssf_rig_run(&options, 0, 1_200)) != figures(first))
    }

    @Test("R-60 a failing cut is made again from its place alone")
    func repetition() {
        var options = Control(name: "", synchronous: 1, expectation: .losesOnly).options
        let found = ssf_rig_run(&options, 3, 600)
        #expect(found.hasFailure)
        let again = ssf_rig_repeat(&options, found.first)
        #expect(again.cuts == 1)
        #expect(again.lost == 1)
        // The same place in a sound configuration is sound: it is the sync that makes the difference.
        options.synchronous = 2
        #expect(ssf_rig_repeat(&options, found.first).lost == 0)
    }

    @Test("R-60 cuts on two threads are counted and their rate is reported")
    func rate() async {
        let cuts: UInt64 = 4_000
        let clock = ContinuousClock()
        let start = clock.now
        let total = await withTaskGroup(of: UInt64.self) { group in
            for thread in 0..<2 {
                group.addTask {
                    var options = Control(name: "", expectation: .sound).options
                    options.outcomes = 24
                    let result = ssf_rig_run(&options, UInt64(thread) << 32, cuts)
                    return result.lost == 0 && result.half == 0 ? result.cuts : 0
                }
            }
            return await group.reduce(0, +)
        }
        let seconds = (clock.now - start) / .seconds(1)
        print("R-60 rate: \(Int(Double(total) / seconds)) power cuts a second on two threads")
        #expect(total == 2 * cuts)
    }
}
