import SceneStoreSQLite
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
