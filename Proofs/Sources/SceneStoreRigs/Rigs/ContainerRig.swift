import SceneStore
import SceneStoreFileFaults
import SceneStoreSQLite
import SceneStoreTesting

/// R-63, R-02, R-03, S-11, S-15: each file and folder of a container is damaged, alone and together with
/// another one. Then the app opens the container and launches.
///
/// 1. The app is told what happened; or the content is exactly what was acknowledged; or the container
///    is refused, and a remedy works: repair, a backup, or to move away what the error names.
/// 2. A window that the main file alone proves is there, whatever happened to the other files; at the
///    latest at the next launch, if reading the file is refused. A flipped bit of the file costs one.
/// 3. What the launch shows is what the next one shows, with what was saved in between, or more if
///    that recovers the store and tells of it.
///
/// What nothing in a container can prove is a ``KnownMiss``, and counted apart.
///
/// Two controls must fail: an app that isn't told anything, and a person who doesn't know a remedy.
enum ContainerRig {
    static let secret = RigControl(
        number: 1, flaw: "the findings are kept secret", text: "in silence")
    static let helpless = RigControl(
        number: 2, flaw: "nobody applies a remedy", text: "no way out")

    static func jobs(_ plan: RigPlan, target: UInt64) -> [Job] {
        let job = Job(.damage, seed: plan.seed).with("target", target)
        let controls = [secret, helpless].map { job.with("from", 0).with("count", 120).with($0) }
        guard plan.isLong else {
            // Each kind of damage to the five files on which the content depends, and some pairs.
            return controls + [
                job.with("steady", 1).with("from", 0).with("count", 510),
                job.with("steady", 1).with("pairs", 1).with("from", 0).with("count", 150),
            ]
        }
        // Each kind of damage to each file of each container, and as many pairs.
        return controls
            + (UInt64(0)...1).flatMap { pairs in
                (UInt64(0)..<4).map { part in
                    job.with("pairs", pairs).with("from", part * 4_400).with("count", 4_400)
                }
            }
    }

    static func run(_ job: Job, _ report: JobReport) throws {
        let control = job.control(of: [secret, helpless])
        var findings = RigFindings(control, report)
        let world = try ContainerWorld()
        for number in job["from"]..<job["from"] + max(job["count"], 1) {
            let again = job.with("from", number).with("count", 1)
            report.at(again)
            guard let damaged = world.damaged(number, pairs: job["pairs"] > 0, seed: job.seed),
                job["steady"] == 0 || damaged.damages.allSatisfy(\.isSteady)
            else { continue }
            let verdict = try ContainerJudge(damaged, control).verdict()
            if control != secret, let miss = KnownMiss(damaged, verdict) {
                guard control == nil else { continue }
                report.count("damaged containers")
                report.count("known misses: \(miss.rawValue)")
                continue
            }
            if let text = verdict.problem {
                findings.add("\(damaged.description): \(text)", replay: again)
            }
            guard control == nil else {
                report.count("damaged containers of controls")
                continue
            }
            report.count("damaged containers")
            switch verdict {
            case .wrong, .fewer, .silent, .stuck: break
            case .unchanged: report.count("containers with unchanged content")
            case .told: report.count("containers of which the app is told")
            case .refused: report.count("containers refused, with a way out")
            }
        }
        findings.finish(job)
    }
}

/// What is shown in silence because no file that is left proves that it is wrong, and one salvage that
/// brings back too little.
enum KnownMiss: String, CaseIterable {
    /// A person may have put it there. Only the lock names the store.
    case otherStore = "another store's sound file beside a damaged lock"
    /// Only the lock's note of what is durable shows that a log was longer.
    case lostNote = "a damaged log beside an earlier lock or another store's"
    /// Only the lock's note shows that a file is older than the one that was closed.
    case earlierStore = "an earlier store beside a lock without its note"
    /// No lock, no log, no backup: that is a first launch (L-42).
    case noWitness = "an unusable store with nothing beside it"

    init?(_ damaged: DamagedContainer, _ verdict: ContainerJudge.Verdict) {
        guard case .silent = verdict, let lock = damaged.damage(of: ContainerName.lock) else {
            return nil
        }
        let store = damaged.damage(of: ContainerName.store)
        let base = damaged.base
        if store?.kind == .other {
            self = .otherStore
        } else if store?.kind == .earlier, lock.isLost || lock.isExchanged {
            self = .earlierStore
        } else if lock.isExchanged, base.isKilled, damaged.damage(of: ContainerName.log) != nil {
            self = .lostNote
        } else if lock.isLost, !base.hasFolders, !base.isKilled, store?.isFlip == false {
            self = .noWitness
        } else {
            return nil
        }
    }
}

