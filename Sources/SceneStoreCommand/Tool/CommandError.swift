import SceneStore
import SceneStoreExchange

/// Why a command ends without doing what was asked: one line, a hint, a status.
struct CommandError: Error, Equatable {
    /// What to answer the caller.
    var status: ExitStatus
    /// Which thing, what is wrong: lower case, no full stop.
    var message: String
    /// What to do about it.
    var hint: String?

    init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
        self.status = status
        self.message = message
        self.hint = hint
    }

    /// The command line is wrong, or a file that it names cannot be used.
    static func usage(_ message: String, hint: String? = nil) -> CommandError {
        CommandError(.usage, message, hint: hint)
    }
}

/// The temporary folder can't be used; that says nothing about the store.
struct TemporaryFolderError: Error {
    let message: String

    /// nil if an error is about something else.
    init?(_ error: SceneStoreError) {
        guard error.message.hasPrefix("copying into the temporary folder") else {
            return nil
        }
        message = error.message
    }
}

/// Ctrl-C was pressed; ends the command with 130 and without a word.
struct Interrupted: Error {}

extension CommandError {
    /// What any error means to the caller of the command, or nil when it ends the command
    /// without a message.
    init?(_ error: any Error) {
        switch error {
        case let error as CommandError:
            self = error
        case let error as SceneStoreError where error.code == .cancelled:
            // Only Ctrl-C gives work up.
            return nil
        case let error as SceneStoreError where error.code == .owned:
            let owner =
                error.ownerProcess.map { "process \($0) owns the store" }
                ?? "a running process owns the store; its lock file does not say which"
            self.init(.busy, "owned: \(owner)", hint: ExitStatus.busy.hint)
        case let error as SceneStoreError:
            if let error = TemporaryFolderError(error) {
                self.init(error)
                return
            }
            let status = ExitStatus(errorCode: error.code.rawValue)
            self.init(status, error.description, hint: status.hint)
        case let error as TemporaryFolderError:
            self = .usage(error.message, hint: "set TMPDIR to a folder that this user can write")
        case is Interrupted:
            return nil
        case let error as OutputError:
            guard case .failed(let reason) = error else {
                return nil
            }
            self.init(.usage, "cannot write the output: \(reason)")
        default:
            // An unknown error's text may hold private data; its type is enough for a report.
            let status = ExitStatus.internalError
            self.init(status, "internal error: \(type(of: error))", hint: status.hint)
        }
    }
}

extension String {
    /// A word of the command line as it may be repeated in an error: in quotes, at most 40
    /// columns, of a link no more than scheme and host.
    var quotedForError: String {
        "'" + DisplayWidth.truncated(withoutLink, to: 40) + "'"
    }

    /// A path of the command line as it may be repeated in an error: in quotes, and whole.
    var quotedPath: String { "'" + withoutLink + "'" }

    /// The same without what a link holds behind its host, or, when it has none, its scheme.
    /// For paths, which nobody can use when they are cut.
    var withoutLink: String {
        guard let separator = firstRange(of: "://") else {
            guard let colon = utf8.firstIndex(of: 0x3A), utf8.index(after: colon) < endIndex,
                Self.isScheme(utf8[..<colon])
            else {
                return self
            }
            return String(self[...colon]) + "…"
        }
        let afterScheme = utf8[separator.upperBound...]
        let host = afterScheme.prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
        let name = host.lastIndex(of: 0x40).map { host[host.index(after: $0)...] } ?? host
        return String(self[..<separator.upperBound]) + (String(name) ?? "")
            + (host.endIndex == utf8.endIndex ? "" : "/…")
    }

    /// RFC 3986, 3.1; a single letter is a drive's.
    private static func isScheme(_ bytes: Substring.UTF8View) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
        guard let first = bytes.first, isLetter(first), bytes.count > 1 else {
            return false
        }
        return bytes.allSatisfy { byte in
            isLetter(byte) || (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E].contains(byte)
        }
    }

    private func firstRange(of needle: String) -> Range<String.Index>? {
        let wanted = Array(needle.utf8)
        var index = utf8.startIndex
        while index < utf8.endIndex {
            if utf8[index...].starts(with: wanted) {
                return index..<utf8.index(index, offsetBy: wanted.count)
            }
            index = utf8.index(after: index)
        }
        return nil
    }
}
