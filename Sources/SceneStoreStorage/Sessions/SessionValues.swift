import SceneStoreSQLite
import SceneStoreValues

/// What a session has beside its state: `userInfo`, title, placement, conditions, scene storage.
package struct StoredValues: Sendable {
    let store: SceneSessionStore

    /// Stores a session's `userInfo`, property-list values only.
    package func setUserInfo(
        _ userInfo: ValueDictionary, key: Int64, durability: Durability = .normal
    ) throws(SceneStoreError) {
        try set(.userInfo, store.encoder.encodedUserInfo(userInfo), of: key, durability: durability)
    }

    /// Stores a session's title, in mode normal.
    package func setTitle(_ title: String?, key: Int64) throws(SceneStoreError) {
        try set(.title, store.encoder.encoded(title: title), of: key)
    }

    /// Stores where a session's window is, in mode normal.
    package func setPlacement(_ placement: PlacementMemory?, key: Int64) throws(SceneStoreError) {
        try set(.placement, store.encoder.encoded(placement), of: key)
    }

    /// Where a session's window was, on each arrangement of displays.
    package func placements(key: Int64) throws(SceneStoreError) -> PlacementMemory? {
        try store.read { db throws(SceneStoreError) in
            try db.session(key).flatMap { session throws(SceneStoreError) in
                try db.placements(of: session.row)
            }
        }
    }

    /// Stores what the compositor knows a session's window by, in mode normal.
    package func setPlatformToken(_ token: [UInt8]?, key: Int64) throws(SceneStoreError) {
        try set(.platformToken, store.encoder.encoded(platformToken: token), of: key)
    }

    /// Stores the value that a session's window presents (L-87).
    package func setPresentedValue(_ value: Value?, key: Int64) throws(SceneStoreError) {
        let bytes = try store.encoder.encoded(presentedValue: value)
        let hash = bytes.map { Database.hash($0) }
        try set(.presentedValue, bytes, of: key) { row in
            row.valueHash = row.flags.contains(.ephemeral) ? nil : hash
        }
    }

    /// Stores, replaces or removes one of a session's values; nothing is written when it is the
    /// stored one. `also` changes the skeleton in the same transaction.
    private func set(
        _ kind: SessionValueKind, _ bytes: [UInt8]?, of key: Int64,
        durability: Durability = .normal,
        also change: (@Sendable (inout SessionRow) -> Void)? = nil
    ) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            guard let value = try db.change(kind, bytes, of: try db.knownSession(key)) else {
                return
            }
            try db.write(durability) { transaction throws(SceneStoreError) in
                try transaction.apply(value)
                if let change {
                    try transaction.updateRow(value.session, SessionRow.description.update, change)
                }
            }
            db.noteSave(durability)
        }
    }

    /// Stores a session's activation conditions, in mode normal; the defaults take no room.
    package func setConditions(
        _ conditions: ActivationConditions, key: Int64
    ) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            let session = try db.knownSession(key)
            // By their bytes, which decide what they match.
            let known = try db.conditions(session.row.conditionsID)
            guard try ValueCodec.encode(known) != ValueCodec.encode(conditions, limits: db.limits)
            else {
                return
            }
            // They tell what a session shows: of an ephemeral one nothing of it reaches the disk.
            let isDefault =
                conditions == ActivationConditions() || session.row.flags.contains(.ephemeral)
            guard !isDefault || session.row.conditionsID != nil else {
                return
            }
            let bytes = isDefault ? nil : try ValueCodec.encode(conditions, limits: db.limits)
            try db.write(.normal) { transaction throws(SceneStoreError) in
                var id: Int64?
                if let bytes {
                    id = try transaction.internConditions(bytes)
                }
                try transaction.updateRow(session) { $0.conditionsID = id }
                transaction.note(.change, session.row.identifier, "activation conditions")
            }
            db.noteSave(.normal)
        }
    }

    /// A session's scene storage.
    package func storageValues(key: Int64) throws(SceneStoreError) -> [String: Value] {
        try store.read { db throws(SceneStoreError) in
            try db.storageValues(key).mapValues { db.encoder.shown($0, \.revealed) }
        }
    }

    /// Stores values of a session's scene storage in one transaction; nil removes a key. Values
    /// equal to the stored ones cost no write.
    package func setStorage(
        _ values: [String: Value?], key: Int64, durability: Durability = .normal
    ) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            let session = try db.openSession(key)
            var changed: [(name: String, old: StorageRow?, bytes: [UInt8]?)] = []
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                try db.encoder.check(name, path: "storage")
                var bytes: [UInt8]?
                if let value {
                    bytes = try db.encoder.storable(
                        value, name: name, path: KeyPathText.text("storage", .key(name)))
                }
                guard !session.row.flags.contains(.ephemeral) else {
                    continue
                }
                let old = try db.storedValue(key, name)
                if (old == nil && bytes == nil) || (bytes != nil && old?.bytes == bytes) {
                    continue
                }
                changed.append((name, old?.row, bytes))
            }
            guard !changed.isEmpty else {
                return
            }
            try db.write(durability) { transaction throws(SceneStoreError) in
                for change in changed.sorted(by: { $0.name.precedes($1.name) }) {
                    try transaction.put(change.name, change.old, change.bytes, of: key)
                }
                transaction.note(.change, session.row.identifier, "scene storage")
            }
            db.noteSave(durability)
        }
    }
}

