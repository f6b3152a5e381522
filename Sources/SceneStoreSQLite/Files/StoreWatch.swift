/// Notices that the store's files are no longer at their names (R-06, S-26).
///
/// To be asked before a batch of writes begins and again before it is acknowledged: the second
/// answer proves that what was committed lies where the next launch will look for it. It costs a
/// `stat` for the database and one for its log.
package struct StoreWatch: Sendable {
    private let storePath: String
    private let logPath: String
    private let store: FileIdentity
    /// The log's, from the first look that found one: SQLite makes it when it first needs it, and
    /// keeps it until the close.
    private var log: FileIdentity?

    package init(_ folder: ContainerFolder, store: FileIdentity) {
        storePath = folder.storePath
        logPath = "\(folder.path)/\(ContainerName.log)"
        self.store = store
    }

    /// Throws `moved` or `replaced`.
    package mutating func verify() throws(ContainerError) {
        let found = try Self.identity(at: storePath)
        guard found == store else {
            throw Self.changed(isGone: found == nil, file: ContainerName.store)
        }
        let foundLog = try Self.identity(at: logPath)
        guard let log else {
            log = foundLog
            return
        }
        guard foundLog == log else {
            throw Self.changed(isGone: foundLog == nil, file: ContainerName.log)
        }
    }

    private static func identity(at path: String) throws(ContainerError) -> FileIdentity? {
        do {
            return try System.status(at: path).identity
        } catch {
            switch error.kind {
            case .missing, .notAFolder: return nil
            default: throw ContainerError(error, "looking for the store")
            }
        }
    }

    private static func changed(isGone: Bool, file: String) -> ContainerError {
        isGone
            ? ContainerError(.moved, "the file is no longer in its place", file: file)
            : ContainerError(.replaced, "another file has taken this one's place", file: file)
    }
}
