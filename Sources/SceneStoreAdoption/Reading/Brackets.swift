/// Finds which brackets belong together.
enum Brackets {
    /// Brackets beyond this are not paired; what stands in them is read as one level.
    static let maximumDepth = 2_000

    static func pair(_ tokens: inout [Token]) {
        var open: [Int32] = []
        var openBraces = 0
        for index in tokens.indices {
            tokens[index].match = -1
            if tokens[index].closes {
                let wanted = tokens[index].mark
                let isBrace = wanted == UInt8(ascii: "}")
                // A bracket that was never closed is given up, so that one slip costs little. How
                // far is looked for a round one is bounded, so that many slips cost little too.
                let searched = isBrace ? (openBraces > 0 ? open.count : 0) : min(open.count, 8)
                if let partner = open.suffix(searched).lastIndex(where: {
                    closer(tokens[Int($0)].mark) == wanted
                }) {
                    let start = open[partner]
                    tokens[index].match = start
                    tokens[Int(start)].match = Int32(index)
                    for given in open[partner...] where tokens[Int(given)].isMark("{") {
                        openBraces -= 1
                    }
                    open.removeSubrange(partner...)
                }
            }
            tokens[index].parent = open.last ?? -1
            if tokens[index].opens, open.count < maximumDepth {
                open.append(Int32(index))
                openBraces += tokens[index].isMark("{") ? 1 : 0
            }
        }
    }

    private static func closer(_ mark: UInt8) -> UInt8 {
        switch mark {
        case UInt8(ascii: "["): UInt8(ascii: "]")
        case UInt8(ascii: "{"): UInt8(ascii: "}")
        default: UInt8(ascii: ")")
        }
    }
}
