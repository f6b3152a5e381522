/// What is known of each session.
extension StateLedger {
    /// Whether a session's state may be kept from it because processes died.
    enum Blame {
        case none
        /// A process died while it restored it.
        case blamed
        /// It has to be given its state by the next connection.
        case due
    }

    /// What is known of one session.
    struct Session {
        /// What its scene answers to the next save: an activity's type.
        var answer: String?
        var throwsAnswer = false
        var answersNil = false
        /// Whether it answered nil last, which forgets what it saved before (L-32).
        var hasForgotten = false
        /// The states whose save returned, the current one last.
        var acknowledged: [String] = []
        /// What may be stored, for the process died while it was saved.
        var uncertain: Set<String> = []
        /// Those of the acknowledged states that an autosave wrote: no sync is promised yet (S-20).
        var unsynced: Set<String> = []
        /// Whether it was made or reopened since a state of it was synced.
        var isUnsettled = true
        /// The states before the current one that may be stored, and take places in the history.
        var doubtful: [String] = []
        /// What is held in memory while writes are refused.
        var held: [String] = []
        /// The states that were kept from the app, and that nothing may write over.
        var pinned: [String] = []
        /// Whether it was closed.
        var isGone = false
        /// Whether it was made, closed or reopened while writes were refused.
        var isUnsure = false
        var isHeldByHand = false
        var blame = Blame.none
        /// What it was made with, what it is shown with, and whether that may be its own now.
        var made: String?
        var shown: String?
        var mayDiffer = false
        /// The names that it had before, the last one first.
        var former: [String] = []
        /// Whether the manifest had no entry of its name when it was made.
        var isUnknown = false
        /// What it saved under in this process, and takes over once the launch is stable.
        var adopting: String?
        /// How many processes died while it connected, at most, since it was restored in a stable
        /// launch; nil when that is not certain.
        var deaths: Int? = 0
        /// The version that stood by its state last.
        var version = 1
        /// Whether the user changed something that is not saved yet.
        var isChanged = false
        /// Whether it was given its state in this process, or came without it; nil: not connected.
        var wasRestored: Bool?
        /// When it connected last, in milliseconds since 1970.
        var connectedAt: Int64 = 0
        /// Whether the app could not restore it.
        var hasFailed = false
        /// Whether its state was offered again once.
        var wasOffered = false

        /// What it has to be given, if that is certain.
        var current: String? { uncertain.isEmpty && held.isEmpty ? acknowledged.last : nil }

        mutating func pin(_ state: String) {
            pinned.removeAll { $0 == state }
            pinned.append(state)
        }
    }
}
