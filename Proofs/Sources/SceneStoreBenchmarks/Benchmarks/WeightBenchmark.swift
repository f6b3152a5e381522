#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What an app that imports `SceneStore` alone carries: the size of its binary without symbols, and
/// the processor time of a clean release build.
enum WeightBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        try [binary(context), context.isQuick ? nil : build(context)].compactMap { $0 }
    }

    private static func binary(_ context: BenchmarkContext) throws -> Measurement? {
        let stripped = try context.folder.makeFolder() + "/app"
        guard try Child.run("strip", ["-o", stripped, Programs().app])?.status == 0 else {
            return nil
        }
        var status = stat()
        guard stat(stripped, &status) == 0 else {
            throw BenchmarkFailure("the stripped app can't be read")
        }
        var result = Measurement(
            "the least app, stripped", .bytes, exactly: Double(status.st_size),
            target: .atMost(3_000_000))
        result.gate = .atMost(7_000_000)
        return result
    }

    /// Needs the sources: the script says where they are.
    private static func build(_ context: BenchmarkContext) throws -> Measurement? {
        guard let package = Child.environment("SCENESTORE_PROOFS") else {
            return nil
        }
        let scratch = try context.folder.makeFolder()
        defer { _ = try? Child.run("rm", ["-rf", scratch]) }
        let before = processorTime()
        let outcome = try Child.run(
            "swift",
            [
                "build", "-c", "release", "--package-path", package, "--scratch-path", scratch,
                "--product", "SceneStoreBenchmarkApp",
            ])
        guard outcome?.status == 0 else {
            throw BenchmarkFailure("the least app can't be built: \(outcome?.errors ?? "no swift")")
        }
        var result = Measurement(
            "clean release build, processor time", .seconds,
            Summary(exactly: processorTime() - before))
        result.target = .atMost(130)
        return result
    }

    /// What ended children took, in nanoseconds.
    private static func processorTime() -> Double {
        var usage = rusage()
        // RUSAGE_CHILDREN, which Swift sees under another type on each system.
        getrusage(-1, &usage)
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        let micros = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        return Double(seconds) * 1e9 + Double(micros) * 1e3
    }
}
