/// Values that exports leave out by their key (S-70).
///
/// The stored item stands behind a tag of its own. So the mark goes wherever the bytes go, into the
/// history, backups and salvaged stores, and whoever reads them without the app knows of it.
extension Value {
    /// The tag's head.
    private static let mark: [UInt8] =
        [CBOR.Major.tag << 5 | 26]
        + withUnsafeBytes(of: UInt32(truncatingIfNeeded: CBOR.Tag.redacted).bigEndian) { Array($0) }

    /// The value with the mark. Throws what encoding the value throws.
    package func redacted(limits: Limits, path: String) throws(SceneStoreError) -> Value {
        guard !isRedacted else {
            return self
        }
        let bytes = try ValueCodec.encode(self, limits: limits, path: path)
        return .opaque(OpaqueValue(encoded: Self.mark + bytes))
    }

    /// Whether the value has the mark.
    package var isRedacted: Bool {
        if case .opaque(let value) = self { Self.isMarked(value.encoded) } else { false }
    }

    /// Whether encoded bytes begin with the mark.
    package static func isMarked(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: mark)
    }

    /// What stands behind the mark, which may be another one; nil where there is no mark, or what
    /// cannot be read.
    package var redactedContent: Value? {
        guard case .opaque(let value) = self, Self.isMarked(value.encoded) else {
            return nil
        }
        return try? ValueCodec.decode(Array(value.encoded.dropFirst(Self.mark.count)))
    }

    /// What stands behind the mark, or the value itself.
    package var revealed: Value {
        redactedContent ?? self
    }
}

extension ValueDictionary {
    /// The dictionary with the mark at some of its keys. Throws what encoding a value throws.
    package func redacting(
        _ keys: Set<String>, limits: Limits, path: String = "userInfo"
    ) throws(SceneStoreError) -> ValueDictionary {
        guard !keys.isEmpty else {
            return self
        }
        var result = self
        for (key, value) in self where keys.contains(key) {
            result[key] = try value.redacted(
                limits: limits, path: KeyPathText.text(path, .key(key)))
        }
        return result
    }

    /// The dictionary without marks at its own keys.
    package var revealed: ValueDictionary {
        guard mayHoldOpaqueValues else {
            return self
        }
        var result = self
        for (key, value) in self where value.isRedacted {
            result[key] = value.revealed
        }
        return result
    }
}

extension UserActivity {
    /// Whether there may be marks in its user info.
    package var mayHaveMarks: Bool { userInfo.mayHoldOpaqueValues }

    /// The activity without marks in its user info.
    package var revealed: UserActivity {
        guard mayHaveMarks, userInfo.contains(where: \.value.isRedacted) else {
            return self
        }
        var result = self
        result.userInfo = userInfo.revealed
        // Nothing that the app changed.
        result.needsSave = needsSave
        return result
    }
}

extension Payload {
    /// The payload without marks in its user info.
    package var revealed: Payload {
        switch self {
        case .activity(let activity, let source):
            .activity(activity.revealed, sourceApplication: source)
        case .urls, .shortcut, .notification: self
        }
    }
}
