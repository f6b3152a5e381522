import SceneStore

/// A script of an app's launches: one step on each line, with the expected callbacks.
///
/// Making one reads the complete text and runs nothing. Only playing it shows whether a session
/// exists and whether the process is in the right state for a step.
///
/// ```swift
/// let text = "launch\nbackground A\nkill\nlaunch\nexpect-reason recover\n"
/// let scenario = try Scenario(text: text, name: "recover.scenario")
/// let fixture = try StoreFixture(playing: scenario)
/// ```
///
/// ## Topics
/// ### Reading
/// - ``init(text:name:)-([UInt8],_)``
/// - ``maximumBytes``
/// - ``ScenarioError``
public struct Scenario: Hashable, Sendable {
    /// The scenario's name in errors, usually its path.
    public let name: String
    /// The steps in their order.
    package let steps: [ScenarioStep]

    /// The longest text that is read: 16 MiB.
    public static let maximumBytes = 16 << 20

    /// The ways in which an app takes part in its life cycle.
    ///
    /// ```swift
    /// let profile = Scenario.Profile.application  // an app without scenes
    /// let method = CallShortName.continue.swiftName(in: profile)
    /// ```
    public enum Profile: String, Hashable, Sendable, CaseIterable {
        /// With scenes.
        case scene
        /// With an application delegate alone, as before scenes.
        case application
    }

    /// Reads a scenario.
    ///
    /// The text is UTF-8; a byte-order mark in front and a carriage return at the end of a line
    /// are dropped. The time taken grows with the length of the text and with nothing else.
    ///
    /// Throws ``ScenarioError`` for the first thing that is wrong.
    public init(text: [UInt8], name: String) throws(ScenarioError) {
        self.name = name
        var parser = ScenarioParser(file: name)
        steps = try parser.parse(text)
    }

    /// Reads a scenario; see ``init(text:name:)-([UInt8],_)``.
    public init(text: String, name: String) throws(ScenarioError) {
        try self.init(text: Array(text.utf8), name: name)
    }
}
