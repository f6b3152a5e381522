import SceneStore
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreTesting

/// R-63, R-26: pages of a store go back to what they held some closings ago, one or two of them, of
/// any table and index, and a log to what it held some commits ago. Every row bears its checksum.
///
/// 1. One page of states: no session shows a state that is not its last one.
/// 2. Any pages: when the check in the background has run, what the store holds is what was written
///    last, or it was said that it is not.
/// 3. Then the store does not count as sound: not for this process, and not for the next.
/// 4. A log that went back is refused.
///
/// Three controls must fail: a store whose sessions bind no state breaks 1, a store that is never
/// checked in the background breaks 2, and a lock that doesn't say what is durable breaks 4.
enum StalePageRig {
    static let unbound = RigControl(
        number: 1, flaw: "sessions do not bind their states",
        text: "shows a state that is not its last one")
    static let unchecked = RigControl(
        number: 2, flaw: "nothing is looked at in the background", text: "in silence")
    static let unnoted = RigControl(
        number: 3, flaw: "the lock does not say what is durable", text: "is taken for the last")

    static func jobs(_ plan: RigPlan, target: UInt64) -> [Job] {
        let cases: UInt64 = plan.isLong ? 10_000 : 600
        let job = Job(.damage, seed: plan.seed).with("target", target)
        return [
            job.with("from", 0).with("count", cases),
            job.with("from", cases).with("count", cases),
            job.with("from", 0).with("count", 200).with(unbound),
            job.with("from", 0).with("count", 200).with(unchecked),
            job.with(unnoted),
        ]
    }

    static func run(_ job: Job, _ report: JobReport) throws {
        let control = job.control(of: [unbound, unchecked, unnoted])
        var findings = RigFindings(control, report)
        if control == unnoted {
            try checkLogs(&findings, replay: job)
            return findings.finish(job)
        }
        let history = try StaleHistory()
        for number in job["from"]..<job["from"] + max(job["count"], 1) {
            let again = job.with("from", number).with("count", 1)
            if number % 64 == 0 {
                report.at(again.with("count", 64))
            }
            let pages =
                control == unbound
                ? history.statePage(number) : history.choose(number, seed: job.seed)
            report.count("stale pages", UInt64(pages.count))
            guard let finding = try history.finding(pages, control) else {
                continue
            }
            let names = pages.map { "page \($0.number) of version \($0.version)" }
            findings.add("\(names.joined(separator: " and ")): \(finding)", replay: again)
        }
        if control == nil, job["from"] == 0 {
            try checkLogs(&findings, replay: job)
        }
        findings.finish(job)
    }

    /// A log as it was after each commit, beside the file and the lock of the last one.
    private static func checkLogs(_ findings: inout RigFindings, replay job: Job) throws {
        let container = try RealContainer()
        var store = try container.openStore()
        let record = try store.insertSession(
            identifier: "A", configuration: StoreTruth.configuration, durability: .full)
        try store.close()
        store = try container.openStore()
        var logs: [[UInt8]] = []
        for number in 0..<12 {
            try store.save([(record, Int64(number))])
            logs.append(container.bytes(ContainerName.log) ?? [])
        }
        guard let file = container.bytes(ContainerName.store) else {
            throw StoreTruth.Wrong(description: "there is no store")
        }
        let durable = findings.control == unnoted ? 0 : store.currentGeneration()
        store.abandon()
        for (age, log) in logs.enumerated() {
            findings.report.count(findings.control == nil ? "stale logs" : "stale logs of controls")
            let isLast = age == logs.count - 1
            try container.leave(store: file, log: log, epoch: 2, durable: durable)
            var isRefused = false
            do throws(SceneStoreError) {
                let found = try container.openStore()
                found.abandon()
            } catch {
                isRefused = error.code == .corrupt
            }
            if isRefused == isLast {
                findings.add("the log of commit \(age) is taken for the last", replay: job)
            }
        }
    }
}

