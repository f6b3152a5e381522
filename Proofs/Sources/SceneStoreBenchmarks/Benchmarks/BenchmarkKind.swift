/// The families of measurements, in the order of the report.
enum BenchmarkKind: String, CaseIterable {
    case save
    case use
    case cost
    case pace
    case unchanged
    case autosave
    case relaunch
    case process
    case beside
    case libraries
    case weight
    case open
    case servers
    case scale
    case windows
    case upkeep
    case merge
    case list
    case codec
    case growth
    case instructions
    case matcher
    case launches

    var title: String {
        switch self {
        case .save: "Saving a state, one of ten sessions"
        case .use: "What users notice: the slowest saves, a year, threads"
        case .cost: "What saves ask of the disk"
        case .pace: "The same at a user's pace, with idle work"
        case .unchanged: "Saving an unchanged state"
        case .autosave: "10 000 changes a second"
        case .relaunch: "Relaunching, inside a process"
        case .process: "Whole processes"
        case .beside: "Beside one JSON file and a general library"
        case .libraries: "Libraries that are loaded"
        case .weight: "What an app carries"
        case .open: "Opening and closing"
        case .servers: "Many open stores in one process"
        case .scale: "With 100 000 sessions"
        case .windows: "One window beside many that are connected"
        case .upkeep: "Upkeep"
        case .merge: "Merging many stores"
        case .list: "Listing 100 000 sessions"
        case .codec: "The codec, an editor's window"
        case .growth: "Growth: the exponent of time by size"
        case .instructions: "Instructions and allocations, by valgrind"
        case .matcher: "Links: association files and routes"
        case .launches: "Simulated launches with kills"
        }
    }

    /// What `--list` prints.
    static var overview: String {
        let width = allCases.map(\.rawValue.count).max() ?? 0
        return allCases.map { kind in
            let padding = String(repeating: " ", count: width - kind.rawValue.count)
            return "\(kind.rawValue)\(padding)  \(kind.title)"
        }
        .joined(separator: "\n")
    }

    func run(_ context: BenchmarkContext) throws -> [Measurement] {
        switch self {
        case .save: try SaveBenchmark.run(context)
        case .use: try UseBenchmark.run(context)
        case .cost: try CostBenchmark.run(context)
        case .pace: try PaceBenchmark.run(context)
        case .unchanged: try UnchangedBenchmark.run(context)
        case .autosave: try AutosaveBenchmark.run(context)
        case .process: try ProcessBenchmark.run(context)
        case .beside: try BesideBenchmark.run(context)
        case .libraries: try LibrariesBenchmark.run(context)
        case .weight: try WeightBenchmark.run(context)
        case .open: try OpenBenchmark.run(context)
        case .servers: try ServersBenchmark.run(context)
        case .upkeep: try UpkeepBenchmark.run(context)
        case .merge: try MergeBenchmark.run(context)
        case .growth: try GrowthBenchmark.run(context)
        case .relaunch: try RelaunchBenchmark.run(context)
        case .scale: try ScaleBenchmark.run(context)
        case .windows: try WindowsBenchmark.run(context)
        case .list: try ListBenchmark.run(context)
        case .codec: try CodecBenchmark.run(context)
        case .instructions: try InstructionsBenchmark.run(context)
        case .matcher: try MatcherBenchmark.run(context)
        case .launches: try LaunchBenchmark.run(context)
        }
    }
}