extension Database {
    /// The open sessions whose window was opened for a value, most recently active first.
    package func records(presenting value: Value) throws(SceneStoreError) -> [SessionRecord] {
        let bytes = try ValueCodec.encode(value, path: "presentedValue")
        let hash = Database.hash(bytes)
        let epoch = store.containerEpoch
        let found = try rows(Queries.sessionsWithValueHash, binding(epoch, hash)) {
            $0.epoch == epoch && $0.valueHash == hash
        }
        var result: [SessionRecord] = []
        for row in found where row.isOpen {
            if try self.value(.presentedValue, of: row.id) == bytes {
                result.append(try record(row))
            }
        }
        return result.sorted(by: SessionRecord.comesBefore)
    }

    /// The bytes of one of a session's values.
    package func value(_ kind: SessionValueKind, of key: Int64) throws(SceneStoreError) -> [UInt8]?
    {
        try withRow(SessionValueRow.self, key << 8 | kind.rawValue) { _, bytes in Array(bytes) }
    }

    /// A session's values, up to those of a kind.
    package func values(
        of key: Int64, through last: SessionValueKind = .offeredVersion
    ) throws(SceneStoreError) -> [SessionValueKind: [UInt8]] {
        var result: [SessionValueKind: [UInt8]] = [:]
        try eachWithPayload(
            Queries.sessionValues, binding(key << 8, key << 8 | last.rawValue),
            isAsked: { $0.id >> 8 == key }
        ) { row, bytes in
            if let kind = SessionValueKind(rawValue: row.id & 255) {
                result[kind] = bytes
            }
            return true
        }
        return result
    }

    /// Where a session's window was.
    package func placements(of row: SessionRow) throws(SceneStoreError) -> PlacementMemory? {
        decoded(try value(.placement, of: row.id), "placement", session: row.identifier) {
            bytes throws(SceneStoreError) in try ValueCodec.decodePlacement(bytes)
        }
    }

    /// Stored bytes as what they stand for; nil, and noted, when they are of no known form.
    package func decoded<Content>(
        _ bytes: [UInt8]?, _ what: String, session: @autoclosure () -> String,
        _ decode: ([UInt8]) throws(SceneStoreError) -> Content
    ) -> Content? {
        guard let bytes else {
            return nil
        }
        do {
            return try decode(bytes)
        } catch {
            noteUndecodable(what, session: session())
            return nil
        }
    }

    /// Says that a row is whole and yet not understood.
    func noteUndecodable(_ what: String, session: String) {
        let diagnostic = Diagnostic(
            .damagedRow, .error, "the stored \(what) has an unknown form and counts as absent",
            sessionIdentifier: SceneSession.ID(session))
        if !damage.diagnostics.contains(diagnostic) {
            damage.diagnostics.append(diagnostic)
        }
    }

