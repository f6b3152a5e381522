#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStoreTesting
import Testing

import SceneStore

/// Dictionaries whose values are made when they are asked for.
@Suite("Values on demand")
struct ValuesOnDemandTests {
    private func dictionary(of value: Value) throws -> ValueDictionary {
        try #require(value.dictionaryValue)
    }

    /// Dictionaries of all kinds of values that are large enough to be left as bytes.
    private func samples(_ count: Int, seed: UInt64) -> [ValueDictionary] {
        var random = RandomValues(seed: seed)
        return (0..<count).map { number in
            var sample = random.dictionary(depth: 4)
            sample["records"] = .array(
                (0..<random.numbers.below(5)).map { index in
                    .dictionary([
                        "line": .integer(Int64(index)), "path": .string(random.text()),
                        "a name of more than 15 bytes": .double(random.double()),
                    ])
                })
            sample["padding"] = .string(String(repeating: "-", count: 80 + number % 30))
            return sample
        }
    }

    @Test("L-82 R-30 values that are made on demand are those that are made at once")
    func values() throws {
        var random = SeededRandom(11)
        for sample in samples(800, seed: 11) {
            let bytes = try ValueCodec.encode(sample)
            let expected = try dictionary(of: atOnce(bytes))
            func found() throws -> ValueDictionary { try ValueCodec.decodeDictionary(bytes) }
            #expect(try found().count == expected.count)
            #expect(try found() == expected && expected == found())
            #expect(try found().hashValue == expected.hashValue)
            #expect(try found().map(\.key) == expected.map(\.key))
            #expect(try ValueCodec.encode(found()) == bytes)
            let oneByOne = try found()
            for key in sample.keys.shuffled(using: &random) + ["padding", "none", ""] {
                #expect(oneByOne[key] == expected[key])
            }
            #expect(oneByOne.keys == expected.keys)
            #expect(oneByOne == expected)
            for key in sample.keys {
                #expect(oneByOne[key] == expected[key])
            }
            #expect(try ValueCodec.encode(oneByOne) == bytes)
        }
    }

    @Test("L-82 a change to a dictionary from a store is a change to that copy alone")
    func changes() throws {
        for sample in samples(200, seed: 12) {
            let bytes = try ValueCodec.encode(sample)
            let stored = try ValueCodec.decodeDictionary(bytes)
            var changed = stored
            changed["padding"] = "changed"
            changed["new"] = nil
            changed["other"] = .dictionary(stored)
            var expected = try dictionary(of: atOnce(bytes))
            expected["padding"] = "changed"
            expected["other"] = .dictionary(try dictionary(of: atOnce(bytes)))
            #expect(changed == expected)
            #expect(try ValueCodec.encode(changed) == ValueCodec.encode(expected))
            #expect(stored != changed)
            #expect(try ValueCodec.encode(stored) == bytes)
        }
    }

    @Test("L-82 activities keep what they hold when their user info is made on demand")
    func activities() throws {
        for sample in samples(500, seed: 13) {
            var activity = try UserActivity(activityType: "com.example.edit", title: "Notes")
            activity.userInfo = sample
            activity.needsSave = false
            let bytes = try ValueCodec.encode(activity)
            let found = try ValueCodec.decodeActivity(bytes)
            #expect(found.userInfo["padding"] == sample["padding"])
            #expect(found == activity)
            #expect(try ValueCodec.encode(found) == bytes)
        }
    }

