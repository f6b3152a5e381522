#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreTesting

/// A store that was opened to be read, as it is or from a copy of whatever was there.
///
/// A reading command reads what it is given: a backup under any name, a loose file, what a link leads
/// to, what belongs to somebody else, an older schema, what is left of a damaged file. Everything but
/// a sound container of this user is read from a private copy, which goes when this is closed.
final class FoundStore {
    let store: SceneSessionStore
    /// What is odd about what is read, for people.
    let warnings: [String]
    /// Why only what could be salvaged, or what this version knows, is read; nil when all of it is.
    let damage: SceneStoreError?
    private let folders: [String]

    init(
        _ store: SceneSessionStore, warnings: [String] = [], damage: SceneStoreError? = nil,
        folders: [String] = []
    ) {
        self.store = store
        self.warnings = warnings
        self.damage = damage
        self.folders = folders
    }

    /// Whether a folder is that of a private copy, which nobody wants to be told of.
    static func isCopy(_ directory: String) -> Bool {
        directory.split(separator: "/").last?.hasPrefix("scenestore-") ?? false
    }

    /// What the log lacks, if anything: the launch salvages such a store, and finds more.
    var lostCommits: Diagnostic? { store.openingDiagnostics.first { $0.code == .lostCommits } }

    /// Whether a newer version's store is read that asks to be refused.
    var isRefused: Bool { damage?.code == .newerSchema }

    /// Whether a newer version wrote the store: none of it is salvaged here (S-05).
    var isNewer: Bool {
        isRefused || store.openingDiagnostics.contains { $0.code == .newerFeatures }
    }

    func close() {
        try? store.close()
        for folder in folders {
            PrivateFolder.remove(folder)
        }
    }
}

extension CommandContext {
    /// Opens what is at a path, to read it.
    ///
    /// Throws what opening the store itself throws when nothing can be read.
    func findStore(
        at path: String, telling bar: Progress? = nil, revealing: Bool = true
    ) throws -> FoundStore {
        let place = StorePlace(path)
        do {
            guard !place.isLooseFile else {
                throw SceneStoreError(.notAStore, CopyReader.looseFile)
            }
            return FoundStore(
                try openStore(at: place.path, telling: bar, revealing: revealing))
        } catch {
            guard Self.mayBeRead(error), FileManager.default.fileExists(atPath: place.file) else {
                throw error
            }
            var reader = CopyReader(self, file: place.file, bar, revealing: revealing)
            do {
                return try reader.open(after: error)
            } catch {
                reader.removeFolders()
                throw error
            }
        }
    }

    /// Looks at a store, and at the files and the owner of the place that it was copied from, if so.
    func summary(
        of store: SceneSessionStore, _ invocation: Invocation
    ) throws -> StoreSummary {
        let place = StorePlace(storePath(invocation))
        var summary = try StoreSummary(
            reading: store, filesOf: place.isLooseFile ? nil : place.folder)
        if summary.directory.map(FoundStore.isCopy) ?? false {
            summary.directory = storePath(invocation)
        }
        return summary
    }

    /// Opens what can be salvaged of a store that opened, and turned out to be damaged.
    func salvageStore(
        at path: String, after error: SceneStoreError, telling bar: Progress? = nil
    ) throws -> FoundStore {
        let place = StorePlace(path)
        var reader = CopyReader(self, file: place.file, bar)
        do {
            return try reader.salvage(after: error)
        } catch {
            reader.removeFolders()
            throw error
        }
    }

    /// Copies a store's files as they are into an empty folder, for a launch that salvages them there.
    func copyStore(at path: String, into folder: String) throws {
        try CopyReader(self, file: StorePlace(path).file, nil).copy(to: folder + "/scenes.sqlite")
    }

