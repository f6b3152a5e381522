import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// What each session of a store holds, in a few bytes: two sessions of one identifier whose digests
/// are equal export alike, whatever their rows are numbered. Digests that differ prove nothing.
///
/// No payload is read: a state counts by the hash that its row has of it.
package struct SessionDigests: Sendable {
    /// One session.
    package struct Entry: Sendable {
        package var identifier: String
        let key: Int64
        var digest: UInt64
    }

    /// By identifier.
    let entries: [Entry]

    fileprivate init(_ db: Database) throws(SceneStoreError) {
        let epoch = db.store.containerEpoch
        var configurations: [Int64: UInt64] = [:]
        var conditions: [Int64: UInt64] = [:]
        var current: [Int64: Int64] = [:]
        // Their pins name places of the history.
        var pinned: Set<Int64> = []
        var digests: [Int64: UInt64] = [:]
        var found: [Entry] = []
        for query in [Queries.openSessions, Queries.closedSessions] {
            try db.each(query, binding(epoch)) { row, _ throws(SceneStoreError) in
                guard row.epoch == epoch else {
                    return true
                }
                var mixer = DigestMixer()
                if configurations[row.configurationID] == nil {
                    configurations[row.configurationID] = Self.digest(
                        try db.configuration(row.configurationID).value)
                }
                mixer.mix(configurations[row.configurationID] ?? 0)
                if let id = row.conditionsID, conditions[id] == nil {
                    conditions[id] = UInt64(
                        bitPattern: try db.row(ConditionsRow.self, id)?.contentHash ?? 0)
                }
                mixer.mix(row.conditionsID.flatMap { conditions[$0] } ?? 1)
                for value in [
                    row.isOpen ? 1 : 0, row.isFront ? 1 : 0, row.crashCount, row.flags.rawValue,
                    row.createdAt, row.lastActiveAt,
                ] {
                    mixer.mix(UInt64(bitPattern: value))
                }
                if !row.isOpen, let tombstone = try db.tombstone(row.id) {
                    mixer.mix(tombstone.cause)
                }
                digests[row.id] = mixer.value
                current[row.id] = row.stateID
                found.append(Entry(identifier: row.identifier, key: row.id, digest: 0))
                return true
            }
        }
        // What a session has several of is summed: it comes in the order of its numbers.
        try db.each(Self.values, Self.nothing) { row, _ in
            var mixer = DigestMixer()
            mixer.mix(UInt64(bitPattern: row.contentHash))
            mixer.mix(UInt64(row.id & 255))
            digests[row.id >> 8]? &+= mixer.value
            if row.id & 255 == SessionValueKind.pins.rawValue {
                pinned.insert(row.id >> 8)
            }
            return true
        }
        try db.each(Self.states, Self.nothing) { row, _ in
            var mixer = DigestMixer()
            mixer.mix(UInt64(bitPattern: row.contentHash))
            mixer.mix(UInt64(bitPattern: row.savedAt))
            mixer.mix(row.id == current[row.id >> 8] ? 1 : 0)
            mixer.mix(pinned.contains(row.id >> 8) ? UInt64(row.entry.slot) : 0)
            digests[row.id >> 8]? &+= mixer.value
            return true
        }
        try db.each(Self.storage, Self.nothing) { row, _ in
            var mixer = DigestMixer()
            mixer.mix(row.key)
            mixer.mix(UInt64(bitPattern: row.contentHash))
            digests[row.sessionID]? &+= mixer.value
            return true
        }
        for index in found.indices {
            found[index].digest = digests[found[index].key] ?? 0
        }
        found.sort { $0.identifier.precedes($1.identifier) }
        entries = found
    }

    private static let states = StateRow.query("", payload: false)
    private static let values = SessionValueRow.query("", payload: false)
    private static let storage = StorageRow.query("", payload: false)

    private static func nothing(_ statement: borrowing Statement) throws(SQLiteError) {}

    private static func digest(_ configuration: SceneConfiguration) -> UInt64 {
        var mixer = DigestMixer()
        mixer.mix(UInt64(configuration.resolution.rawValue))
        for text in [
            configuration.role.rawValue, configuration.name, configuration.sceneClassName,
            configuration.delegateClassName, configuration.storyboardName,
            configuration.initialImmersionStyle,
        ] {
            mixer.mix(text ?? "\u{0}")
        }
        return mixer.value
    }

    /// The sessions that one of two stores lacks, or whose digests differ, by identifier.
    package func differing(
        from other: SessionDigests
    ) -> [(first: Entry?, second: Entry?)] {
        var result: [(first: Entry?, second: Entry?)] = []
        var (left, right) = (entries[...], other.entries[...])
        while let first = left.first ?? right.first {
            let isLeft = left.first.map { first in
                right.first.map { !$0.identifier.precedes(first.identifier) } ?? true
            }
            let one = isLeft == true ? left.first : nil
            let identifier = one?.identifier ?? right.first?.identifier ?? first.identifier
            let two = right.first.flatMap {
                $0.identifier.hasSameBytes(as: identifier) ? $0 : nil
            }
            if one != nil {
                _ = left.popFirst()
            }
            if two != nil {
                _ = right.popFirst()
            }
            if one?.digest != two?.digest || one == nil || two == nil {
                result.append((one, two))
            }
        }
        return result
    }
}

/// Numbers and texts in one number.
private struct DigestMixer {
    private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func mix(_ number: UInt64) {
        value = (value ^ number) &* 0xFF51_AFD7_ED55_8CCD
        value ^= value >> 32
    }

    mutating func mix(_ text: String) {
        mix(UInt64(bitPattern: Database.hash(Array(text.utf8))))
    }
}

extension SessionDigests {
    /// The digests of all sessions, open and recently closed.
    package init(of store: SceneSessionStore) throws(SceneStoreError) {
        self = try store.read { db throws(SceneStoreError) in try SessionDigests(db) }
    }

    /// The sessions of some digests, as ``SceneSessionStore/export(redacting:sessions:)`` writes them.
    package static func export(
        _ entries: [Entry], of store: SceneSessionStore
    ) throws(SceneStoreError) -> [UInt8] {
        try store.read { db throws(SceneStoreError) in
            var exporter = StoreExporter(db, .none, .some(entries.map(\.key)))
            return try exporter.written()
        }
    }

    /// What belongs to no session: tombstones, waiting payloads and saved activities.
    package static func exportOthers(of store: SceneSessionStore) throws(SceneStoreError) -> [UInt8]
    {
        try store.read { db throws(SceneStoreError) in
            var exporter = StoreExporter(db, .none, .others)
            return try exporter.written()
        }
    }
}
