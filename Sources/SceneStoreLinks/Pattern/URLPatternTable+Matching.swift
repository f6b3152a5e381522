// How patterns are matched, and what it costs (n bytes of text, m bytes and tokens of pattern, each
// use of a variable counted whole).
//
// 1. Without variables the scan is the classical one: on a mismatch it goes back to the last `*`
//    alone, so nothing grows exponentially. It allocates nothing.
// 2. When that scan has cost more than 16 (n + m) steps, or when the pattern holds a variable of
//    whole words, all positions of the text are followed at once as a bit set, token by token:
//    at most m (n / 64 + 2) + 4 n word operations for each alternative, whatever the bytes are.
//
// So a match is linear in the text and linear in the pattern; `work` counts the steps, and the
// tests hold the bound against it.
extension URLPatternTable {
    /// Whether a pattern matches a whole text.
    ///
    /// - Parameters:
    ///   - isASCII: Whether the text is known to be ASCII; any other text is copied when it must
    ///     be folded.
    ///   - work: The steps are added.
    package func matches(
        _ pattern: URLPattern, _ text: URLBytes, isASCII: Bool, work: inout Int
    ) -> Bool {
        if pattern.isFolded, !isASCII {
            work &+= text.count
            return CaseFolding.folded(text).withUnsafeBufferPointer {
                decide(pattern, $0, work: &work)
            }
        }
        return decide(pattern, text, work: &work)
    }

    private func decide(_ pattern: URLPattern, _ text: URLBytes, work: inout Int) -> Bool {
        work &+= 1
        guard text.count >= Int(pattern.minimum) else {
            return false
        }
        if !pattern.hasChoice {
            let size = Int(pattern.end - pattern.first) + Int(pattern.minimum)
            if let answer = scan(
                pattern, text, budget: 16 &* (text.count &+ size) &+ 64, work: &work)
            {
                return answer
            }
        }
        var follower = PositionFollower(text: text, isFolded: pattern.isFolded)
        let answer = follower.matches(pattern, of: self)
        work &+= follower.work
        return answer
    }

    /// Whether a literal stands at a place of the text; the caller has checked the length.
    @inline(__always)
    func isLiteral(
        _ token: URLPatternToken, at position: Int, of text: URLBytes, isFolded: Bool
    ) -> Bool {
        let start = Int(token.start)
        if isFolded {
            for index in 0..<Int(token.count)
            where bytes[start &+ index] != URLByte.lowercased(text[position &+ index]) {
                return false
            }
        } else {
            for index in 0..<Int(token.count)
            where bytes[start &+ index] != text[position &+ index] {
                return false
            }
        }
        return true
    }

    /// The classical scan; `nil` when the budget is spent.
    private func scan(
        _ pattern: URLPattern, _ text: URLBytes, budget: Int, work: inout Int
    ) -> Bool? {
        let end = Int(pattern.end)
        let isFolded = pattern.isFolded
        var token = Int(pattern.first)
        var position = 0
        var retryToken = -1
        var retryPosition = 0
        var steps = 0
        defer { work &+= steps }
        while true {
            var isStuck = false
            if token == end {
                if position == text.count {
                    return true
                }
                isStuck = true
            } else {
                let current = tokens[token]
                switch current.kind {
                case .literal:
                    let length = Int(current.count)
                    steps &+= length
                    if length <= text.count &- position,
                        isLiteral(current, at: position, of: text, isFolded: isFolded)
                    {
                        position &+= length
                    } else {
                        isStuck = true
                    }
                case .one:
                    if position < text.count {
                        position = min(
                            position &+ URLByte.sequenceLength(text[position]), text.count)
                    } else {
                        isStuck = true
                    }
                case .set:
                    if position < text.count, sets[Int(current.start)].contains(text[position]) {
                        position &+= 1
                    } else {
                        isStuck = true
                    }
                case .many:
                    if token == Int(pattern.lastMany), pattern.tail >= 0 {
                        // What follows the last `*` has a fixed length: it stands at the end.
                        let tail = Int(pattern.tail)
                        guard tail <= text.count &- position else {
                            return false
                        }
                        position = text.count &- tail
                        retryToken = -1
                        if tail == 0 {
                            return true
                        }
                    } else {
                        retryToken = token
                        retryPosition = position
                    }
                case .choice:
                    return nil
                }
            }
            steps &+= 1
            guard isStuck else {
                token &+= 1
                continue
            }
            guard retryToken >= 0, retryPosition < text.count else {
                return false
            }
            guard steps <= budget else {
                return nil
            }
            retryPosition = min(
                retryPosition &+ URLByte.sequenceLength(text[retryPosition]), text.count)
            position = retryPosition
            token = retryToken &+ 1
        }
    }
}
