/// The command line.
struct BenchmarkOptions {
    var isQuick = false
    var isJSON = false
    var isMarkdown = false
    var lists = false
    var checks = false
    var showsHelp = false
    var only: Set<String> = []
    var directory: String?
    /// What a child of this program measures; see ``Probe``.
    var probe: String?
    var rounds = 0
    var sessions = 1_000

    static let help = """
        USAGE: SceneStoreBenchmarks [--quick] [--only NAME]... [--json | --markdown] [--check]
                                    [--directory PATH] [--list]

        Measures the store against a C program on the same SQLite, in the same run.

          --quick            fewer rounds and smaller stores
          --only NAME        this family alone, may be repeated
          --list             the families, each with what it measures
          --json             one JSON object
          --markdown         tables to be pasted
          --check            exit with 1 when a number that no busy machine changes got worse
          --directory PATH   where the stores are made; the temporary folder by default
          --help             this text

        Exits with 2 when something could not be measured, or when the rows that the two sides
        wrote differ.
        """

    private static var names: String {
        BenchmarkKind.allCases.map(\.rawValue).joined(separator: ", ")
    }

    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else {
                throw BenchmarkFailure("\(option) needs a value")
            }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick": isQuick = true
            case "--json": isJSON = true
            case "--markdown": isMarkdown = true
            case "--list": lists = true
            case "--check": checks = true
            case "--help", "-h": showsHelp = true
            case "--directory": directory = try value(of: argument)
            case "--probe": probe = try value(of: argument)
            case "--rounds": rounds = Int(try value(of: argument)) ?? 0
            case "--sessions": sessions = Int(try value(of: argument)) ?? 0
            case "--only":
                let name = try value(of: argument)
                guard BenchmarkKind(rawValue: name) != nil else {
                    throw BenchmarkFailure("there is no \(name); there is: \(Self.names)")
                }
                only.insert(name)
            default:
                throw BenchmarkFailure("unknown argument \(argument); see --help")
            }
        }
    }

    func includes(_ benchmark: BenchmarkKind) -> Bool {
        only.isEmpty || only.contains(benchmark.rawValue)
    }
}
