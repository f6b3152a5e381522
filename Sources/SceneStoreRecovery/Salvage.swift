import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// Chooses, of all rows that were found, those that make up the store as it was.
///
/// 1. A row counts when its checksum proves it; of two versions the later generation counts.
/// 2. Tombstones and the journal are obeyed: what was discarded comes back discarded, what was
///    forgotten does not come back.
/// 3. A row that only an older transaction left counts only where the store's own record says
///    that something is missing, and only if there are not more of them than are missing.
/// 4. Rows that refer to a lost row are repaired. A session without its configuration keeps the role
///    and name that the index has. A session without its state shows an earlier one or none.
package struct Salvage {
    private let input: SalvageInput
    package private(set) var report = SalvageReport()
    package private(set) var rows = CarvedRows()
    package let epoch: Int64
    package let generation: Int64
    private let main: SalvageSource
    private let evidence: SalvageEvidence
    /// What shows that earlier states of a session are lost.
    private var stateLosses: StateLosses
    /// The chosen sessions by identifier.
    private var numbers = SessionNames()
    /// Sessions whose last state is lost, also where an earlier one was found.
    package private(set) var lostStates: Set<Int64> = []
    /// Sessions that are taken from a backup, by the place of the backup.
    private var fromBackup: [Int64: Int] = [:]

    /// What the indexes over configurations have, by the place of the source.
    private var indexes: [Int: [Int64: IndexedConfiguration]] = [:]

    /// Nil when no row could be proved.
    package init?(_ input: SalvageInput) {
        guard let main = input.sources.first else {
            return nil
        }
        self.input = input
        self.main = main
        epoch = main.epoch
        generation = input.sources.reduce(0) { max($0, $1.generation) }
        evidence = SalvageEvidence(main.rows, epoch: epoch)
        stateLosses = StateLosses(main)
        report.expected = main.store.map { Int(clamping: $0.number("open_count")) }
        report.commitsBehind = main.commitsBehind
        report.backups = input.sources.count - 1
        rows.damaged = main.rows.damaged.filter { $0.table != .state || $0.reason != "payload" }
        report.damagedRows = main.rows.damaged.count
        noteMissingRows()
        chooseSessions()
        chooseFromBackups()
        chooseStates()
        chooseParts()
        chooseShared()
        chooseRecords()
        finish()
    }

    /// What the checksums of all chosen rows add up to, as the damaged store would have sealed them.
    package var rowSum: Int64 {
        let sealer = RowSealer(uuid: input.identity?.bytes ?? [])
        var sum: Int64 = 0
        for table in StoreTable.digested {
            let layout = table.description
            rows[table].lookAtEach {
                sum &+= sealer.checksum(layout, id: $0.id, $0.values)
            }
        }
        return sum
    }

    /// The identity that the damaged store's rows are sealed under.
    package var identity: StoreIdentity? { input.identity }

    /// The store's own record.
    package var store: CarvedRow? { main.store }

    /// The session that is blamed if the last process died (L-52): the one in the store's record, else
    /// the one beside the lock, if the note is of this store's last launch and the session is found.
    package var restoringSession: Int64? {
        guard let store, store["launch_state"].integer == PreviousProcess.End.running.rawValue
        else {
            return nil
        }
        var key = store["restoring_session"].integer
        if key == nil, let noted = input.restoring, let uuid = input.identity?.bytes,
            noted.generation >= store.number("generation"),
            noted
                == OwnerLock.Restoring(
                    session: noted.session, generation: noted.generation,
                    launch: store.number("launch_number"), uuid: uuid, epoch: epoch)
        {
            key = noted.session
        }
        return key.flatMap { rows[.session].contains($0) ? $0 : nil }
    }

    private subscript(table: StoreTable) -> RowTable {
        get { rows[table] }
        _modify { yield &rows[table] }
    }

    private var openCount: Int {
        var count = 0
        self[.session].lookAtEach { count += $0.number(.isOpen) == 1 ? 1 : 0 }
        return count
    }

    /// How many open sessions the store's record says are missing; nil when it is lost.
    private var missing: Int? {
        report.expected.map { max($0 - openCount, 0) }
    }

    // MARK: - Sessions

    private mutating func chooseSessions() {
        var left: [CarvedRow] = []
        self[.session].reserveCapacity(main.rows[.session].count)
        numbers.reserveCapacity(main.rows[.session].count)
        for row in main.rows[.session] where row.number(.epoch) == epoch {
            guard !evidence.isRemoved(row) else {
                if row.rank != .old {
                    report.add(SceneSession.ID(row.identifier), .honored, "it was removed later")
                }
                continue
            }
            if row.rank == .old {
                left.append(row)
            } else {
                keep(row)
            }
        }
        // Only as many as are missing: among more there would be some that are rightly gone.
        left = left.filter {
            $0.number(.isOpen) == 1 && evidence.tombstone(of: $0) == nil
                && number(of: $0.identifier) == nil
        }
        if let missing, left.count <= missing {
            for row in left {
                keep(row)
            }
        }
    }

    /// Takes a session, closed if a tombstone says so. Of two of one identifier the later counts.
    private mutating func keep(_ row: CarvedRow) {
        var row = row
        let (key, known) = numbers.place(of: row.identifier, in: self[.session])
        if let rival = known.flatMap({ self[.session][$0] }) {
            guard row.number(.generation) > rival.number(.generation) else {
                return
            }
            self[.session][rival.id] = nil
            self[.discard][rival.id] = nil
        }
        if let tombstone = evidence.tombstone(of: row) {
            if row.number(.isOpen) == 1 {
                row[.isOpen] = .integer(0)
                row["is_front"] = .integer(0)
                report.add(SceneSession.ID(row.identifier), .honored, "it was discarded later")
            }
            self[.discard][row.id] = tombstone
        }
        take(row)
        numbers.note(row.id, at: key)
    }

    /// The number of the chosen session that has an identifier.
    private func number(of identifier: String) -> Int64? {
        numbers.place(of: identifier, in: self[.session]).number
    }

    /// Takes a row as it is.
    private mutating func take(_ row: CarvedRow) {
        self[row.table].insert(row) { $0 = row }
    }

    private mutating func chooseFromBackups() {
        for (index, source) in input.sources.enumerated().dropFirst() {
            guard let missing, missing > 0 else {
                return
            }
            let left = source.rows[.session].filter {
                $0.number(.epoch) == epoch && $0.number(.isOpen) == 1 && $0.rank != .old
                    && !self[.session].contains($0.id) && !evidence.isGone($0)
                    && number(of: $0.identifier) == nil
            }
            guard left.count <= missing else {
                continue
            }
            for row in left {
                let key = numbers.place(of: row.identifier, in: self[.session]).key
                take(row)
                numbers.note(row.id, at: key)
                fromBackup[row.id] = index
            }
        }
    }

    // MARK: - States

    private mutating func chooseStates() {
        self[.state].reserveCapacity(main.rows[.state].count)
        let found = statesBySession()
        var next = found.startIndex
        for key in self[.session].ids.sorted() {
            let first = next
            while next < found.endIndex, found[next].id >> 8 == key {
                next += 1
            }
            chooseStates(of: key, found[first..<next])
        }
    }

    /// The states that may be chosen, session by session, and those of one session in the order of
    /// the sources.
    private func statesBySession() -> [CarvedRow] {
        var found: [CarvedRow] = []
        found.reserveCapacity(main.rows[.state].count)
        var isSorted = true
        var last = Int64.min
        for (index, source) in input.sources.enumerated() {
            for row in source.rows[.state] where row.isWhole {
                let key = row.id >> 8
                // Of a backup only what nothing else gives.
                guard self[.session].contains(key),
                    index > 0 ? isSame(key, in: source) : (fromBackup[key] ?? 0) == 0
                else {
                    continue
                }
                found.append(row)
                isSorted = isSorted && last <= key
                last = key
            }
        }
        if !isSorted {
            let places = found.indices.sorted {
                let (first, second) = (found[$0].id >> 8, found[$1].id >> 8)
                return first == second ? $0 < $1 : first < second
            }
            found = places.map { found[$0] }
        }
        return found
    }

    /// Whether a backup has a chosen session by the same number: an undo of the store as a whole
    /// gives the numbers of what it takes back to others.
    private func isSame(_ key: Int64, in backup: SalvageSource) -> Bool {
        let identifier = backup.rows[.session].look(at: key) { $0.identifierText }
        return identifier != nil
            && identifier == self[.session].look(at: key) { $0.identifierText }
    }

    private mutating func chooseStates(of key: Int64, _ found: ArraySlice<CarvedRow>) {
        let session = self[.session].look(at: key) {
            (
                written: $0.number(.generation), state: $0[.stateID], savedAt: $0[.savedAt],
                bound: $0[.stateChecksum].integer, isOpen: $0.number(.isOpen) == 1
            )
        }
        guard let session else {
            return
        }
        let home = fromBackup[key] ?? 0
        let isOwn = found.allSatisfy { $0.payload?.source == home }
        let own = isOwn ? found : found.filter { $0.payload?.source == home }[...]
        let (written, bound) = (session.written, session.bound)
        let recorded = session.state.integer
        let later = own.filter { $0.number(.generation) > written && $0.rank != .old }
            .max { $0.number(.generation) < $1.number(.generation) }
        let exact = own.first {
            $0.id == recorded && $0[.savedAt] == session.savedAt
                && $0.number(.generation) <= written
                // An older version of it was written over it, and what is bound is gone.
                && bound == $0.checksum
        }
        var outcome: SalvageReport.Outcome = home == 0 ? .restored : .fromBackup
        var reason = home == 0 ? "" : "only a backup has it"
        var current = later ?? exact
        if current == nil, recorded != nil {
            current = found.lazy.filter { $0.rank != .old || $0.payload?.source == home }
                .max { $0.number(.generation) < $1.number(.generation) }
            outcome = current == nil ? .withoutState : .olderState
            reason =
                current == nil ? "none of its states could be read" : "its last state is damaged"
        }
        if outcome == .olderState || outcome == .withoutState {
            lostStates.insert(key)
        }
        var youngest = written
        for row in own where row.rank != .old || row.id == current?.id {
            take(row)
            youngest = max(youngest, row.number(.generation))
        }
        if var row = current {
            if row.payload?.source != home {
                // The slot may hold another state by now.
                let id = row.id
                let kept = own.filter { $0.rank != .old || $0.id == id }
                let slots = Set(kept.map { $0.id & 255 })
                let slot = (0..<256).first { !slots.contains(Int64($0)) } ?? 0
                row.id = key << 8 | Int64(slot)
                take(row)
                current = row
            }
        }
        let state = current.map { ColumnValue.integer($0.id) } ?? .null
        let savedAt = current?[.savedAt] ?? .null
        // A row that stays as it is stays shared with its copies.
        if youngest > written || state != session.state || savedAt != session.savedAt {
            self[.session][key]?[.stateID] = state
            self[.session][key]?[.savedAt] = savedAt
            // Of a session's row that went back: no state is younger than its session.
            self[.session][key]?[.generation] = .integer(youngest)
        }
        if outcome == .restored, let loss = earlierLoss(of: key, current: current?.id) {
            (outcome, reason) = (.fewerStates, loss)
        }
        guard session.isOpen else {
            return
        }
        if outcome == .restored {
            report.addRestored()
        } else {
            let identifier = self[.session][key]?.identifier ?? ""
            report.add(SceneSession.ID(identifier), outcome, reason)
        }
    }

    private mutating func noteMissingRows() {
        (report.missesRows, report.missingFrom) = Self.missing(from: main, epoch: epoch)
    }

    private mutating func earlierLoss(of key: Int64, current: Int64?) -> String? {
        stateLosses.reason(for: key, current: current, missesRows: report.missesRows)
    }

    // MARK: - What belongs to sessions

    private mutating func chooseParts() {
        for index in input.sources.indices {
            for row in input.sources[index].rows[.sessionValue]
            where row.isWhole && row.rank != .old && isChosen(row.id >> 8, index)
                && SessionValueKind(rawValue: row.id & 255) != nil
            {
                take(row)
            }
            chooseStorage(index)
        }
        let values = self[.sessionValue]
        self[.session].changeEach { session in
            let presented = values[session.id << 8 | SessionValueKind.presentedValue.rawValue]
            session.set(.valueHash, presented?["content_hash"] ?? .null)
        }
    }

    /// Whether a session was taken from a source.
    private func isChosen(_ key: Int64, _ source: Int) -> Bool {
        self[.session].contains(key) && (fromBackup[key] ?? 0) == source
    }

    private mutating func chooseStorage(_ index: Int) {
        var best: [Int64: [[UInt8]: CarvedRow]] = [:]
        for row in input.sources[index].rows[.sceneStorage] {
            let key = row.number("session_id")
            guard row.isWhole, row.rank != .old, isChosen(key, index) else {
                continue
            }
            let name = Array((row["key"].text ?? "").utf8)
            if best[key]?[name].map({ row.isBetter(than: $0) }) ?? true {
                best[key, default: [:]][name] = row
            }
        }
        for row in best.values.flatMap(\.values) {
            take(row)
        }
    }

    // MARK: - What sessions share

    private mutating func chooseShared() {
        for row in main.rows[.discard]
        where row.number(.epoch) == epoch && row.rank != .old && !self[.session].contains(row.id)
            && !isOverOpenSession(row)
        {
            take(row)
        }
        var open: [Int64: Int64] = [:]
        for key in self[.session].ids {
            let shared = self[.session].look(at: key) {
                (
                    isOpen: $0.number(.isOpen) == 1, conditions: $0[.conditionsID].integer,
                    configuration: $0.number(.configurationID)
                )
            }
            guard let shared else {
                continue
            }
            if let id = shared.conditions {
                let source = input.sources[fromBackup[key] ?? 0].rows
                if let row = source[.conditions][id], row.isWhole, row.number(.epoch) == epoch {
                    take(row)
                } else {
                    self[.session][key]?[.conditionsID] = .null
                }
            }
            chooseConfiguration(shared.configuration, fromBackup[key] ?? 0)
            if shared.isOpen {
                open[shared.configuration, default: 0] += 1
            }
        }
        for row in self[.discard] {
            chooseConfiguration(row.number(.configurationID), 0)
        }
        for id in self[.configuration].ids {
            self[.configuration][id]?["open_sessions"] = .integer(open[id] ?? 0)
        }
    }

    /// Whether a discard that the app was not told of yet is another row's than that of the open
    /// session of its identifier: imports of earlier versions left such.
    private func isOverOpenSession(_ tombstone: CarvedRow) -> Bool {
        guard tombstone.number("delivery") < 2, let id = number(of: tombstone.identifier)
        else {
            return false
        }
        return self[.session][id]?.number(.isOpen) == 1
    }

    /// Takes a configuration of a source, or what is left of a lost one (L-04).
    private mutating func chooseConfiguration(_ id: Int64, _ source: Int) {
        guard !self[.configuration].contains(id) else {
            return
        }
        let rows = input.sources[source].rows
        if let row = rows[.configuration][id], row.number(.epoch) == epoch {
            take(row)
            return
        }
        let found = rows.damaged.first { $0.table == .configuration && $0.id == id }
        let row = ConfigurationRow.rescued(
            id, epoch: epoch, from: found.flatMap { ConfigurationRow(columns: $0.columns) },
            indexed(id, in: source), RowSealer(uuid: input.identity?.bytes ?? []))
        self[.configuration][id] = CarvedRow(
            table: .configuration, id: id, values: row.recordValues, checksum: 0, payload: nil,
            rank: .reached, sequence: 0)
    }

    /// What the index of a source has of a configuration; asked only where a row is lost.
    private mutating func indexed(_ id: Int64, in source: Int) -> IndexedConfiguration? {
        if indexes[source] == nil {
            indexes[source] = input.indexedConfigurations(epoch: epoch, in: source)
        }
        return indexes[source]?[id]
    }

    // MARK: - Records

    private mutating func chooseRecords() {
        for table in [StoreTable.launch, .event, .inbox, .savedActivity, .quarantinedRow] {
            for row in main.rows[table]
            where row.isWhole && row.rank != .old && row.number(.epoch) == epoch {
                take(row)
            }
        }
        acknowledgeDigests()
        for row in main.rows[.launchException]
        where row.rank != .old && self[.launch].contains(row.number("launch")) {
            take(row)
        }
        var contexts: Set<Int64> = []
        var last: Int64?
        for table in [StoreTable.state, .launch] {
            self[table].lookAtEach { row in
                let context = row.number(.contextID)
                if context != last {
                    contexts.insert(context)
                    last = context
                }
            }
        }
        for source in input.sources {
            for row in source.rows[.saveContext]
            where contexts.contains(row.id) && !self[.saveContext].contains(row.id)
                && row.number(.epoch) == epoch
            {
                take(row)
            }
        }
    }

    /// What a digest once lacked is told by verification until a person has the store repaired.
    private mutating func acknowledgeDigests() {
        for row in self[.quarantinedRow]
        where row["table_name"] == .text(StoreTable.store.name)
            && row["reason"] == .text(Database.acceptedDigest)
        {
            self[.quarantinedRow][row.id]?["reason"] =
                .text(Database.acceptedDigest + ", repaired")
        }
    }

    // MARK: - The ledger

    private mutating func finish() {
        report.openSessions = openCount
        report.closedSessions = self[.session].count - report.openSessions
        var current = 0
        self[.session].lookAtEach { current += $0[.stateID].integer == nil ? 0 : 1 }
        report.historyStates = self[.state].count - current
        var named = evidence.missing { number(of: $0) != nil }
        let lost = missing ?? named.count
        named = Array(named.prefix(lost))
        for identifier in named {
            report.add(SceneSession.ID(identifier), .lost, "its row could not be read")
        }
        if lost > named.count {
            report.counts[.lost] = lost
        }
        report.isComplete = isComplete
        report.sortEntries()
    }

    /// Whether the open sessions add up to the recorded digest and every state is the last one.
    private var isComplete: Bool {
        guard let store, rows.damaged.isEmpty, report.damagedRows == 0, !report.missesRows,
            fromBackup.isEmpty
        else {
            return false
        }
        var digest: Int64 = 0
        var count: Int64 = 0
        for row in main.rows[.session]
        where row.number(.epoch) == epoch && self[.session][row.id]?.number(.isOpen) == 1 {
            digest = digest &+ row.checksum
            count += 1
        }
        return count == store.number("open_count") && digest == store.number("open_digest")
            && report.counts.allSatisfy { !$0.key.isImperfect || $0.value == 0 }
    }

    /// The payload of a chosen row.
    package func payload(of row: CarvedRow) -> [UInt8]? {
        input.payload(of: row)
    }
}

extension SalvageReport {
    fileprivate mutating func sortEntries() {
        entries.sort {
            $0.sessionIdentifier == $1.sessionIdentifier
                ? $0.outcome.rawValue < $1.outcome.rawValue
                : $0.sessionIdentifier.rawValue.precedes($1.sessionIdentifier.rawValue)
        }
    }
}
