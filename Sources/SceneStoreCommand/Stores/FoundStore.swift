#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange
import SceneStoreRecovery

/// A store that was opened to be read, as it is or from a copy of whatever was there.
///
/// A reading command reads what it is given: a backup under any name, a loose file, what a link leads
/// to, what belongs to somebody else, an older schema, what is left of a damaged file. Everything but
/// a sound container of this user is read from a copy without a name (R-09).
struct FoundStore {
    let store: SceneSessionStore
    /// What is odd about what is read, for people.
    var warnings: [String] = []
    /// Why only what could be salvaged, or what this version knows, is read; nil when all of it is.
    var damage: SceneStoreError?

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
                store: try openStore(at: place.path, telling: bar, revealing: revealing))
        } catch {
            guard Self.mayBeRead(error), FileManager.default.fileExists(atPath: place.file) else {
                throw error
            }
            return try CopyReader(self, file: place.file, bar, revealing: revealing)
                .open(after: error)
        }
    }

    /// Looks at a store, and at the files and the owner of the place that it was copied from, if so.
    func summary(
        of store: SceneSessionStore, _ invocation: Invocation
    ) throws -> StoreSummary {
        let place = StorePlace(storePath(invocation))
        var summary = try StoreSummary(
            reading: store, filesOf: place.isLooseFile ? nil : place.folder)
        if store.location != .container(path: place.path) {
            summary.directory = storePath(invocation)
        }
        summary.directory = unpacked?.archive ?? summary.directory
        if place.isLooseFile {
            // What else is in its folder is not the store's.
            let name = place.file.split(separator: "/").last ?? ""
            summary.files.removeAll { $0.name != name && $0.name != name + "-wal" }
        }
        summary.basics.schemaVersion = schema(at: place.path) ?? summary.basics.schemaVersion
        return summary
    }

    /// The schema of the file itself: a copy of an older one is migrated before it is read.
    func schema(at path: String) -> Int? {
        let plan = try? SceneSessionStore.migrationPlan(
            at: .directory(StorePlace(path).file), inAnyPlace: true)
        return plan.flatMap { $0.from > 0 ? $0.from : nil }
    }

    /// Opens what can be salvaged of a store that opened, and turned out to be damaged.
    func salvageStore(
        at path: String, after error: SceneStoreError, telling bar: Progress? = nil
    ) throws -> FoundStore {
        try CopyReader(self, file: StorePlace(path).file, bar).openSalvaged(error, error)
    }

    /// Which migrations a store lacks; of a file by itself, those that a store made of it would lack.
    func migrationPlan(at path: String) throws -> MigrationPlan {
        let place = StorePlace(path)
        var isLink = false
        if case .link = place.kind { isLink = true }
        do throws(SceneStoreError) {
            return try SceneSessionStore.migrationPlan(
                at: place.isLooseFile || isLink
                    ? .directory(place.file) : .container(path: place.path),
                inAnyPlace: place.isLooseFile || isLink)
        } catch {
            guard error.code == .permission else {
                throw error
            }
            try note("\("warning", .yellow): a copy of the store is read: \(error.message)")
            return try SceneSessionStore.migrationPlan(
                at: .directory(place.file), inAnyPlace: true)
        }
    }

    /// Whether a copy may succeed where the store itself did not open.
    private static func mayBeRead(_ error: any Error) -> Bool {
        guard !(error is TemporaryFolderError) else {
            return false
        }
        if let error = error as? SceneStoreError {
            return CopyReader.codes.contains(error.code)
        }
        return (error as? CommandError).map {
            [.noStore, .damaged, .usage].contains($0.status)
        } ?? false
    }
}

/// Reads a store's file from a copy, migrated or salvaged if need be.
private struct CopyReader {
    /// What stands for the error of a store that was not tried to open as one.
    static let looseFile = "a single file"
    static let codes: Set<SceneStoreError.Code> = [
        .permission, .olderSchema, .newerSchema, .corrupt, .schemaTampered, .changedMigration,
        .damagedRow, .notAStore, .invalidLocation,
    ]

    private let context: CommandContext
    /// Without links.
    private let file: String
    private let given: String
    private let bar: Progress?
    private let revealing: Bool

