import SceneStoreFormats
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The levels of redaction of an export (S-70).
///
/// ```swift
/// let shareable = try store.export(redacting: .values)
/// let text = String(decoding: shareable, as: UTF8.self)
/// ```
public enum ExportRedaction: String, Sendable, Hashable, CaseIterable {
    /// Everything except values of redacted keys and the content of redacted sessions.
    ///
    /// A session is redacted by its class, ``PrivacyClass/redacted``.
    case none
    /// Keys and types, and no value, title or identifier of content.
    case values
    /// Sessions, configurations and times alone.
    case all
}

/// Writes a store as text: JSON, a line a thing, that is the same bytes for the same state (S-63).
///
/// The first line tells of the file, and how many lines of which kind follow. Then come the sessions
/// by identifier, open and recently closed, each with its states; then the tombstones, the waiting
/// payloads and the saved activities. Row numbers and generations do not appear: what they order is
/// written as ranks.
///
/// Each line is given away before the next one is made. So beside a few words for each session, one
/// line is in memory.
struct StoreExporter {
    let db: Database
    let redaction: ExportRedaction
    let part: Part
    /// Tests have lower ones.
    var lineLimits = CanonicalJSON.ReadingLimits.exportLine
    private var ranks: [Int64: Int64] = [:]

    static let format = "scenestore"
    static let version: Int64 = 1

    /// What is written of a store.
    enum Part {
        case all
        /// Sessions of some keys alone.
        case some([Int64])
        /// What belongs to no session.
        case others
    }

    init(_ db: Database, _ redaction: ExportRedaction, _ part: Part = .all) {
        self.db = db
        self.redaction = redaction
        self.part = part
    }

    private var writesSessions: Bool {
        if case .others = part { false } else { true }
    }

    private var hasOthers: Bool {
        if case .some = part { false } else { true }
    }

    /// Makes all lines, in order.
    mutating func write(
        _ take: ([UInt8]) throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        let shown = writesSessions ? try sessions() : []
        let tombstones = hasOthers ? try tombstones(without: shown) : []
        try rank(shown, tombstones)
        // Counted before they are written: the first line announces how many there are.
        var others = 0
        if hasOthers {
            try eachOther(tombstones) { _ in others += 1 }
        }
        try line(
            [
                "format": .string(Self.format), "version": .integer(Self.version),
                "redact": .string(redaction.rawValue), "sessions": .integer(Int64(shown.count)),
                "others": .integer(Int64(others)),
                "app": db.store.appIdentifier.map { .string($0) } ?? .null,
            ], take)
        let stage = WorkProgress(
            "exporting", .sessions, total: shown.count, share: 0.1...1)
        for (index, shown) in shown.enumerated() {
            if let row = try db.row(SessionRow.self, shown.id) {
                try line(try session(row), take)
            }
            try db.work.say(stage, done: index + 1)
        }
        if hasOthers {
            try eachOther(tombstones) { json throws(SceneStoreError) in try line(json, take) }
        }
    }

    /// Refuses what no import would read.
    private func line(
        _ json: CanonicalJSON, _ take: ([UInt8]) throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        var line: [UInt8] = []
        json.append(to: &line)
        guard line.count <= lineLimits.bytes, json.nodeCount <= lineLimits.nodes else {
            throw SceneStoreError(
                .limitExceeded,
                "a session is too large for an export: its states and values have more than "
                    + "\(lineLimits.bytes >> 20) MiB of text or \(lineLimits.nodes) values; "
                    + "remove earlier states first")
        }
        line.append(0x0A)
        try take(line)
    }

    // MARK: - What is there

    /// A session that is written: its row is read when its turn comes.
    private typealias Shown = (id: Int64, identifier: String)

    private func sessions() throws(SceneStoreError) -> [Shown] {
        let epoch = db.store.containerEpoch
        var shown: [Shown] = []
        if case .some(let keys) = part {
            for key in Set(keys) {
                if let row = try db.row(SessionRow.self, key), row.epoch == epoch {
                    shown.append((row.id, row.identifier))
                }
            }
        } else {
            try db.each(Queries.openSessions, binding(epoch)) { row, _ in
                shown.append((row.id, row.identifier))
                return true
            }
            shown += try db.closedRows().map { ($0.id, $0.identifier) }
        }
        shown.sort { $0.identifier.precedes($1.identifier) }
        return shown
    }

