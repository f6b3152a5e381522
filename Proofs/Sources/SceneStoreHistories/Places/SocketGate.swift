import SceneStore
import SceneStoreFileFaults
import SceneStoreInstance
import SceneStoreTesting

/// The processes of a history start as apps do (L-77): each tries to own the container, and asks the
/// one that does through its socket. What befalls a call befalls the owner's, never the asker's.
final class SocketGate: ProcessGate {
    private let location: SceneSessionStore.Location
    private let turns = SocketTurns()
    private weak var player: ScenarioPlayer?
    private var owner: InstanceStarter.Owner?
    /// The process that asked one that died, and how far it has come.
    private var asker: (starter: InstanceStarter, attempt: InstanceStarter.Attempt)?
    private var fault: SystemFault?
    private var isDeadly = false
    private var hits: UInt64 = 0
    /// What befalls the socket in the step that is played, and how many of its calls were hit so far.
    private var socketFault: SocketFault?
    private var socketHits: UInt64 = 0
    var socketFailures: Int { Int(clamping: socketHits) }
    /// How often an asker whose calls fail waits for the owner. Without a failure it would wait in
    /// vain: here the owner does nothing meanwhile.
    private static let patience = 4
    /// How many processes handed over what they brought.
    private(set) var exchanges = 0

    init(
        _ location: SceneSessionStore.Location, _ player: ScenarioPlayer, dropsRequests: Bool,
        renamesPayloads: Bool
    ) {
        self.location = location
        self.player = player
        turns.dropsRequests = dropsRequests
        turns.renamesPayloads = renamesPayloads
        turns.serve = { [weak self] work in self?.serve(work) }
        turns.isGone = { [weak self] in self?.isGone ?? true }
    }

    /// While a body runs the owner's calls fail when it serves another process; how many were hit.
    func whileFailing(
        _ fault: SystemFault, isDeadly: Bool, _ body: () throws -> Void
    ) rethrows -> UInt64 {
        self.fault = fault
        self.isDeadly = isDeadly
        hits = 0
        defer { self.fault = nil }
        try body()
        return hits
    }

    /// While a body runs, calls on the socket fail.
    func whileFailing(_ fault: SocketFault, _ body: () throws -> Void) rethrows {
        socketFault = fault
        defer { socketFault = nil }
        try body()
    }

    private func withSocketFault<Result>(
        _ body: () throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        guard let socketFault else {
            return try body()
        }
        return try socketFault.whileFailing(counting: &socketHits, body)
    }

    private var isAlive: Bool { player?.isAlive ?? false }

    private var isGone: Bool {
        !isAlive || fault != nil && isDeadly && SystemFault.hasHit
    }

    private func serve(_ work: () -> Void) {
        if let fault {
            let (_, count) = fault.whileFailing {
                work()
                if isDeadly, SystemFault.hasHit {
                    player?.kill()
                }
            }
            hits += count
        } else {
            work()
        }
        if !isAlive {
            owner?.fallSilent()
        }
    }

    // MARK: Processes

    func open(
        _ payloads: [Payload], isTakingOver: Bool, options: SceneSessionStore.Options
    ) throws(SceneStoreError) -> SceneSessionStore {
        try withSocketFault { () throws(SceneStoreError) in
            try start(payloads, isTakingOver: isTakingOver, options)
        }
    }

    private func start(
        _ payloads: [Payload], isTakingOver: Bool, _ options: SceneSessionStore.Options
    ) throws(SceneStoreError) -> SceneSessionStore {
        turns.forgetBuried()
        var (starter, attempt) =
            asker.flatMap { isTakingOver ? $0 : nil } ?? begin(payloads, options)
        asker = nil
        // One that asked before goes on where it was.
        for _ in 0..<4 {
            guard let outcome = try starter.advance(&attempt) else {
                continue
            }
            guard case .owner(let owner) = outcome else {
                break
            }
            self.owner = owner
            return owner.store
        }
        throw SceneStoreError(.invalidState, "nobody owns the container, and it can't be opened")
    }

    private func begin(
        _ payloads: [Payload], _ options: SceneSessionStore.Options, names: [String]? = nil
    ) -> (InstanceStarter, InstanceStarter.Attempt) {
        var rest = (names ?? payloads.indices.map { "launch.\($0)" })[...]
        // No process of a history is the one that the lock's file names: it has a number of its own.
        let starter = InstanceStarter(
            location: location, payloads: payloads, options: options, timeLimit: 30_000,
            transport: turns, makeName: { rest.popFirst() ?? "" }, process: -1)
        return (starter, starter.begin())
    }

    func admit(to application: SceneApplication) throws(SceneStoreError) -> [Payload] {
        guard let owner else {
            throw SceneStoreError(.invalidState, "nobody owns the container")
        }
        return try owner.admit(to: application)
    }

    func listen(for application: SceneApplication) {
        owner?.listen(for: application, on: turns.executor)
    }

    func handOver(
        _ payloads: [ForwardedPayload], options: SceneSessionStore.Options
    ) throws(SceneStoreError) -> [SceneStoreError?]? {
        exchanges += 1
        return try withSocketFault { () throws(SceneStoreError) in
            try ask(payloads, options)
        }
    }

    private func ask(
        _ payloads: [ForwardedPayload], _ options: SceneSessionStore.Options
    ) throws(SceneStoreError) -> [SceneStoreError?]? {
        var (starter, attempt) = begin(
            payloads.map(\.payload), options, names: payloads.map(\.name))
        var waits = 0
        while true {
            switch try starter.advance(&attempt) {
            case .forwarded(let receipts): return receipts.map(\.error)
            case .owner(let other):
                other.giveUp()
                throw SceneStoreError(.invalidState, "two processes own the container")
            case nil: break
            }
            if attempt.asksAgain, !isAlive {
                asker = (starter, attempt)
                return nil
            }
            if attempt.waitsForOwner {
                waits += 1
                guard socketFault != nil, waits < Self.patience else {
                    // Here the owner does nothing until the asker gives up.
                    return [
                        SceneStoreError(
                            .owned, "the process that owns the container can't listen")
                    ]
                }
            }
        }
    }

    func end() {
        owner?.fallSilent()
        owner = nil
    }
}
