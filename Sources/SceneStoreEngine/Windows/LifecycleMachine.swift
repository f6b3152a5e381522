import SceneStoreValues

/// The live half of an app's windows: which scenes there are, which are in front, which is active,
/// and which callbacks each event owes to whom, in which order.
///
///                 connect                  bring forward
///     (no scene) ---------> background ---------------------> inactive <---> active
///         ^                  |   ^                                |             |
///         |    disconnect    |   '------------- leave ------------'-------------'
///         '------------------'
///
/// Invariants:
/// 1. At most one scene of a role is active: a projector takes no focus from a window.
/// 2. While scenes of a role are in front, one of them is active, except within an event.
/// 3. `recency` of the scene that became active last is the greatest of all since the process began.
/// 4. What waits for a scene's first `active` is delivered right after it, once; if the scene is evicted
///    before, it waits for the next scene of its session.
/// 5. A scene that is inactive is among those that wait for the focus of its role, with its recency.
///
/// An event costs the same beside any number of other scenes, apart from the heap's logarithm
/// (L-36).
///
/// A value without clock or I/O: each event changes it and answers with the steps to perform, in
/// their order. Events never fail; what is not possible answers with no steps, and the caller
/// asks ``phase(of:)`` first.
package struct LifecycleMachine: Sendable {
    /// A scene is named by its session's row.
    package typealias SceneKey = Int64

    /// Where a live scene is.
    package enum Phase: Sendable {
        case background
        case inactive
        case active
    }

    /// One thing to do. Callbacks of a scene that is gone by then are skipped by the performer.
    package enum Step: Sendable, Equatable {
        /// `scene(_:willConnectTo:options:)`.
        case connect(SceneKey)
        /// `scene(_:restoreInteractionStateWith:)`.
        case restore(SceneKey)
        case enterForeground(SceneKey)
        case becomeActive(SceneKey)
        case resignActive(SceneKey)
        case enterBackground(SceneKey)
        /// Asks for the state; what is answered is written by the next `commit`.
        case save(SceneKey)
        /// Writes what was collected, in one transaction.
        case commit
        indirect case deliver(PayloadCall, SceneKey)
        case disconnect(SceneKey)
        /// The scene owes nothing more to the launch.
        case settle(SceneKey)

        /// The scene that the step is about.
        package var sceneKey: SceneKey? {
            switch self {
            case .connect(let key), .restore(let key), .enterForeground(let key),
                .becomeActive(let key), .resignActive(let key), .enterBackground(let key),
                .save(let key), .deliver(_, let key), .disconnect(let key), .settle(let key):
                key
            case .commit: nil
            }
        }
    }

    /// How a payload reaches a scene that is there already.
    package enum PayloadCall: Sendable, Equatable {
        /// From outside: an activity is announced first. An earlier process may have been offered it.
        case incoming(Payload, isRedelivered: Bool = false)
        /// Asked for by the app itself: an activity comes unannounced.
        case requested(Payload)
        /// Announced, but its data never came.
        case failing(type: String)
        /// An activity is on its way from another device.
        case announced(type: String)
        /// The data of an activity that was announced came.
        case arrived(UserActivity)
        /// The data of an activity that was announced never came.
        case lost(type: String)
    }

    /// A live scene.
    package struct Member: Sendable {
        package let role: SceneSessionRole
        package fileprivate(set) var phase: Phase
        fileprivate var place: Place
        /// What is handed over right after its first `active`.
        fileprivate var waiting: [PayloadCall]
        /// Whether it is active without having been turned to: it came in front behind another scene.
        fileprivate var isBehind = false
    }

    /// Where a scene is in the order: the most recently active one comes first, and of equal ones
    /// the one that connected first.
    fileprivate struct Place: Equatable {
        let key: SceneKey
        var recency: Int64
        /// How many scenes connected before it.
        let number: Int

        func comesBefore(_ other: Place) -> Bool {
            recency == other.recency ? number < other.number : recency > other.recency
        }
    }

    /// The scenes of a role that are in front.
    private struct Front {
        var active: SceneKey?
        /// Those that wait for the focus, as a heap: none comes before the one at half its index. One
        /// that became active or left stays in it until it would be next.
        var waiting: [Place] = []

        mutating func add(_ place: Place) {
            waiting.append(place)
            var index = waiting.count - 1
            while index > 0, place.comesBefore(waiting[(index - 1) / 2]) {
                waiting.swapAt(index, (index - 1) / 2)
                index = (index - 1) / 2
            }
        }

        mutating func removeFirst() -> Place? {
            guard let last = waiting.popLast() else {
                return nil
            }
            guard let first = waiting.first else {
                return last
            }
            waiting[0] = last
            var index = 0
            while 2 * index + 1 < waiting.count {
                var next = 2 * index + 1
                if next + 1 < waiting.count, waiting[next + 1].comesBefore(waiting[next]) {
                    next += 1
                }
                guard waiting[next].comesBefore(last) else {
                    break
                }
                waiting.swapAt(index, next)
                index = next
            }
            return first
        }
    }

    package private(set) var members: [SceneKey: Member] = [:]
    private var fronts: [SceneSessionRole: Front] = [:]
    /// What waited for the first `active` of scenes that were evicted before (L-64).
    private var kept: [SceneKey: [PayloadCall]] = [:]
    private var connectedCount = 0
    private var lastRecency: Int64
    /// The greatest recency that a scene of this process has or had.
    private var greatestRecency: Int64 = 0

    /// A process without scenes. `lastRecency` is at least that of any remembered session.
    package init(lastRecency: Int64 = 0) {
        self.lastRecency = lastRecency
    }

    /// What is made active from now on comes after all that the store has written.
    package mutating func follow(_ generation: Int64) {
        lastRecency = max(lastRecency, generation &+ 1)
    }

    /// So many scenes are about to connect.
    package mutating func reserve(_ count: Int) {
        members.reserveCapacity(members.count + count)
    }

    /// Where a scene is, or nil when there is none.
    package func phase(of key: SceneKey) -> Phase? {
        members[key]?.phase
    }

    /// Whether a live scene is in front.
    package var hasFront: Bool { members.values.contains { $0.phase != .background } }

    /// The live scenes in front, the active one first, then the most recently active.
    package var front: [SceneKey] {
        Self.ordered(members.values.filter { $0.phase != .background }) { $0.phase == .active }
    }

    /// All live scenes as they are stacked: the one that the user is at first, then the most recently
    /// active, of whichever role.
    package var all: [SceneKey] {
        stacked(members.keys)
    }

    /// Those of some scenes that live, as they are stacked.
    package func stacked(_ keys: some Sequence<SceneKey>) -> [SceneKey] {
        let focus = focus
        return Self.ordered(keys.compactMap { members[$0] }) { $0.place.key == focus }
    }

    private static func ordered(
        _ members: [Member], first isFirst: (Member) -> Bool
    ) -> [SceneKey] {
        members.map { (isFirst: isFirst($0), place: $0.place) }.sorted { left, right in
            left.isFirst == right.isFirst
                ? left.place.comesBefore(right.place) : left.isFirst
        }.map(\.place.key)
    }

    /// The scene that the user is at: of those that are active in their roles, the latest.
    package var focus: SceneKey? {
        fronts.values.compactMap { $0.active.flatMap { members[$0]?.place } }
            .min { $0.comesBefore($1) }?.key
    }

    /// Where a scene that became active comes in the order from now on; nil for one that connected
    /// behind another scene, and keeps its place.
    package func newRecency(of key: SceneKey) -> Int64? {
        members[key].flatMap { $0.isBehind ? nil : $0.place.recency }
    }

    /// The user turns to a scene that is active in its role; answers whether another one had the
    /// focus until now.
    package mutating func turn(to key: SceneKey) -> Bool {
        guard phase(of: key) == .active, focus != key else {
            return false
        }
        set(key, .active)
        return true
    }

    /// Others left the front: who has the focus of another role is where the user is, and comes before
    /// them from now on. Answers who that is, or nil where it came before them already.
    package mutating func takeUpFocus() -> SceneKey? {
        guard let focus = focus.flatMap({ members[$0]?.place }), focus.recency < greatestRecency,
            members.values.contains(where: { $0.place.recency > focus.recency })
        else {
            return nil
        }
        set(focus.key, .active)
        return focus.key
    }

    /// The active scene of a role.
    package func active(_ role: SceneSessionRole) -> SceneKey? {
        fronts[role]?.active
    }

    private mutating func set(_ key: SceneKey, _ phase: Phase, isBehind: Bool = false) {
        guard var member = members[key] else {
            return
        }
        member.phase = phase
        if phase == .active {
            member.isBehind = isBehind
            if !isBehind {
                lastRecency &+= 1
                member.place.recency = lastRecency
                greatestRecency = lastRecency
            }
            fronts[member.role, default: Front()].active = key
        } else if active(member.role) == key {
            fronts[member.role]?.active = nil
        }
        members[key] = member
        if phase == .inactive {
            wait(member)
        }
    }

    /// A scene is in front, and another one of its role has the focus, or will have it.
    private mutating func wait(_ member: Member) {
        fronts[member.role, default: Front()].add(member.place)
        guard let waiting = fronts[member.role]?.waiting, waiting.count > 2 * members.count + 16
        else {
            return
        }
        // Sorted, they are a heap as well.
        let rest = waiting.filter(waits).sorted { $0.comesBefore($1) }
        fronts[member.role]?.waiting = rest
    }

    private func waits(_ place: Place) -> Bool {
        members[place.key].map { $0.phase == .inactive && $0.place == place } ?? false
    }

    /// The most recently active scene of a role that waits for the focus; it waits no longer.
    private mutating func takeFirst(_ role: SceneSessionRole) -> Place? {
        while let place = fronts[role]?.removeFirst() {
            if waits(place) {
                return place
            }
        }
        return nil
    }

    /// How far a scene comes forward when it connects (L-13).
    package enum Arrival: String, Sendable, Hashable {
        /// To the front and active.
        case active
        /// To the front, without becoming active.
        case foreground
        /// To the background, where it stays.
        case background
    }

    /// A session gets a scene, and its state when it restores. What waits is handed over right after
    /// its first `active`; what is owed by the connection comes after that, or after `connect` when
    /// the scene stays in the background.
    package mutating func connect(
        _ key: SceneKey, role: SceneSessionRole = .windowApplication, arrival: Arrival,
        recency: Int64 = 0, restores: Bool = false, waiting: [PayloadCall] = [],
        owed: [PayloadCall] = []
    ) -> [Step] {
        guard phase(of: key) == nil else {
            return []
        }
        lastRecency = max(lastRecency, recency)
        greatestRecency = max(greatestRecency, recency)
        members[key] = Member(
            role: role, phase: .background,
            place: Place(key: key, recency: recency, number: connectedCount),
            waiting: (kept.removeValue(forKey: key) ?? []) + waiting)
        connectedCount += 1
        var steps: [Step] = restores ? [.connect(key), .restore(key)] : [.connect(key)]
        switch arrival {
        case .background: break
        case .foreground:
            steps.append(.enterForeground(key))
            set(key, .inactive)
            // Another role's focus is not its own, and stays in front of it.
            if active(role) == nil {
                steps += activate(key, isBehind: true)
            }
        case .active:
            steps.append(.enterForeground(key))
            steps += makeActive(key)
        }
        steps += owed.map { .deliver($0, key) }
        steps.append(.settle(key))
        return steps
    }

    /// A live scene is brought to the front, perhaps to receive something (L-61).
    package mutating func bringForward(_ key: SceneKey, payload: PayloadCall? = nil) -> [Step] {
        guard let phase = phase(of: key) else {
            return []
        }
        let arrival: [Step] = phase == .background ? [.enterForeground(key)] : []
        let delivery: [Step] = payload.map { [.deliver($0, key)] } ?? []
        let comesFirst = payload?.isLink == true
        var steps = comesFirst ? delivery + arrival : arrival + delivery
        if phase == .active {
            _ = turn(to: key)
        } else {
            steps += makeActive(key)
        }
        return steps
    }

    /// Live scenes come back to the front together: the first becomes active, as at a launch.
    package mutating func bringForward(together keys: [SceneKey]) -> [Step] {
        var steps: [Step] = []
        for (index, key) in keys.enumerated() where phase(of: key) == .background {
            if index == 0 {
                steps += bringForward(key)
            } else {
                steps.append(.enterForeground(key))
                set(key, .inactive)
            }
        }
        steps += refocus()
        // Of several roles the first scene has the focus, and stays the latest of all.
        if let first = keys.first, phase(of: first) == .active, focus != first {
            set(first, .active)
        }
        return steps
    }

    /// Scenes leave the front together (L-30, L-31); one of those that stay becomes active.
    package mutating func leave(_ keys: [SceneKey]) -> [Step] {
        let steps = leaveWithoutFocus(keys)
        return steps.isEmpty ? [] : steps + refocus()
    }

    /// The process ends cleanly: every scene in front leaves, and none becomes active (L-39).
    package mutating func quit() -> [Step] {
        leaveWithoutFocus(front)
    }

    /// A window closes because the process is about to end: it leaves as at the end, and goes (L-48).
    package mutating func quit(_ key: SceneKey) -> [Step] {
        leaveWithoutFocus([key]) + disconnect(key)
    }

    private mutating func leaveWithoutFocus(_ keys: [SceneKey]) -> [Step] {
        let leaving = keys.filter { phase(of: $0).map { $0 != .background } ?? false }
        guard !leaving.isEmpty else {
            return []
        }
        var steps: [Step] = []
        for key in leaving where phase(of: key) == .active {
            steps.append(.resignActive(key))
        }
        for key in leaving {
            steps.append(.enterBackground(key))
            steps.append(.save(key))
            set(key, .background)
        }
        steps.append(.commit)
        return steps
    }

    /// A background scene is saved again where it is (L-75).
    package func refresh(_ key: SceneKey) -> [Step] {
        phase(of: key) == .background ? [.save(key), .commit] : []
    }

    /// A scene goes without a farewell: evicted, or, `forGood`, closed or its session removed.
    package mutating func disconnect(_ key: SceneKey, forGood: Bool = false) -> [Step] {
        if forGood {
            kept[key] = nil
        }
        set(key, .background)
        guard let member = members.removeValue(forKey: key) else {
            return []
        }
        if !forGood, !member.waiting.isEmpty {
            kept[key] = member.waiting
        }
        return [.disconnect(key)]
    }

    /// Gives the focus of each role to its most recently active scene in front, when nobody has it.
    /// Scenes of several roles keep their order.
    package mutating func refocus() -> [Step] {
        var steps: [Step] = []
        let free = fronts.keys.filter { active($0) == nil }
        let activated = free.compactMap { takeFirst($0) }.sorted { $0.comesBefore($1) }.map(\.key)
        for key in activated {
            steps += activate(key)
        }
        for key in activated.dropLast().reversed() {
            set(key, .active)
        }
        return steps
    }

    /// Gives a scene the focus, which the active one loses first (L-02).
    private mutating func makeActive(_ key: SceneKey) -> [Step] {
        var steps: [Step] = []
        if let role = members[key]?.role, let active = active(role), active != key {
            set(active, .inactive)
            steps.append(.resignActive(active))
        }
        return steps + activate(key)
    }

    private mutating func activate(_ key: SceneKey, isBehind: Bool = false) -> [Step] {
        set(key, .active, isBehind: isBehind)
        var steps: [Step] = [.becomeActive(key)]
        steps += members[key]?.waiting.map { .deliver($0, key) } ?? []
        members[key]?.waiting = []
        return steps
    }
}

extension LifecycleMachine.PayloadCall {
    /// Links are delivered before the scene enters the foreground, all else after (L-61).
    package var isLink: Bool {
        switch self {
        case .incoming(.urls, _), .requested(.urls): true
        default: false
        }
    }
}
