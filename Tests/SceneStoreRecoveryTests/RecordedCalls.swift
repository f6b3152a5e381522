import SceneStoreCTestSupport

/// Which files a body syncs, renames and removes, in their order; nil where that can't be
/// recorded. What is half made is called "temporary".
func recordedCalls(_ body: () throws -> Void) throws -> [String]? {
    guard scenestore_test_record_calls() else {
        return nil
    }
    defer { _ = scenestore_test_recorded_calls() }
    try body()
    return String(cString: scenestore_test_recorded_calls()).split(separator: "\n").map {
        let words = $0.split(separator: " ", maxSplits: 1)
        let name = words.last?.split(separator: "/").last ?? ""
        return "\(words[0]) \(name.hasPrefix(".scenestore.") ? "temporary" : name)"
    }
}