    private func tombstones(
        without sessions: [Shown]
    ) throws(SceneStoreError) -> [DiscardRow] {
        let tombstones = try db.tombstones()
        guard !tombstones.isEmpty else {
            return []
        }
        // One of a session that came back under its identifier tells of nothing any more.
        let known = Set(sessions.map { Array($0.identifier.utf8) })
        var left: [DiscardRow] = []
        for tombstone in tombstones {
            // Where no session is written, none is read but those that are asked for here.
            let isKnown =
                writesSessions
                ? known.contains(Array(tombstone.identifier.utf8))
                : try db.session(identifier: tombstone.identifier) != nil
            if !isKnown {
                left.append(tombstone)
            }
        }
        return left.sorted {
            $0.identifier.hasSameBytes(as: $1.identifier)
                ? $0.generation < $1.generation : $0.identifier.precedes($1.identifier)
        }
    }

    /// Numbers the generations that are written, from one and without gaps.
    private mutating func rank(
        _ sessions: [Shown], _ tombstones: [DiscardRow]
    ) throws(SceneStoreError) {
        var generations: Set<Int64> = []
        let stage = WorkProgress(
            "ordering", .sessions, total: sessions.count, share: 0...0.1)
        for (index, shown) in sessions.enumerated() {
            try db.work.say(stage, done: index, every: 64)
            guard let row = try db.row(SessionRow.self, shown.id) else {
                continue
            }
            generations.insert(row.recency)
            for state in try states(of: row) {
                generations.insert(state.generation)
            }
            if !row.isOpen, let tombstone = try db.tombstone(row.id) {
                generations.insert(tombstone.generation)
            }
        }
        for row in tombstones {
            generations.insert(row.generation)
        }
        generations.remove(0)
        for (index, generation) in generations.sorted().enumerated() {
            ranks[generation] = Int64(index + 1)
        }
    }

    private func rank(_ generation: Int64) -> CanonicalJSON {
        .integer(ranks[generation] ?? 0)
    }

    private func states(of row: SessionRow) throws(SceneStoreError) -> [StateRow] {
        try db.rows(Queries.stateSlots, Database.range(of: row.id)) {
            $0.id >> 8 == row.id
        }
    }

    // MARK: - Sessions

    private func session(_ row: SessionRow) throws(SceneStoreError) -> CanonicalJSON {
        let isRedacted = row.flags.privacy == .redacted
        let shows = redaction == .none && !isRedacted
        var members: [CanonicalJSON.Object.Member] = [
            ("kind", "session"), ("session", .string(row.identifier)),
            (
                "configuration",
                Self.configuration(try db.configuration(row.configurationID).value)
            ),
            ("open", .boolean(row.isOpen)), ("front", .boolean(row.isFront)),
            ("recency", rank(row.recency)), ("crashes", .integer(row.crashCount)),
            ("stale", .boolean(row.flags.contains(.stale))),
            ("held", .boolean(row.flags.contains(.held))),
            ("remembered", .boolean(!row.flags.contains(.notRemembered))),
            ("pinned", .boolean(row.flags.contains(.pinned))),
            ("privacy", .string(row.flags.privacy.rawValue)),
            ("created", .integer(row.createdAt)), ("active", .integer(row.lastActiveAt)),
        ]
        if !shows, redaction == .none {
            members.append(("redacted", true))
        }
        if !row.isOpen {
            members.append(("closed", try closed(row)))
        }
        // Exports only that a redacted session exists.
        if !isRedacted {
            try addContent(of: row, &members)
        }
        return .object(CanonicalJSON.Object(members))
    }

    private func closed(_ row: SessionRow) throws(SceneStoreError) -> CanonicalJSON {
        guard let tombstone = try db.tombstone(row.id) else {
            return .null
        }
        var members: [CanonicalJSON.Object.Member] = [
            ("cause", .string(tombstone.cause)), ("delivery", .integer(tombstone.delivery)),
            ("rank", rank(tombstone.generation)), ("at", .integer(tombstone.discardedAt)),
        ]
        // Those of one group have one rank.
        let closing = try db.closing(of: row.id)
        if closing.group >= 0 {
            members.append(("place", .integer(Int64(closing.place))))
        }
        return .object(CanonicalJSON.Object(members))
    }

