/// The limits of stored values (L-83).
///
/// An app may lower them. Raising a limit above its default has no effect, because every version
/// must be able to read what was written.
///
/// ```swift
/// var storeOptions = SceneSessionStore.Options()
/// storeOptions.limits.sessionBytes = 1 << 20
/// ```
public struct Limits: Sendable, Hashable {
    /// Levels of arrays, sets and dictionaries in a value, including the outermost; 64.
    public var depth: Int = 64
    /// Values in one activity or dictionary, keys not counted; 1 000 000.
    public var nodes: Int = 1_000_000
    /// Bytes of a single string or data value; 16 MiB.
    public var valueBytes: Int = 16 << 20
    /// Bytes of a session's encoded state, and of its userInfo; 16 MiB each.
    public var sessionBytes: Int = 16 << 20
    /// Bytes of a title, an identifier, a name or a key; 64 KiB.
    public var keyBytes: Int = 64 << 10
    /// Open sessions in a container; 100 000.
    public var sessions: Int = 100_000

    /// Bytes of a compositor's token for a window; 4 096, which no app can change.
    public static let platformTokenBytes = 4_096

    /// The defaults, which are also the greatest values.
    public static let standard = Limits()

    /// Makes the default limits.
    public init() {}

    /// These limits, none above its default or below one.
    package var clamped: Limits {
        var result = self
        let most = Limits.standard
        result.depth = min(max(depth, 1), most.depth)
        result.nodes = min(max(nodes, 1), most.nodes)
        result.valueBytes = min(max(valueBytes, 1), most.valueBytes)
        result.sessionBytes = min(max(sessionBytes, 1), most.sessionBytes)
        result.keyBytes = min(max(keyBytes, 1), most.keyBytes)
        result.sessions = min(max(sessions, 1), most.sessions)
        return result
    }
}

extension SceneStoreError.Code {
    /// A value is nested too deeply, too large, or there are too many; see ``Limits``.
    public static let limitExceeded = Self("limitExceeded")
    /// A value's kind is not allowed at its place.
    public static let unsupportedValue = Self("unsupportedValue")
    /// Encoded bytes are not what the format allows.
    public static let malformedValue = Self("malformedValue")
}
