import SceneStoreFormats
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads an import twice: to check all of it, and then to write it in one transaction.
struct StoreImporter {
    let db: Database
    let merge: ImportMerge
    let text: ExportText
    private(set) var report = ImportReport()
    /// The identifiers of the import's sessions.
    private var seen: Set<[UInt8]> = []
    /// The hash of all lines that were checked: those that are written are the same.
    private var checkedHash: Int64 = 0

    init(_ db: Database, _ text: ExportText, _ merge: ImportMerge) {
        self.db = db
        self.text = text
        self.merge = merge
    }

    /// Gives each line behind the first to a body; answers what the first one says, and the hash of
    /// all lines.
    private func eachThing(
        _ stage: WorkProgress,
        _ body: (Int, Result<ImportedThing, SceneStoreError>) throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) -> (header: ImportReader.Header, hash: Int64) {
        let reader = ImportReader(db)
        var header: ImportReader.Header?
        var hash: Int64 = 0
        let limits = CanonicalJSON.ReadingLimits.exportLine
        try text.eachLine(limit: limits.bytes) { number, line, end throws(SceneStoreError) in
            try db.work.say(stage, done: end)
            hash = hash &* 31 &+ Database.hash(line)
            guard number == 1 || !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 })
            else {
                return
            }
            let result: Result<ImportedThing, SceneStoreError>
            do throws(SceneStoreError) {
                // Behind the first line the caller says which it is.
                let json = try CanonicalJSON(
                    parsing: line, limits: limits, isLine: number > 1)
                if number == 1 {
                    header = try reader.header(json)
                    return
                }
                result = .success(try reader.thing(json))
            } catch {
                guard number > 1 else {
                    throw error
                }
                result = .failure(error)
            }
            try body(number, result)
        }
        guard let header else {
            throw SceneStoreError(.malformedValue, "the import is empty")
        }
        try db.work.say(stage, done: stage.total)
        return (header, hash)
    }

    // MARK: - Checking

    /// Looks at everything; fills the report and changes nothing.
    ///
    /// - Parameter share: How much of the whole work that is.
    mutating func check(_ share: ClosedRange<Double> = 0...1) throws(SceneStoreError) {
        let stage = WorkProgress("checking", .bytes, total: text.count, share: share)
        var report = ImportReport()
        var seen: Set<[UInt8]> = []
        var tombstones: [(line: Int, identifier: String)] = []
        var activities: Set<[UInt8]> = []
        let known = try ImportRivals(db)
        var open = db.store.openCount
        var (count, others): (Int64, Int64) = (0, 0)
        var isReadable = true
        let (header, hash) = try eachThing(stage) { number, result throws(SceneStoreError) in
            switch result {
            case .failure(let error):
                isReadable = false
                Self.refuse(
                    &report, number, .refusedLine, "\(error.code.rawValue): \(error.message)",
                    error.path)
            case .success(.session(let session)):
                count += 1
                guard seen.insert(Array(session.identifier.utf8)).inserted else {
                    Self.refuse(
                        &report, number, .takenIdentifier,
                        "the identifier occurs twice in the import", nil)
                    return
                }
                try judge(session, number, &report, &open)
            case .success(.tombstone(_, let identifier, _)):
                others += 1
                // Whether the import has its session is known at the end.
                tombstones.append((number, identifier))
            case .success(.payload(let payload)):
                others += 1
                guard try !has(payload, known) else {
                    report.kept += 1
                    return
                }
                report.others += 1
            case .success(.activity(let bytes, let activity, let time)):
                others += 1
                if let identifier = activity.persistentIdentifier,
                    !activities.insert(Array(identifier.utf8)).inserted
                {
                    Self.refuse(
                        &report, number, .takenIdentifier,
                        "the activity's identifier occurs twice in the import", nil)
                    return
                }
                switch try verdict(activity, bytes, savedAt: time, known) {
                case .refused:
                    report.taken += 1
                    Self.refuse(
                        &report, number, .takenIdentifier,
                        "a saved activity of that identifier exists already", nil)
                case .left: report.kept += 1
                case .taken: report.others += 1
                }
            }
        }
        self.seen = seen
        checkedHash = hash
        for tombstone in tombstones {
            try judge(tombstone.identifier, tombstone.line, known, &report)
        }
        // A line that cannot be read may be a session: then it is that line that is wrong.
        if isReadable {
            Self.compare(count, header.sessions, "sessions", &report)
            Self.compare(others, header.others ?? others, "other entries", &report)
        }
        if open > Int64(db.limits.sessions) {
            Self.refuse(
                &report, 0, .refusedLine,
                "with the import more than \(db.limits.sessions) sessions would be open", nil)
        }
        self.report = report
    }

    /// Refuses an import that has not as many lines as it announces.
    private static func compare(
        _ count: Int64, _ announced: Int64, _ what: String, _ report: inout ImportReport
    ) {
        guard count != announced else {
            return
        }
        refuse(
            &report, 1, .refusedLine,
            "it announces \(announced) \(what) and \(count) follow: the import is "
                + (count < announced ? "cut short" : "put together of several"), nil)
    }

    private func judge(
        _ identifier: String, _ number: Int, _ known: ImportRivals,
        _ report: inout ImportReport
    ) throws(SceneStoreError) {
        switch try verdict(tombstoneOf: identifier, known, importing: seen) {
        case .refused:
            report.taken += 1
            Self.refuse(
                &report, number, .takenIdentifier,
                "it discards a session that is open in the store", nil)
        case .left, .renumbered:
            report.kept += 1
            if !seen.contains(Array(identifier.utf8)),
                try db.session(identifier: identifier)?.isOpen == true
            {
                report.noteClosed(identifier)
            }
        case .taken: report.others += 1
        }
    }

    private func judge(
        _ session: ImportedSession, _ number: Int, _ report: inout ImportReport,
        _ open: inout Int64
    ) throws(SceneStoreError) {
        let rival = try db.session(identifier: session.identifier)
        switch try verdict(session, rival) {
        case .refused:
            report.taken += 1
            Self.refuse(
                &report, number, .takenIdentifier, "a session of that identifier exists already",
                nil)
            return
        case .left:
            report.kept += 1
            if let rival {
                if merge == .newest, session.newestTime < rival.newestTime {
                    report.noteNewer(session, isPrivate: rival.flags.privacy != .standard)
                }
                if rival.isOpen, !session.isOpen {
                    report.noteClosed(session.identifier)
                }
            }
            return
        case .taken:
            if let rival {
                report.replaced += 1
                open -= rival.isOpen ? 1 : 0
            }
            report.note(session)
        case .renumbered: report.renumbered[SceneSession.ID(session.identifier)] = ""
        }
        report.sessions += 1
        report.states += session.states.count
        open += session.isOpen ? 1 : 0
    }

    enum Verdict {
        case taken, left, refused, renumbered
    }

    private func verdict(
        _ session: ImportedSession, _ rival: SessionRow?
    ) throws(SceneStoreError) -> Verdict {
        guard let rival else {
            return .taken
        }
        switch merge {
        case .refuse: return .refused
        case .keep: return .left
        case .replace: return .taken
        case .renumber: return .renumbered
        case .newest:
            return session.newestTime > rival.newestTime ? .taken : .left
        }
    }

    private static func refuse(
        _ report: inout ImportReport, _ line: Int, _ code: Diagnostic.Code, _ message: String,
        _ path: String?
    ) {
        report.refused += 1
        if report.refusals.count < ImportReport.refusalCapacity {
            report.refusals.append(
                Diagnostic(
                    code, .error, line > 0 ? "line \(line): \(message)" : message, path: path))
        }
    }

    // MARK: - Writing

    /// Writes what was checked, in one durable transaction.
    mutating func write() throws(SceneStoreError) {
        try check(0...0.3)
        let stage = WorkProgress("writing", .bytes, total: text.count, share: 0.3...1)
        guard report.refused == 0 else {
            throw SceneStoreError(
                .importRefused,
                "\(report.refused) lines of the import are refused and nothing was written; "
                    + (report.refusals.first?.message ?? ""))
        }
        var fresh: [(old: String, new: String)] = []
        try db.write(.full) { transaction throws(SceneStoreError) in
            let base = db.store.generation
            let known = try ImportRivals(db)
            var imported = ImportWriter(transaction, base: base)
            let (_, hash) = try eachThing(stage) { _, result throws(SceneStoreError) in
                switch try result.get() {
                case .session(var session):
                    let rival = try db.session(identifier: session.identifier)
                    switch try verdict(session, rival) {
                    case .taken:
                        if let rival {
                            try imported.remove(rival)
                        }
                    case .renumbered:
                        fresh.append((session.identifier, try unusedIdentifier()))
                        session.identifier = fresh[fresh.count - 1].new
                    case .left, .refused: return
                    }
                    try imported.remove(known.tombstones(of: session.identifier))
                    try imported.insert(session)
                case .tombstone(let tombstone, let identifier, let configuration):
                    let verdict = try verdict(tombstoneOf: identifier, known, importing: seen)
                    if verdict == .taken {
                        try imported.insert(tombstone, identifier, configuration)
                    }
                case .payload(let payload):
                    if try !has(payload, known) {
                        try imported.insert(payload)
                    }
                case .activity(let bytes, let activity, let time):
                    let verdict = try verdict(activity, bytes, savedAt: time, known)
                    if case .taken(let rivals) = verdict {
                        try transaction.delete(rivals)
                        try imported.insertActivity(bytes, activity, time)
                    }
                }
            }
            guard hash == checkedHash else {
                throw SceneStoreError(
                    .importRefused, "the import changed while it was read; nothing was written")
            }
            transaction.store.generation = max(
                transaction.store.generation, imported.lastGeneration)
            transaction.note(.imported, nil, "\(report.sessions) sessions")
        }
        // They do not know of the rows that went past them.
        db.caches = StoreCaches()
        for (old, new) in fresh {
            report.renumbered[SceneSession.ID(old)] = SceneSession.ID(new)
        }
    }

    private func unusedIdentifier() throws(SceneStoreError) -> String {
        while true {
            let identifier = db.options.makeUUID().uuidString
            if try db.session(identifier: identifier) == nil {
                return identifier
            }
        }
    }
}

