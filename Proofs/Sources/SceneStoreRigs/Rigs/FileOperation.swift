import SceneStore
import SceneStoreExchange
import SceneStoreFileFaults
import SceneStoreMigrations
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreTesting

/// What is done with the files of a container, each to be tried while the system's calls fail.
enum FileOperation: UInt64, CaseIterable {
    case relaunch, create, migrate
    case backup, replaceBackup, ownBackup, restore, restoreAnew, export, importing
    case prune, compact, erase, makeEphemeral, suspend
    case repair, recover, salvage
    case replace

    /// Where an operation puts what it makes.
    static let target = "out"
    /// A container that is not there yet.
    static let newContainer = "n"
    /// A backup of an earlier state, with the sum beside it.
    private static let earlier = "earlier.sqlite"

    /// Whether the store is open while it is done.
    var needsStore: Bool {
        switch self {
        case .backup, .replaceBackup, .ownBackup, .export, .importing: true
        case .prune, .compact, .erase, .makeEphemeral, .suspend: true
        default: false
        }
    }

    /// Whether it begins with a store whose pages are damaged.
    var isOfDamage: Bool { self == .repair || self == .recover || self == .salvage }

    /// The operation that a job is about; nil on a system where nobody can come between the calls,
    /// which the report then tells.
    static func named(in job: Job, _ report: JobReport) throws -> FileOperation? {
        guard let operation = FileOperation(rawValue: job["files"]) else {
            throw StoreTruth.Wrong(description: "there is no such operation")
        }
        guard SystemFault.isAvailable else {
            report.count("operations on files left out on this system")
            return nil
        }
        return operation
    }

    // MARK: - Before

    /// Does something as a library does to which the store of ``base()`` is an older one, if the
    /// operation is to migrate.
    func asLaterLibrary<Result>(_ body: () throws -> Result) rethrows -> Result {
        try SchemaMigration.$made.withValue(
            self == .migrate ? MadeMigrations.all : [], operation: body)
    }

    /// The files to begin with.
    func base() throws -> FilePlace.Image {
        try SchemaMigration.$made.withValue([]) { try earlierBase() }
    }

    private func earlierBase() throws -> FilePlace.Image {
        let place = try FilePlace()
        guard self != .create else {
            return [:]
        }
        let store = try place.openStore()
        let early = try store.insertSession(
            identifier: "early", configuration: StoreTruth.configuration, durability: .full)
        try store.save([(early, 11)])
        var image: FilePlace.Image = [:]
        if self == .restore || self == .restoreAnew || self == .replaceBackup {
            try store.backUp(to: place.file(Self.earlier))
            let name = self == .replaceBackup ? Self.target : Self.earlier
            image[name] = place.bytes(Self.earlier)
            // The line names the file.
            if self != .replaceBackup {
                image[name + ".xxh64"] = place.bytes(Self.earlier + ".xxh64")
            }
        }
        try SweepOperation.fill(store)
        if self == .migrate || isOfDamage {
            try store.close()
        } else {
            store.abandon()
        }
        image.merge(place.image()) { first, _ in first }
        guard isOfDamage else {
            return image
        }
        // Beyond what SQLite opens: the schema.
        let name = FilePlace.container + "/" + ContainerName.store
        guard var bytes = image[name], bytes.count > 4_096 else {
            throw StoreTruth.Wrong(description: "the rig has no store to damage")
        }
        bytes.replaceSubrange(100..<4_096, with: repeatElement(0x5a, count: 3_996))
        image[name] = bytes
        return image
    }

    // MARK: - Doing

    /// Does it; answers the store that is open afterwards, if any.
    func perform(_ store: SceneSessionStore?, _ place: FilePlace) throws -> SceneSessionStore? {
        let target = place.file(Self.target)
        switch self {
        case .relaunch:
            let opened = try place.openStore()
            do {
                _ = try opened.launches.begin(
                    LaunchContext(bootIdentifier: "boot", processIdentifier: 42))
                _ = try StoreTruth.read(opened)
                try opened.launches.end(.quit)
                try opened.close()
            } catch {
                opened.abandon()
                throw error
            }
            return nil
        case .create, .migrate: return try place.openStore()
        case .recover:
            // Most cuts and failing calls meet a recovery that has committed something.
            let salvager = Salvager(rowsPerCommit: 10)
            return try place.openStore(
                FilePlace.container, SceneSessionStore.CorruptionPolicy(salvager: salvager))
        case .restore:
            try SceneSessionStore.restore(
                from: place.file(Self.earlier), to: place.location(),
                options: place.options(.fail))
        case .restoreAnew:
            try SceneSessionStore.restore(
                from: place.file(Self.earlier), to: place.location(Self.newContainer),
                options: place.options(.fail))
        case .replace:
            let files = try Self.replacement.get()
            try StoreReplacement.replace(
                at: place.location(), by: files.store, log: files.log,
                options: place.options(.fail))
        case .repair:
            let report = try SceneSessionStore.repair(
                at: place.location(), options: place.options(.fail))
            guard report.setAside != nil, report.remaining.isEmpty else {
                throw StoreTruth.Wrong(
                    description: "the repair left \(report.remaining.map(\.message))")
            }
        case .salvage:
            _ = try SceneSessionStore.salvage(
                from: place.file(FilePlace.container) + "/" + ContainerName.store,
                to: place.file(Self.newContainer), options: place.options(.fail))
        default:
            guard let store else {
                throw StoreTruth.Wrong(description: "the sweep has no store")
            }
            try perform(with: store, place, target)
            return store
        }
        return nil
    }

