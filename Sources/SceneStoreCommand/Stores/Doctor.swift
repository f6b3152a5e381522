import SceneStore
import SceneStoreEngine
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreTesting

/// Looks at a container from the outside in: files, owner, schema, rows, sessions, launches. Writes
/// nothing.
struct Doctor {
    let context: CommandContext
    let location: SceneSessionStore.Location
    let place: StorePlace
    let manifest: SceneManifest?
    let renames: [String: String]
    let bar: Progress
    /// Whether every stored value is read, too.
    let isFull: Bool
    /// The only session that is asked about; what isn't wrong with the store is left out then.
    let session: String?
    /// Whether the advice names the store by its path.
    var namesPath = true
    /// The bounds that the app has.
    let limits: Limits
    private(set) var findings: [DoctorFinding] = []

    init(
        _ context: CommandContext, at path: String, manifest: SceneManifest?,
        renames: [String: String], telling bar: Progress, isFull: Bool = false,
        session: String? = nil, limits: Limits = Limits()
    ) {
        self.isFull = isFull
        self.session = session
        self.bar = bar
        self.limits = limits
        self.context = context
        place = StorePlace(path)
        location = .container(path: place.path)
        self.manifest = manifest
        self.renames = renames
    }

    /// Everything that was looked at. Throws only when there is no store to look at.
    mutating func examine() throws -> [DoctorFinding] {
        findings = []
        guard !place.isLooseFile else {
            try lookAtFile()
            return findings
        }
        var examination: ContainerExamination?
        do throws(SceneStoreError) {
            let found = try ContainerExamination(of: location)
            examination = found
            lookAtFiles(found)
            guard found.store != nil || found.interrupted.isEmpty else {
                return findings
            }
        } catch {
            guard error.code == .permission else {
                // As every other command says that there is no store.
                try context.openStore(at: place.path).close()
                throw error
            }
            // A file of this user that can't be read has a mode that forbids it, or another cause.
            if error.path != nil,
                let found = try? ContainerExamination(of: location, access: .inspector)
            {
                lookAtWriting(found)
            }
            if findings.isEmpty {
                bad(.openContainer, error.message, fix: openContainerFix())
            }
            return findings
        }
        try lookInside(examination)
        tellLosses()
        if let examination {
            lookAtQuarantine(examination)
        }
        return findings
    }

    var directory: String {
        guard case .directory(let path) = location else {
            return "."
        }
        return path
    }

    /// A file by itself: a backup, or a store that was taken out of its container.
    private mutating func lookAtFile() throws {
        let found = try context.findStore(at: place.path, telling: bar)
        defer {
            found.close()
            tellLosses()
        }
        good("only the file is checked; its container is not known")
        guard !isPartial(found) else {
            return
        }
        do throws(SceneStoreError) {
            try StoreBackup.checkSum(place.path)
        } catch {
            bad(.unreadable, error.message, fix: advice("salvage"))
        }
        try lookAt(found.store)
    }

    /// Adds to the finding of a store that can't be read how much of its file is there, and which
    /// windows can be read from it.
    private mutating func tellLosses() {
        guard
            let index = findings.firstIndex(where: {
                $0.mark == .bad && $0.cause == nil && $0.session == nil
                    && ($0.code == .unreadable || $0.code == .damage)
            })
        else {
            return
        }
        if let (bytes, whole) = place.cutOff {
            findings[index].message =
                "the file is cut off: it has \(NumberText.grouped(bytes)) of "
                + "\(NumberText.grouped(whole)) bytes (\(findings[index].message))"
        }
        if let report = place.salvageable() {
            findings[index].message += "; a salvage finds \(report.windows)"
        }
    }

    /// Says why not all of the store is read, if so.
    private mutating func isPartial(_ found: FoundStore) -> Bool {
        guard let damage = found.damage else {
            return false
        }
        let (code, fix) = refusal(of: damage.code) ?? (.unreadable, nil)
        bad(code, damage.message, fix: fix)
        return true
    }

    /// Looks into a store that opened.
    private mutating func lookAt(_ store: SceneSessionStore) throws {
        do {
            try look(into: store)
        } catch let error as SceneStoreError where error.code == .corrupt {
            if !isFound(.damage) {
                bad(
                    .damage, "pages of the store are damaged; their rows cannot be read",
                    fix: "\(Self.copyFirst)\(advice("repair")) builds a sound store in this "
                        + "one's place and keeps this one in quarantine/")
            }
            nameWindows(in: store)
        }
        lookAtSQLite()
    }

