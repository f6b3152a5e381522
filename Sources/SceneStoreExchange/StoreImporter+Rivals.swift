import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// What the store has before an import: what it must not be told of twice.
struct ImportRivals {
    private var tombstones: [[UInt8]: [DiscardRow]] = [:]
    /// The payloads without a key that wait, by the time at which they were received.
    private var waiting: [Int64: Set<Content>] = [:]
    /// The saved activities without an identifier, by their time.
    private var saved: [Int64: Set<Content>] = [:]
    /// What has a greater number came with the import itself.
    let lastID: Int64
    /// Keys of a user info that one side may lack, or mark.
    private let privateKeys: Set<String>

    /// Encoded fields by their hash and length, because all of them together may be large.
    private struct Content: Hashable {
        var hash: Int64
        var count: Int

        init(_ bytes: [UInt8]) {
            hash = Database.hash(bytes)
            count = bytes.count
        }
    }

    init(_ db: Database) throws(SceneStoreError) {
        lastID = db.store.lastID
        privateKeys = db.options.ephemeralKeys.union(db.options.redactedKeys)
        let epoch = db.store.containerEpoch
        for row in try db.tombstones() {
            tombstones[Array(row.identifier.utf8), default: []].append(row)
        }
        let keys = privateKeys
        var waiting = waiting
        try db.eachWithPayload(
            Queries.waitingInbox, binding(epoch), isAsked: { $0.epoch == epoch && !$0.isDone }
        ) { row, bytes in
            if let bytes, row.dedupeKey == nil {
                waiting[row.receivedAt, default: []].insert(
                    Self.comparable(bytes, Self.payloadPath, without: keys))
            }
            return true
        }
        self.waiting = waiting
        var saved = saved
        try db.eachWithPayload(Queries.savedActivities, binding(epoch)) { row, bytes in
            if let bytes, row.persistentIdentifier == nil {
                saved[row.savedAt, default: []].insert(
                    Self.comparable(bytes, Self.activityPath, without: keys))
            }
            return true
        }
        self.saved = saved
    }

    func tombstones(of identifier: String) -> [DiscardRow] {
        tombstones[Array(identifier.utf8)] ?? []
    }

    /// Whether a payload without a key waits already: the same one, received at the same time.
    func isWaiting(_ payload: ImportedPayload) -> Bool {
        let content = Self.comparable(payload.bytes, Self.payloadPath, without: privateKeys)
        return waiting[payload.receivedAt]?.contains(content) == true
    }
}

extension ImportRivals {
    /// Whether an activity without an identifier was saved already: the same one, at the same time.
    func isSaved(_ bytes: [UInt8], at time: Int64) -> Bool {
        guard let known = saved[time] else {
            return false
        }
        return known.contains(Self.comparable(bytes, Self.activityPath, without: privateKeys))
    }

    // MARK: - Comparing

    private static let activityPath: ArraySlice = ["info"]
    private static let payloadPath: ArraySlice = ["activity", "info"]

    /// Encoded fields without what an export leaves out by its key: by that alone two things do not
    /// differ.
    private static func comparable(
        _ bytes: [UInt8], _ path: ArraySlice<String>, without keys: Set<String>
    ) -> Content {
        guard
            case .dictionary(let fields)? = StoreExporter.fields(bytes, extraLevels: 3),
            let rest = removing(keys, from: fields, path)
        else {
            return Content(bytes)
        }
        return Content((try? ValueCodec.encode(rest)) ?? bytes)
    }

    /// Nil when there is nothing to be removed.
    private static func removing(
        _ keys: Set<String>, from dictionary: ValueDictionary, _ path: ArraySlice<String>
    ) -> ValueDictionary? {
        var result = dictionary
        guard let key = path.first else {
            for (key, value) in dictionary where value.isRedacted || keys.contains(key) {
                result[key] = nil
            }
            return result.count < dictionary.count ? result : nil
        }
        guard case .dictionary(let inner)? = dictionary[key],
            let rest = removing(keys, from: inner, path.dropFirst())
        else {
            return nil
        }
        // An empty one is not stored.
        result[key] = rest.isEmpty ? nil : .dictionary(rest)
        return result
    }
}

/// Discards and payloads of an import, which the store may know already.
extension StoreImporter {
    /// What becomes of a discard. None is ever laid over a session that is there, and the app is
    /// told of none twice.
    func verdict(
        tombstoneOf identifier: String, _ known: ImportRivals, importing sessions: Set<[UInt8]>
    ) throws(SceneStoreError) -> Verdict {
        guard !sessions.contains(Array(identifier.utf8)) else {
            return .left
        }
        if let session = try db.session(identifier: identifier) {
            return session.isOpen && merge == .refuse ? .refused : .left
        }
        return known.tombstones(of: identifier).isEmpty ? .taken : .left
    }

    /// Whether the store has a payload already.
    func has(
        _ payload: ImportedPayload, _ known: ImportRivals
    ) throws(SceneStoreError) -> Bool {
        guard let key = payload.dedupe else {
            return known.isWaiting(payload)
        }
        // One that was acknowledged counts, too, as long as the store remembers it.
        return try db.inboxRows(key).contains {
            $0.id <= known.lastID && (!$0.isDone || $0.receivedAt == payload.receivedAt)
        }
    }
}
