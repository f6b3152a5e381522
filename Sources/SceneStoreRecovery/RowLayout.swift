import SceneStoreStorage
import SceneStoreValues

/// The columns of a table as they lie in a record, so that a row can be checked and written without
/// SQLite's help.
///
/// A record begins with the row's number, which SQLite stores as NULL, and ends with the checksum
/// and, in some tables, the payload. What lies between is listed here, in the order of the schema.
package struct RowLayout: Sendable {
    /// What a column may hold.
    package enum Kind: Sendable {
        case integer
        case optionalInteger
        case text
        case optionalText
        case blob
    }

    package let table: StoreTable
    package let names: [String]
    package let kinds: [Kind]
    let hasPayload: Bool
    /// The places of numbers that count or name something and stay far below the greatest.
    package let counters: [Int]

    private static let counterNames: Set<String> = [
        "container_epoch", "owner_epoch", "generation", "last_id", "open_count", "event_count",
        "launch_number", "epoch", "recency", "serial", "launch", "configuration_id",
        "conditions_id", "context_id", "session_id", "open_sessions", "offered_launch",
        "received_launch", "offered_count",
    ]

    private init(
        _ table: StoreTable, hasPayload: Bool = false, _ columns: KeyValuePairs<String, Kind>
    ) {
        self.table = table
        self.hasPayload = hasPayload
        names = columns.map(\.key)
        kinds = columns.map(\.value)
        counters = columns.indices.filter { Self.counterNames.contains(columns[$0].key) }
    }

    /// Whether a row's numbers can be counted on from: a forged row with a fitting checksum may
    /// hold any.
    package func isPlausible(id: Int64, _ values: [ColumnValue]) -> Bool {
        let key = table == .state || table == .sessionValue ? id >> 8 : id
        return (1...(1 << 54)).contains(key)
            && counters.allSatisfy { index in
                values[index].integer.map { (0...(1 << 54)).contains($0) } ?? true
            }
    }

    /// Columns of a record: the number, these, the checksum, the payload.
    var recordColumns: Int { kinds.count + (hasPayload ? 3 : 2) }

    /// Whether the row's number goes into its checksum; the store's only row has none of its own.
    var isNumbered: Bool { table != .store }

    /// The place of a column.
    package func index(_ name: String) -> Int? {
        names.firstIndex { $0.hasSameBytes(as: name) }
    }

    /// The layout of a table.
    package static func of(_ table: StoreTable) -> RowLayout {
        all[Int(table.rawValue) - 1]
    }

    /// The tables whose records have this many columns.
    package static func candidates(columns: Int) -> [RowLayout] {
        byColumns[columns] ?? []
    }

    private static let byColumns = Dictionary(grouping: all, by: \.recordColumns)

    /// In the order of the tables' numbers.
    private static let all: [RowLayout] = [
        RowLayout(
            .store,
            [
                "uuid": .blob, "container_epoch": .integer, "owner_epoch": .integer,
                "generation": .integer, "last_id": .integer, "open_count": .integer,
                "open_digest": .integer, "row_digest": .integer, "event_count": .integer,
                "launch_number": .integer, "launch_state": .integer,
                "restoring_session": .optionalInteger, "erasure_pending": .integer,
                "features_ignorable": .integer, "features_read_only": .integer,
                "features_required": .integer, "app_identifier": .optionalText,
                "written_by": .text, "created_at": .integer,
            ]),
        RowLayout(
            .migration,
            ["name": .text, "text_checksum": .integer, "applied_at": .integer]),
        RowLayout(
            .configuration,
            [
                "epoch": .integer, "role": .text, "name": .optionalText,
                "scene_class": .optionalText, "delegate_class": .optionalText,
                "storyboard": .optionalText, "immersion_style": .optionalText,
                "resolution": .integer, "open_sessions": .integer,
            ]),
        RowLayout(
            .conditions, hasPayload: true, ["epoch": .integer, "content_hash": .integer]),
        RowLayout(
            .session,
            [
                "identifier": .text, "epoch": .integer, "configuration_id": .integer,
                "is_open": .integer, "is_front": .integer, "recency": .integer,
                "state_id": .optionalInteger, "crash_count": .integer, "flags": .integer,
                "conditions_id": .optionalInteger, "value_hash": .optionalInteger,
                "created_at": .integer, "last_active_at": .integer,
                "saved_at": .optionalInteger, "generation": .integer,
            ]),
        RowLayout(
            .saveContext,
            [
                "epoch": .integer, "app_version": .optionalText,
                "system_version": .optionalText, "idiom": .optionalText,
            ]),
        RowLayout(
            .state, hasPayload: true,
            [
                "generation": .integer, "saved_at": .integer, "context_id": .integer,
                "activity_type": .text, "content_hash": .integer, "byte_count": .integer,
            ]),
        RowLayout(.sessionValue, hasPayload: true, ["content_hash": .integer]),
        RowLayout(
            .sceneStorage, hasPayload: true,
            ["session_id": .integer, "key": .text, "content_hash": .integer]),
        RowLayout(
            .discard,
            [
                "epoch": .integer, "identifier": .text, "configuration_id": .integer,
                "cause": .text, "delivery": .integer, "offered_launch": .integer,
                "discarded_at": .integer, "generation": .integer,
            ]),
        RowLayout(
            .launch,
            [
                "epoch": .integer, "reason": .text, "started_at": .integer,
                "ended_at": .optionalInteger, "ended_how": .optionalText,
                "context_id": .integer, "boot_identifier": .text,
                "process_identifier": .integer, "generation": .integer, "expected": .integer,
                "restored": .integer, "held": .integer, "withheld": .integer,
                "lost": .integer, "discarded": .integer, "evicted": .integer,
                "declined": .integer,
            ]),
        RowLayout(
            .launchException,
            [
                "launch": .integer, "session_identifier": .text, "outcome": .text,
                "reason": .text,
            ]),
        RowLayout(
            .event,
            [
                "epoch": .integer, "serial": .integer, "generation": .integer,
                "launch": .integer, "happened_at": .integer, "kind": .text,
                "session_identifier": .optionalText, "detail": .optionalText,
            ]),
        RowLayout(
            .inbox, hasPayload: true,
            [
                "epoch": .integer, "session_identifier": .optionalText,
                "dedupe_key": .optionalText, "is_done": .integer, "offered_launch": .integer,
                "offered_count": .integer, "received_launch": .integer,
                "received_at": .integer, "generation": .integer, "content_hash": .integer,
            ]),
        RowLayout(
            .savedActivity, hasPayload: true,
            [
                "epoch": .integer, "persistent_identifier": .optionalText,
                "activity_type": .text, "saved_at": .integer, "generation": .integer,
                "content_hash": .integer,
            ]),
        RowLayout(
            .quarantinedRow, hasPayload: true,
            [
                "epoch": .integer, "table_name": .text, "row_id": .integer, "reason": .text,
                "found_at": .integer, "generation": .integer, "content_hash": .integer,
            ]),
    ]
}

