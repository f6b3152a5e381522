/// What stands in the log's file.
package enum StoreLog: Hashable, Sendable {
    /// No log; one that a checkpoint cut to nothing; or bytes without a valid header, which SQLite would
    /// drop without a word.
    case none
    /// A header that its checksum proves.
    case present
    /// The log of a database with other pages.
    case foreign
}

/// A store's files after the look that comes before SQLite's.
package struct StoreFile: Hashable, Sendable {
    /// Something odd that keeps nobody from opening the store.
    package enum Warning: Hashable, Sendable, CaseIterable {
        /// The file has a second name; backup tools make them.
        case hardLink
        /// Other users could read the file; its permissions were corrected.
        case permissionsTightened
        /// Every user may put another folder in the container's place.
        case replaceable
        /// Others may look into the folder, which has files that are no container's.
        case shared
    }

    package var identity: FileIdentity
    package var header: StoreHeader
    package var log: StoreLog
    /// Whether something stands in a rollback journal. A store logs from its birth on and never has
    /// one of its own; SQLite would play it back over the file, or delete it.
    package var hasJournal = false
    package var warnings: Set<Warning>
}

extension ContainerFolder {
    /// The absolute path of the database.
    package var storePath: String { "\(path)/\(place(of: ContainerName.store))" }

    /// The greatest database that is looked at: far above what the limits on sessions allow to
    /// come into being, far below what a sparse file can pretend.
    package static let maximumStoreBytes: Int64 = 64 << 30

    /// Judges the container's files before SQLite reads one: nil where no store ever was.
    ///
    /// Throws `lost` if the lock, a log or backups show that a store of ours was here and its file is
    /// missing or no database any more (S-15). Whoever opens, examines or repairs a container follows this.
    /// Nothing is waited for, written or followed; an owner's look tightens permissions, and makes the
    /// files beside the store as writable as it is.
    package func checkStore(applicationID: Int32) throws(ContainerError) -> StoreFile? {
        var warnings: Set<StoreFile.Warning> = []
        let main = try checkFile(ContainerName.store, &warnings)
        var sizes: [String: Int64] = [:]
        for name in ContainerName.sideFiles {
            let side = try checkFile(name, &warnings)
            sizes[name] = side?.size
            if let main, let side {
                makeWritable(name, side, beside: main)
            }
        }
        guard let main else {
            // SQLite would delete a log, or play back a journal, that has lost its database.
            for name in [ContainerName.log, ContainerName.journal] where sizes[name] != nil {
                throw ContainerError(
                    .orphanedLog, "the database is missing and its log is still there",
                    reason: .databaseMissing, file: name)
            }
            // While its owner exchanges it, the file is missing for a moment.
            guard access == .owner || (try? OwnerLock.owner(of: self)) == nil,
                let witness = try witness()
            else { return nil }
            throw ContainerError(
                .lost, "the store's file is missing, and \(witness) that a store was here",
                reason: .databaseMissing, file: ContainerName.store)
        }
        guard main.size <= Self.maximumStoreBytes else {
            throw Self.notAStore("the file is too large for a store", .tooLarge)
        }
        let header: StoreHeader
        do throws(ContainerError) {
            guard main.size > 0 else {
                throw Self.notAStore("the file is empty", .empty)
            }
            header = try self.header(of: main, applicationID)
        } catch {
            // A database of somebody else is never taken for ours (S-10).
            let isUnusable: [ContainerError.Reason?] = [.empty, .notSQLite, .damagedHeader]
            guard isUnusable.contains(error.reason), let witness = try witness() else {
                throw error
            }
            let what = main.size > 0 ? "the file's first page is destroyed" : error.message
            throw ContainerError(
                .lost, "\(what), and \(witness) that a store was here",
                reason: error.reason, file: ContainerName.store)
        }
        let log = try readLog(size: sizes[ContainerName.log])
        if main.links > 1 { warnings.insert(.hardLink) }
        if isReplaceable { warnings.insert(.replaceable) }
        if access == .owner, isShared { warnings.insert(.shared) }
        return StoreFile(
            identity: main.identity, header: header, log: log,
            hasJournal: sizes[ContainerName.journal] ?? 0 > 0, warnings: warnings)
    }

    /// The same; throws `missing` where there is no store.
    package func requireStore(applicationID: Int32) throws(ContainerError) -> StoreFile {
        guard let file = try checkStore(applicationID: applicationID) else {
            throw ContainerError(.missing, "there is no store", file: ContainerName.store)
        }
        return file
    }

    /// What shows that a store of ours was here, with its verb; nil when nothing does (L-42).
    private func witness() throws(ContainerError) -> String? {
        if try OwnerLock.text(of: self)?.isUsed ?? false {
            return "\(ContainerName.lock) shows"
        }
        if try (status(of: ContainerName.log)?.size ?? 0) > 0 {
            return "its log shows"
        }
        guard try status(of: ContainerName.backups)?.kind == .folder else { return nil }
        let backups = try folder(ContainerName.backups).entries()
        return backups.contains { $0.name.hasSuffix(".sqlite") } ? "its backups show" : nil
    }

    /// Makes an empty store: whole or not at all, private, and lasting when this returns.
    package func createStore(applicationID: Int32) throws(ContainerError) {
        var file = try AtomicFile(in: self, name: ContainerName.store)
        try file.write(StoreHeader.emptyStore(applicationID: applicationID))
        try file.commit()
    }

