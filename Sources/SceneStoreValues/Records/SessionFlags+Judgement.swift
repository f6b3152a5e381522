/// The reasons why an open session is kept without a scene (L-18).
///
/// ```swift
/// let parked = try application.parkedSessions()
/// let others = parked.filter { $0.cause == .oneWindow }.map(\.session)
/// ```
public enum ParkedCause: String, Sendable, Hashable, CaseIterable {
    /// The app supports one scene of the role, and another session was used last.
    case oneWindow = "one-window"
    /// The manifest has no configuration for its role.
    case noEntry = "no-entry"
    /// Another session has taken its place in an app of one scene.
    case displaced
    /// The app did not want it back.
    case notKept = "not-kept"

    /// Whether a session that is parked for it is given up after a time: nothing the user does can
    /// bring it back.
    package var expires: Bool { self == .oneWindow || self == .noEntry }
}

/// What the engine judged of a session, in bits that earlier libraries left alone: a judgement
/// never overwrites what it judged, and needs no column of its own. The sign is not free: the
/// column is never negative.
///
///     6 withheld · 7 offering · 8 offered again · 9 suspect · 10-12 why it is withheld
///     13-15 why it is parked
///     16-51 the four newest withheld places of the history, nine bits each, of ``SessionPins``
///     52-59 the app version of bit 8
///     60 reopened · 61 another window belongs to it · 62 it belongs to another
extension SessionFlags {
    /// The current state is kept from the app.
    package static let withheld = SessionFlags(rawValue: 1 << 6)
    /// After deaths it is given to the app once more, by the next launch.
    package static let offering = SessionFlags(rawValue: 1 << 7)
    /// That was done already, under the version of ``versionTag``.
    package static let offeredAgain = SessionFlags(rawValue: 1 << 8)
    /// The launch that runs has restored it, after deaths.
    package static let suspect = SessionFlags(rawValue: 1 << 9)

    /// What keeps the current state from the app, or is about to give it back. A constant, for a
    /// set that is made of a list costs a twentieth of a save.
    package static let withholding = SessionFlags(rawValue: 0b0_1100_0000)
    /// The same, that it was given back once, and what was written under another configuration: a
    /// new state ends all of it.
    package static let ofOldState = SessionFlags(rawValue: 0b1_1100_0001)
    /// What a release of the state ends.
    private static let withheldOnce = SessionFlags(rawValue: 0b1_1100_0000)

    /// The closing of its window was undone: in an app of one scene it is the one that returns.
    package static let reopened = SessionFlags(rawValue: 1 << 60)

    /// The causes of a parking that a launch judges; what the app did not keep is another bit's.
    package static let parkedByLaunch = SessionFlags(rawValue: 0b11 << 13)

    /// Held by hand, parked, or not to be remembered: with a crash count what keeps a session back.
    package static let exceptional = SessionFlags(rawValue: 57_350)

    /// Another window belongs to it (L-49).
    package static let hasChildren = SessionFlags(rawValue: 1 << 61)
    /// It belongs to another window.
    package static let isChild = SessionFlags(rawValue: 1 << 62)

    private func field(_ shift: Int64, _ width: Int64) -> Int64 {
        rawValue >> shift & (1 << width - 1)
    }

    private mutating func setField(_ shift: Int64, _ width: Int64, _ value: Int64) {
        let mask: Int64 = (1 << width - 1) << shift
        self = SessionFlags(rawValue: rawValue & ~mask | value << shift & mask)
    }

    /// Why a state is withheld; that of the state that was withheld last. Three bits hold seven
    /// reasons; the eighth, `held`, is a withheld state without one.
    package var withheldReason: WithheldReason? {
        get {
            let index = Int(field(10, 3)) - 1
            guard index >= 0 else {
                return contains(.withheld) || !pinnedSlots.isEmpty ? .held : nil
            }
            let all = WithheldReason.allCases
            return all.indices.contains(index) ? all[index] : nil
        }
        set {
            let index = newValue.flatMap { WithheldReason.allCases.firstIndex(of: $0) }
            setField(10, 3, newValue == .held ? 0 : Int64((index ?? -1) + 1))
        }
    }

    /// Why the session is parked; nil when it is not.
    package var parkedCause: ParkedCause? {
        get {
            let index = Int(field(13, 3)) - 1
            let all = ParkedCause.allCases
            return all.indices.contains(index) ? all[index] : nil
        }
        set {
            let index = newValue.flatMap { ParkedCause.allCases.firstIndex(of: $0) }
            setField(13, 3, Int64((index ?? -1) + 1))
        }
    }

