#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import SceneStore
import SceneStoreExchange
import SceneStoreLinks
import SceneStoreBenchmarkFloor
import SceneStoreRecovery

/// How costs grow: the exponent e of processor time ~ sizeᵉ, between an input and one four times as
/// large. One is linear: doubling an input at most doubles the time.
enum GrowthBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let scale = context.isQuick ? 1 : 4
        return try [
            exponent("encoding, by elements", 4_000 * scale) { size in
                let value = wide(size)
                return { _ = try ValueCodec.encode(value) }
            },
            exponent("decoding, by elements", 4_000 * scale) { size in
                let bytes = try ValueCodec.encode(wide(size))
                return { _ = try ValueCodec.decode(bytes) }
            },
            exponent("encoding, by depth", 15) { size in
                let value = deep(size)
                return { for _ in 0..<1_000 { _ = try ValueCodec.encode(value) } }
            },
            exponent("decoding, by depth", 15) { size in
                let bytes = try ValueCodec.encode(deep(size))
                return { for _ in 0..<1_000 { _ = try ValueCodec.decode(bytes) } }
            },
            exponent("skeleton, by sessions", 2_500 * scale) { size in
                let side = try LibrarySide(
                    container: context.folder.copyStore(
                        of: context.origins.store(sessions: size)))
                return { _ = try side.store.openRecords() }
            },
            exponent("verifying, by sessions", 250 * scale) { size in
                let side = try LibrarySide(
                    container: context.folder.copyStore(
                        of: context.origins.store(sessions: size)))
                return { _ = try side.store.verify(.full) }
            },
            exponent("exporting, by sessions", 250 * scale) { size in
                let side = try LibrarySide(
                    container: context.folder.copyStore(
                        of: context.origins.store(sessions: size)))
                return { _ = try side.store.export() }
            },
            // Clients read no file of more than 128 KB.
            exponent("reading an association file, by components", 500) { size in
                let text = MatcherBenchmark.file(components: size)
                return { _ = try AssociationFile(text.utf8) }
            },
            exponent("building a router, by routes", 100) { size in
                { _ = try RouterSubject(routes: size) }
            },
        ]
    }

    /// The time that a body has a processor: others that run at the same time do not count.
    private static func processorTime(_ body: () throws -> Void) rethrows -> Double {
        let start = floor_processor_time()
        try body()
        return Double(floor_processor_time() &- start)
    }

    private static func wide(_ count: Int) -> Value {
        .array(
            (0..<count).map { ["name": .string("element \($0)"), "place": .integer(Int64($0))] })
    }

    private static func deep(_ depth: Int) -> Value {
        var value: Value = "the end"
        for level in 0..<depth {
            value = level % 2 == 0 ? .array([value]) : ["inner": value]
        }
        return value
    }

    /// `make` prepares an input of a size and answers what is timed.
    private static func exponent(
        _ name: String, _ size: Int, _ make: (Int) throws -> () throws -> Void
    ) throws -> Measurement {
        let small = try make(size)
        let large = try make(size * 4)
        let times = try Interleaving.run(
            rounds: 9, seconds: 2,
            [{ [try processorTime(large)] }, { [try processorTime(small)] }])
        // The fastest of each: what else the machine does can only slow them.
        let ratio = Summary(rounds: times[0]).low / max(Summary(rounds: times[1]).low, 1)
        var result = Measurement(name, .count, Summary(exactly: log2(max(ratio, 1e-9)) / 2))
        result.target = .atMost(1.1)
        result.note = "from \(Decimals.text(Double(size))) to \(Decimals.text(Double(size * 4)))"
        return result
    }
}
