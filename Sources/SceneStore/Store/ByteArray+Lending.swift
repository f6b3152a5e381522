extension Array where Element == UInt8 {
    /// Lends the bytes to a body that throws the store's error; the standard library's own lending
    /// loses the type of what is thrown.
    func lend<Result>(
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
