/// The fast hash that tells whether a state changed and whether a row is whole: XXH64.
///
/// Not a defence against somebody who forges; equality is hash, length and bytes. The algorithm is
/// that of the [xxHash specification](https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md).
package struct ContentHash: Sendable {
    private static let prime1: UInt64 = 0x9e37_79b1_85eb_ca87
    private static let prime2: UInt64 = 0xc2b2_ae3d_27d4_eb4f
    private static let prime3: UInt64 = 0x1656_67b1_9e37_79f9
    private static let prime4: UInt64 = 0x85eb_ca77_c2b2_ae63
    private static let prime5: UInt64 = 0x27d4_eb2f_1656_67c5

    /// Bytes that one round takes.
    private static let stripe = 32

    private let seed: UInt64
    private var lanes: Lanes
    private var length: UInt64 = 0
    /// What did not fill a stripe yet.
    private var rest: [UInt8] = []

    /// The four sums.
    private struct Lanes: Sendable {
        var a: UInt64
        var b: UInt64
        var c: UInt64
        var d: UInt64

        init(seed: UInt64) {
            a = seed &+ prime1 &+ prime2
            b = seed &+ prime2
            c = seed
            d = seed &- prime1
        }

        /// Takes whole stripes and answers how many bytes they were.
        ///
        /// Every payload goes through here. It is written out because calls cost most in a debug
        /// build.
        mutating func update(_ bytes: UnsafeRawBufferPointer) -> Int {
            guard var next = bytes.baseAddress, bytes.count >= stripe else {
                return 0
            }
            let taken = bytes.count / stripe * stripe
            let end = next + taken
            let (prime1, prime2) = (prime1, prime2)
            var (a, b, c, d) = (a, b, c, d)
            while next < end {
                let words = words(next)
                a = a &+ words.0 &* prime2
                b = b &+ words.1 &* prime2
                c = c &+ words.2 &* prime2
                d = d &+ words.3 &* prime2
                a = (a &<< 31 | a &>> 33) &* prime1
                b = (b &<< 31 | b &>> 33) &* prime1
                c = (c &<< 31 | c &>> 33) &* prime1
                d = (d &<< 31 | d &>> 33) &* prime1
                next += stripe
            }
            (self.a, self.b, self.c, self.d) = (a, b, c, d)
            return taken
        }

        /// A stripe's words, the least significant byte of each first.
        @inline(__always)
        private func words(_ stripe: UnsafeRawPointer) -> (UInt64, UInt64, UInt64, UInt64) {
            let words = stripe.loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self)
            return (
                UInt64(littleEndian: words.0), UInt64(littleEndian: words.1),
                UInt64(littleEndian: words.2), UInt64(littleEndian: words.3)
            )
        }

        var merged: UInt64 {
            var hash = rotate(a, 1) &+ rotate(b, 7) &+ rotate(c, 12) &+ rotate(d, 18)
            hash = (hash ^ round(0, a)) &* prime1 &+ prime4
            hash = (hash ^ round(0, b)) &* prime1 &+ prime4
            hash = (hash ^ round(0, c)) &* prime1 &+ prime4
            return (hash ^ round(0, d)) &* prime1 &+ prime4
        }
    }

    /// Begins a hash of bytes that come in pieces.
    package init(seed: UInt64 = 0) {
        self.seed = seed
        lanes = Lanes(seed: seed)
    }

    /// Takes the next piece.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        length &+= UInt64(truncatingIfNeeded: bytes.count)
        var bytes = bytes
        if !rest.isEmpty {
            let missing = min(Self.stripe - rest.count, bytes.count)
            rest.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[..<missing]))
            bytes = UnsafeRawBufferPointer(rebasing: bytes[missing...])
            guard rest.count == Self.stripe else {
                return
            }
            _ = rest.withUnsafeBytes { lanes.update($0) }
            rest.removeAll(keepingCapacity: true)
        }
        let taken = lanes.update(bytes)
        // Rebased, because a slice is appended byte by byte.
        rest.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[taken...]))
    }

    /// Takes the next piece.
    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Takes a number as its eight bytes, the least significant first.
    package mutating func update(_ number: Int64) {
        withUnsafeBytes(of: number.littleEndian) { update($0) }
    }

    /// The hash of all pieces so far.
    package var value: UInt64 {
        let start = length >= UInt64(Self.stripe) ? lanes.merged : seed &+ Self.prime5
        return rest.withUnsafeBytes { Self.finish(start &+ length, $0) }
    }

    /// The hash of bytes that lie in one piece.
    package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        let length = UInt64(truncatingIfNeeded: bytes.count)
        guard bytes.count >= stripe else {
            return finish(seed &+ prime5 &+ length, bytes)
        }
        var lanes = Lanes(seed: seed)
        let taken = lanes.update(bytes)
        return finish(lanes.merged &+ length, UnsafeRawBufferPointer(rebasing: bytes[taken...]))
    }

    /// The hash of bytes that lie in one piece.
    package static func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { hash($0, seed: seed) }
    }

    /// Mixes in what is left after the last whole stripe.
    private static func finish(_ start: UInt64, _ rest: UnsafeRawBufferPointer) -> UInt64 {
        var hash = start
        var offset = 0
        while rest.count &- offset >= 8 {
            hash = rotate(hash ^ round(0, load(rest, offset)), 27) &* prime1 &+ prime4
            offset &+= 8
        }
        if rest.count &- offset >= 4 {
            let word = UInt32(
                littleEndian: rest.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            hash = rotate(hash ^ UInt64(word) &* prime1, 23) &* prime2 &+ prime3
            offset &+= 4
        }
        while offset < rest.count {
            hash = rotate(hash ^ UInt64(rest[offset]) &* prime5, 11) &* prime1
            offset &+= 1
        }
        hash = (hash ^ hash >> 33) &* prime2
        hash = (hash ^ hash >> 29) &* prime3
        return hash ^ hash >> 32
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        rotate(lane &+ input &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        value &<< bits | value &>> (64 &- bits)
    }

    @inline(__always)
    private static func load(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

/// Bytes as hexadecimal digits.
package enum HexText {
    package static func text(_ bytes: [UInt8]) -> String {
        bytes.map { String($0, digits: 2, radix: 16) }.joined()
    }
}
