import SceneStore
import SceneStoreExchange

/// Until when a session can be brought back that was closed, or left behind (S-50).
struct ReturnLimit: Sendable, Hashable {
    /// Milliseconds since 1970.
    var time: Int64
    /// Whether it stays longer: until something is closed, or left behind, after it.
    var isNewest: Bool

    /// The limits of sessions by key. What was closed, or left, at once counts as one.
    private static func limits(
        of sessions: [(record: SessionRecord, group: Int64, time: Int64)], last: Int64?, days: Int
    ) -> [Int64: ReturnLimit] {
        // Only the newest of a group counts for its age.
        var times: [Int64: Int64] = [:]
        for session in sessions {
            times[session.group] = max(times[session.group] ?? .min, session.time)
        }
        var limits: [Int64: ReturnLimit] = [:]
        for (record, group, _) in sessions where !record.flags.contains(.pinned) {
            limits[record.key] = ReturnLimit(
                time: (times[group] ?? 0).saturatingPlus(Int64(daysInMilliseconds: max(days, 0))),
                isNewest: group == last)
        }
        return limits
    }

    /// Until when closed sessions can be reopened, by key; the newest come first.
    static func limits(
        of closed: [ClosedSession], in store: SceneSessionStore
    ) throws(SceneStoreError) -> [Int64: ReturnLimit] {
        limits(
            of: closed.map { ($0.record, $0.closing.group, $0.closedAt) },
            last: closed.first(where: \.isOfLast)?.closing.group,
            days: try store.read { db throws(SceneStoreError) in db.options.closedDays })
    }

    /// Until when those of some sessions stay that were left behind, by key.
    static func limits(
        ofLeft records: [SessionRecord], in store: SceneSessionStore
    ) throws(SceneStoreError) -> [Int64: ReturnLimit] {
        var left: [(record: SessionRecord, group: Int64, time: Int64)] = []
        for record in records where record.parkedCause == .leftBehind {
            if let since = try store.discards.parking(of: record.key) {
                left.append((record, since.launch, since.time))
            }
        }
        left.sort { $0.group > $1.group }
        return limits(
            of: left, last: left.first?.group,
            days: try store.read { db throws(SceneStoreError) in db.options.closedDays })
    }

    /// Until when, for people.
    var text: String {
        let time = TimeText.spoken(time)
        return isNewest ? "at least until \(time)" : "until \(time)"
    }
}
