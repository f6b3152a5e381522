import SceneStoreValues

/// What is read of the sessions that a launch is about to connect.
///
/// Invariants:
/// 1. What is kept here is what a read would find now: whoever writes a session's row or one of its
///    values forgets it here, and a transaction that is rolled back forgets everything.
/// 2. The first session of a launch is read alone, so that no window waits for the others.
struct ReadAhead {
    /// The sessions in their order, and how many of them were asked for.
    private var keys: [Int64] = []
    private var asked = 0
    /// What was read of those that come next; nil where it is not true any more.
    private var read: [RememberedSession?] = []
    private var first = 0
    /// How many are read the next time.
    private var count = 0

    private static let mostSessions = 32
    /// As soon as as much was read of states, no more is read ahead.
    static let mostBytes = 256 << 10

    init(_ keys: [Int64] = []) {
        self.keys = keys
    }

    /// What is known of a session that is asked for now.
    mutating func take(_ key: Int64) -> RememberedSession? {
        guard asked < keys.count else {
            return nil
        }
        if keys[asked] != key {
            guard let place = keys[asked...].firstIndex(of: key) else {
                return nil
            }
            asked = place
        }
        let place = asked - first
        asked += 1
        guard read.indices.contains(place) else {
            return nil
        }
        // Taken, not copied: there is much in it.
        var known: RememberedSession?
        swap(&known, &read[place])
        return known
    }

    /// The sessions to be read now, behind the one that was asked for last.
    mutating func begin() -> ArraySlice<Int64> {
        read.removeAll(keepingCapacity: true)
        first = asked
        let next = keys[asked...].prefix(count)
        count = asked == 0 ? 0 : min(max(count * 2, 1), Self.mostSessions)
        return next
    }

    mutating func keep(_ session: consuming RememberedSession) {
        read.append(session)
    }

    /// A session changed.
    mutating func forget(_ key: Int64) {
        guard !read.isEmpty, let place = keys[first...].prefix(read.count).firstIndex(of: key),
            read[place - first] != nil
        else {
            return
        }
        read[place - first] = nil
        count = 0
    }
}

/// What a remembered session comes back with.
package struct RememberedSession: Sendable {
    /// As it is now.
    package var record: SessionRecord
    /// All that it holds.
    package var session: SceneSession
    /// What its state was saved under.
    package var context: SaveContext?

    /// A session of which no more than its row could be read.
    package static func withoutState(_ record: SessionRecord) -> RememberedSession {
        var session = SceneSession(
            persistentIdentifier: record.id, configuration: record.configuration)
        session.withheldState = record.hasState ? .lost : nil
        return RememberedSession(record: record, session: session)
    }
}
