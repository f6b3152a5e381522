#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStoreEngine
import SceneStoreExchange
import SceneStoreValues

enum Exploration {
    /// How many plans lie between two that are looked at: a prime by default, one on request.
    static func stride(_ usual: Int) -> Int {
        ProcessInfo.processInfo.environment["SCENESTORE_LONG"] == nil ? usual : 1
    }

    /// Looks at worlds of three sessions, each of a kind or missing, the first one of the given kind,
    /// in all surroundings; answers how many it looked at.
    static func eachWorld<Kind, Surroundings>(
        first: Int, of kinds: [Kind?], in surroundings: [Surroundings], step: Int,
        _ look: (_ number: Int, _ chosen: [Kind], _ around: Surroundings) throws -> Void
    ) rethrows -> Int {
        var looked = 0
        for number in Swift.stride(
            from: first, to: kinds.count * kinds.count * surroundings.count, by: step)
        {
            let (pair, around) = number.quotientAndRemainder(dividingBy: surroundings.count)
            let (second, third) = pair.quotientAndRemainder(dividingBy: kinds.count)
            let chosen = [kinds[first], kinds[second], kinds[third]].compactMap { $0 }
            try look(number, chosen, surroundings[around])
            looked += 1
        }
        return looked
    }
}

/// What must hold of each plan, stated without the engine.
///
/// 1. L-11 The app has a window, and one of its windows is in front, except under `none`.
/// 2. L-16 Without `restore` nothing connects but what takes a payload, and what belongs to that.
/// 3. L-16 Under `none` there is no window without a payload.
/// 4. A session connects once, and what the plan tells of a session is what happens.
/// 5. L-44 Sessions that aren't remembered don't connect.
/// 6. L-52 Held sessions don't connect: neither those held by hand nor those of three deaths.
/// 7. L-52 A session that is blamed for a death isn't given its state at once.
/// 8. L-12 In an app of one window each role has one window at most.
/// 9. L-12 Nothing is discarded that was to be remembered.
/// 10. L-18 Nothing is parked unless the app has one window, or the launch begins anew.
/// 11. L-65 Each payload that isn't set aside is handed over once.
/// 12. L-11 Without a payload exactly those return that were in front, all, or the first ones; else
///     the one that was active last; with them a window of the app, and those that belong to them.
/// 13. L-70 L-71 L-78 L-79 A payload goes to the window that the app named, else to the most recently
///     active one that prefers it, else to the most recently active one that can show it.
/// 14. L-79 A finding reports a named window that can't take the payload, and only that.
/// 15. L-65 What two processes died over is handed to nobody and reported.
/// 16. L-65 A payload that waits and arrives again is one payload.
/// 17. L-65 A window gets its payloads in their order, and the newest one's window connects last of
///     those that get any.
/// 18. L-49 A window that belongs to one that connects comes with it, and after it.
struct PlanJudge {
    /// What the exploration knows of the payloads.
    struct Expected {
        /// The sessions that prefer what arrived, and those that can show nothing.
        var preferring: Set<Int64> = []
        var refusing: Set<Int64> = []
        /// Which session each one's window belongs to.
        var parents: [Int64: Int64] = [:]
        /// What the app named for what arrived.
        var named: PayloadTarget?
        /// How many payloads there are, what waits before what arrived.
        var payloads = 0
        /// Whether the last one arrived now.
        var hasArrived = false
        var isSetAside = false
    }

    private let plan: LaunchPlan
    private let records: [SessionRecord]
    private let isSingle: Bool
    private let connections: [SceneConnection]
    private let expected: Expected

    init(
        _ plan: LaunchPlan, _ records: [SessionRecord], isSingle: Bool,
        expecting expected: Expected? = nil
    ) {
        self.plan = plan
        self.records = records
        self.isSingle = isSingle
        self.expected = expected ?? Expected(payloads: plan.payloads.count)
        connections = plan.steps.compactMap {
            if case .connect(let connection) = $0 { connection } else { nil }
        }
    }

