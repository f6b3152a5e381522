/// Why a container or one of its files can't be used.
///
/// The message names files of the container by their fixed names, never a path of the machine.
package struct ContainerError: Error, Sendable {
    package var kind: Kind
    /// Set for `notAStore`, `lost`, `orphanedLog` and `insecure`.
    package var reason: Reason?
    package var message: String
    /// The name of the file inside the container, or nil for the container itself.
    package var file: String?
    /// For `owned`: the owner as its lock file names it.
    package var ownerProcess: Int32?

    package init(
        _ kind: Kind, _ message: String, reason: Reason? = nil, file: String? = nil,
        ownerProcess: Int32? = nil
    ) {
        self.kind = kind
        self.reason = reason
        self.message = message
        self.file = file
        self.ownerProcess = ownerProcess
    }

    /// The failure of a container or a system call; another one says what was being done.
    package init(_ error: any Error, _ doing: String, file: String? = nil) {
        switch error {
        case let error as ContainerError: self = error
        case let error as SystemError:
            self.init(error.kind ?? .ioError, "\(doing): \(error.text)", file: file)
        default: self.init(.ioError, doing, file: file)
        }
    }
}

extension ContainerError: Equatable {
    package static func == (left: ContainerError, right: ContainerError) -> Bool {
        left.kind == right.kind && left.reason == right.reason && left.file == right.file
    }
}

extension ContainerError: CustomStringConvertible {
    package var description: String {
        var text = kind.rawValue
        if let reason { text += " (\(reason.rawValue))" }
        if let file { text += " at \(file)" }
        return text + ": " + message
    }
}

extension ContainerError {
    /// What kind of failure it is.
    package enum Kind: String, Sendable {
        /// A living process owns the container.
        case owned
        case permission, readOnlyVolume, diskFull
        /// Data protection: the device was not unlocked yet.
        case protected
        case ioError, outOfMemory, tooManyFiles
        /// What stands at the store's name is no store of ours; the reason says what.
        case notAStore
        /// A store of ours was here, and its file is gone or no database; the reason says which.
        case lost
        /// A log without its database.
        case orphanedLog
        /// Others could write the container, or it is somebody else's.
        case insecure
        case missing
        /// The container's place is no folder.
        case notAFolder
        /// The store's file is no longer at its name.
        case moved
        /// Another file stands at the store's name.
        case replaced
        case forked, exists
        /// An output would overwrite the store.
        case outputIsStore
        /// The store changed faster than it could be copied.
        case unstable
        /// The file system can't lock files.
        case locksUnsupported
        case invalidName
    }
}

extension ContainerError {
    /// What stands where a store was expected.
    package enum Reason: String, Sendable {
        case device, fifo, socket, folder, symbolicLink, danglingLink, empty, tooLarge, notSQLite
        case damagedHeader, otherApplication, pageSize, encoding, otherOwner, writableByOthers
        /// There is no database.
        case databaseMissing
    }
}

/// Runs a body; what it throws becomes the failure of a container, which says what was being done.
package func explaining<Result>(
    _ doing: String, file: String? = nil, _ body: () throws -> Result
) throws(ContainerError) -> Result {
    do {
        return try body()
    } catch {
        throw ContainerError(error, doing, file: file)
    }
}

/// What a body of system calls answers; nil where a file is missing.
func ifPresent<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
        return try body()
    } catch let error as SystemError where error.isMissing {
        return nil
    }
}
