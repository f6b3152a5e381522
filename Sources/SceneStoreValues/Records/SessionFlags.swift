/// What was judged of a session. Each has a column of its own in the table of sessions; here they
/// are bits of one number, because a launch asks all sessions for several of them at once.
///
/// A judgement never overwrites what it judged.
package struct SessionFlags: OptionSet, Sendable, Hashable {
    package var rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// Its configuration is gone.
    package static let stale = SessionFlags(rawValue: 1)
    /// Held by hand.
    package static let held = SessionFlags(rawValue: 1 << 1)
    package static let notRemembered = SessionFlags(rawValue: 1 << 2)
    package static let pinned = SessionFlags(rawValue: 1 << 3)
    package static let redacted = SessionFlags(rawValue: 1 << 4)
    package static let ephemeral = SessionFlags(rawValue: 1 << 5)
    /// The current state is kept from the app.
    package static let withheld = SessionFlags(rawValue: 1 << 6)
    /// After deaths it is given to the app once more, by the next launch.
    package static let offering = SessionFlags(rawValue: 1 << 7)
    /// That was done already, under the version that a value of the session names.
    package static let offeredAgain = SessionFlags(rawValue: 1 << 8)
    /// The launch that runs has restored it, after deaths.
    package static let suspect = SessionFlags(rawValue: 1 << 9)
    // Bits 10 to 13 are the reason of a withheld state, 14 to 16 the cause of a parking.
    /// The closing of its window was undone: in an app of one scene it is the one that returns.
    package static let reopened = SessionFlags(rawValue: 1 << 17)
    /// Another window belongs to it (L-49).
    package static let hasChildren = SessionFlags(rawValue: 1 << 18)
    /// It belongs to another window.
    package static let isChild = SessionFlags(rawValue: 1 << 19)

    /// What keeps the current state from the app, or is about to give it back. A constant, for a
    /// set that is made of a list costs a twentieth of a save.
    package static let withholding = SessionFlags(rawValue: 0b0_1100_0000)
    /// The same, that it was given back once, and what was written under another configuration: a
    /// new state ends all of it.
    package static let ofOldState = SessionFlags(rawValue: 0b1_1100_0001)
    /// What a release of the state ends.
    private static let withheldOnce = SessionFlags(rawValue: 0b1_1100_0000)
    /// Held by hand, parked, or not to be remembered: with a crash count what keeps a session back.
    package static let exceptional = SessionFlags(rawValue: 0b111 << 14 | 0b110)

    /// Whether a judgement holds.
    package subscript(_ flag: SessionFlags) -> Bool {
        get { contains(flag) }
        set { rawValue = newValue ? rawValue | flag.rawValue : rawValue & ~flag.rawValue }
    }

    private subscript(_ bits: Range<Int64>) -> Int64 {
        get { rawValue >> bits.lowerBound & (1 << (bits.upperBound - bits.lowerBound) - 1) }
        set {
            let mask: Int64 = (1 << (bits.upperBound - bits.lowerBound) - 1) << bits.lowerBound
            rawValue = rawValue & ~mask | newValue << bits.lowerBound & mask
        }
    }

    /// The column `privacy`.
    package var privacyCode: Int64 {
        get { self[4..<6] }
        set { self[4..<6] = newValue }
    }

    /// The column `withheld_reason`.
    package var withheldCode: Int64 {
        get { self[10..<14] }
        set { self[10..<14] = newValue }
    }

    /// The column `parked`.
    package var parkedCode: Int64 {
        get { self[14..<17] }
        set { self[14..<17] = newValue }
    }

    package var privacy: PrivacyClass {
        get {
            contains(.ephemeral) ? .ephemeral : contains(.redacted) ? .redacted : .standard
        }
        set {
            self[.redacted] = newValue == .redacted
            self[.ephemeral] = newValue == .ephemeral
        }
    }

    /// Why a state of the session is withheld: that of the state that was withheld last; nil when
    /// none is.
    package var withheldReason: WithheldReason? {
        get { Self.value(withheldCode) }
        set { withheldCode = Self.code(newValue) }
    }

    /// Why the session is parked; nil when it is not.
    package var parkedCause: ParkedCause? {
        get { Self.value(parkedCode) }
        set { parkedCode = Self.code(newValue) }
    }

    private static func value<Value: CaseIterable>(_ code: Int64) -> Value?
    where Value.AllCases == [Value] {
        let index = Int(code) - 1
        return Value.allCases.indices.contains(index) ? Value.allCases[index] : nil
    }

    private static func code<Value: CaseIterable & Equatable>(_ value: Value?) -> Int64
    where Value.AllCases == [Value] {
        Int64((value.flatMap { Value.allCases.firstIndex(of: $0) } ?? -1) + 1)
    }

    /// Whether the state was offered again under a version of the app. `offered` is the version that
    /// the session's value names.
    package func wasOffered(under version: String?, _ offered: String?) -> Bool {
        contains(.offeredAgain) && offered == version ?? ""
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
        if !contains(.withheld) || withheldReason?.isOfGivenState != false {
            withhold(.crash, slot: slot, &pins)
        }
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
        }
        return false
    }
}
