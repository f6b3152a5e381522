import SceneStoreFormats
import SceneStoreStorage
import SceneStoreValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One line of an import, read and checked whole (R-42): every value encoded under the limits that
/// saving has.
enum ImportedThing: Sendable {
    case session(ImportedSession)
    case tombstone(ImportedTombstone, identifier: String, configuration: SceneConfiguration)
    case payload(ImportedPayload)
    case activity(bytes: [UInt8], activity: UserActivity, savedAt: Int64)
}

/// A payload that waits, as an import tells of it.
struct ImportedPayload: Sendable {
    var bytes: [UInt8]
    var dedupe: String?
    var isOffered: Bool
    var receivedAt: Int64
}

/// A discard as an import tells of it.
struct ImportedTombstone: Sendable {
    var cause: DiscardCause
    var delivery: Int64
    var rank: Int64
    var at: Int64
    /// The session's place in the group that it was closed with.
    var place: Int64?
}

/// A session as an import tells of it.
struct ImportedSession: Sendable {
    var identifier: String
    var configuration: SceneConfiguration
    var isOpen: Bool
    var isFront: Bool
    var recency: Int64
    var crashCount: Int64
    var flags: SessionFlags
    var createdAt: Int64
    var lastActiveAt: Int64
    var tombstone: ImportedTombstone?
    var values: [SessionValueKind: [UInt8]] = [:]
    var conditions: [UInt8]?
    var storage: [(key: String, bytes: [UInt8])] = []
    var states: [State] = []
    /// The place of the current state among them.
    var current: Int?

    struct State: Sendable {
        var rank: Int64
        var context: SaveContext
        var activityType: String
        var bytes: [UInt8]
    }

    /// When anything about it happened last, to tell which of two is newer.
    var newestTime: Int64 {
        max(lastActiveAt, current.map { states[$0].context.savedAt } ?? .min)
    }

    /// What people call it: the scene's title, else its activity's; nil of a private one.
    var title: String? {
        guard flags.privacy == .standard else {
            return nil
        }
        return values[.title].map { String(decoding: $0, as: UTF8.self) }
            ?? current.flatMap { try? ValueCodec.decodeActivity(states[$0].bytes).title }
    }
}

/// Reads the lines of an export.
struct ImportReader {
    /// The store that it is for: its limits, and its keys that never reach the disk.
    let db: Database
    private var limits: Limits { db.limits }
    /// More than any export has; a rank becomes a generation.
    private static let ranks: ClosedRange<Int64> = 0...100_000_000
    private static let mostPins = Int64(SessionPins.capacity)

    /// What the first line says.
    struct Header: Sendable {
        var sessions: Int64
        /// How many lines follow that are no sessions; nil in an export of an earlier version.
        var others: Int64?
    }

    init(_ db: Database) {
        self.db = db
    }

    /// Refuses a first line that is not of an export.
    static func checkFormat(_ line: [UInt8]) throws(SceneStoreError) {
        _ = try fields(ofFormat: try CanonicalJSON(parsing: line, limits: .exportLine))
    }

    private static func fields(
        ofFormat json: CanonicalJSON
    ) throws(SceneStoreError) -> ImportFields {
        let fields = try ImportFields(json, path: "line 1")
        guard try fields.text("format", limit: 100) == StoreExporter.format else {
            throw SceneStoreError(
                .malformedValue, "this is not an export of a store", path: "line 1")
        }
        return fields
    }

    func header(_ json: CanonicalJSON) throws(SceneStoreError) -> Header {
        let fields = try Self.fields(ofFormat: json)
        guard try fields.number("version", in: 1...Int64.max) == StoreExporter.version else {
            throw SceneStoreError(
                .newerSchema, "a newer version wrote the export; import it with that version",
                path: "line 1")
        }
        guard try fields.text("redact", limit: 100) == ExportRedaction.none.rawValue else {
            throw SceneStoreError(
                .redactedExport,
                "content that the export left out cannot come back; export it without redaction",
                path: "line 1")
        }
        let others: Int64? =
            fields.optionalJSON("others") == nil
            ? nil : try fields.number("others", in: 0...Int64.max)
        return Header(
            sessions: try fields.number("sessions", in: 0...Int64(limits.sessions) * 2),
            others: others)
    }