/// The containers that are damaged.
struct ContainerWorld {
    /// What the identifiers of the damaged containers' sessions begin with.
    static let name = "A"

    private let stories: [(base: ContainerStory.Base, story: ContainerStory)]
    private let other: [FileTree.Image]

    init() throws {
        stories = try ContainerStory.Base.allCases.map { base in
            (base, try ContainerStory(base, named: Self.name, seed: 100 + base.rawValue))
        }
        other = try [ContainerStory.Base.backups, .killedWithBackups].map { base in
            try ContainerStory(base, named: "B", seed: 200 + base.rawValue).files
        }
    }

    /// Everything of a container that can be damaged. Of several files of a kind the newest.
    private static func names(_ story: ContainerStory) -> [String] {
        var names = [
            ContainerName.store, ContainerName.log, ContainerName.index, ContainerName.journal,
            ContainerName.lock,
        ]
        for folder in ContainerName.folders {
            names.append(folder + "/")
            let files = story.files.keys.filter {
                $0.hasPrefix(folder + "/") && !$0.hasSuffix("/")
            }
            names += files.sorted().suffix(4)
        }
        return names
    }

    /// A damaged container, which follows from its number and the seed; nil if that damage doesn't exist.
    func damaged(_ number: UInt64, pairs: Bool, seed: UInt64) -> DamagedContainer? {
        var random = SeededRandom(seed, number, pairs ? 65 : 64)
        let (base, story) = stories[Int(number % UInt64(stories.count))]
        let names = Self.names(story)
        let kinds = ContainerDamage.Kind.allCases
        var damages: [ContainerDamage] = []
        if pairs {
            // The files on which the content depends come first, and most often.
            while damages.count < 2 {
                let name =
                    random.oneIn(4)
                    ? names[random.below(names.count)] : names[random.below(5)]
                let kind = kinds[random.below(kinds.count)]
                guard damages.first?.name != name,
                    let damage = ContainerDamage(kind, of: name, in: story, other: other, &random)
                else { continue }
                damages.append(damage)
            }
        } else {
            let rest = Int(number) / stories.count
            let name = names[rest / kinds.count % names.count]
            let kind = kinds[rest % kinds.count]
            guard let damage = ContainerDamage(kind, of: name, in: story, other: other, &random)
            else { return nil }
            damages = [damage]
        }
        // What is in a folder first: the folder may be gone then.
        damages.sort { $0.name.count > $1.name.count }
        return DamagedContainer(base: base, story: story, damages: damages)
    }
}

/// One container and what is done to it.
struct DamagedContainer {
    var base: ContainerStory.Base
    var story: ContainerStory
    var damages: [ContainerDamage]

    var description: String {
        "\(base): \(damages.map(\.description).joined(separator: " + "))"
    }

    func damage(of name: String) -> ContainerDamage? { damages.first { $0.name == name } }

    /// Windows that the main file alone proves; none if more of it is damaged than one bit or the page
    /// of the schema.
    var proved: Set<String> {
        let store = damage(of: ContainerName.store)
        return store == nil || store?.isFlip == true || store?.kind == .firstPageZeroed
            ? Set(story.closedTruth.open.keys).intersection(story.truth.open.keys) : []
    }

    /// How many of them one bit may cost.
    var cost: Int { damage(of: ContainerName.store)?.isFlip == true ? 1 : 0 }
}

/// Opens a damaged container as an app does, and says what the app sees and is told.
final class ContainerJudge {
    enum Verdict {
        case unchanged, told, refused
        /// The content is another one, and nobody is told.
        case silent(String)
        /// It is refused with this code, whatever a person does.
        case stuck(SceneStoreError.Code, String)
        case wrong(String)
        /// The app is told, and the main file proves more windows than it shows.
        case fewer(String)

        var problem: String? {
            switch self {
            case .unchanged, .told, .refused: nil
            case .silent(let text): "in silence \(text)"
            case .stuck(let code, let text): "no way out of \(code.rawValue): \(text)"
            case .wrong(let text), .fewer(let text): text
            }
        }
    }

    private enum Opening {
        case shown(StoreTruth, told: Set<String>)
        case refused(SceneStoreError)
        case wrong(String)
    }

    private let damaged: DamagedContainer
    private let control: RigControl?
    /// Whether it opened and was refused later.
    private var isLaunched = false
    private var removals = 0
    /// The windows of the launch after one that could not read everything.
    private var windows: Set<String> = []
    private let place: RealContainer
    private let away: RealContainer
    /// What was acknowledged.
    private var truth: StoreTruth
    private let clock = VirtualClock(now: VirtualClock.start + 86_400_000)
    private let identifiers = IdentifierSequence(seed: 300)

