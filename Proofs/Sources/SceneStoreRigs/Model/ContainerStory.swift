import SceneStore
import SceneStoreExchange
import SceneStoreFileFaults
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreTesting

/// The life of a container in real files: what lies in it at the end, and what the app was told is safe.
struct ContainerStory {
    /// How a container was left, and what else lies in it.
    enum Base: UInt64, CaseIterable {
        /// Closed properly: one file and the lock.
        case closed
        /// The owner was killed: durable commits are only in the log.
        case killed
        /// Closed, with three backups, a record of an operation and a store that was set aside.
        case backups
        /// The same, but killed.
        case killedWithBackups
        /// Windows were closed and all were reset at some time; closed properly.
        case past
        /// The same, but killed.
        case killedWithPast

        var isKilled: Bool {
            self == .killed || self == .killedWithBackups || self == .killedWithPast
        }
        var hasFolders: Bool { self != .closed && self != .killed }
        var hasPast: Bool { self == .past || self == .killedWithPast }
    }

    /// The files at the end.
    private(set) var files: FileTree.Image = [:]
    /// The files at earlier moments, when the store was closed and while it was open.
    private(set) var earlier: [FileTree.Image] = []
    /// What the store held at the end: each commit of it is durable.
    private(set) var truth = StoreTruth()
    /// What the main file holds without its log.
    private(set) var closedTruth = StoreTruth()

    private let container: RealContainer
    private let clock = VirtualClock()
    private let identifiers: IdentifierSequence

    /// Lets a container live. Stores of different names have different sessions and identities.
    init(_ base: Base, named name: String, seed: UInt64) throws {
        container = try RealContainer()
        identifiers = IdentifierSequence(seed: seed)
        try begin(base, name)
        for round in Int64(1)...3 {
            try live(round, base)
            try remember()
        }
        if base.hasFolders {
            try noteOperation()
        }
        let reader = try container.openStore(.reader, clock: clock)
        closedTruth = try StoreTruth.read(reader)
        try reader.close()
        guard base.isKilled else {
            files = try FileTree.image(of: container.path)
            truth = closedTruth
            return
        }
        try die()
    }

    private func open() throws -> SceneSessionStore {
        clock.now += 3_600_000
        let store = try SceneSessionStore.open(
            at: .directory(container.path), options: Self.options(clock, identifiers))
        _ = try store.launches.begin(
            LaunchContext(bootIdentifier: "boot", processIdentifier: 4_711))
        return store
    }

    /// What an app asks for that asks for nothing special.
    static func options(
        _ clock: VirtualClock, _ identifiers: IdentifierSequence
    ) -> SceneSessionStore.Options {
        var options = SceneSessionStore.Options()
        options.clock = { clock.now }
        options.makeUUID = { identifiers.nextUUID() }
        options.corruption = .salvage
        return options
    }

    private mutating func remember() throws {
        earlier.append(try FileTree.image(of: container.path))
    }

    private func begin(_ base: Base, _ name: String) throws {
        var store = try open()
        if base.hasPast {
            try fill(store, name, 6..<9)
            try store.reset()
            while try store.upkeep.perform(budgetMilliseconds: 600_000) {}
        }
        try fill(store, name, 0..<6)
        if base.hasFolders {
            try store.close()
            // What a recovery leaves in `quarantine`, of which the app has been told.
            guard var bytes = container.bytes(ContainerName.store) else {
                throw StoreTruth.Wrong(description: "there is no store")
            }
            bytes.replaceSubrange(0..<4_096, with: repeatElement(0, count: 4_096))
            try container.put(bytes, ContainerName.store)
            store = try open()
            store.tellDiagnostics { _ in }
        }
        try store.launches.end(.quit)
        try store.close()
    }

    private func fill(_ store: SceneSessionStore, _ name: String, _ range: Range<Int64>) throws {
        for index in range {
            let identifier = "\(name)-\(index)"
            let record = try store.insertSession(
                identifier: identifier, configuration: StoreTruth.configuration,
                userInfo: StoreTruth.info(identifier, index % 3),
                isFront: index % 3 == 0, becameActive: true)
            try store.values.setTitle(StoreTruth.title(index), key: record.key)
            if index % 2 == 1 {
                try store.values.setStorage(
                    [StoreTruth.storageKey: .integer(index)], key: record.key)
            }
            try store.save([(record, index + 1)])
        }
    }

    private func live(_ round: Int64, _ base: Base) throws {
        let store = try open()
        if base.hasFolders {
            try store.backUp(before: nil)
        }
        let records = Array(try store.openRecords())
        for (index, record) in records.enumerated() where (index + Int(round)) % 2 == 0 {
            try store.save([(record, 100 * round + Int64(index))])
        }
        if base.hasPast, round > 1, let last = records.last {
            try store.discard([last.key], cause: .user, deliveredNow: round == 2)
        }
        try store.launches.end(.quit)
        try store.close()
    }

    private func noteOperation() throws {
        let location = SceneSessionStore.Location.directory(container.path)
        var operations = try StoreOperations(of: location)
        try operations.add(
            StoreOperation(
                number: operations.nextNumber, time: clock.now, command: "discard",
                sessions: [], before: nil, markBefore: "0", markAfter: "0", generation: 1))
    }

    /// Saves and is killed.
    private mutating func die() throws {
        let store = try open()
        let records = Array(try store.openRecords())
        for (index, record) in records.enumerated() {
            try store.save([(record, 500 + Int64(index))])
            if index == 1 {
                try remember()
            }
        }
        try store.discard([records[0].key], cause: .user, deliveredNow: true)
        try store.save([(records[1], 600)])
        try store.save([(records[2], 601)])
        files = try FileTree.image(of: container.path)
        truth = try StoreTruth.read(store)
        store.abandon()
    }
}
