extension SceneSession: Identifiable {
    /// A persistent identifier, compared as bytes.
    ///
    /// Two identifiers are equal if their bytes are equal. Swift's `String` also compares equal if
    /// two strings spell the same character in different ways.
    public struct ID: RawRepresentable, Hashable, Sendable, Codable,
        ExpressibleByStringLiteral, CustomStringConvertible
    {
        /// The identifier as text.
        public let rawValue: String

        /// Names a session.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Names a session.
        public init(_ persistentIdentifier: String) {
            rawValue = persistentIdentifier
        }

        /// Names a session that is known when the code is written, as in a test.
        public init(stringLiteral persistentIdentifier: String) {
            rawValue = persistentIdentifier
        }

        /// Returns whether the bytes are equal.
        public static func == (left: ID, right: ID) -> Bool {
            left.rawValue.hasSameBytes(as: right.rawValue)
        }

        /// Hashes the bytes.
        public func hash(into hasher: inout Hasher) {
            var text = rawValue
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }

        /// The identifier as text.
        public var description: String { rawValue }
    }

    /// UIKit's name for ``id``.
    public var persistentIdentifier: ID { id }
}
