import SceneStoreFormats
import SceneStoreValues

/// The members of an object of an import, each of the kind that it has to be.
struct ImportFields {
    let object: CanonicalJSON.Object
    /// Where it stands within its line, such as `states[0]`; nil for the line itself.
    let path: String?

    init(_ json: CanonicalJSON, path: String? = nil) throws(SceneStoreError) {
        guard let object = json.objectValue else {
            throw Self.malformed(path)
        }
        self.object = object
        self.path = path
    }

    static func malformed(_ path: String?) -> SceneStoreError {
        SceneStoreError(
            .malformedValue, "this is missing or not the expected value", path: path)
    }

    func path(of key: String) -> String {
        path.map { $0 + "." + key } ?? key
    }

    private func value(_ key: String) -> CanonicalJSON? {
        if case .null? = object[key] {
            return nil
        }
        return object[key]
    }

    func json(_ key: String) throws(SceneStoreError) -> CanonicalJSON {
        guard let value = object[key] else {
            throw Self.malformed(path(of: key))
        }
        return value
    }

    func optionalJSON(_ key: String) -> CanonicalJSON? {
        value(key)
    }

    func text(_ key: String, limit: Int) throws(SceneStoreError) -> String {
        guard let text = try optionalText(key, limit: limit) else {
            throw Self.malformed(path(of: key))
        }
        return text
    }

    func optionalText(_ key: String, limit: Int) throws(SceneStoreError) -> String? {
        guard let value = value(key) else {
            return nil
        }
        guard let text = value.stringValue else {
            throw Self.malformed(path(of: key))
        }
        guard text.utf8.count <= limit else {
            throw SceneStoreError(
                .limitExceeded, "a text is longer than \(limit) bytes", path: path(of: key))
        }
        return text
    }

    func number(
        _ key: String, in range: ClosedRange<Int64> = Int64.min...Int64.max
    ) throws(SceneStoreError) -> Int64 {
        guard let number = value(key)?.integerValue, range.contains(number) else {
            throw Self.malformed(path(of: key))
        }
        return number
    }

    /// A time in milliseconds since 1970, of a year that calendars have.
    func time(_ key: String) throws(SceneStoreError) -> Int64 {
        let time = try number(key)
        guard (-8_640_000_000_000_000...8_640_000_000_000_000).contains(time) else {
            throw SceneStoreError(
                .malformedValue, "the time doesn't exist", path: path(of: key))
        }
        return time
    }

    func flag(_ key: String) throws(SceneStoreError) -> Bool {
        guard let flag = value(key)?.booleanValue else {
            throw Self.malformed(path(of: key))
        }
        return flag
    }

    func elements(_ key: String) throws(SceneStoreError) -> [CanonicalJSON] {
        guard let value = value(key) else {
            return []
        }
        guard let elements = value.arrayValue else {
            throw Self.malformed(path(of: key))
        }
        return elements
    }
}
