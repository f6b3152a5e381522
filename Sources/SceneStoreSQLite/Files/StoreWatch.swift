import SceneStoreCSupport

/// Notices that the store's files are no longer at their names (R-06, S-26).
///
/// To be asked before a commit is acknowledged: the answer proves that what was committed lies where
/// the next launch will look for it. Before a commit that waits for the disk it is asked as well, so
/// that a container that is gone is not written to. It costs a `stat` for the database and one for
/// its log, and asks for no times.
///
/// Lives no longer than the folder it was made of.
package struct StoreWatch: Sendable {
    /// The names as the system takes them, made once. The database is looked for by its whole path,
    /// so that a container that was moved is noticed; the log in the folder that holds both.
    private let storePath: ContiguousArray<CChar>
    private let logName: ContiguousArray<CChar>
    private static let journalName = ContainerName.journal.utf8CString
    private let folder: Int32
    private let store: FileIdentity
    /// The log's, from the first look that found one: SQLite makes it when it first needs it, and
    /// keeps it until the close.
    private var log: FileIdentity?

    /// The database's size and time of change after the owner's last checkpoint: between two of
    /// them nobody writes into it. Nil until it was looked at.
    private var content: Content?

    /// The index's, from the first look that found one.
    private var index: FileIdentity?
    private static let indexName = ContainerName.index.utf8CString

    private struct Content: Equatable {
        var size: Int64 = 0
        var modified: Int64 = 0
    }

    package init(_ folder: ContainerFolder, store: FileIdentity) {
        storePath = folder.storePath.utf8CString
        logName = ContainerName.log.utf8CString
        self.folder = folder.descriptor
        self.store = store
    }

    /// Throws `moved` or `replaced`.
    package mutating func verify() throws(ContainerError) {
        try confirm()
        try Self.follow(&log, at: logName, in: folder, file: ContainerName.log)
    }

    /// What stands in the database now is the owner's: to be called when it is open, and after each
    /// checkpoint.
    package mutating func noteContent() {
        _ = storePath.withUnsafeBufferPointer { path in
            path.baseAddress.map { scenestore_settle_content(-1, $0) }
        }
        content = try? Self.content(at: storePath)
    }

    /// Throws `moved` or `replaced` when the log's index is no longer in its place (S-31): readers
    /// would make one of their own, which knows nothing of what comes.
    package mutating func checkIndex() throws(ContainerError) {
        try Self.follow(&index, at: Self.indexName, in: folder, file: ContainerName.index)
    }

    /// Throws `moved` or `replaced` unless a file is the one that the first look found.
    private static func follow(
        _ known: inout FileIdentity?, at name: ContiguousArray<CChar>, in folder: Int32,
        file: String
    ) throws(ContainerError) {
        let found = try identity(at: name, in: folder)
        guard known == nil || found == known else {
            throw changed(isGone: found == nil, file: file)
        }
        known = found
    }

    /// Throws `replaced` when another program has written into the database in its place, for
    /// instance by copying another file over it.
    package func checkContent() throws(ContainerError) {
        do {
            guard let content, try Self.content(at: storePath) != content else {
                return
            }
        } catch {
            throw ContainerError(error, "looking at the store")
        }
        throw ContainerError(
            .replaced, "another program has written into the open file", file: ContainerName.store)
    }

    private static func content(
        at path: ContiguousArray<CChar>, in folder: Int32 = -1
    ) throws(SystemError) -> Content {
        var found = Content()
        let code = path.withUnsafeBufferPointer { path in
            path.baseAddress.map { scenestore_content(folder, $0, &found.size, &found.modified) }
                ?? -SystemError.missing.code
        }
        guard code == 0 else {
            throw SystemError(code: -code)
        }
        return found
    }

    /// The connection was closed: what SQLite makes beside the database next is new.
    package mutating func forgetSideFiles() {
        log = nil
        index = nil
    }

    /// Throws `moved` or `replaced` unless the database is as this owner left it when it closed the
    /// connection and kept the container: in its place, not written since, and nothing in a log or a
    /// journal.
    package func confirmRest() throws(ContainerError) {
        try confirm()
        let names = [(ContainerName.log, logName), (ContainerName.journal, Self.journalName)]
        for (file, name) in names {
            do {
                guard try Self.content(at: name, in: folder).size > 0 else { continue }
            } catch {
                guard error.isMissing else {
                    throw ContainerError(error, "looking at the log")
                }
                continue
            }
            throw ContainerError(
                .replaced, "another program has written into the store's log", file: file)
        }
    }

    /// Throws `moved` or `replaced` by the database alone, which a moved container takes along as
    /// well: one `stat`, before something is acknowledged.
    package func confirm() throws(ContainerError) {
        let found = try Self.identity(at: storePath, in: -1)
        guard found == store else {
            throw Self.changed(isGone: found == nil, file: ContainerName.store)
        }
        try checkContent()
    }

    private static func identity(
        at path: ContiguousArray<CChar>, in folder: Int32
    ) throws(ContainerError) -> FileIdentity? {
        var device: UInt64 = 0
        var inode: UInt64 = 0
        let code = path.withUnsafeBufferPointer { path in
            // The text of a path ends with a zero, so that there is always an address.
            path.baseAddress.map { scenestore_identity(folder, $0, &device, &inode) }
                ?? -SystemError.missing.code
        }
        guard code == 0 else {
            let error = SystemError(code: -code)
            switch error.kind {
            case .missing, .notAFolder: return nil
            default: throw ContainerError(error, "looking for the store")
            }
        }
        return FileIdentity(device: device, inode: inode)
    }

    private static func changed(isGone: Bool, file: String) -> ContainerError {
        isGone
            ? ContainerError(.moved, "the file is no longer in its place", file: file)
            : ContainerError(.replaced, "another file has taken this one's place", file: file)
    }
}