    private func role(_ connection: SceneConnection) -> SceneSessionRole {
        switch connection.subject {
        case .remembered(let record): record.configuration.role
        case .new(let role, _): role
        }
    }

    /// The rules that the plan breaks.
    func problems() -> [String] {
        var problems: [String] = []
        func check(_ holds: Bool, _ rule: String) {
            if !holds { problems.append(rule) }
        }
        let behavior = plan.rules.behavior
        let returning = connections.compactMap(\.record)
        let ids = Set(returning.map(\.key))
        check(
            behavior == .none
                || connections.contains {
                    role($0) == .windowApplication && $0.arrival != .background
                }, "1 a window of the app is in front")
        check(
            behavior == .restore
                || ids.isSubset(of: families(of: connections.filter { !$0.payloads.isEmpty })),
            "2 nothing comes back by itself")
        check(
            behavior != .none || handed.count > 0 || connections.isEmpty, "3 no window by itself")
        check(ids.count == returning.count, "4 each connects once")
        check(
            records.allSatisfy { plan.verdict(for: $0).connects == ids.contains($0.key) },
            "4 the verdict is what happens")
        check(returning.allSatisfy(\.isRestorationEnabled), "5 the forgotten are forgotten")
        check(
            !returning.contains { $0.isHeldByHand || isHeld($0) }, "6 the held stay held")
        check(
            returning.allSatisfy {
                !isBlamed($0) || plan.verdict(for: $0).restoration != .available
            }, "7 who died is not given the state again at once")
        check(
            !isSingle || Set(connections.map(role)).count == connections.count,
            "8 one window a role")
        check(
            plan.discards.map(\.identifier).allSatisfy { id in
                records.contains { $0.id == id && !$0.isRestorationEnabled }
            }, "9 nothing is given up")
        check(
            plan.judgement.parked.allSatisfy { key, cause in
                cause == nil || isSingle || behavior == .fresh
            }, "10 nothing is parked without need")
        check(
            connections.flatMap(\.payloads).sorted() == handed,
            "11 each payload is handed over once")
        check(isExpected(returning), "12 who was in front returns")
        checkPayloads(check)
        check(areFamilies(ids), "18 who belongs to a window comes with it")
        return problems
    }

    private func isBlamed(_ record: SessionRecord) -> Bool { plan.blamed == record.id }

    /// Whether a session can come back without being asked for, where no other is in its way: a
    /// parking ends where many windows are allowed.
    private func isAble(_ record: SessionRecord) -> Bool {
        record.isRestorationEnabled && !record.isHeldByHand
            && !isHeld(record)
    }

    /// A clean end makes the launch before stable: who died is offered again.
    private func isHeld(_ record: SessionRecord) -> Bool {
        record.crashCount + (isBlamed(record) ? 1 : 0) >= 3 && !plan.judgement.previousWasStable
    }

    private func isExpected(_ returning: [SessionRecord]) -> Bool {
        guard !isSingle, handed.isEmpty, plan.rules.behavior == .restore else {
            return true
        }
        let able = records.filter(isAble)
        var back: [SessionRecord] =
            switch plan.rules.reconnection {
            case .foreground:
                able.contains(where: \.isFront) ? able.filter(\.isFront) : Array(able.prefix(1))
            case .all: able
            case .first(let count): Array(able.prefix(count))
            }
        if !back.contains(where: { $0.configuration.role == .windowApplication }),
            let window = able.first(where: { $0.configuration.role == .windowApplication })
        {
            back.append(window)
        }
        return Set(returning.map(\.key)) == families(of: back.map(\.key))
    }

    // MARK: - Payloads

    /// The places of the payloads that are to be handed over.
    private var handed: [Int] {
        Array(0..<expected.payloads).filter { $0 > 0 || !expected.isSetAside }
    }