    private func addContent(
        of row: SessionRow, _ members: inout [CanonicalJSON.Object.Member]
    ) throws(SceneStoreError) {
        let values = try db.values(of: row.id)
        if let title = values[.title] {
            add("title", .string(String(decoding: title, as: UTF8.self)), &members)
        }
        try add("userInfo", values[.userInfo], &members)
        try add("placement", values[.placement], &members)
        try add("presented", values[.presentedValue], &members)
        if let token = values[.platformToken] {
            add("platformToken", .data(Data(token)), &members)
        }
        if let id = row.conditionsID {
            let conditions = try db.conditions(id).storedValue(limits: .standard)
            add("conditions", conditions, &members)
        }
        var storage: [CanonicalJSON.Object.Member] = []
        for (key, value) in try db.storageValues(row.id) {
            storage.append((key, json(value)))
        }
        if !storage.isEmpty, redaction != .all {
            members.append(("storage", .object(CanonicalJSON.Object(storage))))
        }
        let pins = SessionPins(values[.pins])
        if let reason = row.flags.withheldReason {
            members.append(
                (
                    "withheld",
                    [
                        "reason": .string(reason.rawValue),
                        "current": .boolean(row.flags.contains(.withheld)),
                    ]
                ))
        }
        var states: [CanonicalJSON] = []
        for state in try self.states(of: row) {
            if let json = try self.state(state, pins) {
                states.append(json)
            }
            if row.isBound(to: state) {
                members.append(("current", rank(state.generation)))
            }
        }
        if !states.isEmpty {
            members.append(("states", .array(states)))
        }
    }

    private func state(
        _ row: StateRow, _ pins: SessionPins
    ) throws(SceneStoreError) -> CanonicalJSON? {
        let bytes = try db.withRow(StateRow.self, row.id) { _, bytes in Array(bytes) }
        guard let value = Self.fields(bytes, extraLevels: 1) else {
            return nil
        }
        let context = try db.context(row.contextID, savedAt: row.savedAt)
        var members: [CanonicalJSON.Object.Member] = [
            ("rank", rank(row.generation)), ("saved", .integer(row.savedAt)),
            ("app", .text(context.appVersion)), ("system", .text(context.systemVersion)),
            ("idiom", .text(context.idiom)), ("bytes", .integer(row.byteCount)),
        ]
        if pins.app.contains(row.entry.slot) {
            members.append(("pinned", true))
        }
        if let place = pins.withheld.firstIndex(of: row.entry.slot) {
            members.append(("withheld", .integer(Int64(place + 1))))
        }
        if redaction != .all {
            members.append(("type", .string(row.activityType)))
            members.append(("activity", json(value)))
        }
        return .object(CanonicalJSON.Object(members))
    }

    /// The stored form of an activity or a payload; nil, and left out, when it is of no known form.
    static func fields(_ bytes: [UInt8]?, extraLevels: Int) -> Value? {
        guard let bytes,
            let fields = try? ValueCodec.decodeDictionary(bytes, extraLevels: extraLevels)
        else {
            return nil
        }
        return .dictionary(fields)
    }

    private func json(_ value: Value) -> CanonicalJSON {
        redaction == .none ? CanonicalJSON(portable: value) : CanonicalJSON(redacted: value)
    }

    private func add(
        _ key: String, _ value: Value, _ members: inout [CanonicalJSON.Object.Member]
    ) {
        if redaction != .all {
            members.append((key, json(value)))
        }
    }

    private func add(
        _ key: String, _ bytes: [UInt8]?, _ members: inout [CanonicalJSON.Object.Member]
    ) throws(SceneStoreError) {
        if let bytes, let value = try? ValueCodec.decode(bytes) {
            add(key, value, &members)
        }
    }

    static func configuration(_ configuration: SceneConfiguration) -> CanonicalJSON {
        [
            "role": .string(configuration.role.rawValue), "name": .text(configuration.name),
            "sceneClass": .text(configuration.sceneClassName),
            "delegateClass": .text(configuration.delegateClassName),
            "storyboard": .text(configuration.storyboardName),
            "immersionStyle": .text(configuration.initialImmersionStyle),
            "resolution": .integer(Int64(configuration.resolution.rawValue)),
        ]
    }

    // MARK: - What belongs to no session

    private func tombstone(_ row: DiscardRow) throws(SceneStoreError) -> CanonicalJSON {
        [
            "kind": "discard", "session": .string(row.identifier),
            "configuration": Self.configuration(
                try db.configuration(row.configurationID).value),
            "cause": .string(row.cause), "delivery": .integer(row.delivery),
            "rank": rank(row.generation), "at": .integer(row.discardedAt),
        ]
    }

    private func eachOther(
        _ tombstones: [DiscardRow], _ body: (CanonicalJSON) throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        for row in tombstones {
            try body(try tombstone(row))
        }
        let epoch = db.store.containerEpoch
        try db.eachWithPayload(
            Queries.waitingInbox, binding(epoch), isAsked: { $0.epoch == epoch && !$0.isDone }
        ) { row, bytes throws(SceneStoreError) in
            if let json = payload(row, bytes) {
                try body(json)
            }
            return true
        }
        try db.eachWithPayload(
            Queries.savedActivities, binding(epoch)
        ) { row, bytes throws(SceneStoreError) in
            if let json = activity(row, bytes) {
                try body(json)
            }
            return true
        }
    }

