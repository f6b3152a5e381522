/// Why a container or one of its files can't be used.
///
/// The message names files of the container by their fixed names, never a path of the machine.
package struct ContainerError: Error, Sendable {
    /// What kind of failure it is; new ones may be added.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package init(_ rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What stands where a store was expected; new ones may be added.
    package struct Reason: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package init(_ rawValue: String) {
            self.rawValue = rawValue
        }
    }

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
        case let error as SystemError: self.init(error, doing, file: file)
        default: self.init(.ioError, doing, file: file)
        }
    }

    /// A failed system call, in words.
    package init(_ error: SystemError, _ what: String, file: String? = nil) {
        self.init(error.kind ?? .ioError, "\(what): \(error.text)", file: file)
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

extension ContainerError.Kind {
    /// A living process owns the container.
    package static let owned = Self("owned")
    package static let permission = Self("permission")
    package static let readOnlyVolume = Self("readOnlyVolume")
    package static let diskFull = Self("diskFull")
    /// Data protection: the device was not unlocked yet.
    package static let protected = Self("protected")
    package static let ioError = Self("ioError")
    package static let outOfMemory = Self("outOfMemory")
    package static let tooManyFiles = Self("tooManyFiles")
    /// What stands at the store's name is no store of ours; the reason says what.
    package static let notAStore = Self("notAStore")
    /// A store of ours was here, and its file is gone or no database; the reason says which.
    package static let lost = Self("lost")
    /// A log without its database.
    package static let orphanedLog = Self("orphanedLog")
    /// Others could write the container, or it is somebody else's.
    package static let insecure = Self("insecure")
    package static let missing = Self("missing")
    /// The container's place is no folder.
    package static let notAFolder = Self("notAFolder")
    /// The store's file is no longer at its name.
    package static let moved = Self("moved")
    /// Another file stands at the store's name.
    package static let replaced = Self("replaced")
    package static let forked = Self("forked")
    package static let exists = Self("exists")
    /// An output would overwrite the store.
    package static let outputIsStore = Self("outputIsStore")
    /// The store changed faster than it could be copied.
    package static let unstable = Self("unstable")
    /// The file system can't lock files.
    package static let locksUnsupported = Self("locksUnsupported")
    package static let invalidName = Self("invalidName")
}

extension ContainerError.Reason {
    package static let device = Self("device")
    package static let fifo = Self("fifo")
    package static let socket = Self("socket")
    package static let folder = Self("folder")
    package static let symbolicLink = Self("symbolicLink")
    package static let danglingLink = Self("danglingLink")
    package static let empty = Self("empty")
    package static let tooLarge = Self("tooLarge")
    package static let notSQLite = Self("notSQLite")
    package static let damagedHeader = Self("damagedHeader")
    package static let otherApplication = Self("otherApplication")
    package static let pageSize = Self("pageSize")
    package static let encoding = Self("encoding")
    package static let otherOwner = Self("otherOwner")
    package static let writableByOthers = Self("writableByOthers")
    /// There is no database.
    package static let databaseMissing = Self("databaseMissing")
}
