/// Which libraries the least app and the command load: Foundation and ICU cost more to load than
/// everything else together.
enum LibrariesBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let programs = try Programs()
        return try [("the app", programs.app), ("the command", programs.command)].compactMap {
            name, program in
            guard let program, let loaded = try programs.libraries(of: program) else {
                return nil
            }
            let heavy = loaded.filter(isHeavy)
            var result = Measurement(
                "\(name): Foundation or ICU", .count, exactly: Double(heavy.count),
                target: .exactly(0))
            result.note = "of \(loaded.count) libraries"
            return result
        }
    }

    private static func isHeavy(_ library: Substring) -> Bool {
        library.hasPrefix("libFoundation.")
            || library.hasPrefix("libFoundationInternationalization")
            || library.hasPrefix("lib_FoundationICU") || library.hasPrefix("libicu")
    }
}
