/// A line of the lock file that is put together of words and numbers.
struct LockLine {
    private var text: [UInt8] = []
    private let length: Int

    init(length: Int) {
        self.length = length
        text.reserveCapacity(2 * length)
    }

    mutating func append(_ word: StaticString) {
        word.withUTF8Buffer { text.append(contentsOf: $0) }
    }

    mutating func append(_ number: Int64) {
        if number < 0 {
            text.append(UInt8(ascii: "-"))
        }
        append(number.magnitude)
    }

    mutating func append(_ number: UInt64) {
        let start = text.count
        var rest = number
        repeat {
            text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        text[start...].reverse()
    }

    /// The line with the blanks and the newline at its end; nil when it does not fit.
    var bytes: [UInt8]? {
        guard text.count < length else {
            return nil
        }
        var line = text
        line.append(contentsOf: repeatElement(0x20, count: length - 1 - text.count))
        line.append(0x0a)
        return line
    }
}