    private func payload(_ row: InboxRow, _ bytes: [UInt8]?) -> CanonicalJSON? {
        guard let value = Self.fields(bytes, extraLevels: 3) else {
            return nil
        }
        var members: [CanonicalJSON.Object.Member] = [
            ("kind", "payload"), ("at", .integer(row.receivedAt)),
            ("offered", .boolean(row.offeredLaunch > 0)),
        ]
        if redaction == .none {
            members.append(("dedupe", row.dedupeKey.map { .string($0) } ?? .null))
        }
        if redaction != .all {
            members.append(("payload", json(value)))
        }
        return .object(CanonicalJSON.Object(members))
    }

    private func activity(_ row: SavedActivityRow, _ bytes: [UInt8]?) -> CanonicalJSON? {
        guard let value = Self.fields(bytes, extraLevels: 1) else {
            return nil
        }
        var members: [CanonicalJSON.Object.Member] = [
            ("kind", "activity"), ("saved", .integer(row.savedAt)),
        ]
        if redaction != .all {
            members.append(("activity", json(value)))
        }
        return .object(CanonicalJSON.Object(members))
    }
}

extension CanonicalJSON.ReadingLimits {
    /// What a line of an export may take: more than a session of the default history policy needs.
    package static let exportLine = Self(
        bytes: 256 << 20, depth: 2 * Limits.standard.depth + 16, nodes: 8_000_000)
}

extension CanonicalJSON {
    /// Text, or null.
    package static func text(_ text: String?) -> CanonicalJSON {
        text.map { .string($0) } ?? .null
    }

    /// The values in it, as the limits of reading count them.
    var nodeCount: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.nodeCount }
        case .object(let object): object.members.reduce(1) { $0 + $1.value.nodeCount }
        default: 1
        }
    }
}

extension SceneSessionStore {
    /// Returns the store as JSON lines, the same bytes for the same state (S-63).
    ///
    /// The numbers of rows don't affect the text. ``importing(_:merge:)`` reads it. The complete
    /// text is in memory; `scenestore export` writes it line by line. Throws
    /// ``SceneStoreError/Code/noSuchSession`` for an identifier that no session has, and
    /// ``SceneStoreError/Code/limitExceeded`` if the text of one session is longer than 256 MiB.
    ///
    /// - Parameters:
    ///   - redaction: The content to leave out. Only an export with ``ExportRedaction/none`` can be
    ///     imported, which brings everything except the values of redacted keys.
    ///   - sessions: The sessions to write, by identifier; nil for the complete store. With a list,
    ///     discards, payloads and saved activities are not written.
    public func export(
        redacting redaction: ExportRedaction = .none, sessions: [SceneSession.ID]? = nil
    ) throws(SceneStoreError) -> [UInt8] {
        try read { db throws(SceneStoreError) in
            var exporter = StoreExporter(db, redaction, try StoreExporter.Part(sessions, db))
            return try exporter.written()
        }
    }

    /// Gives away the lines of ``export(redacting:sessions:)``, each when it is made.
    package func export(
        redacting redaction: ExportRedaction = .none, sessions: [SceneSession.ID]? = nil,
        _ take: @Sendable ([UInt8]) throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        let hasBegun = Atomic(false)
        try read { db throws(SceneStoreError) in
            // What was given away can't be taken back when the file turns out to be another one.
            guard !hasBegun.exchange(true, ordering: .relaxed) else {
                throw SceneStoreError(
                    .busy, "the store changed while it was exported; export it again")
            }
            var exporter = StoreExporter(db, redaction, try StoreExporter.Part(sessions, db))
            try exporter.write(take)
        }
    }
}

extension StoreExporter {
    /// All lines as one text.
    mutating func written() throws(SceneStoreError) -> [UInt8] {
        var output: [UInt8] = []
        try write { line in output += line }
        return output
    }
}

extension StoreExporter.Part {
    /// The sessions of some identifiers; all there is if there are none.
    fileprivate init(
        _ identifiers: [SceneSession.ID]?, _ db: Database
    ) throws(SceneStoreError) {
        guard let identifiers else {
            self = .all
            return
        }
        var found: [Int64] = []
        for identifier in identifiers {
            guard let row = try db.session(identifier: identifier.rawValue) else {
                throw SceneStoreError(.noSuchSession, "no session has that identifier")
            }
            found.append(row.id)
        }
        self = .some(found)
    }
}
