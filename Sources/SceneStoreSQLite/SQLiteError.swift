import SceneStoreCSQLite

/// What SQLite, or this layer on its behalf, refused.
///
/// The message names the statement or the thing and never holds a bound value: what SQLite says
/// is quoted only where it speaks of names in the schema or of the text of a statement.
package struct SQLiteError: Error, Sendable {
    package var kind: Kind
    /// SQLite's extended result code; `SQLITE_OK` where this layer refused by itself.
    package var code: Int32
    package var message: String

    package init(_ kind: Kind, _ message: String, code: Int32 = SQLITE_OK) {
        self.kind = kind
        self.message = message
        self.code = code
    }

    /// Whether a row holds what its table never has: that row is damaged, and others may be read.
    package var isOfRow: Bool { kind == .wrongType || kind == .invalidText }
}

/// An error that a failure of SQLite can become, so that one closure throws one type.
///
/// `SQLiteError` is one; the store makes its public error another and so translates once.
package protocol SQLiteErrorConvertible: Error {
    init(_ error: SQLiteError)
}

extension SQLiteError: SQLiteErrorConvertible {
    package init(_ error: SQLiteError) {
        self = error
    }
}

extension SQLiteError: CustomStringConvertible {
    package var description: String {
        code == SQLITE_OK
            ? "\(kind.rawValue): \(message)"
            : "\(kind.rawValue): \(message) (SQLite \(code))"
    }
}

extension SQLiteError {
    /// What kind of failure it is, as far as a caller acts on it.
    package enum Kind: String, Sendable {
        // What the world did.

        /// Another connection held a lock longer than the busy timeout; retry.
        case busy
        /// The handle or the volume only reads.
        case readOnly
        case permission
        /// The platform has not unlocked the file yet (data protection).
        case protected
        case diskFull, ioError
        /// The disk refused to take what was written: nothing on it may be trusted or acknowledged
        /// through this connection any more.
        case syncFailed
        case cannotOpen
        /// The process has too many open files.
        case tooManyFiles
        case outOfMemory
        /// The file at the path is no longer the one that is open.
        case moved

        // What the file is.

        case corrupt, notADatabase
        /// An SQLite file of somebody else: other application, page size or encoding.
        case foreignFile
        /// A value is of another type than the column promises.
        case wrongType
        /// Text is not UTF-8.
        case invalidText

        // What was asked.

        case constraint, tooBig
        /// The statement does not fit the schema, or is none.
        case invalidStatement
        /// A statement that had to change exactly one row changed another number of them.
        case unexpectedChangeCount
        /// Interrupted by another thread.
        case interrupted
        /// The budget of instructions or time ran out.
        case budgetExceeded

        // What this layer refuses.

        /// A setting was not in force when it was read back.
        case settingRefused
        /// SQLite is too old or not built for threads.
        case unsupported
        /// The process is a forked child of the one that opened the connection.
        case forked
        case closed
        /// An earlier failure left the connection unfit for writing; reopen.
        case poisoned
        /// SQLite rolled the transaction back by itself before its end.
        case transactionLost
        /// A call at the wrong time: nested transactions, a write in a read transaction.
        case misuse
    }
}

extension SQLiteError.Kind {
    /// The kind of an extended result code, with the system's error where SQLite kept it.
    package init(code: Int32, systemCode: Int32) {
        switch code {
        case ExtendedCode.ioOutOfMemory:
            self = .outOfMemory
        case ExtendedCode.ioSync, ExtendedCode.ioFolderSync:
            self = .syncFailed
        case ExtendedCode.readOnlyMoved:
            self = .moved
        case ExtendedCode.readOnlyRecovery, ExtendedCode.readOnlyCantLock,
            ExtendedCode.readOnlyCantInit:
            // The log's index has to be made anew, which a reader leaves to the owner: it died just
            // now, or is opening.
            self = .busy
        default:
            self = Self(primaryCode: code & 0xff, systemCode: systemCode)
        }
    }

    private init(primaryCode: Int32, systemCode: Int32) {
        switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: self = .busy
        case SQLITE_READONLY: self = .readOnly
        case SQLITE_PERM, SQLITE_AUTH: self = .permission
        case SQLITE_FULL: self = .diskFull
        case SQLITE_IOERR: self = Self(systemCode: systemCode) ?? .ioError
        case SQLITE_CANTOPEN: self = Self(systemCode: systemCode) ?? .cannotOpen
        case SQLITE_NOMEM: self = .outOfMemory
        case SQLITE_CORRUPT: self = .corrupt
        case SQLITE_NOTADB: self = .notADatabase
        case SQLITE_CONSTRAINT: self = .constraint
        case SQLITE_MISMATCH: self = .wrongType
        case SQLITE_TOOBIG: self = .tooBig
        case SQLITE_INTERRUPT: self = .interrupted
        case SQLITE_SCHEMA, SQLITE_ERROR: self = .invalidStatement
        default: self = .misuse
        }
    }

    /// What the system's error says better than SQLite's code, or nil.
    private init?(systemCode: Int32) {
        guard let kind = SystemError(code: systemCode).kind else { return nil }
        switch kind {
        case .permission: self = .permission
        case .protected: self = .protected
        case .readOnlyVolume: self = .readOnly
        case .diskFull: self = .diskFull
        case .outOfMemory: self = .outOfMemory
        case .tooManyFiles: self = .tooManyFiles
        default: return nil
        }
    }
}

/// Extended codes, which SQLite builds with expression macros that Swift does not import.
package enum ExtendedCode {
    package static let ioOutOfMemory = SQLITE_IOERR | 12 << 8
    package static let ioShortRead = SQLITE_IOERR | 2 << 8
    /// `SQLITE_IOERR_CORRUPTFS`: the system cannot read a stretch of the file.
    package static let ioUnreadable = SQLITE_IOERR | 33 << 8
    package static let ioWrite = SQLITE_IOERR | 3 << 8
    package static let ioSync = SQLITE_IOERR | 4 << 8
    package static let ioFolderSync = SQLITE_IOERR | 5 << 8
    package static let readOnlyRecovery = SQLITE_READONLY | 1 << 8
    package static let readOnlyCantLock = SQLITE_READONLY | 2 << 8
    package static let readOnlyCantInit = SQLITE_READONLY | 5 << 8
    package static let readOnlyMoved = SQLITE_READONLY | 4 << 8
    package static let constraintPrimaryKey = SQLITE_CONSTRAINT | 6 << 8
    package static let constraintUnique = SQLITE_CONSTRAINT | 8 << 8
}

/// Text of the world made fit for a message: printable ASCII, bounded.
func printable(_ text: some Sequence<UInt8>, limit: Int = 200) -> String {
    let shown = text.prefix(limit + 1).map { byte in
        (0x20..<0x7f).contains(byte) ? byte : UInt8(ascii: "?")
    }
    return String(decoding: shown.prefix(limit), as: UTF8.self)
        + (shown.count > limit ? "..." : "")
}

/// A text as a part of a path or a URI: each byte that is not plain there, by itself or as the first
/// one, is `%` and two digits.
func percentEncoded(
    _ text: String, _ isPlain: (_ byte: UInt8, _ isFirst: Bool) -> Bool
) -> String {
    text.utf8.reduce(into: "") { result, byte in
        if isPlain(byte, result.isEmpty) {
            result.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
            result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
        }
    }
}