    init(_ damaged: DamagedContainer, _ control: RigControl?) throws {
        self.damaged = damaged
        truth = damaged.story.truth
        self.control = control
        place = try RealContainer()
        away = try RealContainer()
        for (name, bytes) in damaged.story.files.sorted(by: { $0.key < $1.key }) {
            try FileTree.put(bytes, name, in: place.path)
        }
        for damage in damaged.damages {
            try damage.apply(place.path, away: away.path)
        }
    }

    private var location: SceneSessionStore.Location { .directory(place.path) }

    private var options: SceneSessionStore.Options { ContainerStory.options(clock, identifiers) }

    func verdict() throws -> Verdict {
        var opening = try open()
        if case .refused = opening, isLaunched {
            // It opened, and what the launch did was refused: the app is started again.
            opening = try open()
        }
        switch opening {
        case .wrong(let text): return .wrong(text)
        case .shown(let found, let told): return judge(found, told)
        case .refused(let error):
            guard control != ContainerRig.helpless else {
                return .stuck(error.code, error.message)
            }
            return try wayOut(of: error)
        }
    }

    private func judge(_ found: StoreTruth, _ told: Set<String>) -> Verdict {
        guard found != truth else {
            return .unchanged
        }
        guard !told.isEmpty, control != ContainerRig.secret else {
            return .silent("\(Self.harm(found, truth)): \(found.difference(from: truth))")
        }
        return lost(found).map {
            .fewer("\($0), told as \(told.sorted().joined(separator: ", "))")
        } ?? .told
    }

    /// Which windows are not there although the main file alone proves them; nil if all are.
    private func lost(_ found: StoreTruth) -> String? {
        let lost = damaged.proved.subtracting(found.open.keys).subtracting(windows)
        return lost.count <= damaged.cost
            ? nil : "fewer windows than the main file proves, without \(lost.sorted())"
    }

    /// The worst of what a launch shows that isn't the truth.
    private static func harm(_ found: StoreTruth, _ truth: StoreTruth) -> String {
        let names = Set(found.open.keys)
        guard names.union(found.closed.keys).allSatisfy({ $0.hasPrefix(ContainerWorld.name) })
        else {
            return "another store's windows are shown"
        }
        let missing = Set(truth.open.keys).subtracting(names)
        guard missing.isEmpty else {
            return "\(missing.count) of \(truth.open.count) windows are missing"
        }
        let returned = names.subtracting(truth.open.keys)
        guard returned.isEmpty else {
            return "\(returned.count) closed windows are back"
        }
        let older = names.filter { found.open[$0]?.state != truth.open[$0]?.state }
        return older.isEmpty
            ? "something else is lost" : "\(older.count) windows show earlier states"
    }

    // MARK: - The app

    /// What speaks of windows that are not as they were left.
    private static let codes: Set<Diagnostic.Code> = [
        .damagedRow, .digestMismatch, .foreignLog, .lostCommits, .lostSessions, .otherStore,
        .pageDamage, .rolledBack, .salvagedSession, .stateStale, .storeSetAside, .unreadableLock,
    ]

    private static func concerns(_ diagnostic: Diagnostic) -> Bool {
        diagnostic.severity >= .warning && codes.contains(diagnostic.code)
    }

    /// Whether a message holds what belongs to the user: a title, a type or a text of the stories.
    private static func isPrivate(_ message: String) -> Bool {
        var run = 0
        var last: Character?
        for letter in message {
            run = letter == last && letter.isLetter ? run + 1 : 0
            last = letter
            if run >= 8 { return true }
        }
        return message.contains("com.example") || message.contains("title ")
            || message.contains("state 1")
    }

    /// Opens, launches and looks; saves, and looks again at the next launch.
    private func open() throws -> Opening {
        do {
            let store = try SceneSessionStore.open(at: location, options: options)
            defer { store.abandon() }
            if let refusal = store.refusal {
                return .refused(refusal)
            }
            return try launch(store)
        } catch let error as SceneStoreError {
            guard !Self.isPrivate(error.message) else {
                return .wrong("tells what is private: \(error)")
            }
            guard error.code != .owned, error.code != .busy else {
                return .wrong("answers \(error)")
            }
            return .refused(error)
        } catch {
            return .wrong("\(error)")
        }
    }

