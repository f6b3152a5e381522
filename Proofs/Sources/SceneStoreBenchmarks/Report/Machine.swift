#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStoreBenchmarkFloor

/// What the figures were measured on.
struct Machine {
    var processor: String
    var cores: Int
    var load: String
    var sqlite: String
    var swift: String
    var compiler: String
    /// Writing a page and making it durable, in nanoseconds.
    var flush: Double

    init(folder: BenchmarkFolder) {
        processor = Self.processorName
        cores = ProcessInfo.processInfo.activeProcessorCount
        load = Self.firstWord(of: "/proc/loadavg") ?? "unknown"
        sqlite = String(cString: floor_sqlite_version())
        // The script knows the release; the code itself only its first numbers.
        swift =
            ProcessInfo.processInfo.environment["SCENESTORE_SWIFT_VERSION"] ?? Self.swiftVersion
        compiler = String(cString: floor_compiler())
        flush = Double(floor_flush_time("\(folder.path)/flush"))
    }

    /// Whether both sides were built to be measured.
    static var isOptimised: Bool {
        #if DEBUG
            false
        #else
            floor_is_optimised() == 1
        #endif
    }

    var lines: [String] {
        [
            "\(processor), \(cores) cores, load \(load); "
                + "a durable write of one page \(Decimals.text(flush / 1e3)) µs",
            "SQLite \(sqlite), Swift \(swift), C: \(compiler) -O2",
        ]
    }

    func write(to json: inout JSONText) {
        json.add("processor", processor)
        json.add("cores", cores)
        json.add("load", load)
        json.add("sqlite", sqlite)
        json.add("swift", swift)
        json.add("compiler", compiler)
        json.add("flushNanoseconds", Int(flush))
    }

    private static var swiftVersion: String {
        #if swift(>=6.4)
            "6.4 or newer"
        #elseif swift(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }

    private static var processorName: String {
        for line in contents(of: "/proc/cpuinfo").split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].hasPrefix("model name") {
                return parts[1].drop { $0 == " " }.description
            }
        }
        return "unknown processor"
    }

    private static func firstWord(of path: String) -> String? {
        contents(of: path).split(separator: " ").first.map(String.init)
    }

    /// A file of the system, or nothing where there is none.
    private static func contents(of path: String) -> String {
        guard let handle = Terminal.read(path) else {
            return ""
        }
        return handle
    }
}
