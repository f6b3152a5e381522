/// Which earlier states of a session are kept (S-51).
///
/// The last ``recent`` distinct states, then the newest one of each hour for ``hours`` hours, then
/// the newest one of each day for ``days`` days; all of them together no more than ``bytes``. The
/// current state is never given up. Order is by generation; the clock only names the hour and the
/// day, so a clock that jumps cannot drop a state in favour of an older one.
public struct HistoryPolicy: Sendable, Hashable {
    /// The last distinct states, the current one counted; 10, at least 1.
    public var recent = 10
    /// Hours of which one state each is kept; 24.
    public var hours = 24
    /// Days of which one state each is kept; 14.
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
    struct Entry: Sendable, Hashable {
        var slot: Int
        var generation: Int64
        var savedAt: Int64
        var contentHash: Int64
        var byteCount: Int
    }

    /// Where a new state goes, and what goes away for it.
    struct Placement: Sendable, Hashable {
        /// The slot that is written.
        var slot: Int
        /// Whether a row stands there already.
        var isReused: Bool
        /// Slots that are dropped with it, because together they are too large.
        var dropped: [Int]
    }

    /// Numbers of a ring: a rowid keeps eight bits for them.
    static let slotCount = 256

    /// Where a new state goes.
    ///
    /// `entries` are the session's rows, oldest generation first. A row of equal content is
    /// written over, so that a content is stored once; else a row that the policy gives up; else a
    /// free slot.
    func placement(
        for entry: Entry, among entries: [Entry], current: Int?
    ) -> Placement {
        if let same = entries.first(where: {
            $0.contentHash == entry.contentHash && $0.byteCount == entry.byteCount
                && $0.slot != current
        }) {
            return Placement(slot: same.slot, isReused: true, dropped: [])
        }
        let verdict = judge(entries, newest: entry, now: entry.savedAt)
        var dropped = verdict.tooLarge
        // Until the new state is written the current one is its predecessor: it is in `entries`
        // and may be given up only because the new one takes its place.
        if let slot = verdict.givenUp.first {
            return Placement(slot: slot, isReused: true, dropped: dropped)
        }
        if let slot = dropped.popLast() {
            return Placement(slot: slot, isReused: true, dropped: dropped)
        }
        var isTaken = [Bool](repeating: false, count: Self.slotCount)
        for entry in entries where isTaken.indices.contains(entry.slot) {
            isTaken[entry.slot] = true
        }
        // The oldest goes when a foreign file has filled every slot.
        let slot = isTaken.firstIndex(of: false) ?? entries.first?.slot ?? 0
        return Placement(slot: slot, isReused: slot == entries.first?.slot, dropped: dropped)
    }

    /// The slots that are no longer kept, oldest first; `current` is not among them.
    func surplus(_ entries: [Entry], current: Int?, now: Int64) -> [Int] {
        guard let index = entries.lastIndex(where: { $0.slot == current }) ?? entries.indices.last
        else {
            return []
        }
        var others = entries
        let newest = others.remove(at: index)
        let verdict = judge(others, newest: newest, now: now)
        return verdict.givenUp + verdict.tooLarge
    }

    /// Walks from the newest state to the oldest and says which are not kept, oldest first.
    private func judge(
        _ entries: [Entry], newest: Entry, now: Int64
    ) -> (givenUp: [Int], tooLarge: [Int]) {
        var givenUp: [Int] = []
        var tooLarge: [Int] = []
        var hoursSeen = [Self.bucket(newest.savedAt, Self.hour)]
        var daysSeen = [Self.bucket(newest.savedAt, Self.day)]
        var hoursKept = 0
        var daysKept = 0
        var kept = 1
        var total = newest.byteCount
        // Bounded, so that every kept state has a slot and one is left over.
        let recent = min(max(self.recent, 1), 100)
        let hours = min(max(self.hours, 0), 72)
        let days = min(max(self.days, 0), 72)
        for entry in entries.reversed() {
            let hour = Self.bucket(entry.savedAt, Self.hour)
            let day = Self.bucket(entry.savedAt, Self.day)
            let age = now.subtractingReportingOverflow(entry.savedAt).partialValue
            var isKept = kept < recent
            if !isKept, age < Int64(hours) * Self.hour, hoursKept < hours,
                !hoursSeen.contains(hour)
            {
                hoursKept += 1
                isKept = true
            }
            if !isKept, age < Int64(days) * Self.day, daysKept < days, !daysSeen.contains(day) {
                daysKept += 1
                isKept = true
            }
            guard isKept else {
                givenUp.append(entry.slot)
                continue
            }
            let (sum, overflow) = total.addingReportingOverflow(entry.byteCount)
            if overflow || sum > bytes {
                tooLarge.append(entry.slot)
                continue
            }
            total = sum
            kept += 1
            hoursSeen.append(hour)
            daysSeen.append(day)
        }
        return (givenUp.reversed(), tooLarge.reversed())
    }

    static let hour: Int64 = 3_600_000
    static let day: Int64 = 86_400_000

    /// The number of the hour or day that a time lies in; also before 1970.
    private static func bucket(_ time: Int64, _ length: Int64) -> Int64 {
        let quotient = time / length
        return time % length < 0 ? quotient - 1 : quotient
    }
}
