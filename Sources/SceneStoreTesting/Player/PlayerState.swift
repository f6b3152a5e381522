#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore

/// All that a player knows between two steps, so that another process can go on from there.
///
/// What steps said is kept as the steps' numbers: the scenario is the same on both sides.
package struct PlayerState: Codable, Sendable {
    /// The next step.
    package var step = 0
    /// The steps that set up the app, in the order in which they were played.
    var setup: [Int] = []
    /// The step that says what a session's scene answers when it is asked for its state.
    var states: [String: Int] = [:]
    /// What windows with unsaved work answer when they are to close.
    var unsaved: [String: String] = [:]
    /// The clock, in milliseconds since 1970.
    package var now = VirtualClock.start
    var bootCount = 1
    var identifierCount: UInt64 = 0
    /// The sessions that were created, in their order.
    var names = ScenarioNames()
    var launchCount = 0
    var sequence = 0
    /// The callbacks since the last `expect`.
    var calls: [Call] = []
    /// The diagnostics since the last `expect-diagnostic`.
    var diagnostics: [Call] = []
    /// The parts of the last payload of each session.
    var payloads: [String: [String: String]] = [:]
    /// The last launch's reason.
    var reason: String?
    /// The session whose restoring kills the next launch.
    var crashesRestoring: String?
    /// The callback that kills the process, and of which session; nil when none does.
    var killsDuring: Call?
    /// A force quit that the system has yet to note, and whether it discards the sessions.
    var forceQuitDiscards: Bool?
    /// Whether the store was there before the scenario, so that it may remember sessions.
    var isContinued = false
    /// What the last launch of that store declared; nil when the store remembers none.
    var declared: String?
    /// Why the disk refuses writes; nil while it takes them.
    var refusal: WriteRefusal?
    /// Whether an expectation was not met.
    package var isFailed = false

    package init() {}

    struct Call: Codable, Sendable {
        var name: String
        var sessions: [String]
        var message: String = ""
    }

    /// The state as bytes.
    package func encoded() throws -> Data {
        try JSONEncoder().encode(self)
    }

    /// The state of bytes that ``encoded()`` made.
    package init(decoding data: Data) throws {
        self = try JSONDecoder().decode(PlayerState.self, from: data)
    }

    /// The name of a session, or nil for one that the scenario did not see being created.
    func name(of identifier: SceneSession.ID) -> String? {
        names[identifier]
    }

    /// The session of a name.
    func identifier(of name: String) -> SceneSession.ID? {
        names.identifier(of: name)
    }
}
