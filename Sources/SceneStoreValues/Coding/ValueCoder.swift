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
            try ValueContentEncoder(session: session, node: node, codingPath: [], nesting: 0)
                .encode(content)
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
        _ type: Content.Type, from value: Value, path: String = "value", reads: ReadKeys? = nil
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

    /// A coding path as text.
    package static func path(_ root: String, _ codingPath: [any CodingKey]) -> String {
        KeyPathText.text(
            root: root,
            steps: codingPath.map { key in
                key.intValue.map { .index($0) } ?? .key(key.stringValue)
            })
    }
}

/// Values that hold an app's own types (L-82).
extension Value {
    /// Makes the value that something encodes itself as.
    ///
    /// Booleans, numbers, text, `Data`, `Date`, `URL` and `UUID` become the values of their kind,
    /// types with keys become dictionaries, and sequences become arrays. Throws
    /// ``SceneStoreError/Code/encodingFailed``, ``SceneStoreError/Code/unsupportedValue`` or
    /// ``SceneStoreError/Code/limitExceeded``, each with the key path.
    public init<Content: Encodable>(encoding content: Content) throws(SceneStoreError) {
        self = try ValueCoder.encode(content)
    }

    /// Decodes the value as a type.
    ///
    /// An integer is not decoded as a floating point number or a Boolean. Throws
    /// ``SceneStoreError/Code/decodingFailed`` with the key path if the value doesn't fit the type.
    public func decode<Content: Decodable>(
        as type: Content.Type = Content.self
    ) throws(SceneStoreError) -> Content {
        try ValueCoder.decode(type, from: self)
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

    fileprivate static let otherShape = "the stored value doesn't fit the type"
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
            return .array(
                try nodes.enumerated().map { (index, node) throws(SceneStoreError) in
                    try node.value(levels: levels - 1, path: KeyPathText.text(path, .index(index)))
                })
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
private final class ValueEncodingSession {
    /// How the key path of an error begins.
    let path: String
    /// What a container could not throw when it was asked for.
    var failure: SceneStoreError?

    init(path: String) {
        self.path = path
    }
}

/// An optional of any type.
private protocol NestableOptional {
    var isEmpty: Bool { get }
    /// Whether it holds an empty optional.
    var holdsNil: Bool { get }
}

extension Optional: NestableOptional {
    fileprivate var isEmpty: Bool {
        if case .none = self { true } else { false }
    }

    fileprivate var holdsNil: Bool {
        guard Wrapped.self is any NestableOptional.Type, case .some(let inner) = self else {
            return false
        }
        return (inner as? any NestableOptional)?.isEmpty == true
    }
}

/// The encoder that a type is given, which is also its container of a single value.
private struct ValueContentEncoder: Encoder, SingleValueEncodingContainer {
    let session: ValueEncodingSession
    let node: ValueEncodingNode
    let codingPath: [any CodingKey]
    let nesting: Int
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func encodeNil() {
        node.content = .value(.null)
    }

    /// Encodes something into the node: the kinds that values have as they are, all else by itself.
    func encode<Content: Encodable>(_ content: Content) throws {
        if let value = try native(content) {
            node.content = .value(value)
            return
        }
        try refuseNestedNil(content)
        guard nesting < ValueCoder.maximumNesting else {
            throw failure(.limitExceeded, "the value is nested too deeply; flatten it")
        }
        try content.encode(
            to: Self(session: session, node: node, codingPath: codingPath, nesting: nesting + 1))
    }

    /// Refuses an optional that holds an empty one: both would be stored as null (L-82).
    func refuseNestedNil<Content>(_ content: Content) throws(SceneStoreError) {
        if let optional = content as? any NestableOptional, optional.holdsNil {
            throw failure(
                .unsupportedValue,
                "an optional holds an optional without a value, which is stored as null like an"
                    + " empty one; use one optional, or an enum")
        }
    }

    private func native<Content>(_ content: Content) throws(SceneStoreError) -> Value? {
        switch content {
        case let value as String: .string(value)
        case let value as Bool: .boolean(value)
        case let value as any FixedWidthInteger: try integer(value)
        case let value as Double: .double(value)
        case let value as Float: .double(Double(value))
        case let value as Data: .data(value)
        case let value as Date: .date(value)
        case let value as URL: .url(value)
        case let value as UUID: .uuid(value)
        default: nil
        }
    }

    private func integer(_ number: any FixedWidthInteger) throws(SceneStoreError) -> Value {
        if let number = Int64(exactly: number) {
            return .integer(number)
        }
        guard let number = UInt64(exactly: number) else {
            throw failure(.unsupportedValue, "the integer does not fit into 64 bits; use a string")
        }
        return Value(unsigned: number)
    }

    private func failure(_ code: SceneStoreError.Code, _ message: String) -> SceneStoreError {
        SceneStoreError(code, message, path: ValueCoder.path(session.path, codingPath))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(ValueKeyedEncodingContainer<Key>(encoder: opened(.dictionary([]))))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ValueUnkeyedEncodingContainer(encoder: opened(.array([])))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        self
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
            session.failure = failure(
                .encodingFailed, "the type encodes itself in containers of two kinds")
            // What is written into it is lost, and the encoding fails.
            return Self(
                session: session, node: ValueEncodingNode(), codingPath: codingPath,
                nesting: nesting
            ).opened(content)
        }
    }

    /// The encoder of a new node under a key.
    func child(_ key: any CodingKey) -> Self {
        let child = ValueEncodingNode()
        if case .dictionary(var nodes) = node.content {
            node.content = .empty
            nodes.append((key.stringValue, child))
            node.content = .dictionary(nodes)
        }
        return encoder(of: child, key)
    }

    /// The encoder of a new node at the end.
    func nextChild() -> Self {
        let child = ValueEncodingNode()
        var index = 0
        if case .array(var nodes) = node.content {
            node.content = .empty
            index = nodes.count
            nodes.append(child)
            node.content = .array(nodes)
        }
        return encoder(of: child, ValueCodingKey(intValue: index))
    }

    private func encoder(of child: ValueEncodingNode, _ key: any CodingKey) -> Self {
        Self(session: session, node: child, codingPath: codingPath + [key], nesting: nesting)
    }
}

private struct ValueKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueContentEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) {
        encoder.child(key).encodeNil()
    }

    mutating func encodeIfPresent<Content: Encodable>(_ content: Content?, forKey key: Key) throws {
        if let wrapped = content {
            let child = encoder.child(key)
            try child.refuseNestedNil(content)
            try child.encode(wrapped)
        }
    }

    mutating func encode<Content: Encodable>(_ content: Content, forKey key: Key) throws {
        try encoder.child(key).encode(content)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.child(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.child(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        encoder.child(ValueCodingKey.super)
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        encoder.child(key)
    }
}

private struct ValueUnkeyedEncodingContainer: UnkeyedEncodingContainer {
    let encoder: ValueContentEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int {
        if case .array(let nodes) = encoder.node.content { nodes.count } else { 0 }
    }

    mutating func encodeNil() {
        encoder.nextChild().encodeNil()
    }

    mutating func encode<Content: Encodable>(_ content: Content) throws {
        try encoder.nextChild().encode(content)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.nextChild().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder.nextChild().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        encoder.nextChild()
    }
}

/// A value with its place, as the decoder that a type is given, and its container of a single value.
struct ValueDecodingNode: Decoder, SingleValueDecodingContainer {
    let value: Value
    let codingPath: [any CodingKey]
    let nesting: Int
    /// What is told which keys are read; nil for nobody.
    let reads: ReadKeys?
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func decodeNil() -> Bool {
        value == .null
    }

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
        let integer =
            value.integerValue.map { Integer(exactly: $0) }
            ?? value.unsignedValue.flatMap { Integer(exactly: $0) }
        guard let integer else {
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
        return KeyedDecodingContainer(
            ValueKeyedDecodingContainer<Key>(
                node: self, dictionary: dictionary,
                number: reads?.open(dictionary, at: codingPath) ?? 0))
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
        self
    }
}

private struct ValueKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let node: ValueDecodingNode
    let dictionary: ValueDictionary
    /// Among the dictionaries that were opened.
    let number: Int

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
        node.reads?.take(key.stringValue, number, at: codingPath)
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
            node.reads?.take(key.stringValue, number, at: codingPath)
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

    /// What is made of the next element, which is passed then.
    private mutating func next<Result>(
        _ read: (ValueDecodingNode) throws -> Result
    ) throws -> Result {
        let result = try read(child())
        currentIndex += 1
        return result
    }

    mutating func decodeNil() throws -> Bool {
        let isNil = try child().decodeNil()
        currentIndex += isNil ? 1 : 0
        return isNil
    }

    mutating func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
        try next { try $0.decode(type) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        try next { $0 }
    }
}

