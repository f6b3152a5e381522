/// Follows all positions that a pattern can have reached in a text, as a set of bits.
package struct PositionFollower {
    private let text: URLBytes
    private let isFolded: Bool
    private let words: Int
    /// For each byte that a pattern asked for, where it stands in the text.
    private var occurrences: [[UInt64]]
    private var continuations: [UInt64]?
    package var work = 0

    /// Positions between the bytes of the text, 0 up to its length.
    private enum Reached {
        case none
        case one(Int)
        case many([UInt64])
    }

    package init(text: URLBytes, isFolded: Bool) {
        self.text = text
        self.isFolded = isFolded
        words = text.count / 64 + 1
        occurrences = []
    }

    package mutating func matches(_ pattern: URLPattern, of table: URLPatternTable) -> Bool {
        switch follow(pattern, from: .one(0), table) {
        case .none: false
        case .one(let position): position == text.count
        case .many(let bits): Self.has(bits, text.count)
        }
    }

    private static func has(_ bits: [UInt64], _ position: Int) -> Bool {
        bits[position / 64] >> UInt64(position % 64) & 1 == 1
    }

    private mutating func follow(
        _ pattern: URLPattern, from start: Reached, _ table: URLPatternTable
    ) -> Reached {
        var reached = start
        for index in Int(pattern.first)..<Int(pattern.end) {
            let token = table.tokens[index]
            work &+= 1
            switch reached {
            case .none: return .none
            case .one(let position): reached = step(token, from: position, table)
            case .many(let bits): reached = step(token, from: bits, table)
            }
        }
        return reached
    }

    private mutating func step(
        _ token: URLPatternToken, from position: Int, _ table: URLPatternTable
    ) -> Reached {
        switch token.kind {
        case .literal:
            work &+= Int(token.count)
            guard Int(token.count) <= text.count - position,
                table.isLiteral(token, at: position, of: text, isFolded: isFolded)
            else {
                return .none
            }
            return .one(position + Int(token.count))
        case .one:
            guard position < text.count else {
                return .none
            }
            return .one(min(position + URLByte.sequenceLength(text[position]), text.count))
        case .set:
            guard position < text.count, table.sets[Int(token.start)].contains(text[position])
            else {
                return .none
            }
            return .one(position + 1)
        case .many:
            return .many(boundaries(from: position))
        case .choice:
            return choose(Int(token.start), from: .one(position), table)
        }
    }

    private mutating func step(
        _ token: URLPatternToken, from bits: [UInt64], _ table: URLPatternTable
    ) -> Reached {
        var bits = bits
        work &+= words
        switch token.kind {
        case .literal:
            let literal = Int(token.start)..<Int(token.start + token.count)
            for byte in table.bytes[literal] {
                work &+= words
                let places = places(of: byte)
                for index in bits.indices {
                    bits[index] &= places[index]
                }
                guard shift(&bits) else {
                    return .none
                }
            }
            return .many(bits)
        case .one:
            // Onto the next byte, then over the rest of the character.
            Self.remove(&bits, text.count)
            guard shift(&bits) else {
                return .none
            }
            let inside = continuationPlaces()
            for _ in 0..<3 {
                var moving = bits
                for index in bits.indices {
                    moving[index] &= inside[index]
                    bits[index] &= ~inside[index]
                }
                if shift(&moving) {
                    for index in bits.indices {
                        bits[index] |= moving[index]
                    }
                }
            }
            return .many(bits)
        case .set:
            var wanted = [UInt64](repeating: 0, count: words)
            for position in 0..<text.count
            where table.sets[Int(token.start)].contains(text[position]) {
                wanted[position / 64] |= 1 << UInt64(position % 64)
            }
            work &+= text.count / 8
            for index in bits.indices {
                bits[index] &= wanted[index]
            }
            return shift(&bits) ? .many(bits) : .none
        case .many:
            guard let index = bits.firstIndex(where: { $0 != 0 }) else {
                return .none
            }
            return .many(boundaries(from: index * 64 + bits[index].trailingZeroBitCount))
        case .choice:
            return choose(Int(token.start), from: .many(bits), table)
        }
    }

    /// The union of what the alternatives reach.
    private mutating func choose(
        _ choice: Int, from start: Reached, _ table: URLPatternTable
    ) -> Reached {
        let all = table.choices[choice]
        guard case .one(let position) = start else {
            return union(of: all, from: start, table)
        }
        // From one place only those can go on that begin with any byte or with the right one.
        let free = all.lowerBound..<lowerBound(of: 0, in: all, table)
        guard position < text.count else {
            return union(of: free, from: start, table)
        }
        let byte = isFolded ? URLByte.lowercased(text[position]) : text[position]
        let fitting =
            lowerBound(
                of: Int16(byte), in: all, table)..<lowerBound(of: Int16(byte) + 1, in: all, table)
        return united(union(of: free, from: start, table), union(of: fitting, from: start, table))
    }

    /// The first alternative whose lead is not below a byte.
    private mutating func lowerBound(
        of lead: Int16, in range: Range<Int>, _ table: URLPatternTable
    ) -> Int {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            work &+= 1
            if table.alternatives[middle].lead < lead {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private mutating func union(
        of range: Range<Int>, from start: Reached, _ table: URLPatternTable
    ) -> Reached {
        var result = Reached.none
        for index in range {
            work &+= 1
            result = united(result, follow(table.alternatives[index], from: start, table))
        }
        return result
    }

    private mutating func united(_ left: Reached, _ right: Reached) -> Reached {
        switch (left, right) {
        case (.none, let other), (let other, .none):
            return other
        case (.one(let a), .one(let b)) where a == b:
            return left
        default:
            var bits = self.bits(left)
            for (index, word) in self.bits(right).enumerated() {
                bits[index] |= word
            }
            work &+= words
            return .many(bits)
        }
    }

    private func bits(_ reached: Reached) -> [UInt64] {
        switch reached {
        case .many(let bits):
            return bits
        case .one(let position):
            var bits = [UInt64](repeating: 0, count: words)
            bits[position / 64] |= 1 << UInt64(position % 64)
            return bits
        case .none:
            return [UInt64](repeating: 0, count: words)
        }
    }

    private static func remove(_ bits: inout [UInt64], _ position: Int) {
        bits[position / 64] &= ~(1 << UInt64(position % 64))
    }

    /// Moves all positions on by one byte; false when none is left.
    private func shift(_ bits: inout [UInt64]) -> Bool {
        var carry: UInt64 = 0
        var any: UInt64 = 0
        for index in bits.indices {
            let word = bits[index]
            bits[index] = word << 1 | carry
            carry = word >> 63
            any |= bits[index]
        }
        return any != 0
    }

    /// Where a byte stands; read once from the text and kept.
    private mutating func places(of byte: UInt8) -> [UInt64] {
        if occurrences.isEmpty {
            occurrences = [[UInt64]](repeating: [], count: 256)
        }
        if occurrences[Int(byte)].isEmpty {
            var bits = [UInt64](repeating: 0, count: words)
            for position in 0..<text.count
            where byte == (isFolded ? URLByte.lowercased(text[position]) : text[position]) {
                bits[position / 64] |= 1 << UInt64(position % 64)
            }
            work &+= text.count / 8
            occurrences[Int(byte)] = bits
        }
        return occurrences[Int(byte)]
    }

    private mutating func continuationPlaces() -> [UInt64] {
        if let continuations {
            return continuations
        }
        var bits = [UInt64](repeating: 0, count: words)
        for position in 0..<text.count where URLByte.isContinuation(text[position]) {
            bits[position / 64] |= 1 << UInt64(position % 64)
        }
        work &+= text.count / 8
        continuations = bits
        return bits
    }

    /// All positions between characters from one on.
    private mutating func boundaries(from position: Int) -> [UInt64] {
        let inside = continuationPlaces()
        var bits = [UInt64](repeating: 0, count: words)
        let first = position / 64
        bits[first] = ~0 << UInt64(position % 64)
        for index in (first + 1)..<max(words, first + 1) {
            bits[index] = ~0
        }
        let over = UInt64(text.count % 64)
        bits[words - 1] &= over == 63 ? ~0 : (1 << (over + 1)) - 1
        for index in bits.indices {
            bits[index] &= ~inside[index]
        }
        work &+= words
        return bits
    }
}
