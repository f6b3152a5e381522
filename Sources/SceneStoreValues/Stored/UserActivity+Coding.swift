/// The state of an app as its own type.
extension UserActivity {
    /// Replaces ``userInfo`` by an encoded value whose type has keys, such as a struct.
    ///
    /// Throws ``SceneStoreError/Code/unsupportedValue`` for a value that has no keys, and
    /// ``SceneStoreError/Code/encodingFailed`` if the value's own encoding throws. The earlier user
    /// info stays.
    public mutating func setUserInfo<State: Encodable>(
        encoding state: State
    ) throws(SceneStoreError) {
        guard
            case .dictionary(let encoded) = try ValueCoder.encode(state, path: "userInfo")
        else {
            throw SceneStoreError(
                .unsupportedValue, "a state needs keys; wrap the value in a struct",
                path: "userInfo")
        }
        userInfo = encoded
    }

    /// Decodes ``userInfo`` as a type.
    ///
    /// Throws ``SceneStoreError/Code/decodingFailed`` with the key path if the user info has
    /// another shape. If your type changed, give it a decoder for its older form.
    public func decodeUserInfo<State: Decodable>(
        as type: State.Type = State.self
    ) throws(SceneStoreError) -> State {
        try ValueCoder.decode(type, from: .dictionary(userInfo), path: "userInfo")
    }
}
