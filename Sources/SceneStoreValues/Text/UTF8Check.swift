/// Whether bytes are UTF-8.
///
/// The standard library's own check comes with a generic entry that costs more than the rest of a
/// short text; texts here are mostly short and ASCII.
package enum UTF8Check {
    @inline(__always)
    package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isASCII(bytes) || isValidSlowly(bytes)
    }

    @inline(__always)
    fileprivate static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let count = bytes.count
        var high: UInt64 = 0
        if count >= 8 {
            var offset = 0
            while offset &+ 8 < count {
                high |= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                offset &+= 8
            }
            // The last word may overlap the one before it.
            high |= bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        } else if count >= 4 {
            high = UInt64(bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
            high |= UInt64(bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
        } else if count > 0 {
            high = UInt64(bytes[0] | bytes[count / 2] | bytes[count &- 1])
        }
        return high & 0x8080_8080_8080_8080 == 0
    }

    @inline(never)
    fileprivate static func isValidSlowly(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let bytes = bytes.assumingMemoryBound(to: UInt8.self)
        var offset = 0
        while offset < bytes.count {
            guard let scalar = TextEscaping.decodeScalar(bytes, at: offset) else {
                return false
            }
            offset &+= scalar.length
        }
        return true
    }
}

extension String {
    /// The text of bytes that were checked before.
    @inline(__always)
    init(unchecked bytes: UnsafeRawBufferPointer) {
        if bytes.count > 15, #available(macOS 26, iOS 26, tvOS 26, visionOS 26, *) {
            // Other ways check the bytes once more.
            let text = bytes.assumingMemoryBound(to: UInt8.self).span
            let isASCII = UTF8Check.isASCII(bytes)
            self.init(copying: UTF8Span(unchecked: text, isKnownASCII: isASCII))
            return
        }
        // This way a short text is made without an allocation, and an older system's library has no other.
        self.init(unsafeUninitializedCapacity: bytes.count) { target in
            UnsafeMutableRawBufferPointer(target).copyMemory(from: bytes)
            return bytes.count
        }
    }
}
