import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// The findings about a store (S-61).
///
/// ```swift
/// let report = try store.verify()
/// let problems = report.findings.filter { $0.severity >= .warning }
/// ```
public struct VerificationReport: Sendable, Hashable {
    /// The problems that were found; empty for a sound store.
    public package(set) var findings: [Diagnostic] = []
    /// Whether the budget was enough to check everything.
    public package(set) var isComplete = true
    /// Whether no damage was found in what was checked.
    public var isSound: Bool { !findings.contains { $0.severity >= .warning } }
}

/// The depths of a verification.
///
/// ```swift
/// let report = try store.verify(.full, budget: .seconds(60))
/// let isSound = report.isComplete && report.isSound
/// ```
public enum VerificationDepth: Sendable, Hashable {
    /// All checks except those of stored values.
    ///
    /// They check the structure of pages, whether indexes agree with their tables, every row's
    /// checksum, references, counts and clocks.
    case standard
    /// The standard checks, and every stored value.
    case full
}

extension Diagnostic.Code {
    /// A row holds a value of a type that its column never has.
    public static let wrongType = Self("wrongType")
    /// A row refers to a row that doesn't exist.
    public static let brokenReference = Self("brokenReference")
    /// Two states claim to be the current one.
    public static let twoCurrentStates = Self("twoCurrentStates")
    /// Two rows are about the same thing.
    public static let duplicateRow = Self("duplicateRow")
    /// A session is both open and discarded.
    public static let openAndDiscarded = Self("openAndDiscarded")
    /// A number that orders changes, or a time, is out of range.
    public static let impossibleClock = Self("impossibleClock")
    /// A recorded count is wrong.
    public static let countMismatch = Self("countMismatch")
    /// A row with a right checksum has bytes that aren't a value.
    public static let undecodable = Self("undecodable")
}

