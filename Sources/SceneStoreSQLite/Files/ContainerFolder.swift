/// The folder that holds one store and its side files, held open.
///
/// The rules of its files (S-01, R-05):
/// 1. Links in the way to the folder are resolved once; the folder itself and everything in it
///    is opened without following links.
/// 2. Folders are 0700 and files 0600, under any umask, before anything is written into them.
///    Bits for others that only read are taken away by an owner, unless the folder has files that
///    are no container's; a folder that others can write, or that belongs to another user, is
///    refused, because its files may be planted.
/// 3. What stands at a name is looked at before it is opened: no FIFO is waited for, no device
///    is touched.
package final class ContainerFolder: Sendable {
    /// What the caller is going to do; a reader changes nothing, not even permissions.
    package enum Access: Hashable, Sendable {
        case owner
        case reader
        /// A reader that opens no store, and only copies one: folder and files may be another user's, or
        /// open to others.
        case inspector
    }

    /// Absolute, without links.
    package let path: String
    package let identity: FileIdentity
    package let access: Access
    package let descriptor: Int32
    /// The name of a store's file by itself, which is no container's.
    private let looseFile: String?

    /// The bytes that the volume has left; nil where it doesn't tell.
    package var freeBytes: UInt64? { System.freeBytes(descriptor) }

    private init(
        path: String, identity: FileIdentity, access: Access, descriptor: Int32,
        looseFile: String? = nil
    ) {
        self.path = path
        self.identity = identity
        self.access = access
        self.descriptor = descriptor
        self.looseFile = looseFile
    }

    deinit {
        System.closeFile(descriptor)
    }

    /// Opens a container, making it and the folders above it when asked.
    package static func open(
        _ path: String, access: Access, createsMissing: Bool = false
    ) throws(ContainerError) -> ContainerFolder {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw invalidPath }
        try checkEncoding(path)
        if createsMissing { try makeParents(of: path) }
        let (parent, name) = try split(path)
        return try open(name, in: parent, access: access, createsMissing: createsMissing)
    }

    /// Opens what is at a path to be copied: a container, or a store's file by itself with the log that
    /// has its name. Links are followed.
    package static func inspect(_ path: String) throws(ContainerError) -> ContainerFolder {
        try explaining("looking for the store") {
            let path = try System.resolve(path)
            guard try System.status(at: path).kind != .folder else {
                return try open(path, access: .inspector)
            }
            let (parent, name) = try split(path)
            let descriptor = try System.openFolder(parent)
            let identity: FileIdentity
            do {
                identity = try System.status(of: descriptor).identity
            } catch {
                System.closeFile(descriptor)
                throw error
            }
            return ContainerFolder(
                path: parent, identity: identity, access: .inspector, descriptor: descriptor,
                looseFile: name == ContainerName.store ? nil : name)
        }
    }

    /// What a file of the container is called in the folder. All that belongs to a store's file by
    /// itself has names that begin with the file's.
    func place(of name: String) -> String {
        guard let looseFile else { return name }
        return name.hasPrefix(ContainerName.store)
            ? looseFile + name.dropFirst(ContainerName.store.count) : "\(looseFile)-\(name)"
    }

    /// Opens a folder of the container, such as `quarantine`.
    package func folder(
        _ name: String, createsMissing: Bool = false
    ) throws(ContainerError) -> ContainerFolder {
        try Self.checkName(name)
        do throws(ContainerError) {
            return try Self.open(
                place(of: name), in: path, access: access, createsMissing: createsMissing,
                isContainer: false)
        } catch  where error.kind == .notAFolder {
            throw ContainerError(
                .notAFolder,
                "\(name)/ in the container is a link or not a folder; SceneStore doesn't follow "
                    + "links, so put a folder there", reason: error.reason, file: name)
        }
    }

    private static func open(
        _ name: String, in parent: String, access: Access, createsMissing: Bool,
        isContainer: Bool = true
    ) throws(ContainerError) -> ContainerFolder {
        let path = parent == "/" ? "/\(name)" : "\(parent)/\(name)"
        let what = isContainer ? "the container" : "\(name)/ in the container"
        try checkEncoding(path)
        // SQLite opens no file whose path has more than 504 bytes, also not in the container's folders.
        guard !isContainer || path.utf8.count <= 400 else {
            throw ContainerError(
                .invalidName, "the container's path has more than 400 bytes; choose a shorter one")
        }
        return try explaining("opening \(what)", file: isContainer ? nil : name) {
            let folder = try System.openFolder(parent)
            defer { System.closeFile(folder) }
            if createsMissing { try makeFolder(name, in: folder) }
            let found = try System.status(name, in: folder)
            guard found.kind == .folder else {
                let target = try? System.status(name, in: folder, following: true)
                throw ContainerError(
                    .notAFolder,
                    target?.kind == .folder
                        ? "the container's place is a symbolic link; pass the folder it points to"
                        : "the container's place is not a folder",
                    reason: reason(for: found.kind, leadsNowhere: target == nil))
            }
            let descriptor = try System.openFolder(name, in: folder)
            do {
                let status = try System.status(of: descriptor)
                try checkFolder(
                    status, descriptor: descriptor, access: access, isContainer: isContainer, what)
                return ContainerFolder(
                    path: path, identity: status.identity, access: access,
                    descriptor: descriptor)
            } catch {
                System.closeFile(descriptor)
                throw error
            }
        }
    }

    /// Whether every user may rename the container: the folder above is world-writable, and has no
    /// sticky bit as `/tmp` has.
    package var isReplaceable: Bool {
        guard let parent = try? System.status("..", in: descriptor) else { return false }
        return parent.permissions & 0o1002 == 0o002
    }

    private static func checkFolder(
        _ status: FileStatus, descriptor: Int32, access: Access, isContainer: Bool, _ what: String
    ) throws {
        guard access != .inspector else { return }
        guard status.owner == System.effectiveUser else {
            throw ContainerError(
                .insecure, "\(what) belongs to another user", reason: .otherOwner)
        }
        guard status.permissions & 0o022 == 0 else {
            throw ContainerError(
                .insecure, "others may write into \(what); make it 0700",
                reason: .writableByOthers)
        }
        guard access == .owner, status.permissions & 0o077 != 0 else { return }
        let isOurs = try !isContainer || !isShared(descriptor)
        if isOurs {
            try System.setPermissions(status.permissions & ~0o077, of: descriptor)
        }
    }

    /// Whether others may look into the container, because it has files that are none of its own:
    /// whoever needs them still gets at them, and the container's own files are private.
    package var isShared: Bool {
        guard let status = try? System.status(of: descriptor) else { return false }
        return status.permissions & 0o077 != 0 && (try? Self.isShared(descriptor)) == true
    }

    /// Whether a folder has files that are no container's.
    private static func isShared(_ descriptor: Int32) throws(SystemError) -> Bool {
        try System.names(in: descriptor).contains { name in
            !ContainerName.reserved.contains(name) && !AtomicFile.isTemporary(name)
        }
    }

    /// Makes a folder if there is none, private under any umask, and lasting.
    private static func makeFolder(_ name: String, in folder: Int32) throws(SystemError) {
        do throws(SystemError) {
            try System.makeFolder(name, in: folder)
        } catch  where error.exists {
            return
        }
        try System.setPermissions(0o700, of: name, in: folder)
        try System.sync(folder)
    }

    /// The folders above a new container, private like it.
    private static func makeParents(of path: String) throws(ContainerError) {
        var parts = path.utf8.split(separator: slash).map { String(Substring($0)) }
        guard parts.popLast() != nil else { throw invalidPath }
        var parent = path.utf8.first == slash ? "/" : "."
        try explaining("making the folders above the container") {
            for part in parts {
                // One that is there may be open to nobody but its own, as a folder of homes is.
                if try ifPresent({ try System.status(at: parent + "/" + part) }) == nil {
                    let folder = try System.openFolder(System.resolve(parent))
                    defer { System.closeFile(folder) }
                    try makeFolder(part, in: folder)
                }
                parent += "/" + part
            }
        }
    }

    /// The resolved parent of a path, and its last component.
    static func split(
        _ path: String
    ) throws(ContainerError) -> (parent: String, name: String) {
        var trimmed = Substring(path)
        while trimmed.utf8.last == slash { trimmed = Substring(trimmed.utf8.dropLast()) }
        return try explaining("looking for the folder above") {
            // A name that is no name stands for the folder that it leads to.
            if let last = trimmed.utf8.split(separator: slash).last.map(Substring.init),
                last == "." || last == ".."
            {
                trimmed = Substring(try System.resolve(String(trimmed)))
            }
            guard let end = trimmed.utf8.lastIndex(of: slash) else {
                guard !trimmed.isEmpty else { throw invalidPath }
                return (try System.resolve("."), String(trimmed))
            }
            let name = String(trimmed[trimmed.utf8.index(after: end)...])
            guard !name.isEmpty else { throw invalidPath }
            let parent = trimmed[..<end]
            return (try System.resolve(parent.isEmpty ? "/" : String(parent)), name)
        }
    }

    /// Between names. By its byte: to Swift it is no character of its own before a combining mark.
    private static let slash = UInt8(ascii: "/")

    static let invalidPath =
        ContainerError(.invalidName, "a path is empty, holds a zero byte or names no folder")

    /// Swift replaces bytes that aren't UTF-8 by one character: two folders would be the same (S-01).
    private static func checkEncoding(_ path: String) throws(ContainerError) {
        guard !path.unicodeScalars.contains("\u{FFFD}") else {
            throw ContainerError(
                .invalidName, "the container's path is not UTF-8; rename the folder")
        }
    }

    /// Names inside a container are single components; one from outside is never a path.
    static func checkName(_ name: String) throws(ContainerError) {
        let isPlain = !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
        guard isPlain, !name.utf8.contains(0), !name.utf8.contains(UInt8(ascii: "/")) else {
            throw ContainerError(.invalidName, "a file name is empty, too long or a path")
        }
    }

    package static func reason(
        for kind: FileKind, leadsNowhere: Bool = false
    ) -> ContainerError.Reason? {
        switch kind {
        case .regular: nil
        case .folder: .folder
        case .symbolicLink: leadsNowhere ? .danglingLink : .symbolicLink
        case .fifo: .fifo
        case .socket: .socket
        case .device: .device
        }
    }
}

