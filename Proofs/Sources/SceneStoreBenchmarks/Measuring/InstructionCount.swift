import SceneStoreBenchmarkFloor

/// Instructions and allocations, which no busy machine changes: this program runs itself under
/// valgrind, whose callgrind counts while one C function is on the stack.
struct InstructionCount {
    /// A program without the debugging information that valgrind stumbles over.
    private let program: String

    /// Counts what a program does, this one by default; nil where there is no valgrind.
    init?(_ folder: BenchmarkFolder, of path: String = Child.ownPath) throws {
        program = "\(folder.path)/counted-\(path.split(separator: "/").last ?? "")"
        guard try Child.run("valgrind", ["--version"])?.status == 0,
            try Child.run("strip", ["-g", "-o", program, path])?.status == 0
        else {
            return nil
        }
    }

    /// The instructions of one round of a probe.
    func of(_ probe: ProbeKind, rounds: Int, sessions: Int = 10) throws -> Double {
        let number = try number(
            behind: "Collected : ",
            [
                "--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no",
                "--toggle-collect=floor_counted",
            ], probe, rounds: rounds, sessions: sessions)
        return number / Double(rounds)
    }

    /// All instructions of the program.
    func of(_ arguments: [String]) throws -> Double {
        try number(
            behind: "Collected : ", ["--tool=callgrind", "--callgrind-out-file=/dev/null"],
            arguments)
    }

    /// How often one round of a probe asks for memory.
    func allocations(of probe: ProbeKind, rounds: Int) throws -> Double {
        let options = ["--tool=memcheck", "--undef-value-errors=no", "--leak-check=no"]
        let mark = "total heap usage: "
        let twice = try number(behind: mark, options, probe, rounds: rounds * 2, sessions: 10)
        let once = try number(behind: mark, options, probe, rounds: rounds, sessions: 10)
        return (twice - once) / Double(rounds)
    }

    private func number(
        behind mark: String, _ options: [String], _ probe: ProbeKind, rounds: Int, sessions: Int
    ) throws -> Double {
        try number(
            behind: mark, options,
            [
                "--probe", probe.rawValue, "--rounds", "\(rounds)", "--sessions", "\(sessions)",
                "--directory", "\(program)-stores",
            ])
    }

    /// Runs the program and finds a number in what valgrind says of it.
    private func number(
        behind mark: String, _ options: [String], _ arguments: [String]
    ) throws -> Double {
        let outcome = try Child.run("valgrind", options + [program] + arguments)
        let errors = outcome?.errors ?? ""
        for line in errors.split(separator: "\n") {
            guard let place = line.firstRange(of: mark) else {
                continue
            }
            let word = line[place.upperBound...].prefix { $0 != " " }.filter { $0 != "," }
            if let number = Double(word), number > 0 {
                return number
            }
        }
        throw BenchmarkFailure("valgrind counted nothing: \(errors.suffix(400))")
    }

    /// Runs a body where it is counted.
    static func counted(_ body: () throws -> Void) throws {
        var failure: (any Error)?
        withoutActuallyEscaping(body) { body in
            let box = Box {
                do { try body() } catch { failure = error }
            }
            withExtendedLifetime(box) {
                floor_counted(
                    { context in
                        guard let context else {
                            return
                        }
                        Unmanaged<Box>.fromOpaque(context).takeUnretainedValue().body()
                    }, Unmanaged.passUnretained(box).toOpaque())
            }
        }
        if let failure {
            throw failure
        }
    }

    /// A body that a C function can be given.
    private final class Box {
        let body: () -> Void

        init(_ body: @escaping () -> Void) {
            self.body = body
        }
    }
}
