/// What the process tells its caller.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    /// Done, yes, or the same.
    static let done = ExitStatus(rawValue: 0)
    /// Answered no: different, no match, findings, unmet expectation.
    static let answeredNo = ExitStatus(rawValue: 1)
    /// Wrong usage, or an input file that is missing or cannot be read.
    static let usage = ExitStatus(rawValue: 2)
    /// No store at the place, or something that is not a store.
    static let noStore = ExitStatus(rawValue: 3)
    /// Owned by a running app, or busy.
    static let busy = ExitStatus(rawValue: 4)
    /// The store is damaged.
    static let damaged = ExitStatus(rawValue: 5)
    /// The store was written by a newer version.
    static let newerSchema = ExitStatus(rawValue: 6)
    /// The command needs `--yes`.
    static let needsConfirmation = ExitStatus(rawValue: 7)
    /// A bug in scenestore itself.
    static let internalError = ExitStatus(rawValue: 70)
    /// Ended by Ctrl-C.
    static let interrupted = ExitStatus(rawValue: 130)

    /// Every status with its meaning, for the help and the manual page.
    static let meanings: [(status: ExitStatus, meaning: String)] = [
        (.done, "done; yes; the same"),
        (.answeredNo, "answered no: different, no match, findings, an unmet expectation"),
        (.usage, "wrong usage, or an input file that is missing or cannot be read"),
        (.noStore, "no store there, or not a store"),
        (.busy, "owned by a running app, or busy"),
        (.damaged, "the store is damaged"),
        (.newerSchema, "the store was written by a newer version"),
        (.needsConfirmation, "the command needs --yes"),
        (.internalError, "a bug in scenestore"),
        (.interrupted, "interrupted by Ctrl-C"),
    ]
}

extension ExitStatus {
    /// The status for a `SceneStoreError`'s code. A code that is not listed is about what the
    /// caller gave (a value, a file, an answer), so it answers no.
    init(errorCode: String) {
        self = Self.byErrorCode[errorCode] ?? .answeredNo
    }

    /// Add a line here when a new code means something else than "no".
    ///
    /// What only the environment can mend (rights, room, memory) counts as an input that cannot
    /// be used; what goes away by itself counts as busy.
    static let byErrorCode: [String: ExitStatus] = [
        // Nothing there, or something else.
        "missing": .noStore,
        "notAStore": .noStore,
        // Goes away by itself, or with the app that holds the store.
        "owned": .busy,
        "busy": .busy,
        "protected": .busy,
        "erasurePending": .busy,
        "moved": .busy,
        "replaced": .busy,
        "ownershipLost": .busy,
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
        // The environment, or the place that was named, does not allow it.
        "permission": .usage,
        "readOnlyVolume": .usage,
        "diskFull": .usage,
        "outOfMemory": .usage,
        "unsupportedSystem": .usage,
        "invalidLocation": .usage,
        "invalidQuery": .usage,
        // Must not happen in a command.
        "forked": .internalError,
        "closed": .internalError,
        "readOnly": .internalError,
        "internalError": .internalError,
    ]

    /// What to try next, one line, or nil.
    var hint: String? {
        switch self {
        case .noStore: "name a store with --store PATH or set SCENESTORE"
        case .busy: "quit the app, or let the command wait with --wait 10s where it takes it"
        case .damaged: "'scenestore doctor' says what is wrong, 'scenestore salvage' what is left"
        case .newerSchema: "use a newer scenestore; 'scenestore migrate --plan' says more"
        case .needsConfirmation: "add --yes, or look first with --dry-run"
        case .internalError: "please report it with the command line that led here"
        default: nil
        }
    }
}
