import SceneStoreTesting
import Testing

import SceneStore

@Suite("Dictionaries of values")
struct ValueDictionaryTests {
    /// Every number below a count once, in an order that is far from sorted.
    private func shuffled(_ count: Int) -> [Int] {
        (0..<count).map { $0 * 7_919 % count }
    }

    @Test("L-82 a dictionary is the same in whatever order its keys were set")
    func order() throws {
        let count = 1_500
        let expected = ValueDictionary(
            Dictionary(
                uniqueKeysWithValues: (0..<count).map { ("k\($0)", Value.integer(Int64($0))) }))
        for numbers in [Array(0..<count), Array((0..<count).reversed()), shuffled(count)] {
            var found = ValueDictionary()
            for (step, number) in numbers.enumerated() {
                found["k\(number)"] = .integer(-1)
                found["k\(number)"] = .integer(Int64(number))
                #expect(found.count == step + 1)
            }
            #expect(found == expected)
            #expect(found.hashValue == expected.hashValue)
            #expect(found.map(\.key) == expected.map(\.key))
            #expect(found.keys == expected.keys)
            #expect((0..<count).allSatisfy { found["k\($0)"] == .integer(Int64($0)) })
            #expect(found["k\(count)"] == nil)
            let bytes = try ValueCodec.encode(.dictionary(found))
            #expect(try bytes == ValueCodec.encode(.dictionary(expected)))
            #expect(try ValueCodec.decode(bytes) == .dictionary(expected))
            for number in numbers where number % 3 > 0 {
                found["k\(number)"] = nil
                found["new\(number)"] = .null
                found["new\(number)"] = nil
            }
            #expect(found.count == count / 3)
            #expect(found.keys == expected.keys.filter { Int($0.dropFirst()).map { $0 % 3 } == 0 })
        }
    }

    @Test("L-83 setting many keys in any order moves few of them", arguments: [2_000, 10_000])
    func moves(count: Int) {
        for numbers in [Array(0..<count), Array((0..<count).reversed()), shuffled(count)] {
            var dictionary = ValueDictionary()
            var waiting = 0
            var moved = 0
            for number in numbers {
                dictionary["\(number)"] = .null
                if dictionary.recentCount < waiting {
                    // All were put into one order.
                    moved += dictionary.count
                }
                waiting = dictionary.recentCount
                moved += waiting
            }
            // Below the 512 that are moved at once, the square of the count in an array.
            let root = Int(Double(count).squareRoot()) + 1
            #expect(moved <= 4 * count * root)
            #expect(waiting <= 2 * root)
        }
    }

    @Test("L-82 a set is stored in the order of its elements' bytes")
    func sets() throws {
        var elements: [Value] = (0..<2_000).map { .integer(Int64($0 * 7_919 % 2_000) - 1_000) }
        elements += (0..<300).map {
            .string(String(repeating: "same beginning ", count: $0 % 5) + "\($0)")
        }
        elements += [.string(""), .string("\0"), .string("\0\0"), .null]
        let forward = try ValueCodec.encode(.set(Set(elements)))
        let backward = try ValueCodec.encode(.set(Set(elements.reversed())))
        #expect(forward == backward)
        #expect(try ValueCodec.decode(forward) == .set(Set(elements)))
        let single = try Set(elements).map { try ValueCodec.encode($0) }
            .sorted { $0.lexicographicallyPrecedes($1) }
        #expect(Array(forward.suffix(single.joined().count)) == Array(single.joined()))
    }
}
