/// The text of a statement of our own. Its address is its identity: the cache finds compiled
/// statements by it.
///
/// A literal stays where the compiler put it. A text that is joined from constants is made once,
/// for a static property, and is never freed.
package struct StatementText: Sendable, ExpressibleByStringLiteral {
    let address: UInt
    private let count: Int

    package init(stringLiteral text: StaticString) {
        precondition(text.hasPointerRepresentation, "a statement is more than one character")
        address = UInt(bitPattern: text.utf8Start)
        count = text.utf8CodeUnitCount
    }

    /// Joins constants. Only for static properties: each call takes memory for good.
    package init(joining parts: [StaticString]) {
        count = parts.reduce(0) { $0 + $1.utf8CodeUnitCount }
        let start = UnsafeMutablePointer<UInt8>.allocate(capacity: max(count, 1))
        var end = start
        for part in parts {
            part.withUTF8Buffer { bytes in
                guard let base = bytes.baseAddress else { return }
                end.initialize(from: base, count: bytes.count)
                end += bytes.count
            }
        }
        address = UInt(bitPattern: start)
    }

    /// Whether it is the same text, in the same place.
    package func isSame(as other: StatementText) -> Bool {
        address == other.address
    }

    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafePointer(bitPattern: address), count: count)
    }
}

extension StatementText: CustomStringConvertible {
    /// The text itself.
    package var description: String { String(decoding: bytes, as: UTF8.self) }
}
