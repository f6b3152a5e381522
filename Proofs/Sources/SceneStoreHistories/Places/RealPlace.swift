import Foundation
import SceneStore
import SceneStoreFileFaults
import SceneStoreSQLite
import SceneStoreTesting

/// A folder with a real container: its lock, its log, `quarantine/` and all else are files, and every
/// call to the system can be the process's last, be refused, be short or find the disk full.
///
/// 1. What befalls a call befalls it in this thread, in which the processes of the history run, and
///    nowhere else: the books read the files without it.
/// 2. A process that is killed at a call makes no other one: what is left is what it had done.
/// 3. With a recording, a power cut leaves what ``CutTree`` leaves of the calls that were made.
final class RealPlace: HistoryPlace {
    let storage: SimulatedDevice.Storage
    let hasSystemCalls = true
    /// The folder that the container is in.
    private let root: String
    private var container: String { root + "/" + Self.name }
    private static let name = "container"
    private static let page = 4_096

    private var control: MixedRun.Control?
    private var isFull = false
    /// What the calls changed, and what of it a power cut leaves; nil where none comes.
    private var tree: CutTree?
    private var gate: SocketGate?
    var exchanges: Int { gate?.exchanges ?? 0 }
    var socketFailures: Int { gate?.socketFailures ?? 0 }

    init(in directory: String) throws {
        root = directory + "/device-\(UUID().uuidString)"
        storage = .directory(root + "/" + Self.name)
        try FileManager.default.createDirectory(
            atPath: root + "/" + Self.name, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    func begin(
        _ player: ScenarioPlayer, control: MixedRun.Control?, mayLosePower: Bool
    ) throws {
        self.control = control
        let gate = SocketGate(
            .directory(container), player, dropsRequests: control == .droppedRequest,
            renamesPayloads: control == .renamedPayloads)
        self.gate = gate
        player.gate = gate
        if mayLosePower {
            try begin(with: FileTree.image(of: root))
        }
    }

    private func begin(with image: FileTree.Image) throws {
        tree = try CutTree(root, image, lie: control == .lyingDisk ? .aboutFiles : nil)
    }

    func noteReplaced() throws {
        if tree != nil {
            try begin(with: FileTree.image(of: root))
        }
    }

    /// Does something of which a power cut may take what was not synced.
    private func recording<Result>(_ body: () throws -> Result) throws -> Result {
        guard tree != nil else {
            return try body()
        }
        var result: Result?
        for change in try SystemRecord.changes(of: { result = try body() }) {
            tree?.apply(change)
        }
        guard let result else {
            throw FileTree.Failure(description: "a step has no result")
        }
        return result
    }

    // MARK: Steps

    func play(_ step: HistoryStep, _ player: ScenarioPlayer) throws {
        if step.words[0] == "recover" {
            isFull = false
        }
        if isFull {
            var full = SystemFault(.full, first: 1, isPermanent: true)
            // Where private copies are made, there is room.
            full.folder = root
            _ = try recording { try play(step, player, full, isDeadly: false) }
        } else {
            _ = try recording { try player.play() }
        }
        if step.text == "fail save=diskFull" {
            // The disk itself is full from here on, not only each commit.
            isFull = true
            player.setShortOfMemory(false)
        }
        if control == .removedLock, player.isRunning {
            unlink(container + "/" + ContainerName.lock)
        }
    }

    func play(
        _ step: HistoryStep, _ player: ScenarioPlayer, killedAt call: UInt64
    ) throws -> Bool {
        try recording { try play(step, player, .death(at: call), isDeadly: true) }
    }

    func play(
        _ step: HistoryStep, _ player: ScenarioPlayer, failing kind: SystemFault.Kind,
        at call: UInt64
    ) throws -> Bool {
        try recording {
            let fault = SystemFault(kind, first: call, isPermanent: false)
            return try play(step, player, fault, isDeadly: false)
        }
    }

    /// Plays a step while calls of the process fail that runs, or that the step begins; whether one
    /// was hit.
    private func play(
        _ step: HistoryStep, _ player: ScenarioPlayer, _ fault: SystemFault, isDeadly: Bool
    ) throws -> Bool {
        if step.words[0] == "start", player.isRunning, let gate {
            return try gate.whileFailing(fault, isDeadly: isDeadly) { _ = try player.play() } > 0
        }
        let (result, hits) = fault.whileFailing {
            _ = try player.play()
            if isDeadly, SystemFault.hasHit {
                player.kill()
            }
        }
        try result.get()
        return hits > 0
    }

    func withSocketFault(of step: HistoryStep, _ body: () throws -> Void) rethrows {
        guard let fault = step.socketFault, let gate else {
            return try body()
        }
        try gate.whileFailing(fault, body)
    }

    func makeRoom(_ player: ScenarioPlayer) {
        isFull = false
    }

    func cutPower(_ player: ScenarioPlayer, seed: UInt64) throws {
        player.restart()
        guard let tree else {
            return
        }
        // One cut in four leaves the worst of one kind.
        var random = SeededRandom(seed)
        let manners = CutTree.Manner.allCases
        let manner = random.oneIn(4) ? manners[random.below(manners.count)] : .mixed
        // SQLite makes the log's index anew.
        let image = tree.files(manner, seed: seed).filter {
            !$0.key.hasSuffix("/" + ContainerName.index)
        }
        try FileTree.replace(root, with: image)
        try begin(with: image)
    }

    func refusalOfRival(_ player: ScenarioPlayer) throws -> SceneStoreError.Code? {
        try recording { player.refusalOfRival() }
    }

    // MARK: Files

    /// The damaged file lies in `quarantine/` if another one stands in its place: as long as it was,
    /// with most of its pages. A launch may have written to it before the damage was met.
    func problem(afterRecovering damaged: [UInt8]) -> String? {
        let quarantine = container + "/" + ContainerName.quarantine
        let names = (try? FileManager.default.contentsOfDirectory(atPath: quarantine)) ?? []
        let stores = names.filter { $0.contains("-corrupt") && $0.hasSuffix(".sqlite") }
        let isThere = stores.contains { name in
            let bytes = FileTree.bytes(quarantine + "/" + name) ?? []
            let equal = stride(from: 0, to: damaged.count, by: Self.page).count { start in
                bytes.dropFirst(start).prefix(Self.page)
                    .elementsEqual(damaged[start..<min(start + Self.page, damaged.count)])
            }
            return bytes.count >= damaged.count && equal * Self.page * 2 > damaged.count
        }
        guard isThere else {
            return "the damaged store is not in quarantine/: \(names.sorted())"
        }
        return nil
    }
}