    private func perform(
        with store: SceneSessionStore, _ place: FilePlace, _ target: String
    ) throws {
        switch self {
        case .backup: try store.backUp(to: target)
        case .replaceBackup: try store.backUp(to: target, replacing: true)
        case .ownBackup: try store.backUp(before: "sweep")
        case .export:
            let bytes = try store.export()
            var file = try AtomicFile(path: target, replacing: false, protecting: nil)
            try file.write(bytes)
            try file.commit()
        case .importing: try store.importing(try Self.foreignExport.get())
        case .prune:
            // What was closed a day ago.
            place.clock.now += 86_400_000
            try store.upkeep.prune(olderThan: 1_000)
        case .compact: try store.upkeep.compact()
        case .erase: try store.erase()
        case .makeEphemeral:
            guard let record = try store.record(identifier: "W-1") else {
                throw StoreTruth.Wrong(description: "the sweep has no session W-1")
            }
            try store.marks.setPrivacy(.ephemeral, key: record.key)
        default:
            try store.suspend()
            try store.resume()
        }
    }

    /// What another store holds.
    private static let foreignExport = Result<[UInt8], any Error> {
        let place = try FilePlace()
        let store = try place.openStore()
        defer { store.abandon() }
        for index in Int64(0)..<3 {
            let record = try store.insertSession(
                identifier: "I-\(index)", configuration: StoreTruth.configuration)
            try store.save([(record, 20 + index)])
        }
        return try store.export()
    }

    /// A store whose last commits are in its log, as files.
    private static let replacement = Result<(store: [UInt8], log: [UInt8]?), any Error> {
        let place = try FilePlace()
        try place.openStore().close()
        let store = try place.openStore()
        let record = try store.insertSession(
            identifier: "R", configuration: StoreTruth.configuration)
        try store.save([(record, 30)])
        store.abandon()
        let name = FilePlace.container + "/" + ContainerName.store
        guard let bytes = place.bytes(name), let log = place.bytes(name + "-wal") else {
            throw StoreTruth.Wrong(description: "the rig has no store to put in another's place")
        }
        return (bytes, log)
    }

    // MARK: - What it makes

    /// What is wrong with what it made: whole, or not there at all.
    func problem(with place: FilePlace, isDone: Bool) throws -> String? {
        switch self {
        case .backup, .replaceBackup:
            guard place.exists(Self.target) else {
                return isDone || self == .replaceBackup ? "the backup is missing" : nil
            }
            let path = place.file(Self.target)
            let found = try StoreBackup.inspect(at: path)
            if isDone, !found.hasChecksum {
                return "the backup has no sum beside it"
            }
            let expected = self == .replaceBackup && !isDone ? [1, 7] : [7]
            return expected.contains(found.openSessions)
                ? nil : "the backup holds \(found.openSessions) sessions"
        case .export:
            guard let bytes = place.bytes(Self.target) else {
                return isDone ? "the export is missing" : nil
            }
            let fresh = try place.openStore("other")
            defer { fresh.abandon() }
            do {
                try fresh.importing(bytes)
            } catch {
                return "the export is in part: \(error)"
            }
            let count = try fresh.openCount()
            return count == 7 ? nil : "the export holds \(count) sessions"
        case .restoreAnew, .salvage:
            let name = Self.newContainer + "/" + ContainerName.store
            guard place.exists(name) else {
                return isDone ? "the new store is missing" : nil
            }
            let made = try place.openStore(Self.newContainer)
            defer { made.abandon() }
            let count = try made.openCount()
            return count == (self == .salvage ? 7 : 1)
                ? nil : "the new store holds \(count) sessions"
        default: return nil
        }
    }

    /// What is wrong with files that nobody has opened since: what was damaged is among them.
    func problem(with image: FilePlace.Image, base: FilePlace.Image) -> String? {
        let damaged = base[FilePlace.container + "/" + ContainerName.store]
        guard isOfDamage, let damaged, !image.values.contains(damaged) else {
            return nil
        }
        return "the damaged file is gone"
    }

    /// What is wrong with the backups in the container: each is whole.
    func problem(withBackupsOf store: SceneSessionStore, isDone: Bool) throws -> String? {
        let backups = try store.backups()
        if isDone, self == .ownBackup || self == .migrate, backups.count != 1 {
            return "\(backups.count) backups are in the container"
        }
        for path in backups {
            _ = try StoreBackup.inspect(at: path)
        }
        return nil
    }
}
