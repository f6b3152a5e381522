#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Values to bytes and back, in the format that the documentation's page <doc:ValueFormat>
/// describes: deterministic CBOR (RFC 8949).
///
/// Who encodes often keeps a ``ValueEncoder`` and reads its buffer in place; these functions make
/// one each time and copy the bytes out. Encoding throws ``SceneStoreError/Code/limitExceeded``
/// with the key path of what is too deep, too long or too much. Decoding throws that or
/// ``SceneStoreError/Code/malformedValue``, and no input traps.
package enum ValueCodec {
    /// The bytes of a value; `path` begins the key path of an error.
    package static func encode(
        _ value: Value, limits: Limits = .standard, path: String = "value"
    ) throws(SceneStoreError) -> [UInt8] {
        try encoded(limits, path) { $0.append(value) }
    }

    /// The bytes of a dictionary.
    package static func encode(
        _ dictionary: ValueDictionary, limits: Limits = .standard, path: String = "userInfo"
    ) throws(SceneStoreError) -> [UInt8] {
        try encoded(limits, path) { $0.append(dictionary) }
    }

    /// The bytes of a session's `userInfo`, after ``PropertyListCheck``.
    package static func encode(
        propertyList dictionary: ValueDictionary, limits: Limits = .standard,
        path: String = "userInfo"
    ) throws(SceneStoreError) -> [UInt8] {
        try PropertyListCheck.check(dictionary, path: path, limits: limits)
        return try encode(dictionary, limits: limits, path: path)
    }

    /// The bytes of an activity.
    package static func encode(
        _ activity: UserActivity, limits: Limits = .standard
    ) throws(SceneStoreError) -> [UInt8] {
        try encoded(limits, "") { $0.append(activity) }
    }

    /// The bytes that a closure appends.
    package static func encoded(
        _ limits: Limits, _ path: String, _ append: (inout ValueEncoder) -> Bool
    ) throws(SceneStoreError) -> [UInt8] {
        var encoder = ValueEncoder(limits: limits)
        encoder.begin()
        _ = append(&encoder)
        try encoder.finish(path: path)
        return encoder.bytes
    }

    // MARK: - Reading

    /// The value that bytes stand for.
    package static func decode(
        _ bytes: UnsafeRawBufferPointer, mode: ValueDecoder.Mode = .strict,
        limits: Limits = .standard
    ) throws(SceneStoreError) -> Value {
        var decoder = ValueDecoder(bytes, mode: mode, limits: limits)
        return try decoder.decode()
    }

    /// The value that bytes stand for.
    package static func decode(
        _ bytes: [UInt8], mode: ValueDecoder.Mode = .strict, limits: Limits = .standard
    ) throws(SceneStoreError) -> Value {
        try bytes.withUnsafeBufferPointer { bytes throws(SceneStoreError) in
            try decode(UnsafeRawBufferPointer(bytes), mode: mode, limits: limits)
        }
    }

    /// The dictionary that bytes stand for.
    package static func decodeDictionary(
        _ bytes: UnsafeRawBufferPointer, mode: ValueDecoder.Mode = .strict,
        limits: Limits = .standard
    ) throws(SceneStoreError) -> ValueDictionary {
        try fields(bytes, mode, limits, extraLevels: 0)
    }

    /// The dictionary that bytes stand for.
    package static func decodeDictionary(
        _ bytes: [UInt8], mode: ValueDecoder.Mode = .strict, limits: Limits = .standard
    ) throws(SceneStoreError) -> ValueDictionary {
        try bytes.withUnsafeBufferPointer { bytes throws(SceneStoreError) in
            try decodeDictionary(UnsafeRawBufferPointer(bytes), mode: mode, limits: limits)
        }
    }

    /// The activity that bytes stand for.
    package static func decodeActivity(
        _ bytes: UnsafeRawBufferPointer, mode: ValueDecoder.Mode = .strict,
        limits: Limits = .standard
    ) throws(SceneStoreError) -> UserActivity {
        // The activity's own map is one level above its userInfo.
        try UserActivity(storedFields: fields(bytes, mode, limits, extraLevels: 1))
    }

    /// The activity that bytes stand for.
    package static func decodeActivity(
        _ bytes: [UInt8], mode: ValueDecoder.Mode = .strict, limits: Limits = .standard
    ) throws(SceneStoreError) -> UserActivity {
        try bytes.withUnsafeBufferPointer { bytes throws(SceneStoreError) in
            try decodeActivity(UnsafeRawBufferPointer(bytes), mode: mode, limits: limits)
        }
    }

    /// The fields of a type's stored form.
    package static func fields(
        _ bytes: UnsafeRawBufferPointer, _ mode: ValueDecoder.Mode, _ limits: Limits,
        extraLevels: Int
    ) throws(SceneStoreError) -> ValueDictionary {
        var decoder = ValueDecoder(bytes, mode: mode, limits: limits, extraLevels: extraLevels)
        guard case .dictionary(let fields) = try decoder.decode() else {
            throw SceneStoreError(.malformedValue, "the stored value is not a dictionary")
        }
        return fields
    }
}