    // MARK: - Adding lines

    mutating func good(_ message: String, _ code: DoctorCode? = nil) {
        findings.append(DoctorFinding(mark: .good, code: code, message: message))
    }

    mutating func attend(
        _ code: DoctorCode, _ message: String, fix: String?, session: String? = nil
    ) {
        findings.append(
            DoctorFinding(
                mark: .attention, code: code, message: message, remedy: fix, session: session))
    }

    mutating func bad(
        _ code: DoctorCode, _ message: String, fix: String?, session: String? = nil,
        cause: String? = nil
    ) {
        findings.append(
            DoctorFinding(
                mark: .bad, code: code, cause: cause, message: message, remedy: fix,
                session: session))
    }

    func isFound(_ codes: DoctorCode...) -> Bool {
        findings.contains { finding in finding.code.map { codes.contains($0) } ?? false }
    }

    // MARK: - Files

    private mutating func lookAtFiles(_ examination: ContainerExamination) {
        // What 'fixture make' writes beside a store is for a repository, and for everybody.
        let label = StoreFixture.labelName
        let open = examination.files.filter {
            $0.permissions & 0o077 != 0 && !$0.isFolder && $0.name != label
        }
        let strangers = examination.strangers.filter { $0 != label }
        let foreign = examination.files.filter { !$0.isOwnUsers }
        // Who could read the container of an archive is not known.
        let isUnpacked = context.unpacked?.path == place.path
        if examination.permissions & 0o077 != 0 {
            attend(
                .openContainer, "other users can look into the container",
                fix: advice("doctor --fix"))
        }
        if examination.isReplaceable, !isUnpacked {
            attend(
                .replaceableContainer, "every user can put another folder in the container's place",
                fix: "on the folder above it, remove others' write permission or set the sticky "
                    + "bit")
        }
        if !foreign.isEmpty {
            bad(
                .openFiles, "another user owns \(foreign.map(\.name).listed(with: "and"))",
                fix: "give the files to the app's user")
        }
        if !open.isEmpty {
            attend(
                .openFiles, "other users can read \(open.map(\.name).listed(with: "and"))",
                fix: advice("doctor --fix"))
        }
        if !isUnpacked, !isFound(.openContainer, .openFiles, .replaceableContainer) {
            good("the container is private and belongs to this user")
        }
        if (examination.store?.links ?? 1) > 1 {
            attend(
                .secondLink, "the store's file has a second name",
                fix: "remove the other name once the backup tool is done")
        }
        if !examination.leftovers.isEmpty, !isRunning(examination) {
            attend(
                .leftovers,
                "\(NumberText.counted(examination.leftovers.count, "unfinished file")) of "
                    + "processes that are gone", fix: advice("doctor --fix"))
        }
        let copies = lookAtCopies(examination)
        let others = strangers.filter { !copies.contains($0) }
        if !others.isEmpty {
            attend(
                .strangers,
                "not the store's: \(Array(others.prefix(5)).listed(with: "and"))",
                fix: "move \(others.count == 1 ? "it" : "them") elsewhere")
        }
        lookAtOwner(examination)
        lookAtFolders(examination)
    }

    func isRunning(_ examination: ContainerExamination) -> Bool {
        if case .running = examination.owner { true } else { false }
    }

    private mutating func lookAtOwner(_ examination: ContainerExamination) {
        let log = examination.log?.bytes ?? 0
        switch examination.owner {
        case .running(let process):
            good("a living app owns it\(process.map { ", process \($0)" } ?? "")")
        case .none: good("no process has left a note that it owned the store")
        case .released: good("the last owner, the app or scenestore, closed it properly")
        case .died(let process):
            findings.append(
                DoctorFinding(
                    mark: .good, code: .diedOwner,
                    message: "process \(process) died without closing it; nothing is lost, because "
                        + "the next launch takes over",
                    remedy: log > 0 && examination.store != nil
                        ? "no action is needed; before you copy the file alone, run "
                            + "\(advice("doctor --fix")), which copies the write-ahead log into it"
                        : nil))
        }
        let time = examination.store.map {
            TimeText.relative($0.modifiedAt, to: context.clock.now())
        }
        let checkpoint = time.map { "; the file was last written \($0)" } ?? ""
        if log >= 16 << 20 {
            attend(
                .largeLog,
                "the write-ahead log holds \(NumberText.bytes(log))\(checkpoint)",
                fix: isRunning(examination)
                    ? "let the app be idle for a moment; a reader that never ends keeps this log"
                    : advice("doctor --fix"))
        } else {
            good(
                log == 0
                    ? "the write-ahead log is empty\(checkpoint)"
                    : "the write-ahead log holds \(NumberText.bytes(log))\(checkpoint)")
        }
    }

