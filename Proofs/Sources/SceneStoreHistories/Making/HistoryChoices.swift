import SceneStoreTesting

/// The policies that a history keeps throughout.
struct HistoryChoices {
    /// What happens more often than in other histories.
    enum Theme: CaseIterable {
        case anything
        /// Releases, and states that they stand by.
        case updates
        /// Releases that rename what windows are made with, and are rolled back.
        case rollbacks
        /// Processes that die while they restore.
        case crashes
        /// More states than a history keeps, after one that was withheld.
        case states
        /// An app of one window, and sessions that are held back.
        case oneWindow
        /// A link that kills whoever takes it.
        case deadlyLink
        /// Payloads of every kind for many windows.
        case payloads
    }

    var theme = Theme.anything
    var persistsInbox = false
    var isWhenActive = false
    /// Whether a guard refuses the states of other versions, at times.
    var isSameVersion = false
    /// Whether each acknowledged save survives a power cut, too.
    var isDurable = false
    /// Whether restoring fails at times.
    var throwsRestoring = false
    /// Whether the app has timers; without them each call reads the clock.
    var hasTimers = true
    /// Whether a call that promises a save throws what could not be saved.
    var hearsFailures = false

    /// Whether a force quit closes every window (L-40).
    var discardsOnForceQuit = false
    /// Whether windows answer nil at times, and whether that keeps the state (L-32).
    var answersNil = false
    var keepsNil = false
    /// Whether other devices hand activities over (L-62).
    var handsOver = false
    /// Whether windows answer with types that nobody declared, and whether that is an error (L-34).
    var isUndeclared = false
    var isStrict = false
    /// Which sessions a launch connects (L-11).
    var reconnection = "all"
    /// Whether there are panels, which are no windows of the app (L-78).
    var hasPanels = false

    /// Whether closing the last window is quitting (L-39).
    var quitsLast = false
    /// Whether the window that was closed for a value is reopened for it (L-87).
    var reopensValues = false
    /// Whether private windows come back (S-70).
    var remembersPrivate = false

    /// Whether a scenario has words for all of it.
    var isPlain: Bool { hasTimers && !hearsFailures }

    /// What a reader of the scenario has to know beside it.
    var remarks: [String] {
        (hasTimers ? [] : ["# the app has no timers"])
            + (hearsFailures ? ["# what can't be saved is thrown"] : [])
    }

    /// Gives a player the host that it is about.
    func change(_ player: ScenarioPlayer) {
        player.changeHost(hasTimers: hasTimers, hearsFailures: hearsFailures)
    }
}
