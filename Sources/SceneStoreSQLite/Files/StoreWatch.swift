import SceneStoreCSupport

/// Notices that the store's files are no longer at their names (R-06, S-26).
///
/// To be asked before a commit is acknowledged: the answer proves that what was committed lies where
/// the next launch will look for it. Before a commit that waits for the disk it is asked as well, so
/// that a container that is gone is not written to. It costs a `stat` for the database and one for
/// its log.
///
/// Lives no longer than the folder it was made of.
package struct StoreWatch: Sendable {
    /// The database is looked for by its whole path, so that a container that was moved is noticed;
    /// what SQLite makes beside it is looked for in the folder.
    private let storePath: String
    private let folder: Int32
    private let store: FileIdentity
    /// The log's, from the first look that found one: SQLite makes it when it first needs it, and
    /// keeps it until the close.
    private var log: FileIdentity?
    /// The index's, from the first look that found one.
    private var index: FileIdentity?
    /// The database after the owner's last checkpoint: between two of them nobody writes into it
    /// . Nil until it was looked at.
    private var content: FileStatus?

    package init(_ folder: ContainerFolder, store: FileIdentity) {
        storePath = folder.storePath
        self.folder = folder.descriptor
        self.store = store
    }

    /// Throws `moved` or `replaced`.
    package mutating func verify() throws(ContainerError) {
        try confirm()
        try Self.follow(&log, ContainerName.log, in: folder)
    }

    /// What stands in the database now is the owner's: to be called when it is open, and after each
    /// checkpoint.
    package mutating func noteContent() {
        _ = scenestore_settle_content(storePath)
        content = try? System.status(at: storePath)
    }

    /// Throws `moved` or `replaced` when the log's index is no longer in its place (S-31): readers
    /// would make one of their own, which knows nothing of what comes.
    package mutating func checkIndex() throws(ContainerError) {
        try Self.follow(&index, ContainerName.index, in: folder)
    }

    /// Throws `moved` or `replaced` unless a file is the one that the first look found.
    private static func follow(
        _ known: inout FileIdentity?, _ name: String, in folder: Int32
    ) throws(ContainerError) {
        let found = try looking { () throws(SystemError) in
            try System.identity(of: name, in: folder)
        }
        guard known == nil || found == known else {
            throw changed(isGone: found == nil, file: name)
        }
        known = found
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
        for file in [ContainerName.log, ContainerName.journal] {
            let found = try Self.looking { () throws(SystemError) in
                try System.status(file, in: folder)
            }
            if let found, found.size > 0 {
                throw ContainerError(
                    .replaced, "another program has written into the store's log", file: file)
            }
        }
    }

    /// Throws `moved` or `replaced` by the database alone, which a moved container takes along as
    /// well: one `stat`, before something is acknowledged. Another program may also have written into
    /// it in its place, for instance by copying another file over it.
    package func confirm() throws(ContainerError) {
        let found = try Self.looking { () throws(SystemError) in
            try System.status(at: storePath)
        }
        guard let found, found.identity == store else {
            throw Self.changed(isGone: found == nil, file: ContainerName.store)
        }
        if let content, !found.isUnwritten(since: content) {
            throw ContainerError(
                .replaced, "another program has written into the open file",
                file: ContainerName.store)
        }
    }

    /// What a look answers; nil where nothing is, or no folder in the way to it.
    private static func looking<Result>(
        _ body: () throws(SystemError) -> Result
    ) throws(ContainerError) -> Result? {
        do {
            return try body()
        } catch {
            guard error.kind == .missing || error.kind == .notAFolder else {
                throw ContainerError(error, "looking for the store")
            }
            return nil
        }
    }

    private static func changed(isGone: Bool, file: String) -> ContainerError {
        isGone
            ? ContainerError(.moved, "the file is no longer in its place", file: file)
            : ContainerError(.replaced, "another file has taken this one's place", file: file)
    }
}
