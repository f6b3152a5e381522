/// An error with an open set of codes.
///
/// Messages are written for people: lower case, no full stop, which thing, what is wrong and what
/// to do about it. They never hold a URL, a title or a piece of state. Two errors are equal when
/// their codes are.
///
/// ```swift
/// do {
///     try application.pin(1, of: session.id)
/// } catch {
///     alerts.append(error.code == .noSuchState ? "There is nothing to pin." : error.message)
/// }
/// ```
public struct SceneStoreError: Error, Sendable {
    /// A stable word for the kind of error; new ones may be added in any release.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The word itself, lowerCamelCase.
        public let rawValue: String

        /// Makes a code from a word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Makes a code from a word.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The kind of error.
    public var code: Code
    /// One line for people, free of private text.
    public var message: String
    /// The place: a key path such as `userInfo.tabs[3]`, or the name of a file of the container.
    public var path: String?
    /// SQLite's extended result code, when SQLite reported the failure.
    public var sqliteCode: Int32?
    /// The process that owns the container, for ``Code/owned``.
    public var ownerProcess: Int32?

    /// Makes an error.
    public init(
        _ code: Code,
        _ message: String,
        path: String? = nil,
        sqliteCode: Int32? = nil,
        ownerProcess: Int32? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.sqliteCode = sqliteCode
        self.ownerProcess = ownerProcess
    }
}

extension SceneStoreError: Equatable {
    /// Compares the codes alone.
    public static func == (left: SceneStoreError, right: SceneStoreError) -> Bool {
        left.code == right.code
    }
}

extension SceneStoreError: CustomStringConvertible {
    /// The code, the place and the message in one line.
    public var description: String {
        var text = code.rawValue
        if let path {
            text += " at \(path)"
        }
        text += ": \(message)"
        if let sqliteCode {
            text += " (SQLite \(sqliteCode))"
        }
        return text
    }
}