    /// Encodes the values that are to be saved with states, and drops those that are stored already
    /// and those of sessions that were discarded (S-24). Of two for one session the last one counts.
    func changedValues(_ values: [ValuesToSave]) throws(SceneStoreError) -> [ChangedValue] {
        var changed: [ChangedValue] = []
        var last: [Int64: Int] = [:]
        for (index, value) in values.enumerated() {
            last[value.key] = index
        }
        for (index, value) in values.enumerated() where last[value.key] == index {
            let session = try knownSession(value.key)
            guard session.row.isOpen else {
                continue
            }
            for (kind, bytes) in try encoder.encoded(value) {
                if let change = try change(kind, bytes, of: session) {
                    changed.append(change)
                }
            }
        }
        return changed
    }

    /// A value as a change; nil when it is stored already.
    fileprivate func change(
        _ kind: SessionValueKind, _ bytes: [UInt8]?, of session: StoreCaches.Session
    ) throws(SceneStoreError) -> Database.ChangedValue? {
        // Of an ephemeral session nothing that shows its content reaches the disk.
        let bytes = session.row.flags.contains(.ephemeral) && kind != .placement ? nil : bytes
        guard try value(kind, of: session.row.id) != bytes else {
            return nil
        }
        return Database.ChangedValue(session: session, kind: kind, bytes: bytes)
    }

    /// A value that is not what is stored.
    package struct ChangedValue {
        package var session: StoreCaches.Session
        package var kind: SessionValueKind
        package var bytes: [UInt8]?
    }

    // MARK: - Reads scene storage: values by key, for each session its own (L-86)

    /// The row and bytes of a key.
    func storedValue(
        _ key: Int64, _ name: String
    ) throws(SceneStoreError) -> (row: StorageRow, bytes: [UInt8]?)? {
        var result: (row: StorageRow, bytes: [UInt8]?)?
        try eachWithPayload(
            Queries.storageValue, binding(key, name),
            isAsked: { $0.sessionID == key && $0.key.hasSameBytes(as: name) }
        ) { row, bytes in
            result = (row, bytes)
            return false
        }
        // In another normal form it is the same key, as in every dictionary.
        guard result == nil, !name.utf8.allSatisfy({ $0 < 0x80 }),
            let other = try storageRows(key).first(where: { $0.key == name })
        else {
            return result
        }
        return try withRow(StorageRow.self, other.id) { ($0, Array($1)) } ?? (other, nil)
    }

    /// All values, with the marks that they may have.
    package func storageValues(_ key: Int64) throws(SceneStoreError) -> [String: Value] {
        var result: [String: Value] = [:]
        try eachWithPayload(
            Queries.storageValues, binding(key), isAsked: { $0.sessionID == key }
        ) { row, bytes in
            result[row.key] = decoded(bytes, "scene storage", session: "") {
                bytes throws(SceneStoreError) in try ValueCodec.decode(bytes)
            }
            return true
        }
        return result
    }
}

extension Transaction {
    /// Writes a value, within a transaction.
    package func put(
        _ kind: SessionValueKind, _ bytes: [UInt8]?, of key: Int64
    ) throws(SceneStoreError) {
        let id = key << 8 | kind.rawValue
        db.caches.ahead.forget(key)
        try put(bytes, over: try db.row(SessionValueRow.self, id)) {
            SessionValueRow(id: id, contentHash: $0)
        }
    }

    /// Writes a row with a payload over the one that is there; no payload removes that.
    private func put<Row: PayloadRow>(
        _ bytes: [UInt8]?, over old: Row?, _ row: (_ hash: Int64) -> Row
    ) throws(SceneStoreError) {
        if let bytes, let old {
            try update(row(Database.hash(bytes)), counted: old.checksum, payload: bytes)
        } else if let bytes {
            try insert(row(Database.hash(bytes)), payload: bytes)
        } else if let old {
            try delete(old)
        }
    }

    /// Writes a value, within a transaction.
    package func apply(_ change: Database.ChangedValue) throws(SceneStoreError) {
        try put(change.kind, change.bytes, of: change.session.row.id)
        note(.change, change.session.row.identifier, "\(change.kind)")
    }

