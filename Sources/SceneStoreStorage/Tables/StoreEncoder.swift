import SceneStoreSQLite
import SceneStoreValues

/// Makes stored bytes of values, within the limits, without what must not reach the disk (S-70).
package struct StoreEncoder: Sendable {
    package let ephemeralKeys: Set<String>
    package let redactedKeys: Set<String>
    /// Whether values leave the store without their marks.
    package let revealsRedactedValues: Bool
    package let limits: Limits

    /// What of a user info is stored, with the marks that it gets. Throws what encoding a marked
    /// value throws.
    package func storable(_ userInfo: ValueDictionary) throws(SceneStoreError) -> ValueDictionary {
        try withoutEphemeralKeys(userInfo).redacting(redactedKeys, limits: limits)
    }

    func withoutEphemeralKeys(_ userInfo: ValueDictionary) -> ValueDictionary {
        ephemeralKeys.isEmpty ? userInfo : userInfo.filter { !ephemeralKeys.contains($0.key) }
    }

    package func storable(_ activity: UserActivity) throws(SceneStoreError) -> UserActivity {
        guard hasPrivateKeys else {
            return activity
        }
        var result = activity
        result.userInfo = try storable(activity.userInfo)
        return result
    }

    package func storable(_ payload: Payload) throws(SceneStoreError) -> Payload {
        switch payload {
        case .activity(let activity, let source):
            .activity(try storable(activity), sourceApplication: source)
        case .urls, .shortcut, .notification: payload
        }
    }

    /// The bytes of a value of scene storage, with the mark that it gets; nil for one that is not
    /// stored. Throws what encoding the value throws, also for one that is not stored.
    package func storable(
        _ value: Value, name: String, path: String
    ) throws(SceneStoreError) -> [UInt8]? {
        let isEphemeral = ephemeralKeys.contains(name)
        let stored =
            !isEphemeral && redactedKeys.contains(name)
            ? try value.redacted(limits: limits, path: path) : value
        let bytes = try ValueCodec.encode(stored, limits: limits, path: path)
        return isEphemeral ? nil : bytes
    }

    package var hasPrivateKeys: Bool {
        !ephemeralKeys.isEmpty || !redactedKeys.isEmpty
    }

    /// What was stored as it is handed out: to the app without marks.
    package func shown<Stored>(_ stored: Stored, _ revealed: (Stored) -> Stored) -> Stored {
        revealsRedactedValues ? revealed(stored) : stored
    }

    /// What is to be saved as it is stored; nil for nothing.
    func encode(_ state: borrowing StateToSave) throws(SceneStoreError) -> EncodedState? {
        switch state.content {
        case .nothing: nil
        case .activity(let activity): try encode(activity)
        case .encoded(let encoded): encoded
        }
    }

    /// A state as it is stored; throws when it can't be.
    package func encode(_ activity: UserActivity) throws(SceneStoreError) -> EncodedState {
        var encoder = CBORWriter(limits: limits)
        return try encode(activity, in: &encoder)
    }

    /// The same, in the buffer of an encoder that has these limits.
    package func encode(
        _ activity: UserActivity, in encoder: inout CBORWriter
    ) throws(SceneStoreError) -> EncodedState {
        // Not by `storable` alone: it would copy the activity to hand it out.
        let bytes =
            hasPrivateKeys
            ? try ValueCodec.encode(try storable(activity), in: &encoder)
            : try ValueCodec.encode(activity, in: &encoder)
        guard bytes.count <= limits.sessionBytes else {
            throw SceneStoreError(
                .limitExceeded, "a state is larger than \(limits.sessionBytes) bytes")
        }
        return (activity.activityType, bytes)
    }

    /// The values that are to be saved with a state; throws when one can't be.
    package func encoded(
        _ values: ValuesToSave
    ) throws(SceneStoreError) -> [(kind: SessionValueKind, bytes: [UInt8]?)] {
        var result: [(kind: SessionValueKind, bytes: [UInt8]?)] = []
        if let title = values.title {
            result.append((.title, try encoded(title: title)))
        }
        if let placement = values.placement {
            result.append((.placement, try encoded(placement)))
        }
        if let token = values.platformToken {
            result.append((.platformToken, try encoded(platformToken: token)))
        }
        return result
    }

    func encoded(presentedValue: Value?) throws(SceneStoreError) -> [UInt8]? {
        try presentedValue.map { value throws(SceneStoreError) in
            try ValueCodec.encode(value, limits: limits, path: "presentedValue")
        }
    }

    package func encoded(title: String?) throws(SceneStoreError) -> [UInt8]? {
        try check(title, path: "title")
        return title.map { Array($0.utf8) }
    }

    package func encoded(_ memory: PlacementMemory?) throws(SceneStoreError) -> [UInt8]? {
        guard let memory else {
            return nil
        }
        try check(memory.placement.display, path: "display")
        try check(memory.placement.parent?.rawValue, path: "parent")
        return try ValueCodec.encode(memory, limits: limits)
    }

    /// A compositor's token; throws when it is longer than a compositor's are.
    package func encoded(platformToken: [UInt8]?) throws(SceneStoreError) -> [UInt8]? {
        guard let platformToken, platformToken.count > Limits.platformTokenBytes else {
            return platformToken
        }
        throw SceneStoreError(
            .limitExceeded, "a token is longer than \(Limits.platformTokenBytes) bytes",
            path: "platformToken")
    }

    /// The bytes of a `userInfo`; nil for an empty one, which is the same as none.
    func encodedUserInfo(_ userInfo: ValueDictionary) throws(SceneStoreError) -> [UInt8]? {
        guard !userInfo.isEmpty else {
            return nil
        }
        let kept = withoutEphemeralKeys(userInfo)
        try PropertyListCheck.check(kept, path: "userInfo", limits: limits)
        let bytes = try ValueCodec.encode(try storable(kept), limits: limits)
        guard bytes.count <= limits.sessionBytes else {
            throw SceneStoreError(
                .limitExceeded, "userInfo is larger than \(limits.sessionBytes) bytes",
                path: "userInfo")
        }
        return bytes
    }

    /// Refuses a name that is too long.
    package func check(_ name: String?, path: String) throws(SceneStoreError) {
        guard let name, name.utf8.count > limits.keyBytes else {
            return
        }
        throw SceneStoreError(
            .limitExceeded, "a name is longer than \(limits.keyBytes) bytes", path: path)
    }
}

extension Array where Element == UInt8 {
    /// Lends the bytes to a body that throws the store's error.
    package func lend<Result>(
        _ body: (UnsafeRawBufferPointer) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        try withUnsafeBufferPointer { bytes throws(SceneStoreError) in
            try body(UnsafeRawBufferPointer(bytes))
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the same bytes lie in another place. An unchanged save does little else, and the
    /// standard library compares one by one.
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else {
            return false
        }
        guard let left = baseAddress, let right = other.baseAddress else {
            return true
        }
        return System.areSame(left, right, count)
    }
}