    // MARK: - The store

    private mutating func lookInside(_ examination: ContainerExamination?) throws {
        if case .link(let target) = place.kind {
            bad(
                .linkedStore,
                "scenes.sqlite is a symbolic link to \(target.quotedPath), which the app refuses",
                fix: "move that file to the place of the link, with the \"-wal\" beside it")
            let found = try context.findStore(at: place.path, telling: bar)
            defer { found.close() }
            if !isPartial(found) {
                try lookAt(found.store)
            }
            return
        }
        let store: SceneSessionStore
        do {
            store = try context.openStore(at: directory, telling: bar, limits: limits)
        } catch let error as SceneStoreError {
            guard let (code, fix) = refusal(of: error.code) else {
                throw error
            }
            if error.code == .olderSchema,
                let damage = try context.damageOfOlder(at: directory)
            {
                bad(
                    .damage, "an older version wrote the store, and it is damaged: \(damage)",
                    fix: "\(advice("repair")) builds a sound store of this version in its place")
                return
            }
            var message = error.message
            if code == .olderVersion, let plan = try? context.migrationPlan(at: directory) {
                message += "; it lacks \(plan.names.listed(with: "and"))"
            }
            bad(code, message, fix: fix)
            return
        } catch let error as CommandError where error.status == .damaged {
            bad(
                .unreadable,
                error.message
                    + (examination?.backups.isEmpty ?? true ? "" : ", and there are backups"),
                fix: advice("repair"))
            return
        }
        defer { try? store.close() }
        try lookAt(store)
    }

    private mutating func look(into store: SceneSessionStore) throws {
        try lookForDamage(store)
        try lookAtOpening(store)
        guard session == nil else {
            try lookAtSessions(store)
            try lookAtPayloads(store)
            lookAtLaunches(
                try store.launches.records(limit: 50), isRunning: try store.owner().isOwned)
            return nameWindows(in: store)
        }
        let basics = try StoreBasics(reading: store)
        let condition = try StoreCondition(of: store)
        let schema = context.schema(at: place.path) ?? basics.schemaVersion
        good("schema \(schema), written by \(basics.libraryVersion)")
        lookForOtherStores(than: store, basics)
        for finding in store.openingDiagnostics where finding.code == .foreignTable {
            good(finding.message, .foreignTables)
        }
        lookAtRows(condition)
        try lookAtSessions(store)
        try lookAtPayloads(store)
        lookAtLaunches(condition.launches, isRunning: try store.owner().isOwned)
        try lookAtManifest(store)
        lookAtLimits(condition)
        lookAtClock(condition)
        nameWindows(in: store)
    }

    /// Adds the titles of the windows for a person at a terminal; nothing else may show them (R-41).
    private mutating func nameWindows(in store: SceneSessionStore) {
        guard context.terminal.isOutputTerminal else {
            return
        }
        for index in findings.indices {
            // What can't be read is a finding already.
            let name = findings[index].session.flatMap { (try? store.name(of: $0)) ?? nil }
            let current = name.flatMap { $0.title == nil ? nil : $0.quoted }
            let former = formerTitle(of: findings[index], in: store)
            // Of a window that shows something else the state is what is offered.
            findings[index].window = findings[index].isOffer ? former ?? current : current ?? former
        }
    }

    /// The title of the state that a finding goes back to.
    private func formerTitle(of finding: DoctorFinding, in store: SceneSessionStore) -> String? {
        guard let session = finding.session, let generation = finding.generation,
            let record = (try? store.record(identifier: session)) ?? nil,
            let state =
                (try? store.history.state(key: record.key, generation: generation)) ?? nil
        else {
            return nil
        }
        let name = SessionName(record, title: state.title)
        return name.title == nil ? nil : name.quoted
    }