    private func launch(_ store: SceneSessionStore) throws -> Opening {
        var told = store.openingDiagnostics
        let shown: StoreTruth
        var errors = 0
        var acknowledged = truth
        var expected: StoreTruth
        do {
            _ = try store.launches.begin(
                LaunchContext(bootIdentifier: "boot", processIdentifier: 4_712))
            shown = try DamageJudge.read(store, &errors)
            told += store.takeDiagnostics()
            // What is only out of reach has to be noticed as soon as nobody waits.
            if errors == 0, !told.contains(where: Self.concerns), shown != truth,
                shown.isPart(of: truth)
            {
                while try store.upkeep.perform(budgetMilliseconds: 600_000) {}
                told += store.takeDiagnostics()
            }
            expected = shown
            if let record = try store.openRecords().first {
                try store.save([(record, 900)])
                expected.open[record.identifier]?.state = 900
                acknowledged.open[record.identifier]?.state = 900
            }
            try store.launches.end(.quit)
            try store.close()
        } catch let error as SceneStoreError {
            isLaunched = true
            truth = acknowledged
            return .refused(error)
        }
        let next: StoreTruth
        switch try nextLaunch(expected) {
        case .shown(let found, _): next = found
        case let wrong: return wrong
        }
        if let message = told.map(\.message).first(where: Self.isPrivate) {
            return .wrong("tells what is private: \(message)")
        }
        // A read that throws tells as much as a diagnostic.
        let refused: Set<String> = errors > 0 ? ["an error"] : []
        if errors > 0 { windows = Set(next.open.keys) }
        return .shown(
            shown, told: refused.union(told.filter(Self.concerns).map(\.code.rawValue)))
    }

    /// What the next launch shows, if that is right.
    private func nextLaunch(_ expected: StoreTruth) throws -> Opening {
        do {
            let next = try SceneSessionStore.open(at: location, options: options)
            defer { next.abandon() }
            var errors = 0
            let found = try DamageJudge.read(next, &errors)
            // A recovery may bring back more than the first launch could read.
            let isRecovered = next.openingDiagnostics.contains(where: Self.concerns)
            return found == expected || isRecovered && expected.isPart(of: found)
                ? .shown(found, told: [])
                : .wrong(
                    "the next launch shows something else: \(found.difference(from: expected))")
        } catch let error as SceneStoreError {
            return .wrong("the next launch ends with \(error)")
        }
    }

    // MARK: - The person

    /// Does what the pages about errors say, until the container opens: repairs it, restores a backup,
    /// moves away what the error names.
    private func wayOut(of first: SceneStoreError) throws -> Verdict {
        var error = first
        var failures: [String] = []
        for _ in 0..<4 {
            for (remedy, isRepair) in [(repair, true), (restoreBackup, false)] {
                do {
                    try remedy()
                } catch let failure as SceneStoreError {
                    failures.append(failure.code.rawValue)
                    continue
                }
                switch try open() {
                case .wrong(let text):
                    return .wrong("after a remedy of \(error.code.rawValue): \(text)")
                case .shown(let found, _):
                    // Who repairs or restores knows that something was lost.
                    if isRepair {
                        return lost(found).map { .wrong("after repair: \($0)") } ?? .refused
                    }
                    return found.open.isEmpty ? .wrong("a backup without windows") : .refused
                case .refused(let next): failures.append("then \(next.code.rawValue)")
                }
            }
            guard moveAway(error.path) else {
                break
            }
            switch try open() {
            case .wrong(let text): return .wrong("after a removal: \(text)")
            case .refused(let next): error = next
            case .shown(let found, let told):
                let verdict = judge(found, told)
                return verdict.problem == nil ? .refused : verdict
            }
        }
        return .stuck(error.code, "\(error.message): \(failures.joined(separator: ", "))")
    }

    private func repair() throws {
        try SceneSessionStore.repair(at: location, options: options)
    }

    private func restoreBackup() throws {
        let folder = place.path + "/" + ContainerName.backups
        let names = damaged.story.files.keys.filter {
            $0.hasPrefix(ContainerName.backups + "/") && $0.hasSuffix(".sqlite")
        }
        var last = SceneStoreError(.missing, "there is no backup", path: folder)
        for name in names.sorted(by: >) {
            do throws(SceneStoreError) {
                try SceneSessionStore.restore(
                    from: place.path + "/" + name, to: location, options: options)
                return
            } catch {
                last = error
            }
        }
        throw last
    }

    /// Moves away what the error names; false if it names nothing in the container.
    private func moveAway(_ path: String?) -> Bool {
        guard let path, !path.isEmpty else {
            return false
        }
        let name = path.hasPrefix("/") ? path : place.path + "/" + path
        removals += 1
        return name.hasPrefix(place.path + "/")
            && RealContainer.move(name, to: "\(away.path)/removed-\(removals)")
    }
}
