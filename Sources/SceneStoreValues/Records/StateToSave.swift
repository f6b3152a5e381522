/// The versions and the time that a state was saved under (L-51).
///
/// ```swift
/// func application(
///     _ application: SceneApplication, shouldRestore session: SceneSession,
///     savedUnder context: SaveContext
/// ) -> Bool {
///     context.appVersion == application.options.appVersion
/// }
/// ```
public struct SaveContext: Sendable, Hashable {
    /// The app's version.
    public var appVersion: String?
    /// The system's version.
    public var systemVersion: String?
    /// The kind of device.
    public var idiom: String?
    /// The time of the save, in milliseconds since 1970, UTC.
    public var savedAt: Int64
    /// The time when these versions confirmed a state that earlier versions had saved.
    ///
    /// In milliseconds since 1970; nil if these versions saved the state.
    public var confirmedAt: Int64?

    /// Makes a context.
    package init(
        appVersion: String? = nil, systemVersion: String? = nil, idiom: String? = nil,
        savedAt: Int64, confirmedAt: Int64? = nil
    ) {
        self.appVersion = appVersion
        self.systemVersion = systemVersion
        self.idiom = idiom
        self.savedAt = savedAt
        self.confirmedAt = confirmedAt
    }
}

/// A state as it is stored.
package typealias EncodedState = (activityType: String, bytes: [UInt8])

/// One state to be saved: nil forgets the earlier one.
package struct StateToSave: Sendable {
    package var key: Int64
    package var content: Content

    /// What is to be saved.
    package enum Content: Sendable {
        case nothing
        // In a box, or each copy of a state that is encoded would copy the room for it.
        indirect case activity(UserActivity)
        case encoded(EncodedState)
    }

    package init(key: Int64, activity: UserActivity?) {
        self.key = key
        content = activity.map { .activity($0) } ?? .nothing
    }

    package init(key: Int64, encoded: EncodedState?) {
        self.key = key
        content = encoded.map { .encoded($0) } ?? .nothing
    }

    package var forgets: Bool { if case .nothing = content { true } else { false } }
}

/// What of a session is to be stored beside its state; nil leaves what is there.
package struct ValuesToSave: Sendable {
    package var key: Int64
    package var title: String??
    package var placement: PlacementMemory??
    package var platformToken: [UInt8]??

    package init(key: Int64) {
        self.key = key
    }
}

/// A change of the marks by which the next launch chooses (L-11).
package struct MarkChange: Sendable, Hashable {
    package var key: Int64
    /// In the foreground or not; nil leaves it.
    package var isFront: Bool?
    /// It became active now.
    package var becameActive: Bool

    package init(key: Int64, isFront: Bool? = nil, becameActive: Bool = false) {
        self.key = key
        self.isFront = isFront
        self.becameActive = becameActive
    }
}
