import SceneStoreValues

/// The ways to treat a session or saved activity whose identifier is taken (S-63).
///
/// Nothing is ever merged silently. The import always leaves out a discard or a waiting payload
/// that the store already has. It also leaves out the discard of a session that the store or the
/// import has; with ``refuse``, it refuses the discard of an open session. An imported session
/// replaces its own discard.
///
/// ```swift
/// let report = try other.importing(exported, merge: .newest)
/// let count = report.sessions  // 1
/// ```
public enum ImportMerge: String, Sendable, Hashable, CaseIterable {
    /// The complete import is refused.
    case refuse
    /// The one in the store stays.
    case keep
    /// The imported one takes its place.
    case replace
    /// The session or activity that was active or saved later stays.
    case newest
    /// The imported session gets a new identifier.
    ///
    /// The identifier of a saved activity belongs to the app and is never changed: of two, the one
    /// that was saved later stays.
    case renumber
}

/// The results of an import, or of a check of one.
///
/// ```swift
/// let report = try other.checkImport(exported)  // changes nothing
/// let problems = report.refusals.map(\.message)
/// ```
public struct ImportReport: Sendable, Hashable {
    /// Sessions that came in.
    public package(set) var sessions = 0
    /// The number of them that replaced another session or activity.
    public package(set) var replaced = 0
    /// The number of items that were left out, because the store already has them.
    ///
    /// They are sessions, discards, payloads and saved activities.
    public package(set) var kept = 0
    /// Of them, sessions that the store used later than the import, so that they differ.
    package private(set) var newer = 0
    /// Those, or the first thousand of them.
    package private(set) var newerIdentifiers: [String] = []
    /// The sessions that are closed in the import and open in the store, and stay open; or the first
    /// thousand of them.
    package private(set) var closed: [String] = []
    /// New identifiers by old ones.
    public package(set) var renumbered: [SceneSession.ID: SceneSession.ID] = [:]
    /// The sessions that came in under their own identifiers, or the first thousand of them.
    package private(set) var identifiers: [String] = []
    /// The titles of those whose content isn't private, by identifier.
    package private(set) var titles: [String: String] = [:]
    static let identifierCapacity = 1_000
    /// States, current ones included.
    public package(set) var states = 0
    /// Tombstones, payloads and saved activities.
    public package(set) var others = 0
    /// Lines that were refused, each with its reason; then nothing was written.
    public package(set) var refusals: [Diagnostic] = []
    /// The number of lines that were refused; not all of them are listed.
    public package(set) var refused = 0
    /// Of them, those that another ``ImportMerge`` would let in.
    package var taken = 0

    static let refusalCapacity = 100

    /// Notes a session that the store used later than the import.
    mutating func noteNewer(_ session: ImportedSession, isPrivate: Bool) {
        newer += 1
        if newerIdentifiers.count < Self.identifierCapacity {
            newerIdentifiers.append(session.identifier)
            titles[session.identifier] = isPrivate ? nil : session.title
        }
    }

    /// Notes a session that is closed in the import and open in the store.
    mutating func noteClosed(_ identifier: String) {
        if closed.count < Self.identifierCapacity {
            closed.append(identifier)
        }
    }

    /// Counts a session that came in under its own identifier.
    mutating func note(_ session: ImportedSession) {
        if identifiers.count < Self.identifierCapacity {
            identifiers.append(session.identifier)
            titles[session.identifier] = session.title
        }
    }
}

extension Diagnostic.Code {
    /// A line of an import is not what an export writes.
    public static let refusedLine = Self("refusedLine")
    /// A session of an import has an identifier that is taken.
    public static let takenIdentifier = Self("takenIdentifier")
}
