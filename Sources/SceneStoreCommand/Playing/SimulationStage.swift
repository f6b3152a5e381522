#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreTesting

/// Where `simulate` plays: a store of its own, a copy of a store, or, when asked, the store itself.
final class SimulationStage {
    private enum Place {
        /// A new store for each scenario.
        case scratch
        /// A copy of the store at a path.
        case copy(of: String)
        /// A folder that holds no store yet.
        case new(String)
        case store(String)
    }

    private let invocation: Invocation
    private let context: CommandContext
    private let place: Place
    private var copied: String?
    private var change: StoreChange?
    private var scratch: [String] = []

    init(_ invocation: Invocation, _ context: CommandContext) throws {
        self.invocation = invocation
        self.context = context
        guard invocation.isGiven("store") else {
            guard !invocation.flag("in-place") else {
                throw CommandError.usage("--in-place needs --store")
            }
            place = .scratch
            return
        }
        let given = StorePlace(context.storePath(invocation))
        if given.isLooseFile, !invocation.flag("in-place") {
            place = .copy(of: given.path)
            return
        }
        let location = SceneSessionStore.Location.container(
            path: given.path)
        guard case .directory(let path) = location else {
            throw CommandError.usage("a scenario needs a container")
        }
        let found: ContainerExamination
        do throws(SceneStoreError) {
            found = try ContainerExamination(of: location)
        } catch {
            guard error.code == .missing else {
                throw error
            }
            place = .new(path)
            return
        }
        let isNew: Bool
        do throws(SceneStoreError) {
            _ = try SceneSessionStore.migrationPlan(at: location)
            isNew = false
        } catch {
            // Not if anything shows that a store was there (S-15).
            isNew = error.code == .missing
        }
        guard isNew, found.interrupted.isEmpty else {
            place = invocation.flag("in-place") ? .store(path) : .copy(of: path)
            return
        }
        guard found.strangers.isEmpty else {
            throw CommandError.usage(
                "\(path.quotedPath) holds other files and no store",
                hint: "name an empty folder, or one that doesn't exist yet")
        }
        place = .new(path)
    }

    /// Asks, locks and backs up where the store itself is to change, and makes the copy otherwise.
    /// Answers whether there is anything to play.
    func prepare(scenarios: Int) throws -> Bool {
        let count = NumberText.counted(scenarios, "scenario")
        switch place {
        case .scratch: return true
        case .new(let path):
            guard invocation.flag("dry-run") else {
                return true
            }
            try context.say(
                "simulate", "would play \(count) on a new store in \(path)", isDone: false,
                [("counts", ["scenarios": .count(scenarios)])], invocation)
            return false
        case .copy(let path):
            let folder = try makeFolder()
            copied = folder
            let found = try context.findStore(at: path)
            defer { found.close() }
            if let damage = found.damage, found.isRefused {
                throw damage
            }
            for warning in found.warnings {
                try context.note("\("warning", .yellow): \(warning)")
            }
            guard found.lostCommits == nil else {
                // The launch that is played salvages it (R-02).
                try context.say(found.store.ownDiagnostics)
                try copyFiles(of: StorePlace(path), into: folder)
                return true
            }
            try context.say(found.store.openingDiagnostics.filter { $0.code == .rolledBack })
            if try !found.store.verify().isSound {
                try context.note(
                    "\("warning", .yellow): the store is damaged, and so is the copy that is played on"
                )
            }
            let copy = folder + "/scenes.sqlite"
            let backup = try found.store.copy(to: copy)
            // Beside a store it would be a stranger.
            try FileManager.default.removeItem(atPath: backup.checksumPath)
            return true
        case .store:
            change = try context.beginChange(invocation, reason: "simulate") { present in
                try context.say(
                    "simulate", "would play \(count) on a store with \(present)", isDone: false,
                    [("counts", ["scenarios": .count(scenarios)])], invocation)
            } question: { present in
                "Play \(count) on the store itself? It has \(present), and changes as if the app ran."
            }
            return change != nil
        }
    }

    /// Copies a store's files as they are, for a launch that salvages them.
    private func copyFiles(of place: StorePlace, into folder: String) throws {
        let name = StorePlace.storeName
        var sources = [(place.file, name), (place.file + "-wal", name + "-wal")]
        if place.file.hasSuffix("/" + name) {
            sources.append((place.folder + "/owner.lock", "owner.lock"))
        }
        for (source, name) in sources where FileManager.default.fileExists(atPath: source) {
            guard
                FileManager.default.createFile(
                    atPath: "\(folder)/\(name)",
                    contents: Data(try context.readFile(source, limit: StorePlace.maximumCopy)),
                    attributes: [.posixPermissions: 0o600])
            else {
                throw CommandError.usage("there is no room for a copy of \(source.quotedPath)")
            }
        }
    }

    /// Whether a backup was made, which a step that deletes the app must leave for the undo.
    var keepsBackups: Bool { change?.backup != nil }

    /// A folder that goes with the command, or one that is kept.
    private func makeFolder() throws -> String {
        try invocation.flag("keep") ? TemporaryDirectory.make() : PrivateFolder.make()
    }

    /// The container that a scenario is played on.
    func container(for file: String) throws -> String {
        switch place {
        case .scratch:
            let folder = try makeFolder()
            scratch.append(folder)
            return folder
        case .copy: return copied ?? ""
        case .new(let path), .store(let path): return path
        }
    }

    /// Says where the store is that was played on.
    func say() throws {
        switch place {
        case .scratch:
            if invocation.flag("keep") {
                for folder in scratch {
                    try context.note("kept the store in \(folder)")
                }
                scratch = []
            }
        case .copy:
            guard invocation.flag("keep"), let folder = copied else {
                try context.note("played on a copy; the store is unchanged")
                return
            }
            copied = nil
            try context.note("kept the copy in \(folder); the store is unchanged")
        case .new(let path): try context.note("kept the store in \(path)")
        case .store: try end()
        }
    }

    /// Notes what was played on the store itself, also when a scenario could not be played to its
    /// end.
    func end() throws {
        if let change {
            try context.endChange(change, invocation)
        }
    }

    /// Removes what nobody was told of.
    func strike() {
        for folder in scratch + [copied].compactMap({ $0 }) {
            PrivateFolder.remove(folder)
        }
    }
}