    private func checkPayloads(_ check: (Bool, String) -> Void) {
        for place in handed where !isSingle {
            let arrived = expected.hasArrived && place == expected.payloads - 1
            let connection = connections.first { $0.payloads.contains(place) }
            check(
                connection.map { takes($0, expected.preferring, arrived: arrived) } ?? false,
                "13 payload \(place) goes where it belongs")
        }
        func count(_ code: Diagnostic.Code) -> Int {
            plan.steps.count { step in
                if case .report(let finding) = step { finding.code == code } else { false }
            }
        }
        if !isSingle, plan.rules.behavior != .fresh {
            check(
                count(.targetNotMet) == (expected.hasArrived && !isMet ? 1 : 0),
                "14 a target that can't take it is reported")
        }
        check(
            count(.payloadSetAside) == (expected.isSetAside ? 1 : 0),
            "15 what is set aside is reported")
        check(plan.payloads.count == expected.payloads, "16 a payload that waits is one")
        let given = connections.map(\.payloads).filter { !$0.isEmpty }
        check(
            given.allSatisfy { $0 == $0.sorted() } && given.last?.last == handed.last,
            "17 payloads come in their order")
    }

    /// The session that the app named for what arrived, if it can take it.
    private var named: SessionRecord? {
        switch expected.named {
        case .window(let id): records.first { $0.id == id && isAble($0) }
        case .role(let role): records.first { $0.configuration.role == role && isAble($0) }
        case .new, .presenting, .handled, nil: nil
        }
    }

    private var isMet: Bool {
        if case .window = expected.named { named != nil } else { true }
    }

    /// Whether a connection is the one that a payload belongs to.
    private func takes(
        _ connection: SceneConnection, _ preferring: Set<Int64>, arrived: Bool
    ) -> Bool {
        let isFresh = plan.rules.behavior == .fresh
        if arrived, let named = expected.named, isMet || isFresh {
            switch named {
            case .role(let role) where self.named == nil || isFresh:
                return connection.record == nil && self.role(connection) == role
            case .window, .role:
                if !isFresh { return connection.record?.key == self.named?.key }
            case .new, .presenting, .handled:
                return connection.record == nil && role(connection) == .windowApplication
            }
        }
        guard !isFresh else {
            return connection.record == nil && role(connection) == .windowApplication
        }
        let able = records.filter(isAble)
        let prefers = able.first { arrived && preferring.contains($0.key) }
        let can = able.first {
            $0.configuration.role == .windowApplication && !expected.refusing.contains($0.key)
        }
        guard let chosen = prefers ?? can else {
            return connection.record == nil && role(connection) == .windowApplication
        }
        return connection.record?.key == chosen.key
    }

    // MARK: - Families

    /// Sessions and those whose windows belong to them, if they can come.
    private func families(of keys: [Int64]) -> Set<Int64> {
        var family = Set(keys)
        while let child = records.first(where: { record in
            !family.contains(record.key) && isAble(record)
                && expected.parents[record.key].map(family.contains) == true
        }) {
            family.insert(child.key)
        }
        return family
    }

    private func families(of connections: [SceneConnection]) -> Set<Int64> {
        families(of: connections.compactMap(\.record).map(\.key))
    }

    private func areFamilies(_ ids: Set<Int64>) -> Bool {
        guard !isSingle else {
            return true
        }
        let order = connections.filter(\.payloads.isEmpty).compactMap(\.record?.key)
        return families(of: Array(ids)) == ids
            && expected.parents.allSatisfy { child, parent in
                guard let first = order.firstIndex(of: parent),
                    let second = order.firstIndex(of: child), !isAncestor(child, of: parent)
                else {
                    return true
                }
                return first < second
            }
    }

    private func isAncestor(_ key: Int64, of other: Int64) -> Bool {
        var parent = expected.parents[other]
        for _ in records where parent != key {
            parent = parent.flatMap { expected.parents[$0] }
        }
        return parent == key
    }
}
