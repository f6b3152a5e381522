import SceneStore

/// What `doctor` can find, by a code that never changes its meaning. The documentation's page
/// `Doctor` has a section for each, with cause and cure; a test holds the two together.
enum DoctorCode: Int, CaseIterable, Sendable {
    case openContainer = 1
    case openFiles
    case secondLink
    case leftovers
    case strangers
    case unreadable
    case foreignSchema
    case newerVersion
    case olderVersion
    case orphanedLog
    case lostCommits
    case largeLog
    case diedOwner
    case damage
    case rowsSetAside
    case filesSetAside
    case lostSessions
    case heldSessions
    case withheldStates
    case dyingLaunches
    case staleConfigurations
    case undisplayable
    case erasurePending
    case impossibleTimes
    case largeStates
    case manySessions
    case foreignTables
    case checkpointRace
    case interruptedReplacement
    case replaceableContainer
    case linkedStore
    case rolledBack
    case blockedFolder
    case unwritable

    /// `SS001`.
    var code: String { "SS" + String(rawValue, digits: 3) }

    /// The heading of its section.
    var title: String {
        switch self {
        case .openContainer: "The container is open to other users"
        case .openFiles: "Files of the container are open to other users"
        case .secondLink: "The store's file has a second name"
        case .leftovers: "Unfinished files are in the container"
        case .strangers: "Unknown files are in the container"
        case .unreadable: "The store cannot be read"
        case .foreignSchema: "The schema was changed"
        case .newerVersion: "A newer version wrote the store"
        case .olderVersion: "An older version wrote the store"
        case .orphanedLog: "The write-ahead log has lost its store"
        case .lostCommits: "Commits are out of reach in the log"
        case .largeLog: "The write-ahead log is large"
        case .diedOwner: "The last process died"
        case .damage: "Rows or pages are damaged"
        case .rowsSetAside: "Rows were set aside"
        case .filesSetAside: "Files were set aside"
        case .lostSessions: "Sessions were lost"
        case .heldSessions: "Sessions are held back"
        case .withheldStates: "States are withheld"
        case .dyingLaunches: "Launches die in a row"
        case .staleConfigurations: "Configurations are stale"
        case .undisplayable: "An update would park sessions"
        case .erasurePending: "Erased content may still be there"
        case .impossibleTimes: "Times are in the future or run backwards"
        case .largeStates: "States are near their limit"
        case .manySessions: "There are nearly too many sessions"
        case .foreignTables: "Other tools' tables are in the store"
        case .checkpointRace: "SQLite may lose commits with two writers"
        case .interruptedReplacement: "A restore or repair was interrupted"
        case .replaceableContainer: "Every user can replace the container"
        case .linkedStore: "The store's file is a symbolic link"
        case .rolledBack: "An older file took the store's place"
        case .blockedFolder: "A file is in the place of a folder"
        case .unwritable: "This user can't write the store"
        }
    }

    /// Whether `doctor --fix` fixes it: modes, and what the owner would do anyway when it is idle.
    var isFixable: Bool {
        switch self {
        case .openContainer, .openFiles, .leftovers, .largeLog, .diedOwner, .erasurePending,
            .interruptedReplacement, .unwritable:
            true
        default: false
        }
    }

    /// What a command exits with that comes upon it.
    var status: ExitStatus {
        switch self {
        case .unreadable, .foreignSchema, .orphanedLog, .lostCommits, .damage,
            .interruptedReplacement:
            .damaged
        case .newerVersion: .newerSchema
        default: .answeredNo
        }
    }
}

/// A line of `doctor`.
struct DoctorFinding: Equatable {
    /// How it stands.
    enum Mark: String {
        /// Looked at, and in order; or worth knowing.
        case good = "ok"
        /// Probably not meant.
        case attention = "warning"
        /// Wrong.
        case bad = "error"

        /// One character for people.
        var sign: String {
            switch self {
            case .good: "✓"
            case .attention: "!"
            case .bad: "✗"
            }
        }
    }

    var mark: Mark
    /// nil when all is well.
    var code: DoctorCode?
    var message: String
    /// The command that mends it, or what to do.
    var fix: String?
    var session: String?
}
