import SceneStoreEngine

/// What an application knows of its desktop.
struct DesktopState {
    /// The displays, as the host told; empty while it tells of none.
    var displays: [Display] = []
    /// Whether the desktop's session ends, so that closing a window is quitting (L-48).
    var isTearingDown = false
    /// The windows that are asked whether they may close, while some of them ask their users (L-47).
    var votes = ClosingVotes()

    /// The sessions that were connected when the last process that had any ended, as this one found
    /// them; nil for a launch that restores, which looks when it is asked (L-48).
    var lastSession: [Int64]?
    /// Whether the windows of this process are what the next one takes for the last ones.
    var replacesLastSession = true
    /// The sessions of which a launch has stored already that they connect behind others.
    var notedBehind: Set<Int64> = []
    /// The sessions of which the end lost something.
    var lost: [String] = []

    static let refusal = SceneStoreError(
        .tearingDown, "the desktop's session ends; the next launch takes it")
}