    private mutating func lookAtOpening(_ store: SceneSessionStore) throws {
        let diagnostics = store.ownDiagnostics
        if diagnostics.contains(where: { $0.code == .foreignLog }) {
            // The lock is the other store's, too: its advice would join the two.
            findings.removeAll { $0.code == .diedOwner }
        }
        if diagnostics.contains(where: { $0.code == .newerFeatures }) {
            attend(
                .newerVersion, "a newer version wrote the store; its additions are left unchanged",
                fix: "use a newer scenestore")
        }
        for finding in diagnostics {
            switch finding.code {
            case .rolledBack, .otherStore:
                let backup = newestBackup.map { "; or \(restoringAdvice(of: $0))" } ?? ""
                attend(.rolledBack, finding.message, fix: finding.fix.map { $0 + backup })
            case .unreadableLock: attend(.unreadableLock, finding.message, fix: finding.fix)
            case .foreignLog:
                let count = NumberText.counted(
                    try StoreBasics(reading: store).openSessions, "open session")
                bad(
                    .orphanedLog,
                    finding.message
                        + (isFound(.damage, .lostSessions, .lostCommits)
                            ? "" : "; its own \(count) are complete"),
                    fix:
                        "\(advice("repair")) sets the log aside; until then, open the file with no "
                        + "other SQLite tool, which would mix the two")
            default: break
            }
        }
    }

    private mutating func lookAtRows(_ condition: StoreCondition) {
        if condition.erasurePending {
            attend(
                .erasurePending, "erased content may still be in the write-ahead log",
                fix: advice("doctor --fix"))
        }
        if condition.quarantinedRows > 0 {
            attend(
                .rowsSetAside,
                "\(NumberText.counted(condition.quarantinedRows, "row")) set aside: damaged, kept",
                fix: advice("sql \"SELECT table_name, row_id, reason FROM quarantined_row\""))
        }
    }

    /// Checks pages, rows and references; in full, every stored value.
    private mutating func lookForDamage(_ store: SceneSessionStore) throws {
        let report = try store.verify(isFull ? .full : .standard)
        for finding in report.findings where finding.severity >= .warning {
            let (code, fix) = remedy(for: finding.code)
            bad(
                code, finding.message, fix: fix, session: finding.sessionIdentifier?.rawValue,
                cause: finding.code.rawValue)
        }
        for finding in report.findings
        where isFull && finding.severity == .note && finding.code != .rolledBack {
            findings.append(
                DoctorFinding(mark: .good, cause: finding.code.rawValue, message: finding.message))
        }
        if report.isSound {
            good("every page, row and reference is in order")
        }
    }

    private func remedy(
        for code: Diagnostic.Code
    ) -> (code: DoctorCode, fix: String) {
        switch code {
        case .lostSessions: (.lostSessions, restoringAdvice)
        case .lostCommits: (.lostCommits, advice("repair"))
        default: (.damage, Self.copyFirst + advice("repair") + " builds a sound store")
        }
    }

    /// Damage may come from a disk that fails.
    private static let copyFirst = "copy the container first, to another disk; then "

