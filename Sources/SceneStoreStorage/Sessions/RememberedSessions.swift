import SceneStoreSQLite
import SceneStoreValues

/// What remembered sessions come back with, read when a launch connects them.
///
/// A launch that connects many says so first. Then what the next ones come back with is read with
/// one of them, under one lock of the file: twice as many as the time before, as long as nothing
/// changed them in between.
extension Database {
    /// A session as it is now, all that it holds, and what its state was saved under.
    fileprivate func remembered(
        _ planned: SessionRecord
    ) throws(SceneStoreError) -> RememberedSession {
        if let known = caches.ahead.take(planned.key) {
            return known
        }
        return try connection.readingAtOnce { () throws(SceneStoreError) in
            guard let session = try session(planned.key) else {
                return RememberedSession(
                    record: planned, session: try wholeSession(planned),
                    context: nil)
            }
            let found = try remembered(session)
            readAhead()
            return found
        }
    }

    /// Reads what the next sessions come back with. One that can't be read is asked for again in its
    /// turn, which throws then.
    private func readAhead() {
        var bytes = 0
        for key in caches.ahead.begin() where bytes < ReadAhead.mostBytes {
            do throws(SceneStoreError) {
                guard let session = try session(key) else {
                    return
                }
                caches.ahead.keep(try remembered(session))
                bytes += session.encodedState?.count ?? 0
            } catch {
                return
            }
        }
    }

    private func remembered(
        _ session: StoreCaches.Session
    ) throws(SceneStoreError) -> RememberedSession {
        let row = session.row
        let values = try values(of: row.id, through: .platformToken)
        // Made in one place, for there is much to copy in it.
        return RememberedSession(
            record: try record(row),
            session: try wholeSession(row, values) { () throws(SceneStoreError) in
                try decodedState(try currentState(of: session), of: row)
            },
            context: row.stateID != nil ? try saveContext(of: session, values[.confirmation]) : nil)
    }

    /// The bytes of a session's current state; its other states are read along, for the next save and
    /// for the check that they are not newer than the session.
    private func currentState(of session: StoreCaches.Session) throws(SceneStoreError) -> [UInt8]? {
        let row = session.row
        guard let current = row.stateID, session.states == nil else {
            return try withCurrentState(of: row) { _, bytes in Array(bytes) }
        }
        var states: [StateRow] = []
        var bytes: [UInt8]?
        try each(
            Queries.statesWithCurrent, binding(current, row.id << 8, row.id << 8 | 255)
        ) { state, statement throws(SceneStoreError) in
            guard isAsked(state.id >> 8 == row.id, .state, state.id) else {
                return true
            }
            if state.id == current {
                let payload = try withPayload(statement, state) { Array($0) }
                bytes = row.isBound(to: state) ? payload : nil
            }
            states.append(state)
            return true
        }
        if states.count > 1 {
            states.sort { $0.generation < $1.generation }
        }
        session.states = states
        noteCurrentState(of: row, isThere: bytes != nil)
        return bytes
    }

    /// What a session's current state was saved under (L-51).
    private func saveContext(
        of session: StoreCaches.Session, _ confirmation: [UInt8]?
    ) throws(SceneStoreError) -> SaveContext? {
        let states = try states(of: session)
        if session.isOlder(than: states) {
            noteOldSession(session.row)
        }
        guard let state = states.first(where: session.row.isBound) else {
            return nil
        }
        var context = try context(state.contextID, savedAt: state.savedAt)
        if let confirmation = confirmation.flatMap(NumberPair.init), confirmation.first == state.id
        {
            context.confirmedAt = confirmation.second
        }
        return context
    }
}

extension SceneSessionStore {
    /// What a remembered session comes back with, in one reading.
    package func remembered(_ planned: SessionRecord) throws(SceneStoreError) -> RememberedSession {
        try read { db throws(SceneStoreError) in try db.remembered(planned) }
    }

    /// These sessions are about to be asked for in this order; none when the launch is done.
    package func expect(_ keys: [Int64]) {
        database.withLock { $0.caches.ahead = ReadAhead(keys) }
    }
}

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
