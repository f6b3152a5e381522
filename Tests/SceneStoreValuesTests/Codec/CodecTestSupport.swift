#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

import SceneStoreTesting

import SceneStore

/// Bytes of a text such as `"83 01 02 03"`; blanks are skipped.
func bytes(_ hex: String) -> [UInt8] {
    var result: [UInt8] = []
    var high: UInt8?
    for character in hex.utf8 {
        guard let digit = Character(UnicodeScalar(character)).hexDigitValue else {
            continue
        }
        if let half = high {
            result.append(half << 4 | UInt8(digit))
            high = nil
        } else {
            high = UInt8(digit)
        }
    }
    return result
}

func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}

func url(_ text: String) -> Value {
    URL(string: text).map { .url($0) } ?? .null
}

func opaque(_ hex: String) -> Value {
    .opaque(OpaqueValue(encoded: bytes(hex)))
}

/// What the decoder makes of bytes at once.
func atOnce(_ bytes: [UInt8], limits: Limits = .standard) throws(SceneStoreError) -> Value {
    try bytes.withUnsafeBufferPointer { bytes throws(SceneStoreError) in
        var decoder = CBORReader(UnsafeRawBufferPointer(bytes), limits: limits)
        try decoder.check()
        return decoder.value()
    }
}

/// The error that something throws, or nil.
func thrown<Result>(_ body: () throws -> Result) -> SceneStoreError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? SceneStoreError
    }
}

/// Values of all kinds, by chance.
struct RandomValues {
    var numbers: SeededRandom

    init(seed: UInt64) {
        numbers = SeededRandom(seed)
    }

    mutating func value(depth: Int = 4) -> Value {
        switch numbers.below(depth > 0 ? 13 : 9) {
        case 0: return .null
        case 1: return .boolean(numbers.below(2) == 0)
        case 2: return .integer(integer())
        case 3: return .double(double())
        case 4: return .string(text())
        case 5: return .data(Data((0..<numbers.below(40)).map { _ in UInt8(numbers.below(256)) }))
        case 6: return .date(Date(timeIntervalSinceReferenceDate: double()))
        case 7: return url("https://example.com/\(numbers.below(10_000))?q=\(numbers.below(9))")
        case 8: return .uuid(uuid())
        case 9, 10: return .dictionary(dictionary(depth: depth - 1))
        case 11: return .array((0..<numbers.below(6)).map { _ in value(depth: depth - 1) })
        default: return .set(Set((0..<numbers.below(6)).map { _ in value(depth: depth - 1) }))
        }
    }

    mutating func dictionary(depth: Int) -> ValueDictionary {
        var dictionary = ValueDictionary()
        for _ in 0..<numbers.below(7) {
            dictionary[text()] = value(depth: depth)
        }
        return dictionary
    }

    mutating func integer() -> Int64 {
        Int64(bitPattern: numbers.next() >> UInt64(numbers.below(64)))
            &* (numbers.below(2) == 0 ? 1 : -1)
    }

    mutating func double() -> Double {
        switch numbers.below(4) {
        case 0: Double(numbers.below(4096)) / 16
        case 1: Double(Float(bitPattern: UInt32(truncatingIfNeeded: numbers.next())))
        case 2: Double(numbers.below(2_000_000_000)) + Double(numbers.below(1000)) / 1000
        default: Double(bitPattern: numbers.next())
        }
    }

    mutating func text() -> String {
        let alphabet = Array("abcdefgh ._-[]\"\\\0éß水𐅑\u{301}")
        return String((0..<numbers.below(24)).map { _ in alphabet[numbers.below(alphabet.count)] })
    }

    mutating func uuid() -> UUID {
        let high = numbers.next()
        let low = numbers.next()
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: word >> (index * 8))
        }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4),
                byte(high, 5), byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1),
                byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
