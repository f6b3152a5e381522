/// The fields of a type's stored form, each of the kind that it has to be.
struct StoredFields {
    let fields: ValueDictionary
    /// Where the fields are, for errors.
    let path: String

    init(_ fields: ValueDictionary, path: String) {
        self.fields = fields
        self.path = path
    }

    /// Takes a value for fields.
    init(_ value: Value, path: String) throws(SceneStoreError) {
        guard case .dictionary(let fields) = value else {
            throw Self.malformed(path)
        }
        self.init(fields, path: path)
    }

    /// A field that a closure understands; nil when there is none.
    func optional<Result>(
        _ key: String, _ read: (Value) -> Result?
    ) throws(SceneStoreError) -> Result? {
        guard let value = fields[key] else {
            return nil
        }
        guard let result = read(value) else {
            throw Self.malformed(path(of: key))
        }
        return result
    }

    /// A field that has to be there.
    func required<Result>(
        _ key: String, _ read: (Value) -> Result?
    ) throws(SceneStoreError) -> Result {
        guard let result = try optional(key, read) else {
            throw Self.malformed(path(of: key))
        }
        return result
    }

    /// The elements of an array, each read by a closure that is given its path; none when absent.
    func elements<Result>(
        _ key: String, _ read: (Value, String) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> [Result] {
        guard let values = try optional(key, \.arrayValue) else {
            return []
        }
        var results: [Result] = []
        results.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            results.append(try read(value, KeyPathText.text(path(of: key), .index(index))))
        }
        return results
    }

    /// The key path of a field.
    func path(of key: String) -> String {
        KeyPathText.text(path, .key(key))
    }

    static func malformed(_ path: String) -> SceneStoreError {
        SceneStoreError(
            .malformedValue, "the stored field is missing or of the wrong kind",
            path: path)
    }
}