/// Which keys of the dictionaries that a type decodes from it reads.
///
/// A restore only adds and subtracts hashes. Where something is left the value is decoded once more,
/// and each place is noted.
package final class ReadKeys {
    /// How many dictionaries were opened.
    private var opened = 0
    /// The hashes of their keys, without those of the keys that were read. One that is read twice counts
    /// twice, so that it doesn't stand for another one.
    private var remainder = 0
    private let notesPlaces: Bool
    /// The keys of the dictionaries in the order in which these were opened; a superclass opens one again.
    private var keys: [[any CodingKey]] = []
    private var read: Set<[String]> = []

    init(notesPlaces: Bool = false) {
        self.notesPlaces = notesPlaces
    }

    /// Whether it is certain by the hashes alone that every key was read, once.
    var hasReadAll: Bool { remainder == 0 }

    /// Notes that a type reads a dictionary at a coding path; answers its number.
    func open(_ dictionary: ValueDictionary, at path: [any CodingKey]) -> Int {
        opened += 1
        for key in dictionary.keys {
            remainder &+= hash(key, opened)
            if notesPlaces {
                keys.append(path + [ValueCodingKey(stringValue: key)])
            }
        }
        return opened
    }

    /// A value of a dictionary was decoded.
    func take(_ key: String, _ dictionary: Int, at path: [any CodingKey]) {
        remainder &-= hash(key, dictionary)
        see(key, at: path)
    }

    private func hash(_ key: String, _ dictionary: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(dictionary)
        hasher.combine(key)
        return hasher.finalize()
    }

    /// A type has seen that a key is there.
    func see(_ key: String, at path: [any CodingKey]) {
        if notesPlaces {
            read.insert(path.map(\.stringValue) + [key])
        }
    }

    /// The places of the keys that nobody read.
    func unread(from root: String) -> [String] {
        var known = read
        return keys.filter { known.insert($0.map(\.stringValue)).inserted }
            .map { ValueCoder.path(root, $0) }
    }
}
