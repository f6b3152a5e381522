/// Instructions, which no busy machine changes: this program runs itself under valgrind's
/// callgrind, twice with different numbers of rounds, and divides the difference.
enum InstructionsBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let program = "\(context.folder.path)/probe"
        // valgrind stumbles over Swift's debugging information.
        guard try Child.run("valgrind", ["--version"])?.status == 0,
            try Child.run("strip", ["-g", "-o", program, Child.ownPath])?.status == 0
        else {
            return []
        }
        var measurements: [Measurement] = []
        for subject in subjects(context.isQuick) {
            var result = Measurement(
                subject.name, .instructions,
                Summary(exactly: try count(subject.library, subject.rounds, program)))
            let floor = try count(subject.floor, subject.rounds, program)
            result.floor = Summary(exactly: floor)
            result.ratio = Summary(exactly: result.library.median / max(floor, 1))
            result.target = subject.target.map { .ratioAtMost($0) }
            measurements.append(result)
        }
        return measurements
    }

    private struct Subject {
        var name: String
        var library: ProbeKind
        var floor: ProbeKind
        var rounds: Int
        var target: Double?
    }

    private static func subjects(_ isQuick: Bool) -> [Subject] {
        let codec = [
            Subject(
                name: "encoding", library: .libraryEncode, floor: .floorEncode, rounds: 200,
                target: 2.5),
            Subject(
                name: "decoding", library: .libraryDecode, floor: .floorDecode, rounds: 200,
                target: 2.5),
        ]
        guard !isQuick else {
            return codec
        }
        return codec + [
            Subject(
                name: "a normal save", library: .librarySaves, floor: .floorSaves, rounds: 300,
                target: nil),
            Subject(
                name: "an unchanged save", library: .libraryUnchanged, floor: .floorUnchanged,
                rounds: 300, target: nil),
            Subject(
                name: "a skeleton of 1 000 sessions", library: .librarySkeleton,
                floor: .floorSkeleton, rounds: 10, target: nil),
        ]
    }

    /// The instructions of one round.
    private static func count(
        _ probe: ProbeKind, _ rounds: Int, _ program: String
    ) throws -> Double {
        let once = try total(probe, rounds, program)
        let thrice = try total(probe, rounds * 3, program)
        return Double(thrice - once) / Double(rounds * 2)
    }

    private static func total(
        _ probe: ProbeKind, _ rounds: Int, _ program: String
    ) throws -> Int {
        let outcome = try Child.run(
            "valgrind",
            [
                "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "--probe",
                probe.rawValue, "--rounds", "\(rounds)", "--directory", "\(program)-stores",
            ])
        let errors = outcome?.errors ?? ""
        for line in errors.split(separator: "\n") where line.contains("Collected : ") {
            if let word = line.split(separator: " ").last, let number = Int(word) {
                return number
            }
        }
        throw BenchmarkFailure("valgrind counted nothing: \(errors.suffix(400))")
    }
}
