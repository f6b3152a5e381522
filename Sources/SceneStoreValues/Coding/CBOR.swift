/// The numbers of RFC 8949 that the value format uses.
package enum CBOR {
    /// The three high bits of an item's first byte.
    enum Major {
        static let unsigned: UInt8 = 0
        static let negative: UInt8 = 1
        static let bytes: UInt8 = 2
        static let text: UInt8 = 3
        static let array: UInt8 = 4
        static let map: UInt8 = 5
        static let tag: UInt8 = 6
        static let simple: UInt8 = 7
    }

    /// Tag numbers.
    package enum Tag {
        /// Seconds since 1970 (RFC 8949, section 3.4.2).
        static let epochDate: UInt64 = 1
        /// A URI (RFC 8949, section 3.4.5.3).
        package static let uri: UInt64 = 32
        /// A UUID in 16 bytes (registered with IANA).
        package static let uuid: UInt64 = 37
        /// A set (registered with IANA).
        package static let set: UInt64 = 258
        /// Seconds since 2001-01-01T00:00:00Z, for dates that ``epochDate`` would round: the
        /// bytes `SSD1`, from IANA's first-come range and not registered.
        static let referenceDate: UInt64 = 0x5353_4431
        /// A value that exports leave out: the bytes `SSR1`, of the same kind.
        package static let redacted: UInt64 = 0x5353_5231
    }

    /// First bytes that are whole items, or end one.
    enum Byte {
        static let `false`: UInt8 = 0xf4
        static let `true`: UInt8 = 0xf5
        static let null: UInt8 = 0xf6
        static let half: UInt8 = 0xf9
        static let single: UInt8 = 0xfa
        static let double: UInt8 = 0xfb
        static let `break`: UInt8 = 0xff
    }

    /// Seconds from 1970 to 2001, where `Date` counts from.
    static let secondsToReferenceDate: Double = 978_307_200

    /// The seconds since 1970 of a date, if they are finite and lead back to the very same bits.
    static func epochSeconds(ofReferenceDate seconds: Double) -> Double? {
        let epoch = seconds + secondsToReferenceDate
        return epoch.isFinite
            && (epoch - secondsToReferenceDate).bitPattern == seconds.bitPattern ? epoch : nil
    }

    /// The argument of one to eight bytes that a first byte announces, which are all there.
    @inline(__always)
    static func argument(
        of info: UInt8, in bytes: UnsafeRawBufferPointer, at offset: Int
    ) -> UInt64 {
        switch info {
        case 24: UInt64(bytes[offset])
        case 25:
            UInt64(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
        case 26:
            UInt64(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        default: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
    }

    /// Whether an argument could not have been written with fewer bytes.
    static func isShortest(_ argument: UInt64, _ info: UInt8) -> Bool {
        switch info {
        case 24: argument >= 24
        case 25: argument > 0xff
        case 26: argument > 0xffff
        default: argument > 0xffff_ffff
        }
    }

    /// Whether a number could not have been written with fewer bytes.
    static func isShortest(_ number: Double, _ info: UInt8) -> Bool {
        guard let single = ShortestFloat.single(of: number) else {
            return info == 27
        }
        return info == (ShortestFloat.half(ofSingle: single) == nil ? 26 : 25)
    }

    /// The number of a floating point item.
    static func float(_ info: UInt8, _ argument: UInt64) -> Double {
        switch info {
        case 25: ShortestFloat.value(ofHalf: UInt16(truncatingIfNeeded: argument))
        case 26: ShortestFloat.value(ofSingle: UInt32(truncatingIfNeeded: argument))
        default: Double(bitPattern: argument)
        }
    }
}

/// A floating point number in the shortest of CBOR's three widths that keeps all its bits.
package enum ShortestFloat: Equatable {
    case half(UInt16)
    case single(UInt32)
    case double(UInt64)

    package init(_ value: Double) {
        if let single = Self.single(of: value) {
            if let half = Self.half(ofSingle: single) {
                self = .half(half)
            } else {
                self = .single(single)
            }
        } else {
            self = .double(value.bitPattern)
        }
    }

    /// The binary32 pattern of the same number, NaN payload included, if there is one.
    package static func single(of value: Double) -> UInt32? {
        let bits = value.bitPattern
        // What binary32 can say leaves the low 29 bits of the fraction empty.
        guard bits & 0x1fff_ffff == 0 else {
            return nil
        }
        if bits & 0x7ff0_0000_0000_0000 == 0x7ff0_0000_0000_0000 {
            let sign = UInt32(truncatingIfNeeded: bits >> 32) & 0x8000_0000
            return sign | 0x7f80_0000 | UInt32(truncatingIfNeeded: bits >> 29) & 0x007f_ffff
        }
        let single = Float(value)
        return Double(single).bitPattern == bits ? single.bitPattern : nil
    }

    /// The binary16 pattern of the same number, NaN payload included, if there is one.
    package static func half(ofSingle bits: UInt32) -> UInt16? {
        let sign = UInt16(truncatingIfNeeded: bits >> 16) & 0x8000
        let exponent = Int(bits >> 23) & 0xff
        let fraction = bits & 0x007f_ffff
        switch exponent {
        case 0:
            return fraction == 0 ? sign : nil
        case 103...112:
            // A subnormal half: a whole number of 2^-24.
            let shift = UInt32(126 - exponent)
            let whole = fraction | 0x0080_0000
            guard whole & ((1 << shift) - 1) == 0 else {
                return nil
            }
            return sign | UInt16(truncatingIfNeeded: whole >> shift)
        case 113...142:
            guard fraction & 0x1fff == 0 else {
                return nil
            }
            return sign | UInt16(truncatingIfNeeded: exponent - 112) << 10
                | UInt16(truncatingIfNeeded: fraction >> 13)
        case 255:
            return fraction & 0x1fff == 0
                ? sign | 0x7c00 | UInt16(truncatingIfNeeded: fraction >> 13) : nil
        default:
            return nil
        }
    }

    /// The number that a binary16 pattern stands for.
    package static func value(ofHalf bits: UInt16) -> Double {
        let sign = UInt64(bits & 0x8000) << 48
        let exponent = UInt64(bits >> 10) & 0x1f
        let fraction = UInt64(bits & 0x03ff)
        switch exponent {
        case 0:
            return Double(bitPattern: (Double(fraction) * 0x1p-24).bitPattern | sign)
        case 31:
            return Double(bitPattern: sign | 0x7ff0_0000_0000_0000 | fraction << 42)
        default:
            return Double(bitPattern: sign | (exponent + 1008) << 52 | fraction << 42)
        }
    }

    /// The number that a binary32 pattern stands for; a signalling NaN stays one.
    package static func value(ofSingle bits: UInt32) -> Double {
        guard bits & 0x7f80_0000 == 0x7f80_0000 else {
            return Double(Float(bitPattern: bits))
        }
        return Double(
            bitPattern: UInt64(bits & 0x8000_0000) << 32 | 0x7ff0_0000_0000_0000
                | UInt64(bits & 0x007f_ffff) << 29)
    }
}