    /// The places of withheld states, the newest four, oldest first; see ``SessionPins``.
    package var pinnedSlots: [Int] {
        get {
            guard field(16, 36) != 0 else {
                return []
            }
            return (0..<4).compactMap { place in
                let value = Int(field(16 + 9 * Int64(place), 9))
                return value > 0 ? value - 1 : nil
            }
        }
        set {
            let kept = Array(newValue.suffix(4))
            for place in 0..<4 {
                let slot = place < kept.count ? Int64(kept[place]) + 1 : 0
                setField(16 + 9 * Int64(place), 9, slot)
            }
        }
    }

    /// Tells app versions apart, as far as eight bits do; the version itself is a value of the session.
    package var versionTag: Int64 {
        get { field(52, 8) }
        set { setField(52, 8, newValue) }
    }

    /// The tag of an app version.
    package static func versionTag(of version: String?) -> Int64 {
        var tag: UInt8 = 17
        for byte in (version ?? "").utf8 {
            tag = tag &* 31 &+ byte
        }
        return Int64(tag)
    }

    /// Whether the state was offered again under a version of the app. `offered` is the version that
    /// the session's value names; nil where an earlier library offered it, and the tag alone tells.
    package func wasOffered(under version: String?, _ offered: String?) -> Bool {
        contains(.offeredAgain) && versionTag == Self.versionTag(of: version)
            && (offered == nil || offered == version ?? "")
    }

    // MARK: Judging

    /// The current state, in a place of the history, is kept from the app.
    package mutating func withhold(
        _ reason: WithheldReason, slot: Int?, _ pins: inout SessionPins
    ) {
        guard let slot else {
            return
        }
        insert(.withheld)
        // A state that the app could not restore was not restored.
        remove(.suspect)
        withheldReason = reason
        pins.withhold(slot)
    }

    /// A state in a place of the history was shown and may not be the last one: it stays, and it can
    /// be had again.
    package mutating func keep(slot: Int?, _ pins: inout SessionPins) {
        guard let slot else {
            return
        }
        pins.withhold(slot)
        withheldReason = .lost
    }

    /// Whether a save of the same state stands by it (L-52): it is withheld, or it waits to be given to
    /// the app again. One that this launch was given proves nothing by saving it.
    package var awaitsConfirmation: Bool {
        contains(.withheld) || contains(.offering) && !contains(.suspect)
    }

    /// The current state is the app's again.
    package mutating func release(slot: Int?, _ pins: inout SessionPins) {
        remove(.withheldOnce)
        if let slot {
            pins.release(slot)
        }
        if pins.withheld.isEmpty {
            withheldReason = nil
        }
    }

    /// A process died while it restored the session. A state that was not given to the app in it is
    /// withheld for the reason that it was.
    package mutating func blame(slot: Int?, _ pins: inout SessionPins) {
        remove([.offering, .suspect])
        guard !contains(.withheld) || withheldReason?.isOfGivenState != false else {
            return
        }
        withhold(.crash, slot: slot, &pins)
    }

    /// The current state is given to the app, though an earlier launch kept it from it: if that goes
    /// wrong, the state is to blame. It stays pinned.
    package mutating func give() {
        if contains(.withheld), withheldReason?.isOfGivenState == false {
            remove(.withheld)
        }
    }

    /// A launch was stable (L-52): answers whether the count of deaths is cleared, which is when
    /// the session was restored in it; else its state is offered again, once for each app version.
    /// A state that was saved since is not withheld, and keeps its offer. `offered` is the version that
    /// it was offered under before.
    package mutating func settle(
        isRestored: Bool, slot: Int?, version: String?, offered: String?, _ pins: inout SessionPins
    ) -> Bool {
        if isRestored, contains(.withheld), withheldReason?.isOfGivenState == false {
            // It lived without its state, which stays withheld.
            return true
        }
        if isRestored || contains(.suspect) {
            remove(.suspect)
            release(slot: slot, &pins)
            return true
        }
        if contains(.withheld) || slot == nil, !wasOffered(under: version, offered) {
            remove(.withheld)
            insert([.offering, .offeredAgain])
            versionTag = Self.versionTag(of: version)
        }
        return false
    }
}

extension SessionRecord {
    /// Whether the current state is kept from the app.
    package var isStateWithheld: Bool { flags.contains(.withheld) }
    /// Whether the state is kept from the app because a process died of it, or because it may not be
    /// the last one; a session without a state is kept from restoring in its place.
    package var isStateBlamed: Bool {
        guard hasState else {
            return crashCount > 0 && !flags.contains(.offering)
        }
        return isStateWithheld && (flags.withheldReason == .crash || flags.withheldReason == .lost)
    }
    /// Whether the current state was kept from the app without being tried.
    package var isStateKeptBack: Bool {
        isStateWithheld && flags.withheldReason?.isOfGivenState == false
    }
    /// Why it is parked; nil when it is not.
    package var parkedCause: ParkedCause? { flags.parkedCause }
    /// Whether any state of it is, the current one or an earlier one.
    package var hasWithheldState: Bool { isStateWithheld || !flags.pinnedSlots.isEmpty }
}
