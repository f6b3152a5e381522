import SceneStore
import SceneStoreFileFaults
import SceneStoreSQLite
import SceneStoreTesting

/// The part of R-60 about blame: the power is cut, or the process killed, behind every call of a
/// launch whose windows restore and save in a random order.
///
/// 1. After a cut, whoever is blamed was restoring at the last durable commit, or since.
/// 2. After a kill between two calls of the app, whoever began to restore last is blamed, if anybody
///    still restores.
///
/// In a control each note beside the lock counts as if it was of the last commit.
struct BlameCuts {
    /// What had happened once so many calls had changed a file.
    private struct Moment {
        var position: Int
        /// Which sessions restore.
        var restoring: [String]
        var isDurable: Bool
    }

    private static let sessionCount = 5

    private let image: FilePlace.Image
    private let start: CutTree
    private let changes: [SystemRecord.Change]
    private let moments: [Moment]
    private let isControl: Bool

    static func jobs(_ plan: RigPlan) -> [Job] {
        let job = Job(.powerCuts, seed: plan.seed).with("steps", 30)
        let lives = (1...UInt64(plan.isLong ? 100 : 2)).map { life in
            job.with("blame", life).with("outcomes", plan.isLong ? 40 : 6)
        }
        return [job.with("blame", 1).with("flaw", 1).with("outcomes", 4)] + lives
    }

    static func run(_ job: Job, _ report: JobReport) throws {
        guard SystemFault.isAvailable else {
            report.count("lives with windows left out on this system")
            return
        }
        let cuts = try BlameCuts(job)
        var count: UInt64 = 0
        var found: UInt64 = 0
        try cuts.forEach(job) { position, outcome, problem in
            count += 1
            guard let problem else {
                return
            }
            found += 1
            if !cuts.isControl {
                report.violation(
                    "cut at \(position): \(problem)",
                    replay: job.with("position", UInt64(position))
                        .with("outcome", UInt64(outcome)))
            }
        }
        guard cuts.isControl else {
            report.count("cuts and kills while windows restore", count)
            return
        }
        report.count("cuts of controls", count)
        report.count("of them noticed", found)
        if found == 0 {
            report.violation(
                "notes without a generation blame nobody: the rig is blind", replay: job)
        } else {
            report.count("flawed episodes noticed")
        }
    }

    init(_ job: Job) throws {
        isControl = job["flaw"] != 0
        image = try Self.base()
        let place = try FilePlace(image)
        start = try CutTree(place.path, image)
        var random = SeededRandom(job.seed, job["blame"])
        var open: SceneSessionStore?
        var moments: [Moment] = []
        changes = try SystemRecord.changes {
            let store = try place.openStore()
            open = store
            try Self.live(store, steps: job.int("steps"), &random) { restoring, isDurable in
                moments.append(
                    Moment(
                        position: SystemRecord.position, restoring: restoring,
                        isDurable: isDurable))
            }
        }
        open?.abandon()
        self.moments = moments
    }

    /// Sessions with states, left as by a process that ended and whose log is there.
    private static func base() throws -> FilePlace.Image {
        let place = try FilePlace()
        let store = try place.openStore()
        for index in 0..<sessionCount {
            let record = try store.insertSession(
                identifier: "W-\(index)", configuration: StoreTruth.configuration)
            try store.save([(record, 1)])
        }
        _ = try store.launches.begin(LaunchContext(bootIdentifier: "boot", processIdentifier: 41))
        try store.launches.end(.quit)
        store.abandon()
        return place.image()
    }