    @Test("R-30 damaged bytes are refused with the same error, before anything is made on demand")
    func damage() throws {
        var numbers = SeededRandom(14)
        for sample in samples(4_000, seed: 15) {
            var bytes = try ValueCodec.encode(sample)
            for _ in 0...numbers.below(2) {
                let place = numbers.below(bytes.count)
                switch numbers.below(3) {
                case 0: bytes[place] = UInt8(numbers.below(256))
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8(numbers.below(256)), at: place)
                }
            }
            let expected = thrown { try atOnce(bytes) }
            let found = thrown { try ValueCodec.decode(bytes) }
            #expect(found?.code == expected?.code)
            #expect(found?.message == expected?.message)
            if found == nil {
                #expect(try ValueCodec.decode(bytes) == atOnce(bytes))
            }
        }
    }

    @Test("R-30 every byte of a dictionary is checked before it is left as it is")
    func everyByte() throws {
        let sample = try #require(samples(1, seed: 16).first)
        let bytes = try ValueCodec.encode(sample)
        for place in bytes.indices {
            for byte in UInt8.min...UInt8.max where byte != bytes[place] {
                var damaged = bytes
                damaged[place] = byte
                let isRefused = thrown { try ValueCodec.decode(damaged) } != nil
                #expect(isRefused == (thrown { try atOnce(damaged) } != nil))
            }
        }
    }

    @Test("R-30 L-83 limits hold for values on demand, when they are read and written")
    func limits() throws {
        let changes: [(inout Limits, Int) -> Void] = [
            { $0.depth = $1 }, { $0.nodes = $1 * 4 }, { $0.valueBytes = $1 * 8 },
            { $0.keyBytes = $1 * 2 }, { $0.sessionBytes = $1 * 64 },
        ]
        for sample in samples(40, seed: 17) {
            let bytes = try ValueCodec.encode(sample)
            let expected = try dictionary(of: atOnce(bytes))
            for change in changes {
                for step in 1...16 {
                    var limits = Limits()
                    change(&limits, step)
                    let read = thrown { try atOnce(bytes, limits: limits) }
                    let found = thrown { try ValueCodec.decode(bytes, limits: limits) }
                    #expect(found?.message == read?.message)
                    let written = thrown { try ValueCodec.encode(expected, limits: limits) }
                    let again = thrown {
                        try ValueCodec.encode(
                            .array([.dictionary(ValueCodec.decodeDictionary(bytes))]),
                            limits: limits)
                    }
                    let both = thrown {
                        try ValueCodec.encode(.array([.dictionary(expected)]), limits: limits)
                    }
                    #expect(again == both)
                    let alone = thrown {
                        try ValueCodec.encode(
                            ValueCodec.decodeDictionary(bytes), limits: limits)
                    }
                    #expect(alone == written)
                }
            }
        }
    }

    @Test("L-82 every key of a large dictionary is found while its values are made one by one")
    func large() throws {
        let count = 20_000
        let sample = ValueDictionary(
            Dictionary(
                uniqueKeysWithValues: (0..<count).map { ("\($0)", Value.integer(Int64($0))) }))
        let stored = try ValueCodec.decodeDictionary(ValueCodec.encode(sample))
        for number in 0..<count {
            let value = stored["\(number)"]
            #expect(value == .integer(Int64(number)))
        }
        #expect(stored["\(count)"] == nil)
        #expect(stored == sample)
    }

    @Test("R-30 L-82 values of a newer version are found among values on demand")
    func unknownKinds() throws {
        var sample = try #require(samples(1, seed: 20).first)
        for hex in [
            "f7", "f8ff", "1bffffffffffffffff", "c2420102", "d9ffff6161", "a10102",
            "bf01029f03ff04ff", "d9ffffbf6161f6ff", "d8187f6161ff",
        ] {
            sample[hex] = [opaque(hex), .set([opaque(hex)])]
        }
        let bytes = try ValueCodec.encode(sample)
        let stored = try ValueCodec.decodeDictionary(bytes)
        for key in sample.keys {
            #expect(stored[key] == sample[key])
        }
        #expect(try stored == sample && atOnce(bytes) == .dictionary(sample))
    }

    @Test("L-82 a dictionary from a store is read by many threads at once")
    func threads() async throws {
        let sample = try #require(samples(1, seed: 18).first)
        let stored = try ValueCodec.decodeDictionary(ValueCodec.encode(sample))
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                group.addTask {
                    var random = SeededRandom(UInt64(number))
                    return number % 4 == 0
                        ? stored == sample && stored.keys == sample.keys
                        : sample.keys.shuffled(using: &random).allSatisfy {
                            stored[$0] == sample[$0]
                        }
                }
            }
            for await isRight in group {
                #expect(isRight)
            }
        }
    }

    @Test("S-70 a value that an export left out is found among values on demand")
    func redacted() throws {
        var sample = try #require(samples(1, seed: 19).first)
        sample["secret"] = "not for others"
        let marked = try sample.redacting(["secret"], limits: .standard)
        var activity = try UserActivity(activityType: "com.example.edit")
        activity.userInfo = marked
        let found = try ValueCodec.decodeActivity(ValueCodec.encode(activity))
        #expect(found.userInfo["secret"]?.isRedacted == true)
        #expect(found.revealed.userInfo == sample)
        #expect(
            try ValueCodec.decodeDictionary(ValueCodec.encode(marked)).revealed == sample)
    }
}
