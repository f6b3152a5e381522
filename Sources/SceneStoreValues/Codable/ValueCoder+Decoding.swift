#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value with its place, as the decoder that a type is given.
struct ValueDecodingNode: Decoder {
    let value: Value
    let codingPath: [any CodingKey]
    let nesting: Int
    /// What is told which keys are read; nil for nobody.
    let reads: ReadKeys?
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// What the value decodes to: the kinds that values have as they are, all else by itself.
    func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
        if let content = try native(type) {
            return content
        }
        guard nesting < ValueCoder.maximumNesting else {
            throw SceneStoreError(
                .limitExceeded, "the value is nested too deeply",
                path: ValueCoder.path("", codingPath))
        }
        return try Content(
            from: ValueDecodingNode(
                value: value, codingPath: codingPath, nesting: nesting + 1, reads: reads))
    }

    /// The value itself when the type is one of those that values have; nil for other types.
    private func native<Content>(_ type: Content.Type) throws -> Content? {
        switch type {
        case is String.Type: try expect(value.stringValue, type)
        case is Bool.Type: try expect(value.boolValue, type)
        case let integers as any FixedWidthInteger.Type: try integer(integers) as? Content
        case is Double.Type: try expect(value.doubleValue, type)
        case is Float.Type: try expect(float, type)
        case is Data.Type: try expect(value.dataValue, type)
        case is Date.Type: try expect(value.dateValue, type)
        case is URL.Type: try expect(value.urlValue, type)
        case is UUID.Type: try expect(value.uuidValue, type)
        default: nil
        }
    }

    /// The number as a `Float`, unless it is beyond the greatest.
    private var float: Float? {
        guard let number = value.doubleValue else {
            return nil
        }
        let float = Float(number)
        return number.isFinite && !float.isFinite ? nil : float
    }

    private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
        guard let number = value.integerValue, let integer = Integer(exactly: number) else {
            throw mismatch(type)
        }
        return integer
    }

    private func expect<Content>(_ content: Any?, _ type: Content.Type) throws -> Content {
        guard let content = content as? Content else {
            throw mismatch(type)
        }
        return content
    }

    func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(
            type, DecodingError.Context(codingPath: codingPath, debugDescription: "another kind"))
    }

    /// The node of a value below.
    func child(_ value: Value, _ key: any CodingKey) -> ValueDecodingNode {
        ValueDecodingNode(
            value: value, codingPath: codingPath + [key], nesting: nesting, reads: reads)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let dictionary = value.dictionaryValue else {
            throw mismatch(ValueDictionary.self)
        }
        reads?.open(dictionary, at: codingPath)
        return KeyedDecodingContainer(
            ValueKeyedDecodingContainer<Key>(node: self, dictionary: dictionary))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        switch value {
        case .array(let elements):
            return ValueUnkeyedDecodingContainer(node: self, elements: elements)
        case .set(let elements):
            return ValueUnkeyedDecodingContainer(node: self, elements: Array(elements))
        default: throw mismatch([Value].self)
        }
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        ValueSingleDecodingContainer(node: self)
    }
}

private struct ValueKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let node: ValueDecodingNode
    let dictionary: ValueDictionary

    var codingPath: [any CodingKey] { node.codingPath }

    var allKeys: [Key] {
        dictionary.pairs.compactMap { pair in
            let key = Key(stringValue: pair.key)
            if key != nil {
                node.reads?.see(pair.key, at: codingPath)
            }
            return key
        }
    }

    func contains(_ key: Key) -> Bool {
        node.reads?.see(key.stringValue, at: codingPath)
        return dictionary[key.stringValue] != nil
    }

    private func child(_ key: Key) throws -> ValueDecodingNode {
        guard let value = dictionary[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(codingPath: codingPath + [key], debugDescription: "no key"))
        }
        node.reads?.take(key.stringValue, at: codingPath)
        return node.child(value, key)
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        if let value = dictionary[key.stringValue], value != .null {
            // It is decoded next.
            return false
        }
        return try child(key).value == .null
    }

    func decode<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content {
        try child(key).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try child(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        superDecoder(ValueCodingKey.super)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        superDecoder(key)
    }

    private func superDecoder(_ key: any CodingKey) -> ValueDecodingNode {
        let value = dictionary[key.stringValue]
        if value != nil {
            node.reads?.take(key.stringValue, at: codingPath)
        }
        // Absent, as in other coders, it is null.
        return node.child(value ?? .null, key)
    }
}

private struct ValueUnkeyedDecodingContainer: UnkeyedDecodingContainer {
    let node: ValueDecodingNode
    let elements: [Value]
    var currentIndex = 0

    var codingPath: [any CodingKey] { node.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private func child() throws -> ValueDecodingNode {
        let key = ValueCodingKey(intValue: currentIndex)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Value.self,
                DecodingError.Context(codingPath: codingPath + [key], debugDescription: "no more"))
        }
        return node.child(elements[currentIndex], key)
    }

    mutating func decodeNil() throws -> Bool {
        guard try child().value == .null else {
            return false
        }
        currentIndex += 1
        return true
    }

    mutating func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
        let content = try child().decode(type)
        currentIndex += 1
        return content
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try child().container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try child().unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try child()
        currentIndex += 1
        return decoder
    }
}

private struct ValueSingleDecodingContainer: SingleValueDecodingContainer {
    let node: ValueDecodingNode

    var codingPath: [any CodingKey] { node.codingPath }

    func decodeNil() -> Bool {
        node.value == .null
    }

    func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
        try node.decode(type)
    }
}
