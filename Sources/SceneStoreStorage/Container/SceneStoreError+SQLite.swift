import SceneStoreSQLite
import SceneStoreValues

extension SceneStoreError: SQLiteErrorConvertible {
    /// The one place where SQLite's failures become the store's.
    package init(_ error: SQLiteError) {
        // Which statement met a damaged page says nothing to anybody.
        let isDamage = error.kind == .corrupt && error.code & 0xFF == 11
        self.init(
            Self.code(of: error.kind),
            isDamage ? "pages of the store are damaged; repair it" : error.message,
            sqliteCode: error.code == 0 ? nil : error.code)
    }

    private static func code(of kind: SQLiteError.Kind) -> Code {
        switch kind {
        case .busy, .interrupted: .busy
        case .readOnly: .readOnlyVolume
        case .permission: .permission
        case .protected: .protected
        case .diskFull: .diskFull
        case .tooManyFiles: .tooManyFiles
        case .ioError, .syncFailed, .cannotOpen, .transactionLost: .ioError
        case .outOfMemory: .outOfMemory
        case .moved: .moved
        case .notADatabase, .foreignFile: .notAStore
        case .wrongType, .invalidText: .damagedRow
        case .tooBig: .limitExceeded
        case .invalidStatement: .schemaTampered
        case .corrupt, .constraint, .unexpectedChangeCount, .budgetExceeded: .corrupt
        case .forked: .forked
        case .closed: .closed
        case .poisoned: .poisoned
        case .settingRefused, .unsupported: .unsupportedSystem
        case .misuse: .internalError
        }
    }
}

extension SceneStoreError {
    /// The failure of any layer below, as an error of the store; one without a kind of its own says
    /// what was being done.
    package init(_ error: any Error, _ doing: String) {
        switch error {
        case let error as SceneStoreError: self = error
        case let error as SQLiteError: self.init(error)
        case let error as ContainerError: self.init(error)
        default: self.init(.ioError, doing)
        }
    }

    /// What the rules of a container refuse, as an error of the store.
    package init(_ error: ContainerError) {
        self.init(
            Self.code(of: error.kind), error.message, path: error.file,
            ownerProcess: error.ownerProcess)
    }

    private static func code(of kind: ContainerError.Kind) -> Code {
        switch kind {
        case .owned: .owned
        case .permission, .insecure: .permission
        case .readOnlyVolume: .readOnlyVolume
        case .diskFull: .diskFull
        case .tooManyFiles: .tooManyFiles
        case .protected: .protected
        case .outOfMemory: .outOfMemory
        case .notAStore, .notAFolder: .notAStore
        case .lost: .corrupt
        case .orphanedLog: .orphanedWAL
        case .missing: .missing
        case .moved: .moved
        case .replaced: .replaced
        case .forked: .forked
        case .unstable: .busy
        case .locksUnsupported: .unsupportedSystem
        case .invalidName, .exists, .outputIsStore: .invalidLocation
        case .ioError: .ioError
        }
    }

    /// Whether pages of the file are damaged, or contradict each other: SQLITE_CORRUPT and its
    /// kinds, and a number that is taken, which no whole store has.
    var isOfDamage: Bool {
        code == .corrupt && (isOfOccupiedNumber || (sqliteCode ?? 0) & 0xff == 11)
    }

    /// Whether a row could not be written because another one has its number.
    var isOfOccupiedNumber: Bool {
        [ExtendedCode.constraintPrimaryKey, ExtendedCode.constraintUnique].contains(sqliteCode)
    }
}

/// Runs what uses the layers below, and throws their failures as the store's error.
///
/// The name says what is done, for a failure that has no kind of its own.
@discardableResult
@inline(__always)
package func translating<Result: ~Copyable>(
    _ doing: String = "using the container", _ body: () throws -> Result
) throws(SceneStoreError) -> Result {
    do {
        return try body()
    } catch {
        throw SceneStoreError(error, doing)
    }
}