extension ContainerFolder {
    /// A file in the folder.
    package struct Entry: Hashable, Sendable {
        package var name: String
        package var status: FileStatus
    }

    /// What lies in the folder, by name.
    package func entries() throws(ContainerError) -> [Entry] {
        try explaining("listing the container") {
            // What was removed since the folder was read is left out.
            let entries = try System.names(in: descriptor).compactMap { name in
                try ifPresent { try System.status(name, in: descriptor) }
                    .map { Entry(name: name, status: $0) }
            }
            return entries.sorted { $0.name < $1.name }
        }
    }

    /// The folder's own permission bits.
    package func permissions() throws(ContainerError) -> UInt32 {
        try explaining("looking at the container") {
            try System.status(of: descriptor).permissions
        }
    }

    /// What stands at a name, or nil.
    package func status(of name: String) throws(ContainerError) -> FileStatus? {
        try Self.checkName(name)
        return try explaining("looking at a file", file: name) {
            try ifPresent { try System.status(place(of: name), in: descriptor) }
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
        return try explaining("reading a file", file: name) {
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
        }
    }

    /// Moves a file into another folder of the same volume, never over an existing one, and
    /// makes both ends of the move last.
    package func move(
        _ name: String, to target: ContainerFolder, as newName: String
    ) throws(ContainerError) {
        try Self.checkName(name)
        try Self.checkName(newName)
        try explaining("moving a file", file: name) {
            try System.rename(
                name, in: descriptor, to: newName, in: target.descriptor, replacing: false)
            try System.sync(target.descriptor)
            try System.sync(descriptor)
        }
    }

    /// Removes a file; nothing happens when there is none.
    package func remove(_ name: String) throws(ContainerError) {
        try Self.checkName(name)
        try explaining("removing a file", file: name) {
            _ = try ifPresent { try System.remove(name, in: descriptor) }
        }
    }

    /// Makes what was created, renamed and removed here last.
    package func sync() throws(ContainerError) {
        try explaining("syncing the container") {
            try System.sync(descriptor)
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

/// The fixed names in a container.
package enum ContainerName {
    package static let store = "scenes.sqlite"
    package static let log = "scenes.sqlite-wal"
    package static let index = "scenes.sqlite-shm"
    package static let journal = "scenes.sqlite-journal"
    package static let lock = "owner.lock"
    /// Where the owner listens, if its app asked for that (L-77).
    package static let socket = "socket"
    package static let quarantine = "quarantine"
    package static let backups = "backups"
    /// What the command did, so that it can be undone.
    package static let operations = "operations"
    /// The container's own folders.
    package static let folders = [backups, quarantine, operations]
    /// Everything that an output must never overwrite.
    package static let all = [store, log, index, journal, lock, socket]
    /// Every name in a container that has a meaning: an output takes none of them.
    package static let reserved = all + folders
    static let sideFiles = [log, index, journal]
}
