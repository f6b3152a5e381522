/// The policy that determines which earlier states of a session are kept (S-51).
///
/// It keeps the last ``recent`` distinct states, then the newest one of each hour for ``hours``
/// hours, then the newest one of each day for ``days`` days. All of them together take at most
/// ``bytes``. The current state is always kept, and a pinned one doesn't count towards hours, days
/// or bytes. The order is by generation. The clock only names the hour and the day, so a clock that
/// jumps cannot drop a state in favour of an older one.
///
/// ```swift
/// var options = SceneSessionStore.Options()
/// options.history.recent = 50  // states
/// options.history.days = 90
/// ```
public struct HistoryPolicy: Sendable, Hashable {
    /// The number of last distinct states to keep, including the current one; 10, at least 1, at
    /// most 100.
    public var recent = 10
    /// The number of hours for which one state each is kept; 24, at most 72.
    public var hours = 24
    /// The number of days for which one state each is kept; 14, at most 72.
    public var days = 14
    /// Bytes of all states of a session; 32 MiB. The current state may be larger.
    public var bytes = 32 << 20

    /// Makes the default policy.
    public init() {}

    /// A policy that keeps the current state alone.
    public static var none: HistoryPolicy {
        var policy = HistoryPolicy()
        policy.recent = 1
        policy.hours = 0
        policy.days = 0
        return policy
    }

    /// What is known of one stored state without its bytes.
    package typealias Entry = (slot: Int, savedAt: Int64, contentHash: Int64, byteCount: Int)

    /// Where a new state goes: the slot that is written, and those that are dropped with it, because
    /// together they are too large.
    package typealias Placement = (slot: Int, dropped: [Int])

    /// Numbers of a ring: a rowid keeps eight bits for them.
    package static let slotCount = 256

    /// Where a new state goes.
    ///
    /// `entries` are the session's rows, oldest generation first. A row of equal content is
    /// written over, so that a content is stored once; else a row that the policy gives up; else a
    /// free slot. A pinned slot is never written over.
    package func placement(
        for entry: Entry, among entries: UnsafeBufferPointer<Entry>, current: Int?,
        pinned: [Int] = []
    ) -> Placement {
        for known in entries
        where known.contentHash == entry.contentHash && known.byteCount == entry.byteCount
            && known.slot != current && !pinned.contains(known.slot)
        {
            return (known.slot, [])
        }
        var oldestGivenUp: Int?
        var dropped: [Int] = []
        // From the newest to the oldest. Until the new state is written the current one is its
        // predecessor: it is in `entries` and may be given up only because the new one takes its
        // place.
        judge(entries, newest: entry, now: entry.savedAt, pinned: pinned) { slot, verdict in
            if verdict == .givenUp {
                oldestGivenUp = slot
            } else {
                dropped.append(slot)
            }
        }
        dropped.reverse()
        if let slot = oldestGivenUp ?? dropped.popLast() {
            return (slot, dropped)
        }
        var isTaken = [Bool](repeating: false, count: Self.slotCount)
        for entry in entries where isTaken.indices.contains(entry.slot) {
            isTaken[entry.slot] = true
        }
        // A state whose row is damaged may come back to its place.
        for slot in pinned where isTaken.indices.contains(slot) {
            isTaken[slot] = true
        }
        // The oldest goes when every slot is taken, as a foreign file may have it.
        let oldest = entries.first { $0.slot != current && !pinned.contains($0.slot) }?.slot
        return (isTaken.firstIndex(of: false) ?? oldest ?? 0, dropped)
    }

    package enum Verdict {
        case givenUp
        case tooLarge
    }

    /// Walks from the newest state to the oldest and names those that are not kept.
    ///
    /// It stands on the path of every save and allocates nothing: whether an hour or a day has its
    /// state already is looked up among the states that were kept. No time that was kept is before
    /// the earliest of them, so that they are only looked through where a clock went back. Answers
    /// how many were.
    @discardableResult
    package func judge(
        _ entries: UnsafeBufferPointer<Entry>, newest: Entry, now: Int64, pinned: [Int] = [],
        _ drop: (Int, Verdict) -> Void
    ) -> Int {
        // Bounded, so that every kept state has a slot and one is left over.
        let recent = min(max(self.recent, 1), 100)
        let hours = min(max(self.hours, 0), 72)
        let days = min(max(self.days, 0), 72)
        return withUnsafeTemporaryAllocation(of: Int64.self, capacity: entries.count + 1) { times in
            times.initializeElement(at: 0, to: newest.savedAt)
            var earliest = newest.savedAt
            var compared = 0
            var kept = 1
            var hoursKept = 0
            var daysKept = 0
            var total = newest.byteCount
            func isNew(_ time: Int64, _ length: Int64) -> Bool {
                let bucket = Self.bucket(time, length)
                let first = Self.bucket(earliest, length)
                guard bucket > first else {
                    return bucket < first
                }
                compared += kept
                return !times[..<kept].contains { Self.bucket($0, length) == bucket }
            }
            // By index: `reversed()` of a buffer allocates for each element.
            for index in stride(from: entries.count - 1, through: 0, by: -1) {
                let entry = entries[index]
                let time = entry.savedAt
                if pinned.contains(entry.slot) {
                    // Among the recent ones it is one of them.
                    if kept < recent {
                        times.initializeElement(at: kept, to: time)
                        earliest = min(earliest, time)
                        kept += 1
                    }
                    continue
                }
                if kept >= recent {
                    let age = now.saturatingMinus(time)
                    if age < Int64(hours) * Self.hour, hoursKept < hours, isNew(time, Self.hour) {
                        hoursKept += 1
                    } else if age < Int64(days) * Self.day, daysKept < days,
                        isNew(time, Self.day)
                    {
                        daysKept += 1
                    } else {
                        drop(entry.slot, .givenUp)
                        continue
                    }
                }
                let (sum, overflow) = total.addingReportingOverflow(entry.byteCount)
                if overflow || sum > bytes {
                    drop(entry.slot, .tooLarge)
                    continue
                }
                total = sum
                times.initializeElement(at: kept, to: time)
                earliest = min(earliest, time)
                kept += 1
            }
            return compared
        }
    }

