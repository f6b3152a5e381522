/// The state of an app as its own type.
extension UserActivity {
    /// Replaces ``userInfo`` by what a value encodes itself as: a type with keys, a struct for
    /// instance.
    ///
    /// Throws ``SceneStoreError/Code/unsupportedValue`` for a value that has no keys, and what its
    /// own encoding throws as ``SceneStoreError/Code/encodingFailed``; the earlier user info stays.
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
    /// Throws ``SceneStoreError/Code/decodingFailed`` with the key path when it has another shape;
    /// give a type that changed a decoder for its older form.
    public func decodeUserInfo<State: Decodable>(
        as type: State.Type = State.self
    ) throws(SceneStoreError) -> State {
        try ValueCoder.decode(type, from: .dictionary(userInfo), path: "userInfo")
    }
}
