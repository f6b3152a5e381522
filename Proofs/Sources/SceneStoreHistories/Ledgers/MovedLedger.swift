import SceneStore
import SceneStoreTesting

/// Somebody moves the store away and puts it back. Whatever the app did in between is there when it
/// has reopened the store (L-17).
struct MovedLedger {
    /// Whether the store is away.
    private(set) var isAway = false
    /// The sessions that were opened and closed meanwhile.
    private var opened: Set<String> = []
    private var closed: Set<String> = []
    /// What was sent meanwhile to an app that keeps what it is sent.
    private var sent: Set<String> = []
    /// Whether all of it has to be there now.
    private var isDue = false

    mutating func count(_ outcome: StepOutcome, persistsInbox: Bool) {
        isDue = false
        let isEnd = outcome.words.first == "recover"
        if outcome.text == "fail save=moved" {
            self = MovedLedger()
            isAway = outcome.isRunning && !outcome.wasRefused
            return
        }
        guard isAway else {
            return
        }
        for callback in outcome.callbacks
        where callback.name == .connect && outcome.words.first == "new-scene" {
            opened.formUnion([callback.session].compactMap(\.self))
        }
        if outcome.words.first == "close", !outcome.wasRefused {
            closed.formUnion(outcome.words.dropFirst())
        }
        if persistsInbox, !outcome.wasRefused {
            sent.formUnion(outcome.marks)
        }
        isDue = isEnd && outcome.isRunning && !outcome.wasRefused
        isAway = isAway && !isDue
    }

    /// Whether the store has it all, once it is back.
    func look(
        _ store: SceneSessionStore, _ identifiers: [String: SceneSession.ID]
    ) throws(SceneStoreError) -> [String] {
        guard isDue else {
            return []
        }
        var found: [String] = []
        for name in opened.union(closed).sorted() {
            let record = try identifiers[name].flatMap { (identifier) throws(SceneStoreError) in
                try store.record(identifier: identifier.rawValue)
            }
            if closed.contains(name) ? record?.isOpen == true : record?.isOpen != true {
                let change = closed.contains(name) ? "closed" : "opened"
                found.append("\(name) was \(change) while the store was away, and isn't")
            }
        }
        let waiting = Set(try store.inbox.pending().flatMap { $0.payload.marks })
        for mark in sent.subtracting(waiting).sorted() {
            found.append("\(mark) came while the store was away, and doesn't wait")
        }
        return found
    }
}