/// The same store at the end of several processes, and what the last one left in it.
struct StaleHistory {
    /// A page as an earlier version of the file has it.
    struct Page {
        var number: Int
        var version: Int
    }

    private static let pageSize = 4_096
    private let versions: [[UInt8]]
    private let truth: StoreTruth
    /// Pages that hold rows of states in the last version.
    private let statePages: Set<Int>
    /// For each page, the versions in which it differs from the last.
    private let older: [(page: Int, versions: [Int])]
    private let disk = FaultDisk(seed: 26)

    init() throws {
        let container = try RealContainer()
        var versions: [[UInt8]] = []
        for round in 0..<7 {
            let store = try container.openStore()
            try Self.live(round, store)
            try store.close()
            versions.append(container.bytes(ContainerName.store) ?? [])
        }
        let store = try container.openStore(.reader)
        truth = try StoreTruth.read(store)
        try store.close()
        self.versions = versions
        statePages = try Self.pages(of: .state, in: container.path + "/" + ContainerName.store)
        guard let last = versions.last else {
            throw StoreTruth.Wrong(description: "the rig has no store")
        }
        older = (0..<last.count / Self.pageSize).compactMap { page in
            let now = Self.page(page, of: last)
            let found = versions.indices.dropLast().filter { version in
                let then = Self.page(page, of: versions[version])
                return !then.isEmpty && then != now
            }
            return found.isEmpty ? nil : (page, Array(found))
        }
    }

    private static func page(_ number: Int, of file: [UInt8]) -> ArraySlice<UInt8> {
        let start = number * pageSize
        return start + pageSize <= file.count ? file[start..<start + pageSize] : []
    }

    private static func pages(of table: StoreTable, in path: String) throws -> Set<Int> {
        let input = try SalvageInput(SalvageInput.File(path: path))
        let rows = input.sources.first?.rows[table] ?? RowTable()
        return Set(rows.compactMap { $0.payload.map { Int($0.place.offset) / pageSize } })
    }

    /// What a process does with the store: of every table something changes.
    private static func live(_ round: Int, _ store: SceneSessionStore) throws {
        _ = try store.launches.begin(LaunchContext(bootIdentifier: "boot", processIdentifier: 1))
        if round == 0 {
            for index in 0..<12 {
                let identifier = "S-\(index)"
                let record = try store.insertSession(
                    identifier: identifier, configuration: StoreTruth.configuration,
                    isFront: index % 3 == 0, becameActive: true)
                try store.save([(record, Int64(index))])
            }
        }
        let records = Array(try store.openRecords())
        for (index, record) in records.enumerated() where (index + round) % 3 == 0 {
            let number = Int64(1_000 * round + 10 * index)
            // Enough of them that places in the history are used again.
            for earlier in 1..<8 {
                try store.save([(record, number + Int64(earlier))])
            }
            try store.save(
                [(record, number)],
                marks: [MarkChange(key: record.key, isFront: round % 2 == 0, becameActive: true)])
            try store.values.setUserInfo(
                StoreTruth.info(record.identifier, number % 4 + 1), key: record.key)
            try store.values.setTitle(StoreTruth.title(number), key: record.key)
            try store.values.setStorage(
                [StoreTruth.storageKey: .integer(number)], key: record.key)
        }
        if round > 2, let last = records.last {
            try store.discard([last.key], cause: .user, deliveredNow: false)
        }
        try store.saveActivity(StoreTruth.activity("saved", Int64(round)))
        try store.launches.end(.quit)
    }

    /// One page of states, of each version in turn.
    func statePage(_ number: UInt64) -> [Page] {
        let all = older.filter { statePages.contains($0.page) }.flatMap { page, versions in
            versions.map { Page(number: page, version: $0) }
        }
        return [all[Int(truncatingIfNeeded: number % UInt64(all.count))]]
    }

