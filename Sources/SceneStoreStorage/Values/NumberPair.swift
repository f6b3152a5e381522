import SceneStoreValues

/// Two numbers of eight bytes each, as a judgement is stored beside a session.
struct NumberPair {
    var first: Int64
    var second: Int64

    init(_ first: Int64, _ second: Int64) {
        self.first = first
        self.second = second
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else {
            return nil
        }
        func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
            Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
        }
        first = number(bytes[..<8])
        second = number(bytes[8...])
    }

    var bytes: [UInt8] {
        Array(unsafeUninitializedCapacity: 16) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            bytes.storeBytes(of: first.bigEndian, toByteOffset: 0, as: Int64.self)
            bytes.storeBytes(of: second.bigEndian, toByteOffset: 8, as: Int64.self)
            count = 16
        }
    }

    /// The hash of these bytes, which are not made for it.
    func hash(seed: UInt64) -> UInt64 {
        withUnsafeBytes(of: (first.bigEndian, second.bigEndian)) {
            ContentHash.hash($0, seed: seed)
        }
    }
}
