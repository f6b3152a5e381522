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
    package struct Entry: Sendable, Hashable {
        package var slot: Int
        package var generation: Int64
        package var savedAt: Int64
        package var contentHash: Int64
        package var byteCount: Int

        package init(
            slot: Int, generation: Int64, savedAt: Int64, contentHash: Int64, byteCount: Int
        ) {
            self.slot = slot
            self.generation = generation
            self.savedAt = savedAt
            self.contentHash = contentHash
            self.byteCount = byteCount
        }
    }

    /// Where a new state goes, and what goes away for it.
    package struct Placement: Sendable, Hashable {
        /// The slot that is written.
        package var slot: Int
        /// Whether a row stands there already.
        package var isReused: Bool
        /// Slots that are dropped with it, because together they are too large.
        package var dropped: [Int]

        package init(
            slot: Int, isReused: Bool, dropped: [Int]
        ) {
            self.slot = slot
            self.isReused = isReused
            self.dropped = dropped
        }
    }

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
            return Placement(slot: known.slot, isReused: true, dropped: [])
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
            return Placement(slot: slot, isReused: true, dropped: dropped)
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
        let slot = isTaken.firstIndex(of: false) ?? oldest ?? 0
        return Placement(slot: slot, isReused: slot == oldest, dropped: dropped)
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
