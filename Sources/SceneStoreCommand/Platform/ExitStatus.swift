/// What the process tells its caller.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    /// Done, yes, or the same.
    static let done = ExitStatus(rawValue: 0)
    /// Answered no: different, no match, findings, unmet expectation.
    static let answeredNo = ExitStatus(rawValue: 1)
    /// Wrong usage, an input that is missing or can't be read or parsed, or an output that can't be
    /// written.
    static let usage = ExitStatus(rawValue: 2)
    /// No store, no such session, or no running app.
    static let noStore = ExitStatus(rawValue: 3)
    /// Owned by a running app, or busy.
    static let busy = ExitStatus(rawValue: 4)
    /// The store is damaged.
    static let damaged = ExitStatus(rawValue: 5)
    /// The store was written by a newer version.
    static let newerSchema = ExitStatus(rawValue: 6)
    /// The command needs `--yes`.
    static let needsConfirmation = ExitStatus(rawValue: 7)
    /// A time limit ran out.
    static let timeLimit = ExitStatus(rawValue: 8)
    /// A bug in scenestore itself.
    static let internalError = ExitStatus(rawValue: 70)
    /// Ended by Ctrl-C.
    static let interrupted = ExitStatus(rawValue: 130)

    /// Every status with its meaning, for the help and the manual page.
    static let meanings: [(status: ExitStatus, meaning: String)] = [
        (.done, "done; yes; the same"),
        (.answeredNo, "no: different, no match, findings, an unmet expectation, declined"),
        (
            .usage,
            "wrong usage, an input that can't be read or parsed, or an output that can't be written"
        ),
        (.noStore, "no store, no such session, or no running app"),
        (.busy, "owned by a running app, busy, or --wait ran out"),
        (.damaged, "the store is damaged, also when verify or doctor finds it"),
        (.newerSchema, "a newer version wrote the store"),
        (.needsConfirmation, "the command needs --yes"),
        (.timeLimit, "a time limit ran out"),
        (.internalError, "a bug in scenestore"),
        (.interrupted, "interrupted by Ctrl-C"),
    ]
}

extension ExitStatus {
    /// The status for a `SceneStoreError`'s code. A code that is not listed is about what the
    /// caller gave, which can't be used.
    init(errorCode: String) {
        self = Self.byErrorCode[errorCode] ?? .usage
    }

    /// The only place that decides; add a line when a new code means something else than "can't be
    /// used".
    ///
    /// What only the environment can change (rights, room, memory) counts as an input that can't
    /// be used; what goes away by itself counts as busy.
    static let byErrorCode: [String: ExitStatus] = [
        // Nothing there, or something else.
        "missing": .noStore,
        "notAStore": .noStore,
        "noSuchSession": .noStore,
        "noSuchState": .answeredNo,
        "noLaunch": .answeredNo,
        "duplicateSession": .answeredNo,
        "requestDenied": .answeredNo,
        // Goes away by itself, or with the app that holds the store.
        "owned": .busy,
        "busy": .busy,
        "protected": .busy,
        "erasurePending": .busy,
        "moved": .busy,
        "replaced": .busy,
        "ownershipLost": .busy,
        "queryTimeout": .timeLimit,
        "notAnswered": .timeLimit,
        // Broken bytes.
        "corrupt": .damaged,
        "damagedRow": .damaged,
        "schemaTampered": .damaged,
        "changedMigration": .damaged,
        "orphanedWAL": .damaged,
        "ioError": .damaged,
        "poisoned": .damaged,
        // A newer version's.
        "newerSchema": .newerSchema,
        // Must not happen in a command.
        "forked": .internalError,
        "closed": .internalError,
        "readOnly": .internalError,
        "internalError": .internalError,
    ]

    /// What to try next, one line, or nil.
    var hint: String? {
        switch self {
        case .noStore: "name a store with --store PATH, or set SCENESTORE"
        case .busy: "quit the app, or add --wait 10s where the command takes it"
        case .damaged:
            "doctor shows the damage, repair or salvage saves the rest, each with the same store"
        case .newerSchema: "use the scenestore of the app that wrote it, or a newer one"
        case .needsConfirmation: "add --yes, or look first with --dry-run"
        case .internalError: "please report it, with the command line"
        default: nil
        }
    }
}
