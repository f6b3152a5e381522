#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Values to bytes and back, in the format that the documentation's page <doc:ValueFormat>
/// describes: deterministic CBOR (RFC 8949).
///
/// Who encodes often keeps a ``CBORWriter`` and reads its buffer in place; these functions make
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

    /// The bytes of an activity.
    package static func encode(
        _ activity: UserActivity, limits: Limits = .standard
    ) throws(SceneStoreError) -> [UInt8] {
        try encoded(limits, "") { $0.append(activity) }
    }

    /// The bytes of an activity, by a writer that is kept.
    package static func encode(
        _ activity: UserActivity, in encoder: inout CBORWriter
    ) throws(SceneStoreError) -> [UInt8] {
        encoder.begin()
        _ = encoder.append(activity)
        try encoder.finish(path: "")
        return encoder.bytes
    }

    /// The bytes that a closure appends.
    package static func encoded(
        _ limits: Limits, _ path: String, _ append: (inout CBORWriter) -> Bool
    ) throws(SceneStoreError) -> [UInt8] {
        var encoder = CBORWriter(limits: limits)
        encoder.begin()
        _ = append(&encoder)
        try encoder.finish(path: path)
        return encoder.bytes
    }

    // MARK: - Reading

    /// The value that bytes stand for. A large dictionary keeps the bytes until it is looked into.
    package static func decode(
        _ stored: [UInt8], limits: Limits = .standard, extraLevels: Int = 0
    ) throws(SceneStoreError) -> Value {
        try stored.withUnsafeBufferPointer { bytes throws(SceneStoreError) in
            var decoder = CBORReader(UnsafeRawBufferPointer(bytes), limits: limits)
            try decoder.check(extraLevels: extraLevels)
            return decoder.valueOnDemand(endingAt: bytes.count) { stored }
        }
    }

    /// The dictionary that bytes stand for, or the fields of a type's stored form, which may wrap
    /// more levels around the app's values.
    package static func decodeDictionary(
        _ stored: [UInt8], limits: Limits = .standard, extraLevels: Int = 0
    ) throws(SceneStoreError) -> ValueDictionary {
        try dictionary(try decode(stored, limits: limits, extraLevels: extraLevels))
    }

    private static func dictionary(_ value: Value) throws(SceneStoreError) -> ValueDictionary {
        guard case .dictionary(let dictionary) = value else {
            throw SceneStoreError(.malformedValue, "the stored value is not a dictionary")
        }
        return dictionary
    }

    /// The activity that bytes stand for. A large `userInfo` keeps the bytes until it is looked into.
    package static func decodeActivity(_ stored: [UInt8]) throws(SceneStoreError) -> UserActivity {
        try stored.withUnsafeBufferPointer { bytes throws(SceneStoreError) in
            var decoder = CBORReader(UnsafeRawBufferPointer(bytes))
            // The activity's own map is one level above its userInfo.
            try decoder.check(extraLevels: 1)
            guard decoder.isAtDictionary else {
                return try UserActivity(storedFields: dictionary(decoder.value()))
            }
            let fields = (0..<decoder.headCount()).map { _ in
                ValueDictionary.Pair(key: decoder.key(), value: decoder.valueOnDemand { stored })
            }
            return try UserActivity(storedFields: ValueDictionary(sortedPairs: fields))
        }
    }
}

/// The fields of a type's stored form, each of the kind that it has to be.
struct StoredFields {
    let fields: ValueDictionary
    /// Where the fields are, for errors.
    let path: String

    /// A field that a closure understands; nil when there is none.
    func optional<Result>(
        _ key: String, _ read: (Value) -> Result?
    ) throws(SceneStoreError) -> Result? {
        guard let value = fields[key] else {
            return nil
        }
        guard let result = read(value) else {
            throw Self.malformed(path(of: key))
        }
        return result
    }

    /// A field that has to be there.
    func required<Result>(
        _ key: String, _ read: (Value) -> Result?
    ) throws(SceneStoreError) -> Result {
        guard let result = try optional(key, read) else {
            throw Self.malformed(path(of: key))
        }
        return result
    }

    /// The elements of an array, each read by a closure that is given its path; none when absent.
    func elements<Result>(
        _ key: String, _ read: (Value, String) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> [Result] {
        guard let values = try optional(key, \.arrayValue) else {
            return []
        }
        return try values.enumerated().map { (index, value) throws(SceneStoreError) in
            try read(value, KeyPathText.text(path(of: key), .index(index)))
        }
    }

    /// The key path of a field.
    func path(of key: String) -> String {
        KeyPathText.text(path, .key(key))
    }

    static func malformed(_ path: String) -> SceneStoreError {
        SceneStoreError(
            .malformedValue, "the stored field is missing or of the wrong kind",
            path: path)
    }
}

extension StoredFields {
    /// Takes a value for fields.
    init(_ value: Value, path: String) throws(SceneStoreError) {
        guard case .dictionary(let fields) = value else {
            throw Self.malformed(path)
        }
        self.init(fields: fields, path: path)
    }
}
