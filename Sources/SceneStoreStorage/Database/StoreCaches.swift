import SceneStoreValues

/// What the database remembers of rows that it read or wrote, so that a save reads nothing.
///
/// Only what is committed stays in here: whoever rolls a transaction back empties it.
package struct StoreCaches {
    /// A session that this process has to do with.
    package final class Session {
        // As the database's own: under the store's lock, touched at every step of a save.
        @exclusivity(unchecked) package var row: SessionRow
        /// All of its states, oldest generation first; nil until asked for.
        @exclusivity(unchecked) package var states: [StateRow]?
        /// Those that are pinned; nil until asked for.
        @exclusivity(unchecked) var pins: SessionPins?
        /// The encoded current state, as it was last saved or loaded; nil when not at hand.
        @exclusivity(unchecked) package var encodedState: [UInt8]?

        package init(row: SessionRow) {
            self.row = row
        }
    }

    /// A configuration's row and the object that records share.
    package struct Configuration {
        package var row: ConfigurationRow
        package var shared: SharedConfiguration
        /// Changed in this transaction and not yet written.
        package var isChanged = false
    }

    package internal(set) var sessions: [Int64: Session] = [:]
    private var encodedBytes = 0
    /// By row.
    package private(set) var configurations: [Int64: Configuration] = [:]
    /// What is left of those whose rows are damaged.
    var lostConfigurations: [Int64: SharedConfiguration] = [:]
    /// The one that was asked for last: neighbours mostly share theirs.
    private var lastShared: (id: Int64, configuration: SharedConfiguration)?
    /// Whether `configurations` holds every one of the epoch.
    var hasAllConfigurations = false
    /// Whether counts of open sessions wait for the end of the transaction.
    package var hasChangedConfigurations = false
    /// All of the epoch; nil until asked for.
    package var contexts: [SaveContextRow]?
    /// By row.
    package var conditions: [Int64: ActivationConditions] = [:]
    /// The session whose recency is known to be the greatest of all.
    package var mostRecent: Int64?
    /// The sessions that a launch began with behind those in front, as far as asked for.
    var behind: [Int64: SessionRanges] = [:]
    /// What is read ahead of the windows that a launch connects.
    var ahead = ReadAhead()

    /// Whether all sessions of a store of so many may be kept.
    static func hasRoom(for sessions: Int64) -> Bool { sessions <= sessionCapacity }

    /// More sessions than any app shows at once; a tool that walks a whole store call by call stays
    /// bounded.
    private static let sessionCapacity = 16_384
    private static let encodedCapacity = 16 << 20

    /// Lets go of the sessions when they are many. Between two calls to the store only: a batch
    /// writes through the objects that it holds, and another object of the same row, read
    /// meanwhile, would be sealed over what it said before.
    mutating func trim() {
        guard sessions.count > Self.sessionCapacity else {
            return
        }
        sessions.removeAll()
        encodedBytes = 0
    }

    package mutating func remove(_ key: Int64) {
        ahead.forget(key)
        if let session = sessions.removeValue(forKey: key) {
            encodedBytes -= session.encodedState?.count ?? 0
        }
        if mostRecent == key {
            mostRecent = nil
        }
    }

    /// The object that the records of a configuration share, without its row.
    mutating func shared(_ id: Int64) -> SharedConfiguration? {
        if let lastShared, lastShared.id == id {
            return lastShared.configuration
        }
        guard let configuration = configurations[id]?.shared else {
            return nil
        }
        lastShared = (id, configuration)
        return configuration
    }

    /// Keeps a configuration, or its changed row.
    package mutating func keep(_ configuration: Configuration) {
        lastShared = nil
        configurations[configuration.row.id] = configuration
    }

    /// The row of a configuration of these very bytes.
    package func id(of configuration: SceneConfiguration) -> Int64? {
        configurations.values.lazy.map(\.row).filter { $0.holds(configuration) }.map(\.id).min()
    }

    /// Keeps the bytes of a session's current state, within bounds.
    package mutating func keep(_ bytes: [UInt8]?, of session: Session) {
        encodedBytes -= session.encodedState?.count ?? 0
        session.encodedState = nil
        guard let bytes, bytes.count <= Self.encodedCapacity / 4 else {
            return
        }
        if encodedBytes + bytes.count > Self.encodedCapacity {
            for other in sessions.values {
                other.encodedState = nil
            }
            encodedBytes = 0
        }
        session.encodedState = bytes
        encodedBytes += bytes.count
    }

    package init() {}
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

    /// Whether nothing is to be read ahead.
    var isEmpty: Bool { asked >= keys.count }

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