    func thing(_ json: CanonicalJSON) throws(SceneStoreError) -> ImportedThing {
        let fields = try ImportFields(json)
        switch try fields.text("kind", limit: 100) {
        case "session": return .session(try session(fields))
        case "discard":
            return .tombstone(
                try tombstone(fields),
                identifier: try identifier(fields), configuration: try configuration(fields))
        case "payload": return .payload(try payload(fields))
        case "activity":
            let (bytes, activity) = try activity(fields)
            return .activity(
                bytes: bytes, activity: activity, savedAt: try fields.time("saved"))
        default: throw ImportFields.malformed(fields.path(of: "kind"))
        }
    }

    // MARK: - Parts

    private func identifier(_ fields: ImportFields) throws(SceneStoreError) -> String {
        let identifier = try fields.text("session", limit: limits.keyBytes)
        guard !identifier.isEmpty else {
            throw ImportFields.malformed(fields.path(of: "session"))
        }
        return identifier
    }

    private func configuration(
        _ fields: ImportFields
    ) throws(SceneStoreError) -> SceneConfiguration {
        let own = try ImportFields(
            try fields.json("configuration"), path: fields.path(of: "configuration"))
        let limit = limits.keyBytes
        var configuration = SceneConfiguration(
            name: try own.optionalText("name", limit: limit),
            role: SceneSessionRole(rawValue: try own.text("role", limit: limit)))
        configuration.sceneClassName = try own.optionalText("sceneClass", limit: limit)
        configuration.delegateClassName = try own.optionalText("delegateClass", limit: limit)
        configuration.storyboardName = try own.optionalText("storyboard", limit: limit)
        configuration.initialImmersionStyle = try own.optionalText(
            "immersionStyle", limit: limit)
        let number = try own.number("resolution", in: 0...2)
        guard let resolution = SceneConfiguration.Resolution(rawValue: Int(number)) else {
            throw ImportFields.malformed(own.path(of: "resolution"))
        }
        configuration.resolution = resolution
        return configuration
    }

    private func tombstone(_ fields: ImportFields) throws(SceneStoreError) -> ImportedTombstone {
        guard let cause = DiscardCause(rawValue: try fields.text("cause", limit: 100)) else {
            throw ImportFields.malformed(fields.path(of: "cause"))
        }
        var tombstone = ImportedTombstone(
            cause: cause, delivery: try fields.number("delivery", in: 0...2),
            rank: try fields.number("rank", in: Self.ranks), at: try fields.time("at"))
        if fields.optionalJSON("place") != nil {
            tombstone.place = try fields.number("place", in: Self.ranks)
        }
        return tombstone
    }

    private func payload(_ fields: ImportFields) throws(SceneStoreError) -> ImportedPayload {
        let payload = try Payload(
            storedFields: try dictionary(fields, "payload"), path: fields.path(of: "payload"))
        return ImportedPayload(
            bytes: try sized(
                try ValueCodec.encode(try db.encoder.storable(payload), limits: limits),
                fields.path(of: "payload")),
            dedupe: try fields.optionalText("dedupe", limit: limits.keyBytes),
            isOffered: try fields.flag("offered"), receivedAt: try fields.time("at"))
    }

    private func dictionary(
        _ fields: ImportFields, _ key: String
    ) throws(SceneStoreError) -> ValueDictionary {
        let path = fields.path(of: key)
        guard let object = try fields.json(key).objectValue else {
            throw ImportFields.malformed(path)
        }
        return try ValueDictionary(portable: object, path: path)
    }