    /// One page, or two; two of one version mostly, for those agree with each other.
    func choose(_ number: UInt64, seed: UInt64) -> [Page] {
        var random = SeededRandom(seed, number, 26)
        let first = older[Int(truncatingIfNeeded: number % UInt64(older.count))]
        let version = first.versions[random.below(first.versions.count)]
        guard !random.oneIn(3) else {
            return [Page(number: first.page, version: version)]
        }
        let second = older[random.below(older.count)]
        let same = random.oneIn(4) ? nil : second.versions.first { $0 == version }
        return [
            Page(number: first.page, version: version),
            Page(
                number: second.page,
                version: same ?? second.versions[random.below(second.versions.count)]),
        ]
    }

    /// What is wrong with what the library makes of it; nil when it keeps its promises.
    func finding(
        _ pages: [Page], _ control: RigControl?
    ) throws -> String? {
        guard var bytes = versions.last else {
            return nil
        }
        for page in pages {
            let start = page.number * Self.pageSize
            bytes.replaceSubrange(
                start..<start + Self.pageSize,
                with: Self.page(page.number, of: versions[page.version]))
        }
        for name in disk.files {
            disk.removeFile(name)
        }
        disk.importFile(Simulation.file, bytes: bytes)
        do {
            return try judge(Set(pages.map(\.number)), control)
        } catch let error as SceneStoreError where StaleHistory.codes.contains(error.code) {
            return nil
        }
    }

    /// What a person may be told of such a file.
    private static let codes: Set<SceneStoreError.Code> = [
        .corrupt, .notAStore, .schemaTampered, .changedMigration, .damagedRow, .noSuchSession,
    ]

    private func judge(
        _ pages: Set<Int>, _ control: RigControl?
    ) throws -> String? {
        let store = try Simulation.open(disk)
        defer { store.abandon() }
        if control == StalePageRig.unbound {
            try store.bindWhatIsThere()
        }
        let shown = try StoreTruth.read(store)
        if pages.count == 1, pages.isSubset(of: statePages), let name = wrongState(shown) {
            return "\(name) shows a state that is not its last one"
        }
        guard control != StalePageRig.unchecked else {
            return shown == truth ? nil : "in silence: \(shown.difference(from: truth))"
        }
        var told = store.openingDiagnostics + store.takeDiagnostics()
        while try store.upkeep.perform(budgetMilliseconds: 600_000) {}
        told += store.takeDiagnostics()
        let found = try StoreTruth.read(store)
        told += store.takeDiagnostics()
        guard shown != truth || found != truth else {
            return nil
        }
        guard told.contains(where: { $0.severity == .error }) else {
            return "after the check, in silence: \(found.difference(from: truth))"
        }
        // A row whose payload went back fails its checksum, and lies in `quarantined_row` by now: what
        // is left is sound (S-60).
        guard !told.contains(where: { $0.code == .damagedRow }) || !found.isPart(of: truth) else {
            return nil
        }
        guard try !store.verify(.full).isSound else {
            return "after the check the store counts as sound: \(found.difference(from: truth))"
        }
        try store.close()
        let next = try Simulation.open(disk)
        defer { next.abandon() }
        while try next.upkeep.perform(budgetMilliseconds: 600_000) {}
        guard try !next.verify(.full).isSound else {
            return "the next process finds the store sound: \(found.difference(from: truth))"
        }
        return nil
    }

    /// A session that shows a state other than its last one.
    private func wrongState(_ shown: StoreTruth) -> String? {
        for (identifier, session) in shown.open.sorted(by: { $0.key < $1.key })
        where session.state != nil {
            if let known = truth.open[identifier], known.state != session.state {
                return identifier
            }
        }
        return nil
    }
}

extension SceneSessionStore {
    /// Binds each session to whatever is in the place of its state, which is no binding.
    fileprivate func bindWhatIsThere() throws(SceneStoreError) {
        let records = Array(try openRecords())
        try write(.full) { transaction throws(SceneStoreError) in
            for record in records {
                let session = try transaction.db.knownSession(record.key)
                if let id = session.row.stateID,
                    let state = try transaction.db.row(StateRow.self, id)
                {
                    try transaction.updateRow(session) { $0.stateChecksum = state.checksum }
                }
            }
        }
    }
}