    /// Which migrations a store lacks; of a file by itself, those that a store made of it would lack.
    func migrationPlan(at path: String) throws -> MigrationPlan {
        let place = StorePlace(path)
        var isLink = false
        if case .link = place.kind { isLink = true }
        guard place.isLooseFile || isLink else {
            do throws(SceneStoreError) {
                return try SceneSessionStore.migrationPlan(at: .container(path: place.path))
            } catch {
                guard error.code == .permission else {
                    throw error
                }
                try note("\("warning", .yellow): a copy of the store is read: \(error.message)")
                return try copiedPlan(place)
            }
        }
        return try copiedPlan(place)
    }

    private func copiedPlan(_ place: StorePlace) throws -> MigrationPlan {
        var reader = CopyReader(self, file: place.file, nil)
        defer { reader.removeFolders() }
        return try reader.migrationPlan()
    }

    /// Whether a copy may succeed where the store itself did not open.
    private static func mayBeRead(_ error: any Error) -> Bool {
        if let error = error as? SceneStoreError {
            return CopyReader.codes.contains(error.code)
        }
        return (error as? CommandError).map {
            [.noStore, .damaged, .usage].contains($0.status)
        } ?? false
    }
}

/// Reads a store's file from a private copy, migrated or salvaged if need be.
private struct CopyReader {
    /// What stands for the error of a store that was not tried to open as one.
    static let looseFile = "a single file"
    static let codes: Set<SceneStoreError.Code> = [
        .permission, .olderSchema, .newerSchema, .corrupt, .schemaTampered, .changedMigration,
        .damagedRow, .notAStore, .invalidLocation,
    ]

    private let context: CommandContext
    private let file: String
    private let bar: Progress?
    private let revealing: Bool
    private var folders: [String] = []

    init(
        _ context: CommandContext, file: String, _ bar: Progress?, revealing: Bool = true
    ) {
        self.revealing = revealing
        self.context = context
        self.file = file
        self.bar = bar
    }

    func removeFolders() {
        for folder in folders {
            PrivateFolder.remove(folder)
        }
    }

    /// Which migrations the copy lacks.
    mutating func migrationPlan() throws -> MigrationPlan {
        let folder = try makeFolder()
        try copy(to: folder + "/scenes.sqlite")
        return try SceneSessionStore.migrationPlan(at: .directory(folder))
    }

    /// Salvages a copy of a store that is known to be damaged.
    mutating func salvage(after error: SceneStoreError) throws -> FoundStore {
        let folder = try makeFolder()
        try copy(to: folder + "/scenes.sqlite")
        return try openSalvaged(folder, error, error)
    }

    /// Opens the copy; throws the first error when there is nothing of a store in it.
    mutating func open(after first: any Error) throws -> FoundStore {
        let folder = try makeFolder()
        try copy(to: folder + "/scenes.sqlite")
        do throws(SceneStoreError) {
            return found(try open(folder, .reader), [why(first)])
        } catch {
            guard error.code != .olderSchema else {
                do throws(SceneStoreError) {
                    try open(folder, .editor).close()
                } catch {
                    guard error.code == .corrupt else {
                        throw error
                    }
                    // A migration reads more than the tables that it changes.
                    return try openSalvaged(folder, error, first)
                }
                return found(
                    try open(folder, .reader),
                    [
                        "an older version wrote the store: a migrated copy is read; "
                            + "'scenestore migrate' changes the store itself"
                    ])
            }
            guard error.code != .newerSchema else {
                return try openNewer(folder, error)
            }
            guard Self.codes.contains(error.code) else {
                throw first
            }
            return try openSalvaged(folder, error, first)
        }
    }

    /// Opens the copy of a store that a newer version wrote, and that asks to be refused (S-05).
    private func openNewer(
        _ folder: String, _ error: SceneStoreError
    ) throws -> FoundStore {
        do throws(SceneStoreError) {
            return found(
                try open(folder, .reader, readsNewer: true),
                [
                    "a newer version wrote the store: a copy is read, and only what this version "
                        + "knows is shown; a row that it can't read looks damaged"
                ], damage: error)
        } catch _ {
            throw error
        }
    }