    /// Drops the cached pages of the store's files. After a failed sync and a restart of the
    /// process the cache may show what the disk never took; called before SQLite opens.
    package func dropCachedPages() throws(ContainerError) {
        for name in [ContainerName.store, ContainerName.log] {
            guard let status = try status(of: name), status.kind == .regular else { continue }
            try explaining("dropping cached pages", file: name) {
                let file = try DatabaseDescriptors.lend(status.identity) ?? openForReading(name)
                defer { DatabaseDescriptors.close(file, of: status.identity) }
                try System.dropCache(file)
            }
        }
    }

    /// A regular file of ours at a name, or nil.
    private func checkFile(
        _ name: String, _ warnings: inout Set<StoreFile.Warning>
    ) throws(ContainerError) -> FileStatus? {
        guard let found = try status(of: name) else { return nil }
        guard found.kind == .regular else {
            let leadsNowhere =
                found.kind == .symbolicLink
                && (try? System.status(place(of: name), in: descriptor, following: true)) == nil
            throw Self.notAStore(
                "not a regular file", Self.reason(for: found.kind, leadsNowhere: leadsNowhere),
                file: name)
        }
        guard access != .inspector else { return found }
        guard found.owner == System.effectiveUser else {
            throw ContainerError(
                .insecure, "the file belongs to another user", reason: .otherOwner, file: name)
        }
        guard found.permissions & 0o077 != 0 else { return found }
        if access == .owner {
            try explaining("making a file private", file: name) {
                // By name: the folder is ours alone, and no descriptor may be closed.
                try System.setPermissions(
                    found.permissions & 0o700, of: name, in: descriptor)
            }
            warnings.insert(.permissionsTightened)
        } else if found.permissions & 0o022 != 0 {
            throw ContainerError(
                .insecure, "others may write the file", reason: .writableByOthers, file: name)
        }
        return found
    }

    /// A file beside the database that was made while that could not be written has its permissions
    /// of then. Where they can't be changed, SQLite says what it can't do.
    private func makeWritable(_ name: String, _ side: FileStatus, beside main: FileStatus) {
        let needed = main.permissions & 0o600
        guard access == .owner, side.permissions & needed != needed else {
            return
        }
        do {
            try System.setPermissions(
                side.permissions & 0o700 | needed, of: name, in: descriptor)
        } catch {}
    }

    /// The header of the database; of the log's copy where a power cut tore the database's own.
    private func header(
        of main: FileStatus, _ applicationID: Int32
    ) throws(ContainerError) -> StoreHeader {
        let beginning = try readBeginning(
            ContainerName.store, count: StoreHeader.length, of: main.identity)
        do {
            return try StoreHeader(beginning, expecting: applicationID)
        } catch {
            if let copy = try headerInLog(of: main, after: error, applicationID) {
                return copy
            }
            var error = error
            error.file = ContainerName.store
            throw error
        }
    }

    /// A checkpoint writes pages over those of the file and behind them; when the power fails then,
    /// the first one may be neither the old nor the new one, and the last one cut short anywhere.
    /// SQLite takes such pages from the log, which holds them until all are safe. A sound file of
    /// another application stays what it is, and so does one shorter than a page, for a store begins
    /// with a whole one, and one whose next pages are those of no database.
    private func headerInLog(
        of main: FileStatus, after error: ContainerError, _ applicationID: Int32
    ) throws(ContainerError) -> StoreHeader? {
        guard error.reason != .otherApplication, main.size >= Int64(storePageSize),
            let page = try WALScan(self)?.firstPage,
            let header = try? StoreHeader(page, expecting: applicationID),
            try !isForeign(main)
        else { return nil }
        return header
    }

    /// Whether something is written behind the first page, and no page of it is one of a database.
    /// Less than a sector says nothing.
    private func isForeign(_ main: FileStatus) throws(ContainerError) -> Bool {
        let size = Int(storePageSize)
        let bytes = try readBeginning(
            ContainerName.store, count: 32 * size, of: main.identity)
        var isWritten = false
        for start in stride(from: size, through: bytes.count - 512, by: size) {
            let page = bytes[start..<min(start + size, bytes.count)]
            if StoreHeader.isTree(page) { return false }
            isWritten = isWritten || page.contains { $0 != 0 }
        }
        return isWritten
    }

    private func readBeginning(
        _ name: String, count: Int, of identity: FileIdentity
    ) throws(ContainerError) -> [UInt8] {
        try explaining("reading the beginning of a file", file: name) {
            let file = try DatabaseDescriptors.lend(identity) ?? openForReading(name)
            defer { DatabaseDescriptors.close(file, of: identity) }
            guard try System.status(of: file).identity == identity else {
                throw ContainerError(.replaced, "the file changed while it was opened", file: name)
            }
            return try System.read(file, count: count, at: 0)
        }
    }

    private func readLog(size: Int64?) throws(ContainerError) -> StoreLog {
        guard size ?? 0 > 0,
            let header = try WALHeader(contents(of: ContainerName.log, limit: WALHeader.length))
        else { return .none }
        return header.pageSize == Int(storePageSize) ? .present : .foreign
    }

    static func notAStore(
        _ message: String, _ reason: ContainerError.Reason?, file: String = ContainerName.store
    ) -> ContainerError {
        ContainerError(.notAStore, message, reason: reason, file: file)
    }
}
