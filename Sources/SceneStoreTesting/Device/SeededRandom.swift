/// SplitMix64: the same numbers for the same seed, in every run and on every machine.
package struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// Numbers of their own for each purpose.
    package init(_ seed: UInt64, _ purposes: UInt64...) {
        state = seed
        for purpose in purposes {
            state = Self.mix(state &+ 0x9e37_79b9_7f4a_7c15 &* (purpose &+ 1))
        }
    }

    package mutating func next() -> UInt64 {
        state = state &+ 0x9e37_79b9_7f4a_7c15
        return Self.mix(state)
    }

    /// The finalizer: every bit of a number has a say in every bit of the answer.
    static func mix(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number below a bound that is not 0.
    package mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: next() % UInt64(max(bound, 1)))
    }

    /// True once in so many times.
    package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
}
