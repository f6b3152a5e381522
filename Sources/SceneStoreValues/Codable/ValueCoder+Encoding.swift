#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A place in the tree that is being encoded.
final class ValueEncodingNode {
    enum Content {
        case empty
        case value(Value)
        case array([ValueEncodingNode])
        case dictionary([(key: String, node: ValueEncodingNode)])
    }

    var content = Content.empty

    /// The finished value; a type that asked for no container is an empty dictionary.
    func value(levels: Int, path: String) throws(SceneStoreError) -> Value {
        if case .value(let value) = content {
            return value
        }
        guard levels > 0 else {
            throw SceneStoreError(
                .limitExceeded, "the value is nested too deeply; flatten it", path: path)
        }
        switch content {
        case .empty, .value:
            return .dictionary([:])
        case .array(let nodes):
            var elements: [Value] = []
            elements.reserveCapacity(nodes.count)
            for (index, node) in nodes.enumerated() {
                elements.append(
                    try node.value(
                        levels: levels - 1, path: KeyPathText.text(path, .index(index))))
            }
            return .array(elements)
        case .dictionary(let nodes):
            var dictionary = ValueDictionary()
            for (key, node) in nodes {
                dictionary[key] = try node.value(
                    levels: levels - 1, path: KeyPathText.text(path, .key(key)))
            }
            return .dictionary(dictionary)
        }
    }
}

/// What all containers of one encoding share.
final class ValueEncodingSession {
    /// How the key path of an error begins.
    let path: String
    /// What a container could not throw when it was asked for.
    var failure: SceneStoreError?

    init(path: String) {
        self.path = path
    }

    /// Encodes something into a node: the kinds that values have as they are, all else by itself.
    func encode<Content: Encodable>(
        _ content: Content, into node: ValueEncodingNode, codingPath: [any CodingKey], nesting: Int
    ) throws {
        if let value = try native(content, codingPath) {
            node.content = .value(value)
            return
        }
        guard nesting < ValueCoder.maximumNesting else {
            throw SceneStoreError(
                .limitExceeded, "the value is nested too deeply; flatten it",
                path: ValueCoder.path(path, codingPath))
        }
        try content.encode(
            to: ValueContentEncoder(
                session: self, node: node, codingPath: codingPath, nesting: nesting + 1))
    }

    private func native<Content>(
        _ content: Content, _ codingPath: [any CodingKey]
    ) throws -> Value? {
        switch content {
        case let value as String: .string(value)
        case let value as Bool: .boolean(value)
        case let value as any FixedWidthInteger: try integer(value, codingPath)
        case let value as Double: .double(value)
        case let value as Float: .double(Double(value))
        case let value as Data: .data(value)
        case let value as Date: .date(value)
        case let value as URL: .url(value)
        case let value as UUID: .uuid(value)
        default: nil
        }
    }

    private func integer(
        _ number: any FixedWidthInteger, _ codingPath: [any CodingKey]
    ) throws -> Value {
        guard let number = Int64(exactly: number) else {
            throw SceneStoreError(
                .unsupportedValue, "the integer does not fit into 64 bits; use a string",
                path: ValueCoder.path(path, codingPath))
        }
        return .integer(number)
    }
}

/// The encoder that a type is given.
private struct ValueContentEncoder: Encoder {
    let session: ValueEncodingSession
    let node: ValueEncodingNode
    let codingPath: [any CodingKey]
    let nesting: Int
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(ValueKeyedEncodingContainer<Key>(encoder: opened(.dictionary([]))))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ValueUnkeyedEncodingContainer(encoder: opened(.array([])))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ValueSingleEncodingContainer(encoder: self)
    }

    /// The encoder of a node that is a container of the wanted kind.
    private func opened(_ content: ValueEncodingNode.Content) -> Self {
        switch (node.content, content) {
        case (.empty, _):
            node.content = content
            return self
        case (.array, .array), (.dictionary, .dictionary):
            return self
        default:
            session.failure = SceneStoreError(
                .encodingFailed, "the type encodes itself in containers of two kinds",
                path: ValueCoder.path(session.path, codingPath))
            // What is written into it is lost, and the encoding fails.
            return Self(
                session: session, node: ValueEncodingNode(), codingPath: codingPath,
                nesting: nesting
            ).opened(content)
        }
    }

    /// The encoder of a node below.
    func child(_ node: ValueEncodingNode, _ key: any CodingKey) -> Self {
        Self(session: session, node: node, codingPath: codingPath + [key], nesting: nesting + 1)
    }

    /// A new node under a key.
    func node(forKey key: any CodingKey) -> ValueEncodingNode {
        let child = ValueEncodingNode()
        if case .dictionary(var nodes) = node.content {
            node.content = .empty
            nodes.append((key.stringValue, child))
            node.content = .dictionary(nodes)
        }
        return child
    }

    /// A new node at the end, with its place.
    func nextNode() -> (node: ValueEncodingNode, key: ValueCodingKey) {
        let child = ValueEncodingNode()
        var index = 0
        if case .array(var nodes) = node.content {
            node.content = .empty
            index = nodes.count
            nodes.append(child)
            node.content = .array(nodes)
        }
        return (child, ValueCodingKey(intValue: index))
    }
}

private struct ValueKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueContentEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) throws {
        encoder.node(forKey: key).content = .value(.null)
    }

    mutating func encode<Content: Encodable>(_ content: Content, forKey key: Key) throws {
        try encoder.session.encode(
            content, into: encoder.node(forKey: key), codingPath: codingPath + [key],
            nesting: encoder.nesting)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.child(encoder.node(forKey: key), key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.child(encoder.node(forKey: key), key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        encoder.child(encoder.node(forKey: ValueCodingKey.super), ValueCodingKey.super)
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        encoder.child(encoder.node(forKey: key), key)
    }
}

private struct ValueUnkeyedEncodingContainer: UnkeyedEncodingContainer {
    let encoder: ValueContentEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int {
        if case .array(let nodes) = encoder.node.content { nodes.count } else { 0 }
    }

    mutating func encodeNil() throws {
        encoder.nextNode().node.content = .value(.null)
    }

    mutating func encode<Content: Encodable>(_ content: Content) throws {
        let next = encoder.nextNode()
        try encoder.session.encode(
            content, into: next.node, codingPath: codingPath + [next.key],
            nesting: encoder.nesting)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        let next = encoder.nextNode()
        return encoder.child(next.node, next.key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let next = encoder.nextNode()
        return encoder.child(next.node, next.key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        let next = encoder.nextNode()
        return encoder.child(next.node, next.key)
    }
}

private struct ValueSingleEncodingContainer: SingleValueEncodingContainer {
    let encoder: ValueContentEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() throws {
        encoder.node.content = .value(.null)
    }

    mutating func encode<Content: Encodable>(_ content: Content) throws {
        try encoder.session.encode(
            content, into: encoder.node, codingPath: codingPath, nesting: encoder.nesting)
    }
}
