#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Makes a ``Value`` of any `Encodable` and any `Decodable` of a ``Value`` (L-82).
///
/// Booleans, integers, floating point numbers, strings, `Data`, `Date`, `URL` and `UUID` become the
/// values of their kind; keyed containers become dictionaries, unkeyed ones arrays, nil null.
/// Kinds are not converted into each other when decoding: an integer is no floating point number
/// and no Boolean.
package enum ValueCoder {
    /// Calls of `encode(to:)` and `init(from:)` within each other; wrappers that add no level to
    /// the value count too.
    static let maximumNesting = 256

    /// The value that something encodes itself as.
    ///
    /// Throws ``SceneStoreError/Code/unsupportedValue`` for a number that no value can hold,
    /// ``SceneStoreError/Code/limitExceeded`` for too much nesting, and
    /// ``SceneStoreError/Code/encodingFailed`` for what its own code throws; each with the key
    /// path, which begins with `path`.
    package static func encode<Content: Encodable>(
        _ content: Content, limits: Limits = .standard, path: String = "value"
    ) throws(SceneStoreError) -> Value {
        let session = ValueEncodingSession(path: path)
        let node = ValueEncodingNode()
        do {
            try session.encode(content, into: node, codingPath: [], nesting: 0)
        } catch let error as SceneStoreError {
            throw error
        } catch {
            var codingPath: [any CodingKey] = []
            if case EncodingError.invalidValue(_, let context)? = error as? EncodingError {
                codingPath = context.codingPath
            }
            throw SceneStoreError(
                .encodingFailed, "the value encoded nothing",
                path: Self.path(path, codingPath))
        }
        if let failure = session.failure {
            throw failure
        }
        return try node.value(levels: limits.clamped.depth, path: path)
    }

    /// What a value decodes to.
    ///
    /// Throws ``SceneStoreError/Code/decodingFailed`` with the key path when the value is of
    /// another shape, and ``SceneStoreError/Code/limitExceeded`` for too much nesting.
    package static func decode<Content: Decodable>(
        _ type: Content.Type, from value: Value, path: String = "value"
    ) throws(SceneStoreError) -> Content {
        try decode(type, from: value, path: path, reads: nil)
    }

    /// What a value decodes to; `unread` gets the places of the keys that the type did not read.
    package static func decode<Content: Decodable>(
        _ type: Content.Type, from value: Value, path: String = "value",
        unread: inout [String]
    ) throws(SceneStoreError) -> Content {
        let reads = ReadKeys()
        let content = try decode(type, from: value, path: path, reads: reads)
        if !reads.hasReadAll {
            let places = ReadKeys(notesPlaces: true)
            _ = try decode(type, from: value, path: path, reads: places)
            unread = places.unread(from: path)
        }
        return content
    }

    private static func decode<Content: Decodable>(
        _ type: Content.Type, from value: Value, path: String, reads: ReadKeys?
    ) throws(SceneStoreError) -> Content {
        do {
            return try ValueDecodingNode(value: value, codingPath: [], nesting: 0, reads: reads)
                .decode(type)
        } catch var error as SceneStoreError {
            error.path = error.path.map { $0.isEmpty ? path : path + "." + $0 } ?? path
            throw error
        } catch {
            let failure = error as? DecodingError
            throw SceneStoreError(
                .decodingFailed, failure?.meaning ?? DecodingError.otherShape,
                path: Self.path(path, failure?.place ?? []))
        }
    }

    /// A coding path as text.
    package static func path(_ root: String, _ codingPath: [any CodingKey]) -> String {
        KeyPathText.text(
            root: root,
            steps: codingPath.map { key in
                key.intValue.map { .index($0) } ?? .key(key.stringValue)
            })
    }
}

extension DecodingError {
    /// Where its context says that it happened.
    package var place: [any CodingKey] {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath
        @unknown default: []
        }
    }

    /// The key that is not there, if that is what is wrong.
    package var missingKey: (any CodingKey)? {
        if case .keyNotFound(let key, _) = self { key } else { nil }
    }

    /// What is wrong, without the words and the value of its context, which are the app's.
    package var meaning: String {
        missingKey == nil
            ? Self.otherShape
            : "the stored value lacks a key of the type; raise its version and add a migration"
    }

    fileprivate static var otherShape: String {
        "the stored value doesn't fit the type"
    }
}

extension SceneStoreError.Code {
    /// A value's own encoding failed.
    public static let encodingFailed = Self("encodingFailed")
    /// A stored value can't be decoded as the requested type.
    public static let decodingFailed = Self("decodingFailed")
}

/// The place of an element, or any other key.
package struct ValueCodingKey: CodingKey {
    package let stringValue: String
    package let intValue: Int?

    package init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    package init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }

    /// The key that a superclass's own container stands under.
    package static let `super` = ValueCodingKey(stringValue: "super")
}
