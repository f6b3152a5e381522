import SceneStoreValues

/// Asks windows with unsaved work, each once and in front order, whether they may close (L-47).
///
///     ask ──> close ──> ask the next ──> … ──> proceed
///      │ keep            later
///      └──> called off    └──> wait ── answered ──> close or keep
package struct ClosingVote: Sendable {
    /// What is asked for.
    package enum Purpose: Sendable, Hashable {
        /// Closing these windows, in one action.
        case windows([Int64])
        case quit(keepingWindows: Bool, discardingUnsaved: Bool)
    }

    /// What is to be done next.
    package enum Step: Sendable, Hashable {
        case ask(Int64)
        /// Everybody agreed.
        case proceed
        /// A window has to ask its user first.
        case wait
        /// A window stays, and so does everything else.
        case calledOff
    }

    package let purpose: Purpose
    private var unasked: [Int64]
    /// The window that has to ask its user.
    package private(set) var waiting: Int64?
    private var isCalledOff = false

    /// A vote among windows, in front order.
    package init(_ purpose: Purpose, asking windows: [Int64]) {
        self.purpose = purpose
        unasked = windows
    }

    /// What is to be done next.
    package mutating func next() -> Step {
        if isCalledOff {
            return .calledOff
        }
        guard waiting == nil else {
            return .wait
        }
        return unasked.isEmpty ? .proceed : .ask(unasked.removeFirst())
    }

    /// A window has answered.
    package mutating func take(_ answer: ClosingAnswer, of window: Int64) {
        waiting = nil
        switch answer {
        case .close: break
        case .keep: isCalledOff = true
        case .later: waiting = window
        }
    }
}
