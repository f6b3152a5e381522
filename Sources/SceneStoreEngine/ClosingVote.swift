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

    package private(set) var purpose: Purpose
    private var unasked: [Int64]
    /// The windows that have to ask their users; several only where one vote went on for others.
    package private(set) var waiting: [Int64] = []
    private var isCalledOff = false

    /// A vote among windows, in front order.
    package init(_ purpose: Purpose, asking windows: [Int64]) {
        self.purpose = purpose
        unasked = windows
    }

    /// Begins a vote among windows, in front order, while other votes wait: no window asks its user
    /// twice. Quitting waits for the questions that are open, and goes on for their votes; closing a
    /// window of which one is open joins the vote that asked it. Answers whether the windows joined
    /// one; else the last vote is the new one.
    package static func begin(
        _ purpose: Purpose, asking windows: [Int64], beside votes: inout [ClosingVote]
    ) -> Bool {
        let open = votes.flatMap(\.waiting)
        var vote = ClosingVote(purpose, asking: windows.filter { !open.contains($0) })
        switch purpose {
        case .quit:
            vote.waiting = open.filter(windows.contains)
            votes = [vote]
            return false
        case .windows(let keys):
            guard
                let other = votes.firstIndex(where: { $0.waiting.contains(where: keys.contains) })
            else {
                votes.append(vote)
                return false
            }
            if case .windows(let earlier) = votes[other].purpose {
                votes[other].purpose = .windows(earlier + keys.filter { !earlier.contains($0) })
                votes[other].unasked += vote.unasked.filter { !votes[other].unasked.contains($0) }
            }
            return true
        }
    }

    /// What is to be done next.
    package mutating func next() -> Step {
        if isCalledOff {
            return .calledOff
        }
        guard waiting.isEmpty else {
            return .wait
        }
        return unasked.isEmpty ? .proceed : .ask(unasked.removeFirst())
    }

    /// A window has answered.
    package mutating func take(_ answer: ClosingAnswer, of window: Int64) {
        waiting.removeAll { $0 == window }
        switch answer {
        case .close: break
        case .keep: isCalledOff = true
        case .later: waiting.append(window)
        }
    }
}
