import SceneStoreValues

/// Asks windows with unsaved work, in front order, whether they may close (L-47).
///
///     asked ──> close ──> the next is asked ──> … ──> proceed
///       │ keep            later
///       └──> called off    └──> its question is open ── answered ──> close or keep
///
/// 1. A window whose question is open is not asked again: a later request waits for the same answer.
/// 2. A request waits for its own windows only; another one proceeds beside it.
/// 3. Closing proceeds before quitting, so that a window that the user closed stays closed.
/// 4. A question ends with its scene, and what waited for it is called off.
/// 5. Before a request proceeds, its windows that have unsaved work since it began are asked, too.
package struct ClosingVotes: Sendable {
    /// What is asked for.
    package enum Purpose: Sendable, Hashable {
        /// Closing these windows, in one action.
        case windows([Int64])
        case quit(keepingWindows: Bool, discardingUnsaved: Bool)
        /// Giving sessions back in the places of these windows, and an activity to the session.
        case places([Int64], of: [SceneSession.ID], UserActivity?)
    }

    /// What is to be done next.
    package enum Step: Sendable, Hashable {
        case ask(Int64)
        /// Everybody whom this request concerns agreed.
        case proceed(Purpose, request: Int)
        /// A window of this request stays, and so does everything else of it.
        case calledOff(request: Int)
        /// Everything that is left waits for answers.
        case rest
    }

    private struct Request {
        let number: Int
        var purpose: Purpose
        /// In front order, the next one last.
        var unasked: [Int64] = []
        /// The window whose answer it waits for.
        var waiting: Int64?
        /// Those that agreed, and are not asked again.
        var agreed: Set<Int64> = []
        var isCalledOff = false

        var isQuit: Bool {
            if case .quit = purpose { true } else { false }
        }

        mutating func take(_ answer: ClosingAnswer, of window: Int64) {
            if waiting == window {
                waiting = nil
            } else if let place = unasked.firstIndex(of: window) {
                unasked.remove(at: place)
            } else {
                return
            }
            agreed.insert(window)
            isCalledOff = isCalledOff || answer == .keep
        }
    }

    /// The oldest first, but quitting last; at most one quits.
    private var requests: [Request] = []
    /// The windows that ask their users.
    private var open: Set<Int64> = []
    private var count = 0

    package init() {}

    /// The requests that wait for a window's answer.
    package func requests(waitingFor window: Int64) -> [Int] {
        requests.filter { $0.waiting == window }.map(\.number)
    }

    /// Asks for something; the number of the request. Asking again goes on with the request that waits,
    /// and quitting again in the newer way.
    package mutating func begin(_ purpose: Purpose) -> Int {
        count += 1
        let request = Request(number: count, purpose: purpose)
        let same = requests.firstIndex {
            !$0.isCalledOff && ($0.purpose == purpose || $0.isQuit && request.isQuit)
        }
        if let same {
            requests[same].purpose = purpose
            return requests[same].number
        }
        let quit = request.isQuit ? nil : requests.firstIndex(where: \.isQuit)
        requests.insert(request, at: quit ?? requests.endIndex)
        return count
    }

    /// What is to be done next; a window that is to be asked answers by ``take(_:of:)``. `unsaved` are
    /// the windows with unsaved work that something concerns, in front order.
    package mutating func next(unsaved: (Purpose) -> [Int64]) -> Step {
        for index in requests.indices {
            let number = requests[index].number
            if requests[index].isCalledOff {
                requests.remove(at: index)
                return .calledOff(request: number)
            }
            guard requests[index].waiting == nil else {
                continue
            }
            if requests[index].unasked.isEmpty {
                let request = requests[index]
                requests[index].unasked = unsaved(request.purpose).reversed()
                    .filter { !request.agreed.contains($0) }
            }
            guard let window = requests[index].unasked.popLast() else {
                return .proceed(requests.remove(at: index).purpose, request: number)
            }
            requests[index].waiting = window
            if open.insert(window).inserted {
                return .ask(window)
            }
        }
        return .rest
    }

    /// Nothing that was asked for is done.
    package mutating func callOff() {
        requests = []
    }

    /// A window goes that the user did not close: what is to be done with it is not done.
    package mutating func callOff(concerning window: Int64) {
        for index in requests.indices {
            let isMeant =
                switch requests[index].purpose {
                case .windows(let keys), .places(let keys, _, _): keys.contains(window)
                case .quit: false
                }
            if isMeant || requests[index].agreed.contains(window) {
                requests[index].isCalledOff = true
            }
        }
    }

    /// A window is gone: what waits for its answer is called off, and its next scene is asked anew.
    package mutating func noteGone(_ window: Int64) {
        take(.keep, of: window)
        for index in requests.indices {
            requests[index].agreed.remove(window)
        }
    }

    /// A window has answered, for all that wait for it or were still to ask it.
    package mutating func take(_ answer: ClosingAnswer, of window: Int64) {
        guard answer != .later, open.remove(window) != nil else {
            return
        }
        for index in requests.indices {
            requests[index].take(answer, of: window)
        }
    }
}
