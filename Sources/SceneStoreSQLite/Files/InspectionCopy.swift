/// A private copy of a store that nobody has open, for commands that must leave every file of
/// the container as it is (R-09, S-31). It goes when it is no longer used.
package struct InspectionCopy: ~Copyable {
    /// The copied database, to be opened in the role `copy`.
    package var path: String { folder.storePath }
    /// The copy's own identity.
    package let identity: FileIdentity
    private let folder: ContainerFolder

    /// Copies database and log. If they change meanwhile it is tried again, a few times.
    ///
    /// - Parameter whenCopied: Called after each copy, before it is compared with the original.
    package init(
        of container: ContainerFolder, applicationID: Int32,
        temporaryFolder: String? = nil, attempts: Int = 5, whenCopied: () -> Void = {}
    ) throws(ContainerError) {
        try self.init(in: temporaryFolder) { made in
            try Self.copy(
                container, to: made, applicationID: applicationID, attempts: attempts,
                whenCopied: whenCopied)
        }
    }

    /// Copies a database that is in one file, wherever that is now.
    package init(of file: LeftFile) throws(ContainerError) {
        try self.init(in: nil) { made in
            try Self.copyFile(
                ContainerName.store, from: file.descriptor, size: file.size(), to: made)
            _ = try file.size()
        }
    }

    /// Leaves the log out, which is not the database's own.
    package func dropLog() throws(ContainerError) {
        for name in ContainerName.sideFiles { try folder.remove(name) }
    }

    /// Makes a private folder and lets it be filled.
    private init(
        in temporaryFolder: String?, _ fill: (ContainerFolder) throws -> Void
    ) throws(ContainerError) {
        let path = try Self.makeFolder(in: temporaryFolder ?? System.temporaryFolder)
        do {
            let made = try ContainerFolder.open(path, access: .owner)
            try fill(made)
            identity = try System.status(ContainerName.store, in: made.descriptor).identity
            folder = made
        } catch {
            Self.remove(path)
            throw ContainerError(error, "copying the store")
        }
    }

    /// What the temporary folder lacks says nothing of the store, which isn't missing.
    private static func makeFolder(in place: String) throws(ContainerError) -> String {
        do {
            return try System.makeTemporaryFolder(
                in: System.resolve(place), prefix: "scenestore.")
        } catch {
            var failure = ContainerError(
                error, "copying the store into the temporary folder, which TMPDIR names")
            if failure.kind == .missing || failure.kind == .notAFolder {
                failure.kind = .permission
            }
            throw failure
        }
    }

    deinit {
        Self.remove(folder.path)
    }

    /// Everything in the folder is ours, SQLite's side files too; what can't be removed stays in
    /// a place that systems empty by themselves.
    private static func remove(_ path: String) {
        if let folder = try? ContainerFolder.open(path, access: .owner) {
            for name in ContainerName.all { _ = try? folder.remove(name) }
        }
        _ = try? System.removeFolder(path)
    }

    /// All that must be the same before and after.
    private struct Mark: Equatable {
        var store: FileStatus
        var log: FileStatus?
        var logHeader: [UInt8]

        init(_ container: ContainerFolder) throws(ContainerError) {
            guard let store = try container.status(of: ContainerName.store) else {
                throw ContainerError(
                    .missing, "there is no store", file: ContainerName.store)
            }
            self.store = store
            log = try container.status(of: ContainerName.log)
            logHeader = []
            if log != nil {
                logHeader = try container.contents(
                    of: ContainerName.log, limit: WALHeader.length)
            }
        }

        /// New frames at the log's end change nothing before them.
        func isCompatible(with later: Mark) -> Bool {
            var grown = later
            if let log, let laterLog = later.log, laterLog.size >= log.size {
                grown.log = log
                grown.log?.identity = laterLog.identity
            }
            return self == grown
        }
    }

    private static func copy(
        _ container: ContainerFolder, to folder: ContainerFolder, applicationID: Int32,
        attempts: Int, whenCopied: () -> Void
    ) throws {
        for _ in 0..<max(attempts, 1) {
            guard try container.checkStore(applicationID: applicationID) != nil else {
                throw ContainerError(.missing, "there is no store", file: ContainerName.store)
            }
            let before: Mark
            do {
                before = try Mark(container)
                for name in ContainerName.all { try folder.remove(name) }
                // The database first: every page that a checkpoint overwrites meanwhile is still
                // in the log, as long as the log is not begun anew, which its header would show.
                try copyFile(ContainerName.store, of: before.store, container, folder)
                if let log = before.log {
                    try copyFile(ContainerName.log, of: log, container, folder)
                }
            } catch let error as ContainerError where error.kind == .missing {
                continue
            } catch let error as SystemError where error.isMissing {
                continue
            }
            whenCopied()
            if before.isCompatible(with: try Mark(container)) { return }
        }
        throw ContainerError(.unstable, "the store changes while it is copied; try again")
    }

    private static func copyFile(
        _ name: String, of status: FileStatus, _ source: ContainerFolder,
        _ target: ContainerFolder
    ) throws {
        let file = try System.openForReading(name, in: source.descriptor)
        defer { DatabaseDescriptors.close(file, of: status.identity) }
        try copyFile(name, from: file, size: status.size, to: target)
    }

    private static func copyFile(
        _ name: String, from file: Int32, size: Int64, to target: ContainerFolder
    ) throws {
        let copy = try System.createFile(name, in: target.descriptor)
        defer { System.closeFile(copy) }
        var offset: Int64 = 0
        while offset < size {
            let wanted = Int(min(1 << 20, size - offset))
            let block = try System.read(file, count: wanted, at: offset)
            if block.isEmpty { break }
            // Frames of zeros prove nothing, nor does what lies behind them: a log that is mostly a
            // hole costs no more than its beginning.
            if name == ContainerName.log, !block.contains(where: { $0 != 0 }) { break }
            try System.write(block, to: copy, at: offset)
            offset += Int64(block.count)
        }
    }
}
