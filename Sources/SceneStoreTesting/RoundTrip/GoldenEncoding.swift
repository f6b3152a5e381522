import SceneStore

/// A recorded encoding of a type, to prove that the current decoder still reads it.
///
/// Record an encoding when a version of the app is released, and keep it in the test:
///
/// ```swift
/// let recorded = try GoldenEncoding(recording: NoteText(text: "draft")).text
/// let released = try GoldenEncoding("a2646c696e65006474657874656472616674")
/// let note = try released.decode(NoteText.self)
/// ```
///
/// The text is the encoded bytes (deterministic CBOR) in hexadecimal digits.
public struct GoldenEncoding: Hashable, Sendable {
    /// The encoded bytes.
    public let bytes: [UInt8]

    /// Records a value's encoding of today.
    ///
    /// Throws what encoding throws.
    public init<State: Encodable>(recording state: State) throws(SceneStoreError) {
        bytes = try ValueCodec.encode(ValueCoder.encode(state, path: "state"))
    }

    /// Reads a recorded text; blanks and line ends in it are ignored.
    ///
    /// Throws `SceneStoreError.Code.malformedValue` for anything else than pairs of
    /// hexadecimal digits.
    public init(_ text: String) throws(SceneStoreError) {
        var digits: [UInt8] = []
        for character in text where !character.isWhitespace {
            guard character.isASCII, let digit = character.hexDigitValue else {
                throw Self.malformed
            }
            digits.append(UInt8(digit))
        }
        guard digits.count.isMultiple(of: 2) else {
            throw Self.malformed
        }
        bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private static var malformed: SceneStoreError {
        SceneStoreError(
            .malformedValue, "the recorded encoding isn't hexadecimal")
    }

    /// The bytes in hexadecimal digits, to be kept in a test.
    public var text: String { HexText.text(bytes) }

    /// Decodes the recorded bytes as a current type.
    ///
    /// Throws `SceneStoreError.Code.malformedValue` if the bytes are not an encoding, and
    /// `SceneStoreError.Code.decodingFailed` with the key path if the type can't read them any
    /// more.
    public func decode<State: Decodable>(
        _ type: State.Type = State.self
    ) throws(SceneStoreError) -> State {
        try ValueCoder.decode(type, from: ValueCodec.decode(bytes), path: "state")
    }

    /// Restores the recorded bytes as an app of today restores a state of a version: migrated step
    /// by step.
    ///
    /// Throws as `decode(_:)` does, and as `SavedState.init(restoring:)` does.
    public func restore<State: SavedState>(
        _ type: State.Type = State.self, savedByVersion version: Int
    ) throws(SceneStoreError) -> State {
        guard case .dictionary(let values) = try ValueCodec.decode(bytes) else {
            throw SceneStoreError(.decodingFailed, "a state has keys", path: "state")
        }
        var activity = try UserActivity(activityType: State.activityType, userInfo: values)
        activity.stateVersion = version
        return try State(restoring: activity)
    }
}
