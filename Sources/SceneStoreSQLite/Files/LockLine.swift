/// A line of the lock file that is put together of words and numbers, in memory that is as long.
struct LockLine {
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private var count = 0
    /// Whether everything fits, with the newline at the end.
    private(set) var fits = true

    init(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private mutating func append(_ byte: UInt8) {
        guard count < bytes.count - 1 else {
            fits = false
            return
        }
        bytes.initializeElement(at: count, to: byte)
        count += 1
    }

    mutating func append(_ word: StaticString) {
        word.withUTF8Buffer { $0.forEach { append($0) } }
    }

    mutating func append(_ number: Int64) {
        if number < 0 {
            append(UInt8(ascii: "-"))
        }
        append(number.magnitude)
    }

    mutating func append(_ number: UInt64) {
        let start = count
        var rest = number
        repeat {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start..<count].reverse()
    }

    /// Fills the line with blanks up to the newline.
    mutating func end() {
        bytes[count...].update(repeating: 0x20)
        bytes[bytes.count - 1] = 0x0a
    }
}
