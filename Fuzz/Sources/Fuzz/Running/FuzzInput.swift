/// Reads an input as a script: numbers and runs of bytes, zeros behind its end.
struct FuzzInput {
    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes[...]
    }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 {
        rest.popFirst() ?? 0
    }

    /// A number of some bytes, the least significant first.
    mutating func number(bytes count: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in 0..<count {
            number |= UInt64(byte()) << UInt64(8 * index)
        }
        return number
    }

    /// At most so many bytes.
    mutating func bytes(_ count: Int) -> [UInt8] {
        let taken = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        return taken
    }

    /// All that is left.
    mutating func remaining() -> [UInt8] {
        bytes(rest.count)
    }

    /// The bytes before the next NUL, which is dropped.
    mutating func field() -> [UInt8] {
        let field = Array(rest.prefix { $0 != 0 })
        rest = rest.dropFirst(field.count + 1)
        return field
    }
}

extension RandomAccessCollection where Index == Int {
    /// An element that a number of the input names; nil when there is none.
    func chosen(by number: UInt64) -> Element? {
        isEmpty ? nil : self[startIndex + Int(number % UInt64(count))]
    }
}