    /// What keeps windows or their states from coming back, each with its cause (S-44).
    private mutating func lookAtSessions(_ store: SceneSessionStore) throws {
        // What the next launch would do counts the process that died last, too.
        let isRunning = try store.owner().isOwned
        // Of all sessions, what an update does is told by itself.
        let options = try session == nil ? .remembered(by: store) : nextOptions(in: store)
        let plan = try LaunchPlan(
            reading: store, options: options, isRunning: isRunning, isSparse: true)
        let records =
            try session.map {
                [try store.record(identifier: $0)].compactMap(\.self).filter(\.isOpen)
            }
            ?? Array(try store.openRecords())
        // What was left behind with a session is asked for, too.
        let limits =
            records.contains { $0.parkedCause == .leftBehind }
            ? try ReturnLimit.limits(
                ofLeft: store.openRecords().filter { $0.parkedCause == .leftBehind }, in: store)
            : [:]
        let launches = try store.launches.records(limit: 50)
        let endings = launches.endings(isOwned: isRunning)
        let lost = try LostStates(reading: store)
        var (read, withoutState) = (0, 0)
        // What has something to lose comes first.
        for record in records.filter(\.hasState) + records.filter({ !$0.hasState }) {
            let verdict = plan.outlook(for: record)
            let obstacle = verdict.obstacle
            guard obstacle != nil || verdict.hasWithheldEarlier(record) else {
                if !record.hasState, lost.includes(record, nil) {
                    attend(
                        .noState, "\(LostStates.reason), and none was saved since",
                        fix: "it opens empty until then; a backup from before may have its state",
                        session: record.identifier)
                } else if !record.hasState, withoutState < StoreSummary.examinedWithoutState {
                    withoutState += 1
                    try lookForState(of: record, in: store)
                }
                continue
            }
            // Of more sessions nobody is told the state to go back to.
            let states =
                read < 1_000 && !record.isHeldByHand
                ? try store.history.versions(key: record.key) : []
            read += 1
            let isLost = obstacle == .withheld && record.flags.withheldReason == .lost
            let earlier = states.first {
                isLost ? $0.isCurrent : !$0.isCurrent && $0.isWithheld == (obstacle == nil)
            }
            var message = verdict.message(record)
            if record.parkedCause == .leftBehind,
                let launch = try store.discards.parking(of: record.key)?.launch
            {
                let death = endings[launch - 1] == .died ? ", after launch \(launch - 1) died," : ""
                message = "parked: launch \(launch)\(death) opened a new window instead of it"
            }
            if record.isHeldByHand, let time = try heldAt(record, in: store) {
                message += " since \(TimeText.spoken(time))"
            } else if obstacle == .parked, let limit = limits[record.key] {
                message +=
                    (record.savedAt.map { "; its state was saved at \(TimeText.spoken($0))" } ?? "")
                    + "; it stays \(limit.text)"
            }
            if obstacle == nil, let earlier {
                message +=
                    "; it was \(earlier.saving), and has "
                    + NumberText.bytes(Int64(earlier.byteCount))
            }
            var remedy = wayBack(from: obstacle, verdict, record, hasEarlier: earlier != nil)
            if obstacle == nil, record.flags.withheldReason == .declined {
                let refusal = launches.first { launch in
                    launch.ledger.exceptions.contains {
                        $0.sessionIdentifier == record.id && $0.outcome == .declined
                    }
                }
                let version = refusal?.context.appVersion.map { "app \($0)" } ?? "the app"
                message = "the guard of \(version) refused \(message)"
                // What a checkout alone doesn't bring back can be read all the same.
                if let earlier, let current = states.first(where: \.isCurrent) {
                    remedy =
                        "\(advice("diff \0 \(current.generation) \(earlier.generation)")) shows what "
                        + "is in it; after \(advice("checkout \0@G")) the guard is asked again: the same "
                        + "version of the app refuses it again, one whose guard takes it restores it"
                }
            }
            findings.append(
                DoctorFinding(
                    // What somebody meant is not wrong.
                    mark: obstacle == nil || record.isHeldByHand ? .good : .attention,
                    code: obstacle?.code ?? .withheldStates, message: message,
                    remedy: remedy,
                    session: record.identifier,
                    generation: remedy.contains("\0@G") ? earlier?.generation : nil))
        }
        for isRemembered in [true, false] {
            let hidden = records.filter {
                $0.privacy == .ephemeral && $0.isRestorationEnabled == isRemembered
            }
            if !hidden.isEmpty {
                let few = hidden.prefix(CauseGroup<String>.few).map(\.identifier)
                good(
                    "\(NumberText.counted(hidden.count, "open session")) private (ephemeral): no title, "
                        + "text or state is stored, only kind, place and times; "
                        + "\(CommandContext.privateReturn(isRemembered)) "
                        + "(\((few + (hidden.count > few.count ? ["…"] : [])).joined(separator: ", ")))"
                )
            }
        }
        if !isFound(
            .heldSessions, .parkedSessions, .declinedStates, .staleStates, .withheldStates)
        {
            good(
                "\(NumberText.counted(records.count, "open session")), none held or parked, no "
                    + "state declined, stale or withheld")
        }
    }

    /// A window without a state, whose history has one: the app gave none when it was asked last.
    private mutating func lookForState(
        of record: SessionRecord, in store: SceneSessionStore
    ) throws {
        guard let newest = try store.history.versions(key: record.key).first else {
            return
        }
        let cleared = try store.journal.events(session: record.identifier)
            .first { $0.kind == .clear }
        let cause = cleared.map {
            ", because \(JournalEntry.clearReason) at \(TimeText.spoken($0.happenedAt))"
        }
        findings.append(
            DoctorFinding(
                mark: .good, code: .noState,
                message:
                    "\(LaunchPlan.noCurrentState)\(cause ?? ""); the newest earlier one was saved at "
                    + "\(TimeText.spoken(newest.context.savedAt)), and has "
                    + NumberText.bytes(Int64(newest.byteCount)),
                remedy: "\(advice("checkout \0@G")) gives it to the app",
                session: record.identifier, generation: newest.generation))
    }