    /// An activity and its bytes, under the limits that saving has.
    private func activity(
        _ fields: ImportFields
    ) throws(SceneStoreError) -> (bytes: [UInt8], activity: UserActivity) {
        let path = fields.path(of: "activity")
        let activity = try db.encoder.storable(
            try UserActivity(storedFields: try dictionary(fields, "activity"), path: path))
        return (try sized(try ValueCodec.encode(activity, limits: limits), path), activity)
    }

    /// A value's bytes, under the limits that saving has.
    private func encoded(
        _ fields: ImportFields, _ key: String
    ) throws(SceneStoreError) -> [UInt8] {
        let path = fields.path(of: key)
        return try encoded(try Value(portable: try fields.json(key), path: path), path)
    }

    private func encoded(_ value: Value, _ path: String) throws(SceneStoreError) -> [UInt8] {
        try sized(try ValueCodec.encode(value, limits: limits, path: path), path)
    }

    private func sized(_ bytes: [UInt8], _ path: String) throws(SceneStoreError) -> [UInt8] {
        guard bytes.count <= limits.sessionBytes else {
            throw SceneStoreError(
                .limitExceeded, "a value is larger than \(limits.sessionBytes) bytes", path: path)
        }
        return bytes
    }

    // MARK: - Sessions

    private func session(_ fields: ImportFields) throws(SceneStoreError) -> ImportedSession {
        var flags: SessionFlags = []
        flags[.stale] = try fields.flag("stale")
        flags[.held] = try fields.flag("held")
        flags[.notRemembered] = try !fields.flag("remembered")
        flags[.pinned] = try fields.flag("pinned")
        guard let privacy = PrivacyClass(rawValue: try fields.text("privacy", limit: 100)) else {
            throw ImportFields.malformed(fields.path(of: "privacy"))
        }
        flags.privacy = privacy
        var session = ImportedSession(
            identifier: try identifier(fields), configuration: try configuration(fields),
            isOpen: try fields.flag("open"), isFront: try fields.flag("front"),
            recency: try fields.number("recency", in: Self.ranks),
            crashCount: try fields.number("crashes", in: 0...1_000_000), flags: flags,
            createdAt: try fields.time("created"),
            lastActiveAt: try fields.time("active"))
        if !session.isOpen, let json = fields.optionalJSON("closed") {
            session.tombstone = try tombstone(
                try ImportFields(json, path: fields.path(of: "closed")))
        }
        guard session.isOpen || !session.isFront else {
            throw ImportFields.malformed(fields.path(of: "front"))
        }
        try readValues(fields, into: &session)
        try readStates(fields, into: &session)
        return session
    }

    private func readValues(
        _ fields: ImportFields, into session: inout ImportedSession
    ) throws(SceneStoreError) {
        if let title = try fields.optionalText("title", limit: limits.keyBytes) {
            session.values[.title] = Array(title.utf8)
        }
        if fields.optionalJSON("userInfo") != nil {
            let path = fields.path(of: "userInfo")
            let bytes = try encoded(fields, "userInfo")
            let userInfo = try ValueCodec.decodeDictionary(bytes)
            try PropertyListCheck.check(userInfo, path: path, limits: limits)
            session.values[.userInfo] =
                db.encoder.hasPrivateKeys
                ? try encoded(.dictionary(try db.encoder.storable(userInfo)), path) : bytes
        }
        if fields.optionalJSON("placement") != nil {
            let bytes = try encoded(fields, "placement")
            _ = try ValueCodec.decodePlacement(bytes)
            session.values[.placement] = bytes
        }
        if fields.object["presented"] != nil {
            session.values[.presentedValue] = try encoded(fields, "presented")
        }
        if fields.optionalJSON("platformToken") != nil {
            let path = fields.path(of: "platformToken")
            guard
                case .data(let token) = try Value(
                    portable: try fields.json("platformToken"), path: path)
            else {
                throw ImportFields.malformed(path)
            }
            session.values[.platformToken] = try db.encoder.encoded(platformToken: Array(token))
        }
        if fields.optionalJSON("conditions") != nil {
            let bytes = try encoded(fields, "conditions")
            _ = try ValueCodec.decodeConditions(bytes)
            session.conditions = bytes
        }
        if let storage = fields.optionalJSON("storage") {
            let own = try ImportFields(storage, path: fields.path(of: "storage"))
            for member in own.object.members {
                guard member.key.utf8.count <= limits.keyBytes else {
                    throw SceneStoreError(
                        .limitExceeded, "a key is longer than \(limits.keyBytes) bytes",
                        path: own.path)
                }
                let path = own.path(of: member.key)
                guard !member.value.isRedactionMark else {
                    continue
                }
                let value = try Value(portable: member.value, path: path)
                if let bytes = try db.encoder.storable(value, name: member.key, path: path) {
                    session.storage.append((member.key, try sized(bytes, path)))
                }
            }
        }
    }

