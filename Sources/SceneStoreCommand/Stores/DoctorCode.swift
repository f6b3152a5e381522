import SceneStore
import SceneStoreExchange

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
    case unreadableLock
    case parkedSessions
    case staleStates
    case declinedStates
    case payloadsSetAside
    case noState
    case manyBackups

    /// `SS001`.
    var code: String { "SS" + String(rawValue, digits: 3) }

    /// Whether `doctor --fix` fixes it: modes, the schema, and what the owner would do anyway when it is idle.
    var isFixable: Bool {
        switch self {
        case .openContainer, .openFiles, .leftovers, .largeLog, .diedOwner, .erasurePending,
            .interruptedReplacement, .unwritable, .olderVersion:
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
    /// What of the store is damaged: the code of a finding of the check.
    var cause: String?
    var message: String
    /// What to do, with a zero byte for the session's identifier, as no path has one, and `G` for
    /// its generation.
    var remedy: String?
    var session: String?
    /// The generation of the session's state that the remedy goes back to.
    var generation: Int64?
    /// The title of the session's window in quotes, where a person may read it.
    var window: String?

    /// The command that mends it, or what to do.
    var fix: String? { fix(of: session) }

    /// The same for one session, or, without, for any.
    func fix(of session: String?) -> String? {
        let text = generation.map { remedy?.replacing("\0@G", with: "\0@\($0)") } ?? remedy
        return text?.replacing("\0", with: session.map(CommandContext.quoted) ?? "SESSION")
    }

    /// The same for several sessions that one command brings back, if they are few.
    func fix(of all: [DoctorFinding]) -> String? {
        let sessions = all.compactMap(\.session).map(CommandContext.quoted)
        guard let remedy, remedy.contains("reopen \0"),
            sessions.count <= CauseGroup<DoctorFinding>.few
        else {
            return fix(of: nil)
        }
        return remedy.replacing("\0", with: sessions.joined(separator: " "))
            .replacing(" brings it back", with: " brings them back")
    }

    /// Whether nothing is wrong, and the remedy brings something back.
    var isOffer: Bool { mark == .good && session != nil && remedy != nil }

    /// What was found, and of which session; of an earlier state as `checkout` takes it.
    var text: String {
        session.map {
            // What is found of a window is not about the state that it can go back to.
            let state = generation.map { isOffer ? "@\($0)" : ", back to @\($0)" } ?? ""
            return "\(message) (\(window.map { "\($0), " } ?? "")session \($0)\(state))"
        } ?? message
    }

    /// Findings by their cause: those of one code that one command fixes.
    static func groups(of findings: [DoctorFinding]) -> [CauseGroup<DoctorFinding>] {
        CauseGroup.groups(of: findings) { finding -> [String?] in
            [
                finding.mark.rawValue, finding.code?.code ?? finding.cause ?? finding.message,
                finding.cause, finding.remedy,
            ]
        }
    }

    /// One finding a cause, which gives the first of several as an example.
    static func examples(of findings: [DoctorFinding]) -> [DoctorFinding] {
        groups(of: findings).map { group in
            var example = group.first
            if group.count > 1 {
                let count = NumberText.counted(group.count, "finding")
                example.message = "\(count), such as: \(group.first.message)"
                if group.shown.contains(where: { $0.session != example.session }) {
                    if example.generation != nil {
                        // Only of the example it is known.
                        example.remedy = example.fix
                    }
                    example.session = nil
                }
            }
            return example
        }
    }
}
