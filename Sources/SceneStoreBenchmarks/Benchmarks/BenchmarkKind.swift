/// The measurements, in the order of the report.
enum BenchmarkKind: String, CaseIterable {
    case save
    case cost
    case unchanged
    case relaunch
    case scale
    case list
    case codec
    case instructions
    case matcher
    case launches

    var title: String {
        switch self {
        case .save: "Saving a state of 2 KB, one of ten sessions"
        case .cost: "What a durable save asks of the disk"
        case .unchanged: "Saving an unchanged state"
        case .relaunch: "Relaunching"
        case .scale: "With 100 000 sessions"
        case .list: "Listing 100 000 sessions"
        case .codec: "The codec, an editor's window"
        case .instructions: "Instructions, by callgrind"
        case .matcher: "Links against 1 000 association components"
        case .launches: "Simulated launches with kills"
        }
    }

    func run(_ context: BenchmarkContext) throws -> [Measurement] {
        switch self {
        case .save: try SaveBenchmark.run(context)
        case .cost: try CostBenchmark.run(context)
        case .unchanged: try UnchangedBenchmark.run(context)
        case .relaunch: try RelaunchBenchmark.run(context)
        case .scale: try ScaleBenchmark.run(context)
        case .list: try ListBenchmark.run(context)
        case .codec: try CodecBenchmark.run(context)
        case .instructions: try InstructionsBenchmark.run(context)
        case .matcher: try MatcherBenchmark.run(context)
        case .launches: try LaunchBenchmark.run(context)
        }
    }
}
