#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import SceneStore
import SceneStoreBenchmarkFloor

/// Encoding and decoding an editor's window with many tabs, against a C codec of the same format
/// that reads into an arena.
enum CodecBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let subject = try CodecSubject()
        let count = context.isQuick ? 200 : 1_000
        let rounds = context.isQuick ? 10 : 50
        func side(_ body: @escaping () throws -> Int) -> Interleaving.Side {
            {
                var total = 0
                let time = try Interleaving.time {
                    for _ in 0..<count {
                        total &+= try body()
                    }
                }
                guard total > 0 else {
                    throw BenchmarkFailure("the codec made nothing")
                }
                return [time / Double(count)]
            }
        }
        var measurements: [Measurement] = []
        for (name, library, floor) in [
            ("encoding", subject.encode, subject.floorEncode),
            ("decoding", subject.decode, subject.floorDecode),
            ("decoding for one value", subject.decodeOne, subject.floorDecode),
        ] {
            let times = try Interleaving.run(rounds: rounds, [side(library), side(floor)])
            var result = Measurement(
                "\(name) \(subject.bytes.count) bytes", .nanoseconds, Summary(rounds: times[0]))
            result.floor = Summary(rounds: times[1])
            result.ratio = Summary(ratioOf: times[0], to: times[1])
            measurements.append(result)
        }
        return measurements + (try CodableSubject().measure(rounds: rounds, count: count / 10))
    }
}

/// What the codecs are measured with; each body answers something that depends on all it did.
final class CodecSubject {
    let value: Value
    let bytes: [UInt8]
    private let arena: OpaquePointer
    private let treeArena: OpaquePointer
    private let tree: UnsafePointer<cbor_floor_node>

    init() throws {
        value = .dictionary(SampleState.tabs)
        bytes = try ValueCodec.encode(value)
        guard let arena = cbor_floor_arena_create(), let treeArena = cbor_floor_arena_create(),
            let tree = cbor_floor_decode(treeArena, bytes, bytes.count)
        else {
            throw BenchmarkFailure("the floor's codec does not read the store's bytes")
        }
        self.arena = arena
        self.treeArena = treeArena
        self.tree = tree
        var count = 0
        let again = cbor_floor_encode(tree, &count)
        defer { free(again) }
        guard UnsafeBufferPointer(start: again, count: count).elementsEqual(bytes) else {
            throw BenchmarkFailure("the two codecs make different bytes")
        }
    }

    deinit {
        cbor_floor_arena_destroy(arena)
        cbor_floor_arena_destroy(treeArena)
    }

    @inline(never)
    func encode() throws -> Int {
        try ValueCodec.encode(value).count
    }

    @inline(never)
    func floorEncode() throws -> Int {
        var count = 0
        free(cbor_floor_encode(tree, &count))
        return count
    }

    /// Looks at every value, so that all are made.
    @inline(never)
    func decode() throws -> Int {
        var count = 0
        for pair in try ValueCodec.decodeDictionary(bytes) where pair.value != .null {
            count += 1
        }
        return count
    }

    /// Looks at one value alone.
    @inline(never)
    func decodeOne() throws -> Int {
        Int(try ValueCodec.decodeDictionary(bytes)["version"]?.integerValue ?? 0)
    }

    @inline(never)
    func floorDecode() throws -> Int {
        let node = cbor_floor_decode(arena, bytes, bytes.count)
        defer { cbor_floor_arena_reset(arena) }
        return Int(node?.pointee.count ?? 0)
    }
}