    /// Why its states are withheld, and whether the current one is.
    private func readWithheld(
        _ fields: ImportFields, into session: inout ImportedSession
    ) throws(SceneStoreError) {
        guard let json = fields.optionalJSON("withheld") else {
            return
        }
        let own = try ImportFields(json, path: fields.path(of: "withheld"))
        guard let reason = WithheldReason(rawValue: try own.text("reason", limit: 100)) else {
            throw ImportFields.malformed(own.path(of: "reason"))
        }
        session.flags.withheldReason = reason
        session.flags[.withheld] = try own.flag("current")
    }

    private func readStates(
        _ fields: ImportFields, into session: inout ImportedSession
    ) throws(SceneStoreError) {
        let current = fields.optionalJSON("current")
        var pins = SessionPins()
        var withheld: [(place: Int64, slot: Int)] = []
        for (index, json) in try fields.elements("states").enumerated() {
            let own = try ImportFields(json, path: "\(fields.path(of: "states"))[\(index)]")
            let rank = try own.number("rank", in: Self.ranks)
            guard index < HistoryPolicy.slotCount, rank > session.states.last?.rank ?? 0 else {
                throw ImportFields.malformed(own.path(of: "rank"))
            }
            let (bytes, activity) = try activity(own)
            if current?.integerValue == rank {
                session.current = index
            }
            if own.optionalJSON("pinned") != nil, try own.flag("pinned"), !pins.pin(index) {
                throw ImportFields.malformed(own.path(of: "pinned"))
            }
            if own.optionalJSON("withheld") != nil {
                withheld.append((try own.number("withheld", in: 1...Self.mostPins), index))
            }
            session.states.append(
                ImportedSession.State(
                    rank: rank,
                    context: SaveContext(
                        appVersion: try own.optionalText("app", limit: limits.keyBytes),
                        systemVersion: try own.optionalText("system", limit: limits.keyBytes),
                        idiom: try own.optionalText("idiom", limit: limits.keyBytes),
                        savedAt: try own.time("saved")),
                    activityType: activity.activityType, bytes: bytes))
        }
        guard current == nil || session.current != nil else {
            throw ImportFields.malformed(fields.path(of: "current"))
        }
        for state in withheld.sorted(by: { $0 < $1 }) {
            pins.withhold(state.slot)
        }
        guard pins.trim() == 0 else {
            throw ImportFields.malformed(fields.path(of: "states"))
        }
        session.values[.pins] = pins.bytes
        try readWithheld(fields, into: &session)
        let hasContent =
            !session.states.isEmpty || !session.storage.isEmpty
            || session.values.contains { $0.key != .placement }
        guard !hasContent || session.flags.privacy != .ephemeral else {
            throw SceneStoreError(
                .malformedValue, "an ephemeral session has no content", path: fields.path)
        }
    }
}

extension SceneStoreError.Code {
    /// An export left something out, so it cannot be imported.
    public static let redactedExport = Self("redactedExport")
    /// Some lines of an import are refused, so it wrote nothing.
    public static let importRefused = Self("importRefused")
}
