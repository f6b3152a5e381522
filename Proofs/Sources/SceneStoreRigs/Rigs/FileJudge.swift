import SceneStore
import SceneStoreExchange
import SceneStoreRecovery

/// What an operation on files may leave: all that it was to make, or what was there before.
struct FileJudge {
    let operation: FileOperation
    /// The files to begin with.
    let image: FilePlace.Image
    private(set) var before = StoreTruth()
    private(set) var after = StoreTruth()

    init(_ operation: FileOperation) throws {
        self.operation = operation
        image = try operation.base()
        if operation != .create, !operation.isOfDamage {
            let place = try FilePlace(image)
            let store = try place.openStore()
            before = try StoreTruth.read(store)
            store.abandon()
        }
        let place = try FilePlace(image)
        let open = operation.needsStore ? try place.openStore() : nil
        try operation.perform(open, place)?.abandon()
        let result = try place.openStore(
            FilePlace.container, operation.isOfDamage ? .salvage : .fail)
        after = try StoreTruth.read(result)
        result.abandon()
        if operation.isOfDamage {
            before = after
        }
    }

    /// What is wrong with the files once the process is gone; nil when another one finds what it
    /// should, and can go on.
    func problem(_ place: FilePlace, _ expected: [StoreTruth], isDone: Bool) throws -> String? {
        try operation.problem(with: place, isDone: isDone) ?? reopen(place, expected, isDone)
    }

    /// What was found, without what is told again: each opening reports a recovery until an app has
    /// closed the store properly (S-11).
    private func newFindings(_ store: SceneSessionStore) throws -> [Diagnostic] {
        let findings = try store.findings()
        guard operation == .recover, findings.first?.code == .storeSetAside else {
            return findings
        }
        let told: Set<Diagnostic.Code> = [
            .storeSetAside, .lostCommits, .lostSessions, .salvagedSession,
        ]
        return findings.filter { !told.contains($0.code) }
    }

    private func reopen(
        _ place: FilePlace, _ expected: [StoreTruth], _ isDone: Bool
    ) throws -> String? {
        if operation == .repair, !isDone {
            _ = try SceneSessionStore.repair(at: place.location(), options: place.options(.fail))
        }
        let isStillDamaged = operation == .salvage || (operation == .recover && !isDone)
        let store = try place.openStore(
            FilePlace.container, isStillDamaged ? .salvage : .fail)
        do {
            let found = try StoreTruth.read(store)
            guard expected.contains(found) else {
                store.abandon()
                return "opened anew: \(found.difference(from: expected[0]))"
            }
            if !isStillDamaged, let finding = try newFindings(store).first {
                store.abandon()
                return "opened anew: \(finding.message)"
            }
            if let problem = try operation.problem(withBackupsOf: store, isDone: isDone) {
                store.abandon()
                return problem
            }
            let record = try store.insertSession(
                identifier: "last", configuration: StoreTruth.configuration)
            try store.save([(record, 1)])
            try store.close()
        } catch {
            store.abandon()
            throw error
        }
        return nil
    }
}
