/// Instructions of what happens most, as valgrind counts them: the numbers that CI holds.
///
/// A gate stands a few percent above the figure that was reached, also where the target was not:
/// compilers and libraries differ in as much.
enum InstructionsBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        guard let count = try InstructionCount(context.folder) else {
            return []
        }
        var known: [ProbeKind: Double] = [:]
        func instructions(_ probe: ProbeKind, of subject: Subject) throws -> Double {
            if subject.sessions == 10, let number = known[probe] {
                return number
            }
            let number = try count.of(probe, rounds: subject.rounds, sessions: subject.sessions)
            known[probe] = number
            return number
        }
        let measurements = try subjects.map { subject in
            let less = try subject.less.map { try instructions($0, of: subject) } ?? 0
            return Measurement(
                subject.name, .instructions,
                exactly: try instructions(subject.library, of: subject) - less,
                floor: try instructions(subject.floor, of: subject),
                target: subject.target, gate: subject.gate.map { .ratioAtMost($0) })
        }
        let floor = try count.allocations(of: .floorSaves, rounds: 200)
        func allocations(_ name: String, _ probe: ProbeKind, _ gate: Double) throws -> Measurement {
            Measurement(
                "allocations of \(name)", .count,
                exactly: try count.allocations(of: probe, rounds: 200), floor: floor,
                gate: .atMost(gate))
        }
        return try measurements + [
            allocations("a normal save", .librarySaves, 14.5),
            allocations("saveState", .publicSaves, 14.5),
        ] + growths.map { try growth($0, count) } + commands(context)
    }

    /// How much more of something cost: four times as much is linear.
    private struct Growth {
        var name: String
        var probe: ProbeKind
        var size: Int
        var factor = 4
        var rounds = 1
        var gate = 5.0
    }

    private static let growths = [
        // Hostile sources are not to be slow.
        Growth(name: "adopt, 2 000 functions of each kind to 500", probe: .adopt, size: 500),
        Growth(name: "recovery, 2 000 sessions to 500", probe: .recover, size: 500),
        Growth(name: "simulate, 200 windows to 50", probe: .simulateWindows, size: 50),
        Growth(name: "simulate, 100 launches to 25", probe: .simulateLaunches, size: 25),
        besideMany("closing a window behind, of 4 000 to one of 10", .closeBehind, 1.1),
        besideMany("closing a window in front, of 4 000 to one of 10", .close),
        besideMany("a link that conditions take, with 4 000 windows to 10", .link),
        besideMany("a link to a named window of 4 000 to one of 10", .linkTo),
        besideMany("acknowledging a link, with 4 000 windows to 10", .acknowledge),
        besideMany("a new window beside 4 000 to beside 10", .newWindow),
        besideMany("moving a window of 4 000 to the background, to one of 10", .leave),
        Growth(name: "quitting with 8 000 windows to 2 000", probe: .quit, size: 2_000),
    ]

    /// An event of one window, which costs the same beside any number of others.
    private static func besideMany(
        _ name: String, _ probe: ProbeKind, _ gate: Double = 1.12
    ) -> Growth {
        Growth(name: name, probe: probe, size: 10, factor: 400, rounds: 7, gate: gate)
    }

    /// What the command reads of a store: what each of many sessions costs it.
    private static func commands(_ context: BenchmarkContext) throws -> [Measurement] {
        guard let command = try Programs().command,
            let count = try InstructionCount(context.folder, of: command)
        else {
            return []
        }
        func instructions(_ words: [String], _ sessions: Int) throws -> Double {
            let store = try context.origins.store(sessions: sessions)
            return try count.of(words + ["--store", store])
        }
        let find = Measurement(
            "find --values in 400 sessions to 100", .instructions,
            exactly: try instructions(["find", "nothing", "--values"], 400),
            floor: try instructions(["find", "nothing", "--values"], 100), gate: .ratioAtMost(5))
        return try [find]
            + perSession.map { words, most in
                let (few, many) = (try instructions(words, 200), try instructions(words, 2_000))
                return Measurement(
                    "\(words.joined(separator: " ")), a session more", .instructions,
                    exactly: (many - few) / 1_800, target: .atMost(most))
            }
    }

    /// Commands, and the instructions that one of 2 000 sessions may cost them.
    private static let perSession: [(words: [String], most: Double)] = [
        (["sessions", "--limit", "50"], 650), (["why", "@last"], 62_000),
        (["doctor"], 85_000), (["report"], 175_000), (["open-url", "app://x"], 1_300),
    ]

    private static func growth(
        _ growth: Growth, _ count: InstructionCount
    ) throws -> Measurement {
        Measurement(
            growth.name, .instructions,
            exactly: try count.of(
                growth.probe, rounds: growth.rounds, sessions: growth.factor * growth.size),
            floor: try count.of(growth.probe, rounds: growth.rounds, sessions: growth.size),
            gate: .ratioAtMost(growth.gate))
    }

    private struct Subject {
        var name: String
        var library: ProbeKind
        /// What does not count of it.
        var less: ProbeKind?
        var floor: ProbeKind
        var rounds: Int
        var sessions = 10
        var target: Double?
        var gate: Double?
    }

    private static let subjects = [
        Subject(
            name: "encoding", library: .libraryEncode, floor: .floorEncode, rounds: 200,
            target: 2.5, gate: 1.75),
        Subject(
            name: "decoding", library: .libraryDecode, floor: .floorDecode, rounds: 200,
            target: 1.8, gate: 2.46),
        Subject(
            name: "decoding for one value", library: .libraryDecodeOne, floor: .floorDecode,
            rounds: 200, target: 1.3, gate: 0.9),
        Subject(
            name: "a normal save of 2 KB", library: .librarySaves, floor: .floorSaves,
            rounds: 300, target: 1.6, gate: 1.36),
        Subject(
            name: "the same without the codec", library: .librarySaves,
            less: .libraryEncodeState, floor: .floorReadySaves, rounds: 300, target: 1.05,
            gate: 1.3
        ),
        Subject(
            name: "an unchanged save", library: .libraryUnchanged, floor: .floorUnchanged,
            rounds: 300, gate: 2.4),
        Subject(
            name: "saveState of 2 KB, a state that is there", library: .publicSaves,
            floor: .floorSaves, rounds: 300, target: 1.4, gate: 1.5),
        Subject(
            name: "saveState of 2 KB, a state that is made", library: .publicSavesMade,
            floor: .floorSaves, rounds: 300, target: 1.6, gate: 1.85),
        Subject(
            name: "an unchanged saveState", library: .publicUnchanged, floor: .floorUnchanged,
            rounds: 300, gate: 3.75),
        Subject(
            name: "a skeleton of 10 sessions", library: .librarySkeleton, floor: .floorSkeleton,
            rounds: 300, target: 1.05, gate: 1.3),
        Subject(
            name: "a skeleton of 1 000 sessions", library: .librarySkeleton,
            floor: .floorSkeleton, rounds: 10, sessions: 1_000, target: 1.1, gate: 1.29),
        Subject(
            name: "a relaunch of 100 windows", library: .libraryRelaunch, floor: .floorRelaunch,
            rounds: 4, sessions: 100, target: 2, gate: 2.8),
        Subject(
            name: "a relaunch of 1 000 windows", library: .libraryRelaunch,
            floor: .floorRelaunch, rounds: 2, sessions: 1_000, target: 2, gate: 3.6),
    ]
}
