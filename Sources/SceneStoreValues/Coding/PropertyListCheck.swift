/// Whether a session's `userInfo` holds property-list values only (L-81).
///
/// What a newer version wrote and this one does not understand passes: it was checked then, and
/// must survive.
package enum PropertyListCheck {
    /// Throws ``SceneStoreError/Code/unsupportedValue`` with the key path of the first URL, UUID,
    /// null or set, or ``SceneStoreError/Code/limitExceeded`` where nesting is too deep.
    package static func check(
        _ dictionary: ValueDictionary, path: String = "userInfo", limits: Limits = .standard
    ) throws(SceneStoreError) {
        try check(.dictionary(dictionary), levels: limits.clamped.depth, path: path)
    }

    private static func check(
        _ value: Value, levels: Int, path: @autoclosure () -> String
    ) throws(SceneStoreError) {
        let kind: String
        switch value {
        case .boolean, .integer, .double, .string, .data, .date, .opaque: return
        case .array(let elements):
            guard levels > 0 else {
                throw tooDeep(path())
            }
            for (index, element) in elements.enumerated() {
                try check(
                    element, levels: levels - 1, path: KeyPathText.text(path(), .index(index)))
            }
            return
        case .dictionary(let dictionary):
            guard levels > 0 else {
                throw tooDeep(path())
            }
            for pair in dictionary.pairs {
                try check(
                    pair.value, levels: levels - 1, path: KeyPathText.text(path(), .key(pair.key)))
            }
            return
        case .null: kind = "null"
        case .url: kind = "a URL"
        case .uuid: kind = "a UUID"
        case .set: kind = "a set"
        }
        throw SceneStoreError(
            .unsupportedValue,
            "a session's userInfo holds property-list values only, not \(kind); use a string or "
                + "an array, or put it into an activity",
            path: path())
    }

    private static func tooDeep(_ path: String) -> SceneStoreError {
        SceneStoreError(.limitExceeded, "the value is nested too deeply; flatten it", path: path)
    }
}
