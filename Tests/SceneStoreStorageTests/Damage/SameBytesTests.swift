import Testing

import SceneStore

@Suite("comparing stored bytes")
struct SameBytesTests {
    @Test("S-22 bytes of one length are the same only when every one is", arguments: 0..<100)
    func everyByteCounts(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        #expect(same(bytes, bytes))
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 1 << UInt8(place % 8)
            #expect(!same(bytes, other), "a difference at \(place) of \(count) was overlooked")
        }
        #expect(!same(bytes, bytes + [0]))
    }

    private func same(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.withUnsafeBytes { left in right.withUnsafeBytes { left.hasSameBytes(as: $0) } }
    }
}
