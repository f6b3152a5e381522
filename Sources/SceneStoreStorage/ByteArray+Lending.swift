import SceneStoreValues

extension Array where Element == UInt8 {
    /// Lends the bytes to a body that throws the store's error; the standard library's own lending
    /// loses the type of what is thrown.
    package func lend<Result>(
        _ body: (UnsafeRawBufferPointer) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        let result = withUnsafeBytes { bytes -> Swift.Result<Result, SceneStoreError> in
            do throws(SceneStoreError) {
                return .success(try body(bytes))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the same bytes lie in another place. Eight times as fast as comparing one by one,
    /// which the standard library does: an unchanged save does little else.
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else {
            return false
        }
        var offset = 0
        while offset &+ 32 <= count {
            var differences: UInt64 = 0
            for word in stride(from: offset, to: offset &+ 32, by: 8) {
                differences |=
                    loadUnaligned(fromByteOffset: word, as: UInt64.self)
                    ^ other.loadUnaligned(fromByteOffset: word, as: UInt64.self)
            }
            guard differences == 0 else {
                return false
            }
            offset &+= 32
        }
        while offset < count {
            guard self[offset] == other[offset] else {
                return false
            }
            offset &+= 1
        }
        return true
    }
}