/// Looks at a whole store, within a budget.
package struct StoreVerifier {
    let db: Database
    let depth: VerificationDepth
    let deadline: ContinuousClock.Instant?
    package private(set) var report = VerificationReport()

    package init(_ db: Database, _ depth: VerificationDepth, _ budget: Duration?) {
        self.db = db
        self.depth = depth
        deadline = budget.map { ContinuousClock.now.advanced(by: $0) }
    }

    package mutating func run() throws(SceneStoreError) -> VerificationReport {
        if db.isReader {
            // An owner has settled what was lost before it.
            report.findings = db.damage.openingDiagnostics.filter { $0.code == .lostCommits }
            // An older file is sound, and yet not what was closed last.
            for found in db.damage.openingDiagnostics where found.code == .rolledBack {
                add(.rolledBack, .note, found.message, path: found.path)
            }
        }
        try db.work.say(WorkProgress("checking", .pages, total: pages, share: 0...0.2))
        try checkPages()
        try checkRows()
        for (index, check) in ReferenceCheck.all.enumerated() {
            try db.work.say(
                WorkProgress(
                    "comparing", .entries, done: index, total: ReferenceCheck.all.count,
                    share: 0.9...1))
            try ask(check)
        }
        try db.work.say(WorkProgress("comparing", .entries, done: 1, total: 1))
        return report
    }

    /// How many pages there are; 0 when nobody asks, or when the file cannot tell.
    private var pages: Int {
        db.work.isHeard ? (try? db.pages()).map { Int(clamping: $0) } ?? 0 : 0
    }

    /// How many rows some tables have, or 0 likewise.
    private func rows(_ tables: [StoreTable]) -> Int {
        guard db.work.isHeard else {
            return 0
        }
        let names = Set(tables.map(\.name))
        var count = 0
        // A damaged table is for the check itself to tell.
        try? db.connection.withStatement(Self.rowCounts) { statement throws(SQLiteError) in
            while try statement.step() {
                if names.contains(try statement.text(at: 0)) {
                    count += Int(clamping: try statement.integer(at: 1))
                }
            }
        }
        return count
    }

    /// How many rows each table has, by its name.
    private static let rowCounts = StatementText(
        joining: StoreTable.digested.enumerated().flatMap { index, table -> [StaticString] in
            let name = table.description.name
            return [
                index > 0 ? " UNION ALL SELECT '" : "SELECT '", name, "', count(*) FROM ", name,
            ]
        })

    private var budget: Budget {
        guard let deadline else {
            return Budget()
        }
        return Budget(duration: max(ContinuousClock.now.duration(to: deadline), .zero))
    }

    private mutating func add(
        _ code: Diagnostic.Code, _ severity: Diagnostic.Severity, _ message: String,
        path: String? = nil, session: String? = nil
    ) {
        report.findings.append(
            Diagnostic(
                code, severity, message, path: path,
                fix: severity == .note ? nil : "run scenestore repair",
                sessionIdentifier: session.map { SceneSession.ID($0) }))
    }

    // MARK: - Pages

    /// Table by table when time counts, because SQLite cannot be stopped within one.
    private mutating func checkPages() throws(SceneStoreError) {
        var tables: [String?] = [nil]
        if deadline != nil {
            tables = StoreTable.allCases.map(\.name)
        }
        for table in tables {
            let found = try translating {
                try db.connection.check(table: table, budget: budget)
            }
            for problem in found.problems {
                add(.pageDamage, .error, problem, path: table)
            }
            guard found.isComplete else {
                report.isComplete = false
                return
            }
        }
    }

    // MARK: - Rows

    private mutating func checkRows() throws(SceneStoreError) {
        let known = db.damage.diagnostics.count
        let verification = db.damage.verification
        db.damage.verification = VerificationState()
        if db.work.isHeard {
            db.damage.verification.stage = WorkProgress(
                "checking", .rows, total: rows(StoreTable.digested),
                share: depth == .full ? 0.2...0.55 : 0.2...0.9)
        }
        defer {
            db.damage.verification = verification
        }
        do {
            if try !db.verifyRows(until: deadline) {
                report.isComplete = false
            }
            if depth == .full {
                try checkContents()
            }
        } catch {
            // A page that the file ends before is damage; a disk that refuses to read is none.
            let isCutOff = error.sqliteCode == ExtendedCode.ioShortRead
            guard error.code == .corrupt || isCutOff else {
                throw error
            }
            report.isComplete = false
            add(.pageDamage, .error, error.message)
        }
        let damaged = db.damage.rows.subtracting(db.damage.setAside).sorted()
        for (index, row) in damaged.enumerated() {
            add(
                row.reason == "type" ? .wrongType : .damagedRow, .error,
                "row \(row.id) of table \(row.table.name) fails its \(row.reason) check",
                path: row.table.name, session: index < 1_000 ? session(of: row) : nil)
        }
        // The sums' verdict comes as a diagnostic; what is about single rows is said above.
        for finding in db.damage.diagnostics.dropFirst(known) where finding.code != .damagedRow {
            report.findings.append(finding)
        }
        db.damage.diagnostics.removeLast(
            db.damage.diagnostics.count - min(known, db.damage.diagnostics.count))
    }

    /// The session that a damaged row belongs to, if the row's number names it and its own row is
    /// sound.
    private func session(of row: DamagedRow) -> String? {
        guard row.table == .state || row.table == .sessionValue else {
            return nil
        }
        return (try? db.record(key: row.id >> 8))??.identifier
    }

    /// Whether whole rows can be read as what they should be.
    private mutating func checkContents() throws(SceneStoreError) {
        let db = db
        var undecodable: [(table: StoreTable, id: Int64)] = []
        let stage = WorkProgress(
            "decoding", .rows,
            total: rows([.state, .sessionValue, .sceneStorage, .conditions]), share: 0.55...0.9)
        var seen = 0
        func check<Row: PayloadRow>(
            _: Row.Type, _ decode: (Row, [UInt8]) throws(SceneStoreError) -> Void
        ) throws(SceneStoreError) {
            let epoch = db.store.containerEpoch
            try db.eachWithPayload(Row.scan) { statement throws(SQLiteError) in
                try statement.bind(1, Int64.min)
                try statement.bind(2, epoch)
            } _: { row, bytes throws(SceneStoreError) in
                seen += 1
                try db.work.say(stage, done: seen, every: 64)
                if let bytes {
                    do {
                        try decode(row, bytes)
                    } catch {
                        undecodable.append((Row.table, row.id))
                    }
                }
                return undecodable.count < 100
                    && deadline.map { ContinuousClock.now < $0 } ?? true
            }
        }
        try check(StateRow.self) { row, bytes throws(SceneStoreError) in
            let activity = try ValueCodec.decodeActivity(bytes)
            guard activity.activityType.hasSameBytes(as: row.activityType),
                Int64(bytes.count) == row.byteCount
            else {
                throw SceneStoreError(.malformedValue, "the row describes another activity")
            }
        }
        try check(SessionValueRow.self) { row, bytes throws(SceneStoreError) in
            switch SessionValueKind(rawValue: row.id & 255) {
            case .userInfo: _ = try ValueCodec.decodeDictionary(bytes)
            case .title, .offeredVersion:
                guard String(validating: bytes, as: UTF8.self) != nil else {
                    throw SceneStoreError(.malformedValue, "the text is not UTF-8")
                }
            case .placement: _ = try ValueCodec.decodePlacement(bytes)
            case .presentedValue, .formerNames: _ = try ValueCodec.decode(bytes)
            case .platformToken: break
            case .pins:
                guard SessionPins.isWellFormed(bytes) else {
                    throw SceneStoreError(.malformedValue, "a pin isn't a place and its maker")
                }
            case .parking, .confirmation, .closing, .behind:
                guard bytes.count == 16 else {
                    throw SceneStoreError(.malformedValue, "a judgement isn't two numbers")
                }
            case nil: throw SceneStoreError(.malformedValue, "the kind of a value is unknown")
            }
        }
        try check(StorageRow.self) { _, bytes throws(SceneStoreError) in
            _ = try ValueCodec.decode(bytes)
        }
        try check(ConditionsRow.self) { _, bytes throws(SceneStoreError) in
            _ = try ValueCodec.decodeConditions(bytes)
        }
        for (table, id) in undecodable {
            add(
                .undecodable, .note,
                "row \(id) of table \(table.name) has a right checksum and contains no value",
                path: table.name)
        }
    }

    // MARK: - References

    private mutating func ask(_ check: ReferenceCheck) throws(SceneStoreError) {
        var found: [(id: Int64, session: String?)] = []
        do {
            try db.connection.withBudget(budget) { () throws(SQLiteError) in
                try db.connection.withStatement(check.sql) { statement throws(SQLiteError) in
                    while try statement.step() {
                        found.append(
                            (try statement.integer(at: 0), try statement.optionalText(at: 1)))
                    }
                }
            }
        } catch {
            switch error.kind {
            case .budgetExceeded: report.isComplete = false
            case .corrupt:
                if !report.findings.contains(where: { $0.code == .pageDamage }) {
                    add(.pageDamage, .error, error.message, path: check.table.name)
                }
            // Told by its checksum already.
            case .wrongType, .invalidText: break
            default: throw SceneStoreError(error)
            }
        }
        for row in found {
            add(
                check.code, check.severity,
                "row \(row.id) of table \(check.table.name): \(check.message)",
                path: check.table.name, session: row.session)
        }
    }
}

extension SceneSessionStore {
    /// Looks for damage: of pages, of rows by their checksums, of references, counts and clocks
    /// (S-61). Changes nothing.
    ///
    /// - Parameters:
    ///   - depth: How closely it looks.
    ///   - budget: How long it may take; without one everything is looked at.
    public func verify(
        _ depth: VerificationDepth = .standard, budget: Duration? = nil
    ) throws(SceneStoreError) -> VerificationReport {
        try database.withLock { db throws(SceneStoreError) in
            try Database.wake(&db, at: location)
            let db = db
            var report: VerificationReport?
            do throws(SceneStoreError) {
                try db.read { _ throws(SceneStoreError) in
                    var verifier = StoreVerifier(db, depth, budget)
                    report = try verifier.run()
                }
            } catch {
                // The end of a transaction that met damage repeats what was found.
                guard report != nil, error.code == .corrupt else {
                    throw error
                }
            }
            return report ?? VerificationReport()
        }
    }
}

extension Database {
    /// How many pages the database has.
    package func pages() throws(SceneStoreError) -> Int64 {
        try translating { try connection.pragma("PRAGMA page_count") ?? 0 }
    }
}