/// A stored value of a record's column.
package enum ColumnValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// Whether a column of a kind may hold it.
    package func fits(_ kind: RowLayout.Kind) -> Bool {
        switch (kind, self) {
        case (.integer, .integer), (.text, .text), (.blob, .blob): true
        case (.optionalInteger, .integer), (.optionalInteger, .null): true
        case (.optionalText, .text), (.optionalText, .null): true
        default: false
        }
    }

    package var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    package var text: String? {
        if case .text(let value) = self { value } else { nil }
    }

    package var blob: [UInt8]? {
        if case .blob(let value) = self { value } else { nil }
    }
}

/// Computes the checksums of rows that are not yet rows: the same sum as ``RowSealer``'s, which a
/// test holds against it for every table.
package struct LooseSealer {
    private let seeds: [UInt64]
    private var buffer: [UInt8] = []

    package init(uuid: [UInt8]) {
        var seeds: [UInt64] = [0]
        for table in StoreTable.allCases {
            seeds.append(ContentHash.hash(uuid, seed: table.rawValue))
        }
        self.seeds = seeds
    }

    /// The checksum that a row ought to have.
    package mutating func checksum(
        _ layout: RowLayout, id: Int64, _ values: [ColumnValue]
    ) -> Int64 {
        buffer.removeAll(keepingCapacity: true)
        if layout.isNumbered {
            add(id)
        }
        for (kind, value) in zip(layout.kinds, values) {
            switch kind {
            case .integer: add(value.integer ?? 0)
            case .optionalInteger:
                add(value == .null ? 0 : 1)
                add(value.integer ?? 0)
            case .text: add(value.text ?? "")
            case .optionalText:
                add(value == .null ? 0 : 1)
                if let text = value.text {
                    add(text)
                }
            case .blob:
                let bytes = value.blob ?? []
                add(Int64(bytes.count))
                buffer.append(contentsOf: bytes)
            }
        }
        let seed = seeds[Int(layout.table.rawValue)]
        return Int64(bitPattern: ContentHash.hash(buffer, seed: seed))
    }

    private mutating func add(_ number: Int64) {
        withUnsafeBytes(of: number.littleEndian) { buffer.append(contentsOf: $0) }
    }

    private mutating func add(_ text: String) {
        add(Int64(text.utf8.count))
        buffer.append(contentsOf: text.utf8)
    }
}