    private mutating func openSalvaged(
        _ folder: String, _ error: SceneStoreError, _ first: any Error
    ) throws -> FoundStore {
        let target = try makeFolder()
        var options = SceneSessionStore.Options()
        options.clock = context.clock.now
        let report: SalvageReport
        do throws(SceneStoreError) {
            report = try SceneSessionStore.salvage(
                from: folder + "/scenes.sqlite", to: target, options: options)
        } catch {
            // Nothing of a store is in it: what opening said is what is wrong.
            guard (first as? SceneStoreError)?.message != Self.looseFile else {
                throw CommandError(
                    .noStore, "\(file.quotedPath) is not a store", hint: ExitStatus.noStore.hint)
            }
            throw first
        }
        let what = NumberText.counted(report.openSessions, "open session")
        let lost = report.isComplete ? "" : ", not all of what was there"
        return found(
            try open(target, .reader),
            [
                "the store is damaged (\(error.message)): \(what) salvaged into a copy are read\(lost); 'scenestore salvage "
                    + "\(CommandContext.quoted(file)) -o DIR' keeps them"
            ], damage: error)
    }

    /// What is to be said about reading a sound copy.
    private func why(_ error: any Error) -> String {
        guard let error = error as? SceneStoreError, error.message != Self.looseFile else {
            return "a copy of the file \(file.quotedPath) is read"
        }
        return "a copy of the store is read, which itself is refused: \(error.message)"
    }

    private func found(
        _ store: SceneSessionStore, _ warnings: [String], damage: SceneStoreError? = nil
    ) -> FoundStore {
        FoundStore(store, warnings: warnings, damage: damage, folders: folders)
    }

    private func open(
        _ folder: String, _ access: SceneSessionStore.Access, readsNewer: Bool = false
    ) throws(SceneStoreError) -> SceneSessionStore {
        var options = SceneSessionStore.Options()
        options.access = access
        options.clock = context.clock.now
        options.workObserver = bar?.observer
        options.corruption = .fail
        options.readsNewer = readsNewer
        options.revealsRedactedValues = revealing
        return try SceneSessionStore.open(at: .directory(folder), options: options)
    }

    private mutating func makeFolder() throws -> String {
        let folder = try PrivateFolder.make()
        folders.append(folder)
        return folder
    }

    /// Copies the file, with the log and the owner's notes beside it when there are some.
    func copy(to target: String) throws {
        func sibling(_ path: String) -> String {
            path.utf8.lastIndex(of: 0x2F).map { path[...$0] + "owner.lock" } ?? "owner.lock"
        }
        try copy(file, to: target)
        try copyIfThere(file + "-wal", to: target + "-wal")
        if file.hasSuffix("/" + StorePlace.storeName) {
            try copyIfThere(sibling(file), to: sibling(target))
        }
    }

    private func copyIfThere(_ source: String, to target: String) throws {
        if FileManager.default.fileExists(atPath: source) {
            try copy(source, to: target)
        }
    }

    /// The largest file that is copied. `salvage` reads larger ones where they are.
    private static let limit = 2 << 30

    private func copy(_ source: String, to target: String) throws {
        // Before anything is read: a device has no end, a FIFO no writer, and a file may be sparse.
        let path = URL(filePath: source).resolvingSymlinksInPath().path(percentEncoded: false)
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let size = attributes?[.size] as? UInt64 ?? 0
        let type = attributes?[.type] as? FileAttributeType
        let isFile = type == nil || type == .typeRegular || type == .typeDirectory
        guard isFile, size <= Self.limit else {
            throw CommandError(
                .noStore,
                "\(source.quotedPath) is not a store: "
                    + (isFile ? "the file is too large for one" : "not a regular file"),
                hint: ExitStatus.noStore.hint)
        }
        let bytes = try context.readFile(source, limit: Self.limit)
        guard
            FileManager.default.createFile(
                atPath: target, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
        else {
            throw CommandError.usage("there is no room for a copy of \(source.quotedPath)")
        }
    }
}