    /// When somebody held a session, as far as the journal still knows.
    private func heldAt(
        _ record: SessionRecord, in store: SceneSessionStore
    ) throws -> Int64? {
        try store.journal.events(session: record.identifier).first {
            $0.kind == .change && $0.detail == "held"
        }?.happenedAt
    }

    /// How a window, or its state, comes back.
    private func wayBack(
        from obstacle: LaunchOutcome?, _ verdict: LaunchPlan.Verdict, _ record: SessionRecord,
        hasEarlier: Bool
    ) -> String {
        let checkout = advice("checkout \0@G")
        let goingBack = hasEarlier ? "; \(checkout) gives it another of its states" : ""
        switch (obstacle, verdict.fate) {
        case (nil, _):
            return hasEarlier
                ? "the window opens with another state; \(checkout) makes this one the current one"
                : advice("history \0")
        case (.held, _):
            let release = "\(advice("release \0")) lets it connect"
            guard !record.isHeldByHand else {
                return release
            }
            return hasEarlier
                ? "\(checkout) gives it another of its states; then \(release)"
                : "\(release), with the state that it died of"
        case (.parked, .parked(.noEntry)):
            return
                "\(advice("plan --manifest FILE")) tries a manifest with a configuration for its "
                + "role; without one it is discarded after 30 days and three stable launches"
        case (.parked, .parked(.notKept)), (.parked, .parked(.leftBehind)):
            return "\(advice("reopen \0")) brings it back"
                + (record.hasState ? "" : ", empty; no state of it is left")
        case (.parked, _):
            return "\(advice("reopen \0")) brings it back in the place of the other"
        case (.stale, _):
            let names = [record.configuration.name, verdict.configuration.name]
            let rename =
                verdict.isReconfigured
                ? " --rename \(CommandContext.quoted(names.map { $0 ?? "NAME" }.joined(separator: ":")))"
                : ""
            return
                "keep an entry of that name in the manifest, or name its successor in the rename "
                + "map; \(advice("plan --manifest FILE\(rename)")) tries one"
        case (.declined, _):
            return "a version of the app whose guard takes it restores it" + goingBack
        case (.withheld, _) where record.flags.withheldReason == .lost:
            return "\(checkout) gives the app the newest earlier state, "
                + "\(advice("checkout --lost")) that of each such window; it may also ask for it"
        default: return "a later launch offers it again" + goingBack
        }
    }

    /// What no launch delivers any more, with its cause (S-44).
    private mutating func lookAtPayloads(_ store: SceneSessionStore) throws {
        let items = try store.inbox.pending().filter(\.isSetAside)
        guard !items.isEmpty else {
            return
        }
        let blamed = Journal.ordered(try store.journal.events(limit: .max).reversed()).last {
            $0.event.kind == .inbox && $0.reason == InboxItem.setAsideReason
        }
        for item in items {
            attend(
                .payloadsSetAside,
                "\(item.payload.noun), payload \(item.id), is set aside: \(InboxItem.setAsideReason)",
                fix: "the app crashes on it; once that is corrected, "
                    + "\(advice("release --payload \(item.id)")) lets the next launch deliver it",
                session: items.count == 1 ? blamed?.event.sessionIdentifier?.rawValue : nil)
        }
    }

    private mutating func lookAtLaunches(_ launches: [LaunchRecord], isRunning: Bool) {
        for launch in launches {
            let lost = launch.ledger.counts[.lost] ?? 0
            if lost > 0 {
                bad(
                    .lostSessions,
                    "launch \(launch.number) missed \(NumberText.counted(lost, "session"))",
                    fix: "\(advice("log")) says more; \(restoringAdvice)")
            }
        }
        let died = launches.diedInARow(isOwned: isRunning)
        if died >= StoreSummary.dyingLaunches {
            attend(
                .dyingLaunches,
                "the last \(died) launches died: the app crashed, or was ended from "
                    + "outside",
                fix: "\(advice("log --launch last")) shows how far it came")
        }
        if let last = launches.first, !isFound(.lostSessions, .dyingLaunches) {
            good("\(NumberText.counted(Int(last.number), "launch", "launches")), no session lost")
        }
    }

