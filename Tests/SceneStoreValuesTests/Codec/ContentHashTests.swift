import SceneStoreTesting
import Testing

import SceneStore

@Suite struct ContentHashTests {
    /// The sequence that xxHash's own sanity check uses.
    static func sanityBytes(_ count: Int) -> [UInt8] {
        var generator: UInt64 = 2_654_435_761
        return (0..<count).map { _ in
            let byte = UInt8(truncatingIfNeeded: generator >> 56)
            generator = generator &* 11_400_714_785_074_694_797
            return byte
        }
    }

    @Test(
        "S-22 the content hash is XXH64: the vectors of xxHash's own sanity check",
        arguments: [
            (0, 0, 0xef46_db37_51d8_e999), (0, 2_654_435_761, 0xac75_fda2_929b_17ef),
            (1, 0, 0xe934_a84a_db05_2768), (1, 2_654_435_761, 0x5014_6076_43a9_b4c3),
            (4, 0, 0x9136_a0dc_a574_57ee), (14, 0, 0x8282_dcc4_994e_35c8),
            (14, 2_654_435_761, 0xc3bd_6bf6_3deb_6df0), (222, 0, 0xb641_ae8c_b691_c174),
            (222, 2_654_435_761, 0x20cb_8ab7_ae10_c14a),
        ] as [(Int, UInt64, UInt64)])
    func knownVectors(count: Int, seed: UInt64, expected: UInt64) {
        #expect(ContentHash.hash(Self.sanityBytes(count), seed: seed) == expected)
    }

    @Test("S-22 pieces hash like the whole, however it is cut")
    func pieces() {
        var numbers = SeededRandom(5)
        for _ in 0..<2_000 {
            let count = numbers.below(200)
            let seed = numbers.next()
            let whole = Self.sanityBytes(count)
            var hash = ContentHash(seed: seed)
            var start = 0
            while start < count {
                let end = min(count, start + numbers.below(70))
                hash.update(Array(whole[start..<end]))
                start = end
            }
            #expect(hash.value == ContentHash.hash(whole, seed: seed))
            #expect(hash.value == hash.value)
        }
    }

    @Test("S-22 a number is hashed as its eight bytes")
    func numbersInHash() {
        var hash = ContentHash()
        hash.update(Int64(0x0102_0304_0506_0708))
        #expect(hash.value == ContentHash.hash([8, 7, 6, 5, 4, 3, 2, 1]))
    }

    @Test(
        "S-22 the content hash agrees with PyPI's xxhash",
        .enabled(if: PythonPeer.has("xxhash"), "no python3 with xxhash here"))
    func agreesWithPython() throws {
        var numbers = SeededRandom(6)
        var lines: [String] = []
        var expected: [String] = []
        for count in 0..<200 {
            let seed = numbers.next()
            let input = (0..<count).map { _ in UInt8(truncatingIfNeeded: numbers.next() >> 9) }
            lines.append("\(seed) \(hex(input))")
            expected.append(String(ContentHash.hash(input, seed: seed)))
        }
        let answer = try PythonPeer.run(
            """
            import sys, xxhash
            for line in open(sys.argv[1]):
                seed, _, text = line.rstrip("\\n").partition(" ")
                print(xxhash.xxh64_intdigest(bytes.fromhex(text), seed=int(seed)))
            """, input: lines)
        #expect(answer == expected)
    }
}