    /// A launch; `note` is called behind each step.
    private static func live(
        _ store: SceneSessionStore, steps: Int, _ random: inout SeededRandom,
        _ note: ([String], Bool) -> Void
    ) throws {
        note([], true)
        _ = try store.launches.begin(LaunchContext(bootIdentifier: "boot", processIdentifier: 42))
        note([], false)
        let records = try store.openRecords().sorted { $0.identifier < $1.identifier }
        var restoring: [SessionRecord] = []
        for step in 0..<steps {
            var isDurable = false
            let record = records[random.below(records.count)]
            switch random.below(6) {
            case 0...1 where !restoring.contains { $0.key == record.key }:
                try store.launches.setRestoring(key: record.key)
                try store.launches.noteConnection(
                    of: record.key, isGiven: true, isSuspect: false)
                restoring.append(record)
            case 2 where !restoring.isEmpty:
                restoring.remove(at: random.below(restoring.count))
                try store.launches.setRestoring(key: restoring.last?.key)
            case 3 where restoring.isEmpty && random.oneIn(4):
                try store.launches.syncMarks()
                isDurable = true
            case 4:
                try store.save([(record, Int64(step) + 2)], durability: .normal)
            default:
                try store.save([(record, Int64(step) + 2)])
                isDurable = true
            }
            note(restoring.map(\.identifier), isDurable)
        }
    }

    /// Cuts the power behind each change, in as many ways as a job asks for.
    func forEach(
        _ job: Job, _ body: (_ position: Int, _ outcome: Int, _ problem: String?) throws -> Void
    ) throws {
        var tree = start
        for position in 0...changes.count {
            if position > 0 {
                tree.apply(changes[position - 1])
            }
            guard position >= moments[0].position,
                job.optional("position").map({ $0 == UInt64(position) }) ?? true
            else {
                continue
            }
            for outcome in 0..<max(job.int("outcomes"), 1)
            where job.optional("outcome").map({ $0 == UInt64(outcome) }) ?? true {
                // The first leaves all that was written, as the death of the process does.
                let manner: CutTree.Manner =
                    outcome == 0 ? .namesLost : outcome == 1 ? .allLost : .mixed
                let image = tree.files(
                    manner,
                    seed: SeededRandom.value(
                        job.seed, UInt64(position) << 16 | UInt64(outcome)))
                let expected = outcome == 0 ? killed(at: position) : nil
                try body(position, outcome, problem(image, allowed(at: position), expected))
            }
        }
    }

    /// Who may be blamed after a cut.
    private func allowed(at position: Int) -> Set<String> {
        let done = moments.prefix { $0.position <= position }
        let durable = done.lastIndex { $0.isDurable } ?? 0
        // What the running call was to do may be on the disk.
        return Set(moments[durable...].prefix(done.count - durable + 1).flatMap(\.restoring))
    }

    /// Who must be blamed after a kill, nobody in an empty list; nil within a call.
    private func killed(at position: Int) -> [String]? {
        moments.last { $0.position == position }.map { Array($0.restoring.suffix(1)) }
    }

    /// What is wrong with whom the next process finds blamed.
    private func problem(
        _ image: FilePlace.Image, _ allowed: Set<String>, _ expected: [String]?
    ) throws -> String? {
        let place = try FilePlace(image)
        if isControl {
            try Self.redate(place)
        }
        let store = try place.openStore()
        defer { store.abandon() }
        if let alarm = store.openingDiagnostics.first {
            return "a false alarm: \(alarm.message)"
        }
        let blamed = (try store.blame()?.session).map { [$0] } ?? []
        if let expected, blamed != expected {
            return "the death of the process blames \(blamed) instead of \(expected)"
        }
        return allowed.isSuperset(of: blamed)
            ? nil : "\(blamed) is blamed, and only \(allowed.sorted()) restored"
    }

    /// Writes the note beside the lock again, as of a commit that no store has reached.
    private static func redate(_ place: FilePlace) throws {
        // An owner would take the note away.
        var options = place.options(.fail)
        options.access = .reader
        let store = try SceneSessionStore.open(at: place.location(), options: options)
        let row = try store.read { db in db.store }
        try store.close()
        let folder = try ContainerFolder.open(place.file(FilePlace.container), access: .owner)
        guard let note = try OwnerLock.text(of: folder)?.restoring else {
            return
        }
        func dated(_ generation: Int64) -> OwnerLock.Restoring {
            OwnerLock.Restoring(
                session: note.session, generation: generation, launch: row.launchNumber,
                uuid: row.uuid, epoch: row.containerEpoch)
        }
        if note == dated(note.generation) {
            _ = try OwnerLock.acquire(folder).note(restoring: dated(note.generation + 1_000))
        }
    }
}