    /// The options of the app that launches next.
    private func nextOptions(in store: SceneSessionStore) throws -> SceneApplicationOptions {
        guard let manifest else {
            return try .remembered(by: store)
        }
        return try .updated(to: manifest, renames: renames, in: store)
    }

    private mutating func lookAtManifest(_ store: SceneSessionStore) throws {
        guard manifest != nil else {
            return
        }
        let found = try StaleConfigurations(options: nextOptions(in: store))
            .findings(in: store) { advice($0) }
        for finding in found where finding.severity == .warning {
            attend(.staleConfigurations, finding.message, fix: finding.fix)
        }
        for finding in found where finding.severity == .error {
            bad(.undisplayable, finding.message, fix: finding.fix)
        }
        if !isFound(.staleConfigurations, .undisplayable) {
            good("the manifest has a configuration for every session")
        }
    }

    private mutating func lookAtLimits(_ condition: StoreCondition) {
        for session in condition.largeSessions {
            attend(
                .largeStates,
                "its state takes more than four fifths of what a session may",
                fix: advice("size --by key"), session: session)
        }
        for session in condition.sessionsOverHistory {
            attend(
                .largeStates, "its earlier states take more than the history may",
                fix: advice("prune"), session: session)
        }
        if condition.openSessions > condition.sessionLimit / 5 * 4 {
            attend(
                .manySessions,
                "\(NumberText.grouped(condition.openSessions)) of at most "
                    + "\(NumberText.grouped(condition.sessionLimit)) sessions are open",
                fix: "let the app discard windows that are no longer needed")
        }
        if !isFound(.largeStates, .manySessions) {
            good("states, history and sessions are within their limits")
        }
    }

    private mutating func lookAtClock(_ condition: StoreCondition) {
        if condition.futureTimes > 0 {
            attend(
                .impossibleTimes,
                "\(NumberText.counted(condition.futureTimes, "time")) after now, the latest "
                    + TimeText.spoken(condition.latestTime),
                fix: "set the clock; order is by transaction, so nothing is lost by it")
        }
        if condition.launchesBackInTime > 0 {
            attend(
                .impossibleTimes,
                "\(NumberText.counted(condition.launchesBackInTime, "launch", "launches")) began "
                    + "before the one that came first",
                fix: "the clock was set back; nothing needs to be done")
        }
        if !isFound(.impossibleTimes) {
            good("times are in order")
        }
    }

    private mutating func lookAtSQLite() {
        let version = StoreSummary.sqliteVersion
        let numbers = version.split(separator: ".").compactMap { Int($0) }
        guard numbers.count >= 3, numbers.lexicographicallyPrecedes([3, 51, 3]) else {
            return good("SQLite \(version)")
        }
        good(
            "SQLite \(version) loses commits when two connections write; the owner's lock keeps "
                + "them apart, so let no other tool write", .checkpointRace)
    }
}

extension LaunchOutcome {
    /// The code of what keeps a window or its state from coming back.
    fileprivate var code: DoctorCode {
        switch self {
        case .held: .heldSessions
        case .parked: .parkedSessions
        case .declined: .declinedStates
        case .stale: .staleStates
        default: .withheldStates
        }
    }
}

extension LaunchPlan.Verdict {
    /// What keeps the window or its state from coming back, with its cause.
    fileprivate func message(_ record: SessionRecord) -> String {
        switch obstacle {
        case .held: "held: \(reason)"
        case .parked: "parked: \(reason)"
        case .stale:
            "its state is stale: its configuration "
                + "\(record.configuration.name ?? "without a name") is gone"
                + (isReconfigured
                    ? ", and \(configuration.name ?? "one without a name") is in its place" : "")
        case let obstacle?: "its state is \(obstacle.rawValue): \(restorationReason)"
        case nil where record.flags.withheldReason == .declined:
            "an earlier state, which is kept"
        case nil:
            "an earlier state is withheld: \(record.flags.withheldReason?.text ?? "")"
        }
    }
}

extension StateVersion {
    /// When it was saved, and by which version of the app.
    var saving: String {
        "saved at \(TimeText.spoken(context.savedAt))"
            + (context.appVersion.map { " under app \($0)" } ?? "")
    }
}
