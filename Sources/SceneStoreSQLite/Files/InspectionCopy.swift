/// A private copy of a store that nobody has open, for commands that must leave every file of the
/// container as it is (R-09, S-31). SQLite reads it as a database in memory, in the role `copy`.
///
/// Invariants:
/// 1. The copy is in a file of the temporary folder that has no name before its first byte is
///    written: no death of the process leaves content there.
/// 2. The file is mapped, not read into memory: a copy takes room on the disk, and as much memory as
///    the system likes to give.
/// 3. What the log has committed is in the copy. Nothing of it is to be recovered.
package final class InspectionCopy: Sendable {
    /// Where its bytes are in this process. They stay while this does.
    let address: UInt
    package let size: Int

    /// Copies database and log. If they change meanwhile it is tried again, a few times.
    ///
    /// - Parameters:
    ///   - hasLog: Whether what the log has committed is copied, too.
    ///   - whenCopied: Called after each copy, before it is compared with the original.
    package convenience init(
        of container: ContainerFolder, applicationID: Int32, hasLog: Bool = true,
        temporaryFolder: String? = nil, attempts: Int = 5, whenCopied: () -> Void = {}
    ) throws(ContainerError) {
        try self.init(in: temporaryFolder) { target in
            for _ in 0..<max(attempts, 1) {
                _ = try container.requireStore(applicationID: applicationID)
                let before: Mark
                do {
                    before = try Mark(container)
                    try System.truncate(target, to: 0)
                    // The database first: every page that a checkpoint overwrites meanwhile is still
                    // in the log, as long as the log is not begun anew, which its header would show.
                    let identity = before.store.identity
                    let file =
                        try DatabaseDescriptors.lend(identity)
                        ?? container.openForReading(ContainerName.store)
                    defer { DatabaseDescriptors.close(file, of: identity) }
                    let log = hasLog && before.log != nil ? try WALPages(container) : nil
                    try Self.copyDatabase(
                        from: file, size: before.store.size, to: target, log)
                } catch  where ContainerError(error, "copying the store").kind == .missing {
                    continue
                }
                whenCopied()
                if before.isCompatible(with: try Mark(container)) { return }
            }
            throw ContainerError(.unstable, "the store changes while it is copied; try again")
        }
    }

    /// Copies a database that is in one file, wherever that is now.
    package convenience init(of left: LeftFile) throws(ContainerError) {
        try self.init(in: nil) { file in
            try Self.copyDatabase(from: left.descriptor, size: left.size(), to: file)
            _ = try left.size()
        }
    }

    /// Makes a file without a name and lets it be filled.
    private init(
        in temporaryFolder: String?, _ fill: (Int32) throws -> Void
    ) throws(ContainerError) {
        let file = try NamelessFile(in: temporaryFolder)
        do {
            try fill(file.descriptor)
            size = Int(clamping: try System.status(of: file.descriptor).size)
            address = try System.map(file.descriptor, count: size)
        } catch {
            throw ContainerError(error, "copying the store")
        }
    }

    deinit {
        System.unmap(address, count: size)
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
            logHeader =
                log == nil
                ? [] : try container.contents(of: ContainerName.log, limit: WALHeader.length)
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

    /// Copies the file, and over it the pages that its log has committed.
    private static func copyDatabase(
        from file: Int32, size: Int64, to target: Int32, _ log: WALPages? = nil
    ) throws {
        var offset: Int64 = 0
        while offset < size {
            let block = try System.read(file, count: Int(min(1 << 20, size - offset)), at: offset)
            if block.isEmpty { break }
            try System.write(block, to: target, at: offset)
            offset += Int64(block.count)
        }
        try log?.write(to: target, over: offset)
        // A database in memory has no log, which these two bytes of its header would ask for.
        if try System.read(target, count: 2, at: 18) == [2, 2] {
            try System.write([1, 1], to: target, at: 18)
        }
    }
}

/// The database of a container whose connection was closed, still open to be read: it can be
/// copied when its name is gone (L-17).
package final class LeftFile: Sendable {
    let descriptor: Int32
    private let status: FileStatus

    /// Opens the file at its name, which nobody has open in SQLite for this owner.
    package init(_ folder: ContainerFolder, _ identity: FileIdentity) throws(ContainerError) {
        do {
            let descriptor = try folder.openForReading(ContainerName.store)
            do {
                status = try System.status(of: descriptor)
            } catch {
                DatabaseDescriptors.close(descriptor, of: identity)
                throw error
            }
            self.descriptor = descriptor
        } catch {
            throw ContainerError(error, "keeping the file open", file: ContainerName.store)
        }
        // From here on a throw ends in deinit, which closes the file.
        guard status.identity == identity else {
            throw ContainerError(
                .replaced, "another file has taken this one's place", file: ContainerName.store)
        }
    }

    deinit {
        DatabaseDescriptors.close(descriptor, of: status.identity)
    }

    /// How large the file is; throws `replaced` when it was written since it was left.
    func size() throws -> Int64 {
        let found = try System.status(of: descriptor)
        guard found.isUnwritten(since: status) else {
            throw ContainerError(
                .replaced, "another program has written into the file", file: ContainerName.store)
        }
        return found.size
    }
}
