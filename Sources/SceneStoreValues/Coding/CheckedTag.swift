#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A UUID or a date as ``ValueEncoder`` writes it, the commonest values behind a tag.
struct CheckedTag {
    let value: Value
    /// Where the item ends.
    let end: Int

    private static let uuidHead = CBOR.Major.tag << 5 | 24
    private static let dateHead =
        CBOR.Major.tag << 5 | UInt8(truncatingIfNeeded: CBOR.Tag.epochDate)
    private static let uuidBytesHead = CBOR.Major.bytes << 5 | 16

    /// Reads the item of an offset; nil when it is another one, or not written that way.
    init?(_ bytes: UnsafeRawBufferPointer, at start: Int) {
        let left = bytes.count &- start
        if left >= 19, bytes[start] == Self.uuidHead,
            bytes[start &+ 1] == UInt8(truncatingIfNeeded: CBOR.Tag.uuid),
            bytes[start &+ 2] == Self.uuidBytesHead
        {
            let uuid = bytes.loadUnaligned(fromByteOffset: start &+ 3, as: uuid_t.self)
            value = .uuid(UUID(uuid: uuid))
            end = start &+ 19
            return
        }
        guard left >= 2, bytes[start] == Self.dateHead, bytes[start &+ 1] >= CBOR.Byte.half,
            bytes[start &+ 1] <= CBOR.Byte.double
        else {
            return nil
        }
        let info = bytes[start &+ 1] & 0x1f
        let end = start &+ 2 &+ 1 &<< Int(info &- 24)
        guard end <= bytes.count else {
            return nil
        }
        let seconds = ValueDecoder.float(info, CBOR.argument(of: info, in: bytes, at: start &+ 2))
        let reference = seconds - CBOR.secondsToReferenceDate
        guard seconds.isFinite, ValueDecoder.isShortest(seconds, info),
            CBOR.epochSeconds(ofReferenceDate: reference)?.bitPattern == seconds.bitPattern
        else {
            return nil
        }
        value = .date(Date(timeIntervalSinceReferenceDate: reference))
        self.end = end
    }
}
