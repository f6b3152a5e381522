/// Looks for inputs whose time grows faster than their length.
///
/// Parts of each input are repeated until the whole is of one length, of four times and of sixteen
/// times that length. Linear work takes four times as long with each step; who takes more than twice
/// that, in both steps, fails. One step alone may be the one from a short refusal to a long answer.
struct GrowthCheck {
    private let target: FuzzTarget
    private static let shortest = 16 << 10
    private static let factor = 4
    /// Below this a measurement is noise.
    private static let slack: UInt64 = 3_000_000
    /// No 64 KiB may cost as much, however they compare.
    private static let most: UInt64 = 1_000_000_000

    init(_ target: FuzzTarget) {
        self.target = target
    }

    /// Checks files; answers whether all of them are as they should be.
    func run(_ paths: [String]) -> Bool {
        guard target.grows else {
            return true
        }
        target.prepare()
        var isFine = true
        var count = 0
        for path in paths {
            guard let input = SmallFile.read(path), input.count <= Self.shortest else {
                continue
            }
            for part in Self.parts(of: input) {
                count += 1
                if let times = excess(input, part) {
                    isFine = false
                    print(
                        "growth: \(path), bytes \(part): with \(Self.factor) times as many each, "
                            + times.map { "\($0 / 1_000) µs" }.joined(separator: ", "))
                }
            }
        }
        print("growth: \(count) inputs")
        return isFine
    }

    /// The times of an input that grows too fast; nil for all others.
    private func excess(_ input: [UInt8], _ part: Range<Int>) -> [UInt64]? {
        var times: [UInt64] = []
        var length = Self.shortest
        for step in 0..<3 {
            let grown = Self.grown(input, part, to: length)
            var time = measure(grown)
            if step > 0 {
                let limit = times[step - 1] * UInt64(2 * Self.factor) + Self.slack
                for _ in 0..<2 where time > limit {
                    time = min(time, measure(grown))
                }
                guard time > limit else {
                    return nil
                }
            }
            times.append(time)
            if time > Self.most {
                return times
            }
            length *= Self.factor
        }
        return times
    }

    private func measure(_ input: [UInt8]) -> UInt64 {
        FuzzRun.time { input.withUnsafeBytes(target.run) }
    }

    /// Halves, quarters, and bytes here and there: what of an input is repeated.
    static func parts(of input: [UInt8]) -> [Range<Int>] {
        let count = input.count
        var parts: [Range<Int>] = []
        for divisor in [2, 4] where count >= divisor {
            for index in 0..<divisor {
                parts.append(count * index / divisor..<count * (index + 1) / divisor)
            }
        }
        for eighth in 0..<8 where count >= 8 {
            let start = count * eighth / 8
            parts.append(start..<start + 1)
        }
        return parts
    }

    static func grown(_ input: [UInt8], _ part: Range<Int>, to length: Int) -> [UInt8] {
        var result = Array(input[..<part.lowerBound])
        repeat {
            result += input[part]
        } while result.count < length
        return result + input[part.upperBound...]
    }
}
