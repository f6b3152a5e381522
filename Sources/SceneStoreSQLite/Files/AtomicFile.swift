import Synchronization

/// A file that appears whole under its name, or not at all.
///
/// It is written under a temporary name in the same folder, made exclusively and for its owner
/// alone, synced, renamed, and the folder synced. Without `commit` nothing of it stays. Of a draft
/// that a process left when it died, the next one with the same key goes on.
package struct AtomicFile: ~Copyable {
    private static let counter = Atomic<UInt32>(0)
    /// The temporary names that this process uses right now.
    private static let inUse = ThreadLock<Set<String>>([])

    private let folder: Int32
    private let folderPath: String
    private let name: String
    private let temporaryName: String
    private let isReplacing: Bool
    private let descriptor: Int32
    /// Whether it is a draft that another process left.
    package let isContinued: Bool
    private var offset: Int64 = 0
    private var isRenamed = false

    /// A file in a container.
    ///
    /// - Parameter draft: What a draft of it is known by, if another process may go on with it.
    package init(
        in container: ContainerFolder, name: String, replacing: Bool = false, draft: UInt64? = nil
    ) throws(ContainerError) {
        try self.init(parent: container.path, name: name, replacing: replacing, draft: draft)
    }

    /// A file anywhere. `protecting` is the container that it must not damage: an output that
    /// is one of the store's files, by whatever name, is refused.
    package init(
        path: String, replacing: Bool = false, protecting container: ContainerFolder?
    ) throws(ContainerError) {
        guard !path.isEmpty, !path.utf8.contains(0), !path.hasSuffix("/") else {
            throw ContainerFolder.invalidPath
        }
        let (parent, name) = try ContainerFolder.split(path)
        if let container { try Self.check(parent, name, against: container) }
        try self.init(parent: parent, name: name, replacing: replacing)
    }

    private init(
        parent: String, name: String, replacing: Bool, draft: UInt64? = nil
    ) throws(ContainerError) {
        try ContainerFolder.checkName(name)
        do {
            let opened = try System.openFolder(parent)
            do {
                try Self.checkTarget(name, in: opened, replacing: replacing)
                let left = try draft.flatMap { try Self.openDraft($0, in: opened) }
                (temporaryName, descriptor) = try left ?? Self.createTemporary(draft, in: opened)
                isContinued = left != nil
                folder = opened
            } catch {
                System.closeFile(opened)
                throw error
            }
        } catch {
            throw ContainerError(error, "making a file", file: name)
        }
        folderPath = parent
        self.name = name
        isReplacing = replacing
    }

    deinit {
        System.closeFile(descriptor)
        if !isRenamed {
            // A leftover is harmless; the next owner removes it.
            for suffix in [""] + Self.sideSuffixes {
                _ = try? System.remove(temporaryName + suffix, in: folder)
            }
        }
        System.closeFile(folder)
        Self.inUse.withLock { _ = $0.remove(temporaryName) }
    }

    /// Where the file is until it is committed; for writers that need a path, such as SQLite.
    package var temporaryPath: String {
        folderPath == "/" ? "/\(temporaryName)" : "\(folderPath)/\(temporaryName)"
    }

    /// Appends bytes.
    package mutating func write(_ bytes: [UInt8]) throws(ContainerError) {
        do {
            try System.write(bytes, to: descriptor, at: offset)
            offset += Int64(bytes.count)
        } catch {
            throw ContainerError(error, "writing a file", file: name)
        }
    }

    /// Gives the file its name; when this returns, it is on the disk.
    package consuming func commit() throws(ContainerError) {
        do {
            try System.sync(descriptor)
            try System.rename(
                temporaryName, in: folder, to: name, in: folder, replacing: isReplacing)
            isRenamed = true
            try System.sync(folder)
        } catch {
            throw ContainerError(error, "finishing a file", file: name)
        }
    }

    // MARK: - Names

    private static let prefix = ".scenestore."
    private static let suffix = ".tmp"
    private static let draftPrefix = prefix + "draft-"
    /// What SQLite makes beside a file that it writes.
    private static let sideSuffixes = ["-journal", "-wal", "-shm"]

    /// Whether a name is that of an unfinished file, or of what SQLite made beside one.
    package static func isTemporary(_ name: String) -> Bool {
        name.hasPrefix(prefix) && ([""] + sideSuffixes).contains { name.hasSuffix(suffix + $0) }
    }

    /// Whether a name is that of a draft, or of what SQLite made beside one.
    package static func isDraft(_ name: String) -> Bool {
        name.hasPrefix(draftPrefix) && isTemporary(name)
    }

    /// Whether it is that of a draft of this key.
    static func isDraft(_ name: String, of key: UInt64?) -> Bool {
        key.map { name.hasPrefix(draftName($0)) } ?? false
    }

    /// Whether a name is that of an unfinished file whose process is gone. For folders in which
    /// not the owner alone writes: what another living process makes there is its own.
    package static func isAbandoned(_ name: String) -> Bool {
        let digits = name.dropFirst(prefix.count).prefix { $0 != "." }
        guard isTemporary(name), let process = Int32(digits) else { return false }
        guard process == System.processIdentifier else { return !System.isAlive(process) }
        let end = sideSuffixes.first { name.hasSuffix($0) } ?? ""
        return !inUse.withLock { $0.contains(String(name.dropLast(end.count))) }
    }

    private static func draftName(_ key: UInt64) -> String {
        draftPrefix + String(key, radix: 16) + suffix
    }

    /// Opens the draft that a process left; nil if there is none, or something else has its name.
    private static func openDraft(
        _ key: UInt64, in folder: Int32
    ) throws(SystemError) -> (String, Int32)? {
        let name = draftName(key)
        do throws(SystemError) {
            let found = try System.status(name, in: folder)
            guard found.kind == .regular, found.links == 1, found.isOwnUsers,
                found.permissions & 0o077 == 0
            else {
                try System.remove(name, in: folder)
                return nil
            }
            return (name, try System.openForReading(name, in: folder))
        } catch  where error.isMissing {
            return nil
        }
    }

    private static func createTemporary(
        _ draft: UInt64?, in folder: Int32
    ) throws(SystemError) -> (String, Int32) {
        var attempt = 0
        while true {
            let number = counter.add(1, ordering: .relaxed).newValue
            let name =
                draft.map(draftName)
                ?? "\(prefix)\(System.processIdentifier).\(number)\(suffix)"
            inUse.withLock { _ = $0.insert(name) }
            do {
                // A journal that lies there is another file's: SQLite would play it back.
                try removeSideFiles(of: name, in: folder)
                return (name, try System.createFile(name, in: folder))
            } catch {
                inUse.withLock { _ = $0.remove(name) }
                // Left by a process of the same number.
                attempt += 1
                guard error.exists, draft == nil, attempt < 1_000 else { throw error }
            }
        }
    }

    /// Makes a file that has a name only while this function runs.
    fileprivate static func createNameless(in folder: Int32) throws(SystemError) -> Int32 {
        let (name, file) = try createTemporary(nil, in: folder)
        defer { inUse.withLock { _ = $0.remove(name) } }
        do {
            try System.remove(name, in: folder)
        } catch {
            System.closeFile(file)
            throw error
        }
        return file
    }

    private static func removeSideFiles(
        of name: String, in folder: Int32
    ) throws(SystemError) {
        for suffix in sideSuffixes {
            do throws(SystemError) {
                try System.remove(name + suffix, in: folder)
            } catch  where error.isMissing {
            }
        }
    }

    /// Only a regular file or a link, which is itself replaced, may give way.
    private static func checkTarget(
        _ name: String, in folder: Int32, replacing: Bool
    ) throws {
        guard let found = try ifPresent({ try System.status(name, in: folder) }) else { return }
        guard replacing else {
            throw ContainerError(.exists, "the file exists already", file: name)
        }
        guard found.kind == .regular || found.kind == .symbolicLink else {
            throw ContainerError(
                .exists, "only a regular file is replaced",
                reason: ContainerFolder.reason(for: found.kind), file: name)
        }
    }

    private static func check(
        _ parent: String, _ name: String, against container: ContainerFolder
    ) throws(ContainerError) {
        let refusal = ContainerError(
            .outputIsStore, "the output is one of the store's own files or folders", file: name)
        try explaining("looking at the output", file: name) {
            // By name, where the file does not exist yet.
            if try System.status(at: parent).identity == container.identity,
                ContainerName.reserved.contains(name)
            {
                throw refusal
            }
            let path = parent == "/" ? "/\(name)" : "\(parent)/\(name)"
            guard let target = try? System.status(at: path, following: true) else { return }
            for own in ContainerName.all {
                guard let status = try container.status(of: own) else { continue }
                if status.identity == target.identity { throw refusal }
            }
        }
    }
}

/// A private file in the temporary folder that has no name, so that no death of the process leaves
/// its content there.
package final class NamelessFile: Sendable {
    package let descriptor: Int32

    /// Makes an empty one; in the folder that `TMPDIR` names, unless another one is given.
    package init(in folder: String? = nil) throws(ContainerError) {
        do {
            let parent = try System.openFolder(System.resolve(folder ?? System.temporaryFolder))
            defer { System.closeFile(parent) }
            descriptor = try AtomicFile.createNameless(in: parent)
        } catch {
            // What the temporary folder lacks says nothing of the store, which isn't missing.
            var failure = ContainerError(
                error, "copying into the temporary folder, which TMPDIR names")
            if failure.kind == .missing || failure.kind == .notAFolder {
                failure.kind = .permission
            }
            throw failure
        }
    }

    deinit {
        System.closeFile(descriptor)
    }
}
