import SceneStore

/// Checks that an app's own types survive a death of the process.
///
/// A value is encoded, saved, killed with its process, decoded and compared.
///
/// ```swift
/// let report = try RoundTrip.check(NoteText(text: "draft"))
/// let isKept = report.isEqual && report.share < 0.1
/// ```
///
/// ## Topics
/// - ``check(_:limits:)-(State,_)``
/// - ``check(_:limits:)-(UserActivity,_)``
/// - ``Report``
/// - ``GoldenEncoding``
public enum RoundTrip {
    /// The values that came back, and their cost.
    public struct Report: Sendable {
        /// Whether what came back equals what was saved.
        public internal(set) var isEqual: Bool
        /// The bytes of the encoded state.
        public internal(set) var byteCount: Int
        /// The most bytes that a session's state may have.
        package internal(set) var byteLimit: Int
        /// The bytes of each key of the user info, the greatest first.
        public internal(set) var keys: [(key: String, byteCount: Int)]

        /// The part of the limit that the state takes, 0 to 1.
        public var share: Double { Double(byteCount) / Double(max(byteLimit, 1)) }
    }

    /// Saves a value as a session's state, kills the process, launches again and compares. Of a value
    /// with a NaN, which doesn't equal itself, the encodings are compared.
    ///
    /// Throws what saving throws, such as `SceneStoreError.Code.limitExceeded` with
    /// the key path, and `SceneStoreError.Code.decodingFailed` when the type does not
    /// decode what it encoded.
    public static func check<State: Codable & Equatable>(
        _ state: State, limits: Limits = Limits()
    ) throws(SceneStoreError) -> Report {
        var activity = UserActivity(checkedType: "com.example.round-trip")
        activity.userInfo = try ValueDictionary(encoding: state)
        let (restored, report) = try survive(activity, limits)
        var result = report
        let decoded = try ValueCoder.decode(
            State.self, from: .dictionary(restored.userInfo), path: "userInfo")
        result.isEqual = decoded == state
        if state != state {
            // It holds a NaN, which equals nothing: what it is stored as has to be the same.
            activity.userInfo = try ValueDictionary(encoding: decoded)
            result.isEqual = activity.userInfo == restored.userInfo
        }
        return result
    }

    /// Saves an activity as a session's state, kills the process, launches again and compares.
    ///
    /// Throws what saving throws, such as `SceneStoreError.Code.limitExceeded`.
    public static func check(
        _ activity: UserActivity, limits: Limits = Limits()
    ) throws(SceneStoreError) -> Report {
        var saved = activity
        saved.needsSave = false
        let (restored, report) = try survive(saved, limits)
        var result = report
        result.isEqual = restored == saved
        return result
    }

    private static func survive(
        _ activity: UserActivity, _ limits: Limits
    ) throws(SceneStoreError) -> (restored: UserActivity, report: Report) {
        let device = try SimulatedDevice()
        device.storeOptions.limits = limits
        let application = try device.launch { BlankApp() }
        guard let scene = device.frontScene else {
            throw SceneStoreError(.invalidState, "no scene is connected")
        }
        try application.setStateRestorationActivity(
            activity, for: scene.session.persistentIdentifier)
        try device.relaunch()
        guard let restored = device.frontScene?.session.stateRestorationActivity else {
            throw SceneStoreError(.invalidState, "no state came back")
        }
        let limit = min(limits.sessionBytes, Limits.standard.sessionBytes)
        return (restored, try measure(activity, limit))
    }

    private static func measure(
        _ activity: UserActivity, _ limit: Int
    ) throws(SceneStoreError) -> Report {
        var keys: [(key: String, byteCount: Int)] = []
        for (key, value) in activity.userInfo {
            keys.append(
                (
                    key,
                    try ValueCodec.encode(.string(key)).count + ValueCodec.encode(value).count
                ))
        }
        keys.sort { ($1.byteCount, $0.key) < ($0.byteCount, $1.key) }
        return Report(
            isEqual: false, byteCount: try ValueCodec.encode(activity).count, byteLimit: limit,
            keys: keys)
    }
}

/// An app that does nothing by itself.
private final class BlankApp: SceneConfigurationProvider {
    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration {
        session.configuration
    }
}
