import SceneStore

/// Which calls of an app from before scenes stand for what scenes are told (L-66).
///
/// A pure state machine: each event answers the calls to make, in their order. Whoever performs them
/// tells the answers of the two launch calls with ``launched(will:did:)`` and goes on with what that
/// answers.
///
/// ```text
///            connect                launched            activate
///   waiting ─────────> launching ───────────> inactive <──────────> active
///                                                        resign, leave
/// ```
///
/// 1. The launch calls come once, with the first connection of the process.
/// 2. A payload is delivered once; one that has a key comes once for each key.
/// 3. Before a payload reaches an app that is not active comes `willEnterForeground`, once.
package struct PreSceneCalls<Content> {
    /// What arrives, and what is needed to know of it.
    package struct Arrival {
        package var content: Content
        /// Whether a launch that was refused keeps it from being delivered.
        package var isGated: Bool
        /// Names what may arrive twice; nil when each arrival counts.
        package var key: String?

        package init(_ content: Content, isGated: Bool, key: String? = nil) {
            self.content = content
            self.isGated = isGated
            self.key = key
        }
    }

    package enum Call {
        case willFinishLaunching
        case didFinishLaunching
        case willEnterForeground
        case deliver(Content)
        case didBecomeActive
        case willResignActive
        case didEnterBackground
    }

    private enum Phase {
        case waiting
        case launching([Arrival], inBackground: Bool)
        case running
    }

    private var phase = Phase.waiting
    private var keys: Set<String> = []
    /// Scenes in front, and those of them with the focus.
    private var foreground: Set<String> = []
    private var active: Set<String> = []
    /// Whether the app was told that it comes to the front, and not yet that it left.
    private var isInFront = false
    /// The types of activities that were announced and have not arrived yet.
    private var announced: [String] = []

    package init() {}

    /// Whether the launch calls are being made.
    package var isLaunching: Bool {
        if case .launching = phase { true } else { false }
    }

    /// A scene connects with what arrived. The first one launches the app, which is in front unless
    /// the scene stays in the background.
    package mutating func connect(_ arrivals: [Arrival], inBackground: Bool = false) -> [Call] {
        guard case .waiting = phase else {
            return receive(arrivals)
        }
        phase = .launching(arrivals, inBackground: inBackground)
        return [.willFinishLaunching, .didFinishLaunching]
    }

    /// The launch calls have returned; a method that is not implemented answers true.
    package mutating func launched(will: Bool, did: Bool) -> [Call] {
        guard case .launching(let arrivals, let inBackground) = phase else {
            return []
        }
        phase = .running
        isInFront = !inBackground
        return receive(arrivals.filter { !$0.isGated || (will && did) })
    }

    /// Something arrives at the running app; what arrives before the launch rides on it.
    package mutating func receive(_ arrivals: [Arrival]) -> [Call] {
        if case .launching(let earlier, let inBackground) = phase {
            phase = .launching(earlier + arrivals, inBackground: inBackground)
            return []
        }
        let deliveries = arrivals.compactMap { deliver($0) }
        return deliveries.isEmpty ? [] : enterForeground() + deliveries
    }

    /// A scene is about to be seen.
    package mutating func enterForeground(_ scene: String) -> [Call] {
        foreground.insert(scene)
        return enterForeground()
    }

    /// A scene has the focus.
    package mutating func activate(_ scene: String) -> [Call] {
        foreground.insert(scene)
        let isFirst = active.isEmpty
        active.insert(scene)
        return isFirst ? enterForeground() + [.didBecomeActive] : []
    }

    /// A scene loses the focus.
    package mutating func resign(_ scene: String) -> [Call] {
        active.remove(scene) != nil && active.isEmpty ? [.willResignActive] : []
    }

    /// A scene is no longer seen, or gone.
    package mutating func leave(_ scene: String) -> [Call] {
        let resigned = resign(scene)
        guard foreground.remove(scene) != nil, foreground.isEmpty else {
            return resigned
        }
        isInFront = false
        return resigned + [.didEnterBackground]
    }

    /// An activity is on its way.
    package mutating func announce(_ type: String) {
        announced.append(type)
    }

    /// An activity has arrived, or never will; whether it was announced.
    @discardableResult
    package mutating func endAnnouncement(_ type: String) -> Bool {
        announced.firstIndex(of: type).map { announced.remove(at: $0) } != nil
    }

    private mutating func enterForeground() -> [Call] {
        guard !isInFront else {
            return []
        }
        isInFront = true
        return [.willEnterForeground]
    }

    private mutating func deliver(_ arrival: Arrival) -> Call? {
        if let key = arrival.key, !keys.insert(key).inserted {
            return nil
        }
        return .deliver(arrival.content)
    }
}
