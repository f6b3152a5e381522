import SceneStore
import Synchronization

/// A sequence of persistent identifiers that is the same in every run.
///
/// Each is a counter, mixed by a seed into the form of a version 4 UUID.
///
/// ```swift
/// let identifier = IdentifierSequence(seed: 7).next()
/// let same = IdentifierSequence(seed: 7).next()
/// ```
public final class IdentifierSequence: Sendable {
    private let seed: UInt64
    private let counter: Mutex<UInt64>

    /// Makes a sequence that has given out `count` identifiers already.
    public init(seed: UInt64 = 1, count: UInt64 = 0) {
        self.seed = seed
        counter = Mutex(count)
    }

    /// The number of identifiers that were given out.
    public var count: UInt64 {
        get { counter.withLock { $0 } }
        set { counter.withLock { $0 = newValue } }
    }

    /// Returns the next identifier.
    public func next() -> String {
        let index = counter.withLock { value in
            value &+= 1
            return value
        }
        let high = SeededRandom.mix(seed &+ index &* 0x9e37_79b9_7f4a_7c15)
        let low = SeededRandom.mix(high &+ index)
        var bytes: [UInt8] = []
        for word in [high, low] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return Self.text(bytes)
    }

    /// Goes on behind those of its identifiers that are known.
    ///
    /// A run of so many unknown ones is its end: an identifier may be forgotten where others that
    /// were given out later are known.
    func skip(_ known: Set<SceneSession.ID>, gap: Int = 1_024) {
        guard !known.isEmpty else {
            return
        }
        let probe = IdentifierSequence(seed: seed, count: count)
        var misses = 0
        while misses < gap {
            if known.contains(SceneSession.ID(probe.next())) {
                misses = 0
                count = probe.count
            } else {
                misses += 1
            }
        }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF")
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) {
                text.append("-")
            }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0x0f)])
        }
        return text
    }
}
