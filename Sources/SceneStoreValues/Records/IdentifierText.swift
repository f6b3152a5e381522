/// A persistent identifier as rows hold it.
///
/// Short ASCII, as UUIDs are, lies in place: a launch reads the identifiers of all sessions and
/// looks at few of them, and a `String` of more than fifteen bytes is an allocation each.
/// Inlinable, because the store reads each row of the skeleton with it.
package struct IdentifierText: Sendable {
    package enum Storage: Sendable {
        case short(Short)
        case long(String)
    }

    /// Up to 39 bytes and, in the last byte, how many.
    package struct Short: Sendable, Hashable {
        @inlinable package static var capacity: Int { 39 }

        package var a: UInt64 = 0
        package var b: UInt64 = 0
        package var c: UInt64 = 0
        package var d: UInt64 = 0
        package var e: UInt64 = 0

        @inlinable
        package init() {}

        @inlinable package var isASCII: Bool { (a | b | c | d | e) & 0x8080_8080_8080_8080 == 0 }

        @inlinable @inline(__always)
        package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
            withUnsafeBytes(of: self) { bytes in
                body(
                    UnsafeRawBufferPointer(
                        rebasing: bytes[..<min(Int(bytes[Self.capacity]), Self.capacity)]))
            }
        }
    }

    /// What a sealer reads in place: a closure that crosses a module is not made one with its caller.
    package let storage: Storage

    package init(_ text: String) {
        let short = text.utf8.withContiguousStorageIfAvailable {
            Self.short(UnsafeRawBufferPointer($0))
        }
        storage = (short ?? nil).map { .short($0) } ?? .long(text)
    }

    /// Text that has to be UTF-8; nil when it is not.
    @inlinable
    package init?(_ bytes: UnsafeRawBufferPointer) {
        if let short = Self.short(bytes) {
            storage = .short(short)
        } else if let text = String(validating: bytes, as: UTF8.self) {
            storage = .long(text)
        } else {
            return nil
        }
    }

    @inlinable @inline(__always)
    static func short(_ bytes: UnsafeRawBufferPointer) -> Short? {
        guard bytes.count <= Short.capacity else {
            return nil
        }
        var short = Short()
        withUnsafeMutableBytes(of: &short) { target in
            target.copyMemory(from: bytes)
            target[Short.capacity] = UInt8(truncatingIfNeeded: bytes.count)
        }
        return short.isASCII ? short : nil
    }

    /// The identifier.
    package var text: String {
        switch storage {
        case .short(let short):
            short.withBytes {
                String(decoding: $0.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
            }
        case .long(let text): text
        }
    }

    /// Lends its UTF-8.
    @inlinable @inline(__always)
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        switch storage {
        case .short(let short): return short.withBytes(body)
        case .long(var text): return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        }
    }

    /// The order of UTF-8 bytes, which is also that of SQLite.
    package func precedes(_ other: IdentifierText) -> Bool {
        withBytes { left in
            other.withBytes { right in left.lexicographicallyPrecedes(right) }
        }
    }
}

/// By its bytes, as SQLite has it: a `String` takes canonical equivalents for equal.
extension IdentifierText: Hashable {
    package static func == (left: IdentifierText, right: IdentifierText) -> Bool {
        if case .short(let left) = left.storage, case .short(let right) = right.storage {
            return left == right
        }
        return left.withBytes { left in right.withBytes { left.elementsEqual($0) } }
    }

    package func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
    }
}
