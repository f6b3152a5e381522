import SceneStoreValues

/// One place at which two values differ.
///
/// ```swift
/// let differences = ValueDifference.between(old, new)
/// let paths = differences.map(\.path)
/// ```
public struct ValueDifference: Sendable, Hashable {
    /// The key path, such as `info.tabs[3]`.
    public var path: String
    /// The value in the first container; nil if it has none at this place.
    public var old: Value?
    /// The value in the second container; nil if it has none at this place.
    public var new: Value?

    /// Returns the places at which two values differ, in the order of the keys.
    ///
    /// If both sides have a container at one place, the containers are compared; otherwise the
    /// container counts as one place.
    public static func between(
        _ old: Value?, _ new: Value?, path: String = ""
    ) -> [ValueDifference] {
        var result: [ValueDifference] = []
        compare(old, new, path, &result)
        return result
    }

    private static func compare(
        _ old: Value?, _ new: Value?, _ path: String, _ result: inout [ValueDifference]
    ) {
        switch (old, new) {
        case (.dictionary(let old)?, .dictionary(let new)?):
            let keys = old.keys + new.keys.filter { old[$0] == nil }
            for key in keys.sorted(by: { $0.precedes($1) }) {
                compare(old[key], new[key], KeyPathText.text(path, .key(key)), &result)
            }
        case (.array(let old)?, .array(let new)?):
            for index in 0..<max(old.count, new.count) {
                compare(
                    index < old.count ? old[index] : nil, index < new.count ? new[index] : nil,
                    KeyPathText.text(path, .index(index)), &result)
            }
        default:
            if old != new {
                result.append(ValueDifference(path: path, old: old, new: new))
            }
        }
    }

    /// Returns the places at which the stored fields of two activities differ.
    public static func between(
        _ old: UserActivity, _ new: UserActivity
    ) throws(SceneStoreError) -> [ValueDifference] {
        between(try fields(of: old), try fields(of: new))
    }

    private static func fields(of activity: UserActivity) throws(SceneStoreError) -> Value {
        .dictionary(
            try ValueCodec.decodeDictionary(ValueCodec.encode(activity), extraLevels: 1))
    }
}