    package static let hour: Int64 = 3_600_000
    package static let day: Int64 = 86_400_000

    /// The number of the hour or day that a time lies in; also before 1970.
    private static func bucket(_ time: Int64, _ length: Int64) -> Int64 {
        let quotient = time / length
        return time % length < 0 ? quotient - 1 : quotient
    }
}

/// Times and spans that settings of any size make: what does not fit is the farthest that does.
extension Int64 {
    /// The difference, or the bound that it lies beyond.
    package func saturatingMinus(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return !overflow ? difference : self < 0 ? .min : .max
    }

    /// The sum, or the bound that it lies beyond.
    package func saturatingPlus(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return !overflow ? sum : self < 0 ? .min : .max
    }

    /// So many milliseconds; none for less than no day.
    package init(daysInMilliseconds days: Int) {
        let (span, overflow) = Int64(clamping: Swift.max(days, 0))
            .multipliedReportingOverflow(by: HistoryPolicy.day)
        self = overflow ? .max : span
    }
}

/// The states of a session that no later state is written over, by their places in its history
/// (S-51): those that were withheld, and those that the app pinned.
///
/// 1. A place is listed at most once in each of the two; it may be in both.
/// 2. All places together are at most ``capacity``. At the bound the oldest withheld one gives way;
///    the app's never do.
/// 3. They are a value of the session, two bytes for each: the place, and 1 for withheld or 2 for the
///    app's, oldest first.
package struct SessionPins: Hashable, Sendable {
    /// How many states of a session are pinned at most.
    package static let capacity = 16

    /// Those that were withheld, or kept because they may not be the last, oldest first.
    package private(set) var withheld: [Int] = []
    /// The app's, oldest first.
    package private(set) var app: [Int] = []

    package init() {}

    /// Reads a session's value; nil for none. What is of no known form counts as absent.
    package init(_ bytes: [UInt8]?) {
        guard let bytes, Self.isWellFormed(bytes) else {
            return
        }
        for index in stride(from: 0, to: bytes.count, by: 2) {
            if bytes[index + 1] == Maker.app.rawValue {
                app.append(Int(bytes[index]))
            } else {
                withheld.append(Int(bytes[index]))
            }
        }
    }

    private enum Maker: UInt8 {
        case judgement = 1
        case app = 2
    }

    /// Whether bytes are those of a session's value: places, each with its maker.
    package static func isWellFormed(_ bytes: [UInt8]) -> Bool {
        bytes.count.isMultiple(of: 2) && bytes.count <= 4 * capacity
            && stride(from: 1, to: bytes.count, by: 2).allSatisfy {
                Maker(rawValue: bytes[$0]) != nil
            }
    }

    /// The session's value; nil when there is no pin.
    package var bytes: [UInt8]? {
        guard !withheld.isEmpty || !app.isEmpty else {
            return nil
        }
        return withheld.flatMap { [UInt8(truncatingIfNeeded: $0), Maker.judgement.rawValue] }
            + app.flatMap { [UInt8(truncatingIfNeeded: $0), Maker.app.rawValue] }
    }

    /// All places, each once.
    package var slots: [Int] {
        app.isEmpty ? withheld : withheld + app.filter { !withheld.contains($0) }
    }

    /// A state is withheld or kept.
    package mutating func withhold(_ slot: Int) {
        release(slot)
        withheld.append(slot)
    }

    /// A withheld state is the app's again; what the app pinned stays pinned.
    package mutating func release(_ slot: Int) {
        withheld.removeAll { $0 == slot }
    }

    /// The app pins a state; answers whether there was room.
    package mutating func pin(_ slot: Int) -> Bool {
        guard app.count < Self.capacity else {
            return false
        }
        app.append(slot)
        return true
    }

    /// The app pins a state no longer.
    package mutating func unpin(_ slot: Int) {
        app.removeAll { $0 == slot }
    }

    /// Keeps those that stand for a state.
    package mutating func keep(where isKnown: (Int) -> Bool) {
        withheld.removeAll { !isKnown($0) }
        app.removeAll { !isKnown($0) }
    }

    /// Lets the oldest withheld ones go until the bound is met; answers how many.
    package mutating func trim() -> Int {
        var count = 0
        while slots.count > Self.capacity,
            let oldest = withheld.firstIndex(where: { !app.contains($0) })
        {
            withheld.remove(at: oldest)
            count += 1
        }
        return count
    }
}