    init(
        _ context: CommandContext, file: String, _ bar: Progress?, revealing: Bool = true
    ) {
        self.revealing = revealing
        self.context = context
        given = file
        self.file = URL(filePath: file).resolvingSymlinksInPath().path(percentEncoded: false)
        self.bar = bar
    }

    /// Opens a copy; throws the first error when there is nothing of a store in it.
    func open(after first: any Error) throws -> FoundStore {
        try checkFile()
        do throws(SceneStoreError) {
            return FoundStore(store: try open([.anyPlace]), warnings: [why(first)])
        } catch {
            if let error = TemporaryFolderError(error) {
                throw error
            }
            switch error.code {
            case .olderSchema:
                do throws(SceneStoreError) {
                    return FoundStore(
                        store: try open([.anyPlace, .older]),
                        warnings: [
                            "an older version wrote the store: a migrated copy is read; "
                                + "\(context.advice("doctor --fix", at: given)) changes the store itself"
                        ])
                } catch {
                    guard error.code == .corrupt else {
                        throw error
                    }
                    // A migration reads more than the tables that it changes.
                    return try openSalvaged(error, first)
                }
            case .newerSchema:
                // What asks to be refused (S-05).
                guard let store = try? open([.anyPlace, .newer]) else {
                    throw error
                }
                return FoundStore(
                    store: store,
                    warnings: [
                        "a newer version wrote the store: a copy is read, and only what this version "
                            + "knows is shown; a row that it can't read looks damaged"
                    ], damage: error)
            case .notAStore where error.path ?? StorePlace.storeName != StorePlace.storeName:
                // What stands beside the store is no file; the store itself may be sound.
                throw first is CommandError ? first : error
            case let code where Self.codes.contains(code): return try openSalvaged(error, first)
            default: throw first
            }
        }
    }

    /// Before anything is read: a device has no end, a FIFO no writer, and a file may be sparse.
    private func checkFile() throws {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        let type = attributes?[.type] as? FileAttributeType ?? .typeRegular
        let isFile = type == .typeRegular || type == .typeDirectory
        guard isFile, attributes?[.size] as? UInt64 ?? 0 <= StorePlace.maximumCopy else {
            throw CommandError(
                .noStore,
                "\(given.quotedPath) is not a store: "
                    + (isFile ? "the file is too large for one" : "not a regular file"),
                hint: ExitStatus.noStore.hint)
        }
    }

    func openSalvaged(_ error: SceneStoreError, _ first: any Error) throws -> FoundStore {
        let found: (store: SceneSessionStore, report: SalvageReport)
        do throws(SceneStoreError) {
            found = try SceneSessionStore.openSalvaged(from: file, options: options)
        } catch {
            // Nothing of a store is in it: what opening said is what is wrong.
            guard (first as? SceneStoreError)?.message != Self.looseFile else {
                throw CommandError(
                    .noStore, "\(given.quotedPath) is not a store", hint: ExitStatus.noStore.hint)
            }
            throw first
        }
        let what = NumberText.counted(found.report.openSessions, "open session")
        let lost = found.report.isComplete ? "" : ", not all of what was there"
        let cause = error.code == .permission ? "can't be opened" : "is damaged"
        return FoundStore(
            store: found.store,
            warnings: [
                "the store \(cause) (\(error.message)): \(what) salvaged into a copy are read\(lost); 'scenestore salvage "
                    + "\(context.quoted(path: given)) -o DIR' keeps them"
            ], damage: error)
    }

    /// What is to be said about reading a sound copy.
    private func why(_ error: any Error) -> String {
        guard let error = error as? SceneStoreError, error.message != Self.looseFile else {
            return "a copy of the file \(given.quotedPath) is read"
        }
        return "a copy of the store is read, which itself is refused: \(error.message)"
    }

    private var options: SceneSessionStore.Options {
        var options = SceneSessionStore.Options()
        options.clock = context.clock.now
        options.workObserver = bar?.observer
        options.revealsRedactedValues = revealing
        return options
    }

    private func open(
        _ lenience: Set<SceneSessionStore.Lenience>
    ) throws(SceneStoreError) -> SceneSessionStore {
        var options = options
        options.access = .reader
        options.lenience = lenience
        return try SceneSessionStore.open(at: .directory(file), options: options)
    }
}
