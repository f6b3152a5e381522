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
        func read() throws(SceneStoreError) -> RememberedSession {
            guard let session = try session(planned.key) else {
                return RememberedSession(record: planned, session: try wholeSession(planned))
            }
            let found = try remembered(session)
            readAhead()
            return found
        }
        return try caches.ahead.isEmpty ? read() : connection.readingAtOnce(read)
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
            return try stateBytes(of: row)
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
