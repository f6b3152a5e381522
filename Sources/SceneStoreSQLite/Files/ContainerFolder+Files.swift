extension ContainerFolder {
    /// A file in the folder.
    package struct Entry: Hashable, Sendable {
        package var name: String
        package var status: FileStatus
    }

    /// What lies in the folder, by name.
    package func entries() throws(ContainerError) -> [Entry] {
        do {
            var entries: [Entry] = []
            for name in try System.names(in: descriptor) {
                do {
                    entries.append(
                        Entry(name: name, status: try System.status(name, in: descriptor)))
                } catch let error where error.isMissing {
                    // Removed since the folder was read.
                    continue
                }
            }
            return entries.sorted { $0.name < $1.name }
        } catch {
            throw ContainerError(error, "listing the container")
        }
    }

    /// The folder's own permission bits.
    package func permissions() throws(ContainerError) -> UInt32 {
        do {
            return try System.status(of: descriptor).permissions
        } catch {
            throw ContainerError(error, "looking at the container")
        }
    }

    /// What stands at a name, or nil.
    package func status(of name: String) throws(ContainerError) -> FileStatus? {
        try Self.checkName(name)
        do {
            return try System.status(place(of: name), in: descriptor)
        } catch {
            if error.isMissing { return nil }
            throw ContainerError(error, "looking at a file", file: name)
        }
    }

    /// A descriptor of a file, which the caller closes.
    func openForReading(_ name: String) throws(SystemError) -> Int32 {
        try System.openForReading(place(of: name), in: descriptor)
    }

    /// The beginning of a regular file, at most `limit` bytes. Not for the database, of which no
    /// descriptor may be closed while it is open.
    package func contents(of name: String, limit: Int) throws(ContainerError) -> [UInt8] {
        try Self.checkName(name)
        do {
            let found = try System.status(place(of: name), in: descriptor)
            guard found.kind == .regular else {
                throw ContainerError(
                    .insecure, "not a regular file", reason: Self.reason(for: found.kind),
                    file: name)
            }
            let file = try openForReading(name)
            defer { DatabaseDescriptors.close(file, of: found.identity) }
            let count = Int(clamping: min(found.size, Int64(limit)))
            return try System.read(file, count: count, at: 0)
        } catch {
            throw ContainerError(error, "reading a file", file: name)
        }
    }

    /// Moves a file into another folder of the same volume, never over an existing one, and
    /// makes both ends of the move last.
    package func move(
        _ name: String, to target: ContainerFolder, as newName: String
    ) throws(ContainerError) {
        try Self.checkName(name)
        try Self.checkName(newName)
        do {
            try System.rename(
                name, in: descriptor, to: newName, in: target.descriptor, replacing: false)
            try System.sync(target.descriptor)
            try System.sync(descriptor)
        } catch {
            throw ContainerError(error, "moving a file", file: name)
        }
    }

    /// Removes a file; nothing happens when there is none.
    package func remove(_ name: String) throws(ContainerError) {
        try Self.checkName(name)
        do {
            try System.remove(name, in: descriptor)
        } catch {
            if error.isMissing { return }
            throw ContainerError(error, "removing a file", file: name)
        }
    }

    /// Makes what was created, renamed and removed here last.
    package func sync() throws(ContainerError) {
        do {
            try System.sync(descriptor)
        } catch {
            throw ContainerError(error, "syncing the container")
        }
    }

    /// Removes temporary files of processes that died, here and in the folders of the container.
    /// Only the owner may: nobody else writes here, and in `backups/` no more than a backup.
    ///
    /// - Parameter sparesDrafts: Whether drafts stay, because one may be gone on with.
    /// - Returns: The names of the drafts that stay.
    @discardableResult
    package func removeLeftovers(sparesDrafts: Bool = false) throws(ContainerError) -> [String] {
        var drafts: [String] = []
        for entry in try entries() where AtomicFile.isTemporary(entry.name) {
            if sparesDrafts, AtomicFile.isDraft(entry.name) {
                drafts.append(entry.name)
            } else {
                try remove(entry.name)
            }
        }
        for name in ContainerName.folders
        where try status(of: name)?.kind == .folder {
            // One that cannot be looked into keeps nobody from the store.
            try? folder(name).removeAbandoned()
        }
        return drafts
    }

    /// Removes drafts, except those of one key.
    package func removeDrafts(except key: UInt64?) throws(ContainerError) {
        for entry in try entries()
        where AtomicFile.isDraft(entry.name) && !AtomicFile.isDraft(entry.name, of: key) {
            try remove(entry.name)
        }
    }

    /// Removes temporary files whose processes are gone, and no others.
    package func removeAbandoned() throws(ContainerError) {
        for entry in try entries() where AtomicFile.isAbandoned(entry.name) {
            try remove(entry.name)
        }
    }
}