extension SessionRow {
    /// When the session was used last.
    fileprivate var newestTime: Int64 { max(lastActiveAt, savedAt ?? .min) }
}

extension StoreEvent.Kind {
    /// Sessions came in from an export.
    package static let imported = Self(rawValue: "import")
}

extension SceneSessionStore {
    /// Imports an export in one durable transaction, completely or not at all (S-63, R-42).
    ///
    /// Before anything is written, every line is read and every value checked under the limits that
    /// saving has. Throws ``SceneStoreError/Code/importRefused`` if a line is refused;
    /// ``checkImport(_:merge:)`` returns which lines, and why. Throws
    /// ``SceneStoreError/Code/redactedExport`` for an export that left something out,
    /// ``SceneStoreError/Code/limitExceeded`` for a line of more than 256 MiB, and
    /// ``SceneStoreError/Code/readOnly`` for a reader. An import of any length is read.
    @discardableResult
    public func importing(
        _ bytes: [UInt8], merge: ImportMerge = .refuse
    ) throws(SceneStoreError) -> ImportReport {
        try importing(ExportText(bytes), merge: merge)
    }

    /// The same for a text that is not in memory.
    @discardableResult
    package func importing(
        _ text: ExportText, merge: ImportMerge = .refuse
    ) throws(SceneStoreError) -> ImportReport {
        try using { db throws(SceneStoreError) in
            var importer = StoreImporter(db, text, merge)
            try importer.write()
            return importer.report
        }
    }

    /// Returns what an import would do, with its refusals; changes nothing.
    ///
    /// Throws as ``importing(_:merge:)`` does, except for refused lines.
    public func checkImport(
        _ bytes: [UInt8], merge: ImportMerge = .refuse
    ) throws(SceneStoreError) -> ImportReport {
        try checkImport(ExportText(bytes), merge: merge)
    }

    /// The same for a text that is not in memory.
    package func checkImport(
        _ text: ExportText, merge: ImportMerge = .refuse
    ) throws(SceneStoreError) -> ImportReport {
        try read { db throws(SceneStoreError) in
            var importer = StoreImporter(db, text, merge)
            try importer.check()
            return importer.report
        }
    }
}