    func put(
        _ name: String, _ old: StorageRow?, _ bytes: [UInt8]?, of key: Int64
    ) throws(SceneStoreError) {
        try put(bytes, over: old) {
            StorageRow(
                id: old?.id ?? nextID(), sessionID: key, key: old?.key ?? name, contentHash: $0)
        }
    }
}

/// Two numbers of eight bytes each, as a judgement is stored beside a session.
package struct NumberPair {
    var first: Int64
    var second: Int64

    package init(_ first: Int64, _ second: Int64) {
        self.first = first
        self.second = second
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else {
            return nil
        }
        func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
            Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
        }
        first = number(bytes[..<8])
        second = number(bytes[8...])
    }

    package var bytes: [UInt8] {
        withUnsafeBytes(of: (first.bigEndian, second.bigEndian)) { Array($0) }
    }

    /// The hash of these bytes, which are not made for it.
    func hash(seed: UInt64) -> UInt64 {
        withUnsafeBytes(of: (first.bigEndian, second.bigEndian)) {
            ContentHash.hash($0, seed: seed)
        }
    }
}

/// Activation conditions, which sessions share (L-71).
extension Database {
    package func recordsWithConditions() throws(SceneStoreError) -> [ConditionedRecord] {
        let epoch = store.containerEpoch
        let found = try rows(Queries.sessionsWithConditions, binding(epoch)) {
            $0.epoch == epoch && $0.conditionsID != nil
        }
        return try found.filter(\.isOpen).map { row throws(SceneStoreError) in
            (record: try record(row), conditions: try conditions(row.conditionsID))
        }.sorted { SessionRecord.comesBefore($0.record, $1.record) }
    }

    /// The open sessions that have conditions of their own, the most recently active first. An index
    /// has all of it; whoever is chosen is read as a row, and held against it.
    package func keysWithConditions() throws(SceneStoreError) -> [ConditionedKey] {
        var found: [(key: Int64, recency: Int64, conditions: Int64)] = []
        // Without any, no other session is looked at.
        guard try first(Queries.sessionsWithConditions, binding(store.containerEpoch)) != nil else {
            return []
        }
        let configurations = try allConfigurations().filter { $0.row.openSessions > 0 }
        for known in configurations {
            try ask(Queries.conditionedSessionsOfConfiguration) { statement throws(SQLiteError) in
                try statement.bind(1, known.row.id)
                while try statement.step() {
                    let key = try statement.integer(at: 0)
                    found.append((key, try statement.integer(at: 1), try statement.integer(at: 2)))
                }
            }
        }
        if configurations.count > 1 {
            found.sort { $0.recency > $1.recency }
        }
        return try found.map { session throws(SceneStoreError) in
            (session.key, session.recency, try conditions(session.conditions), session.conditions)
        }
    }

    /// The conditions of a row; a damaged one has the defaults.
    package func conditions(_ id: Int64?) throws(SceneStoreError) -> ActivationConditions {
        guard let id else {
            return ActivationConditions()
        }
        if let known = caches.conditions[id] {
            return known
        }
        let bytes = try withRow(ConditionsRow.self, id) { _, bytes in Array(bytes) }
        let conditions =
            decoded(
                bytes, "activation conditions", session: "", ValueCodec.decodeConditions)
            ?? ActivationConditions()
        caches.conditions[id] = conditions
        return conditions
    }
}

extension Transaction {
    /// The row of encoded conditions, which is made when there is none.
    func internConditions(_ bytes: [UInt8]) throws(SceneStoreError) -> Int64 {
        let hash = Database.hash(bytes)
        let epoch = store.containerEpoch
        var known: Int64?
        try db.eachWithPayload(
            Queries.conditionsByHash, binding(epoch, hash),
            isAsked: { $0.epoch == epoch && $0.contentHash == hash }
        ) { row, stored in
            known = stored == bytes ? row.id : nil
            return known == nil
        }
        if let known {
            return known
        }
        let row = ConditionsRow(id: nextID(), epoch: epoch, contentHash: hash)
        try insert(row, payload: bytes)
        return row.id
    }
}
