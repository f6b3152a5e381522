import SceneStore
import SceneStoreFileFaults
import SceneStoreTesting

/// Where a history has its container, and what befalls it there.
protocol HistoryPlace: AnyObject {
    var storage: SimulatedDevice.Storage { get }
    /// Whether single calls to the system can be refused there.
    var hasSystemCalls: Bool { get }
    /// How many processes handed over what they brought, through a socket.
    var exchanges: Int { get }
    /// How many calls on that socket failed.
    var socketFailures: Int { get }

    /// The app is set up, and nothing is played yet.
    func begin(
        _ player: ScenarioPlayer, control: MixedRun.Control?, mayLosePower: Bool
    ) throws
    /// Plays a step in which nothing befalls the device but what lasts, such as a full disk.
    func play(_ step: HistoryStep, _ player: ScenarioPlayer) throws
    /// Plays a step in which the process is killed before a call, counted from 1; whether it came to
    /// that. Nothing that would follow is done.
    func play(
        _ step: HistoryStep, _ player: ScenarioPlayer, killedAt call: UInt64
    ) throws -> Bool
    /// Plays a step in which one call fails; whether it came to that.
    func play(
        _ step: HistoryStep, _ player: ScenarioPlayer, failing kind: SystemFault.Kind,
        at call: UInt64
    ) throws -> Bool
    /// Plays a step while calls on the socket fail as it says.
    func withSocketFault(of step: HistoryStep, _ body: () throws -> Void) rethrows
    /// The disk has room again, and no process runs that has to notice.
    func makeRoom(_ player: ScenarioPlayer) throws
    /// The power goes, and the device starts again.
    func cutPower(_ player: ScenarioPlayer, seed: UInt64) throws
    /// The store's file was replaced, while no process ran.
    func noteReplaced() throws
    /// Another process wants the container; what it was refused with, or nil.
    func refusalOfRival(_ player: ScenarioPlayer) throws -> SceneStoreError.Code?
    /// What is wrong with the files once a damaged store was recovered; nil when nothing is.
    func problem(afterRecovering damaged: [UInt8]) -> String?
}

/// A disk in memory: each of its calls can be the last, and power cuts lose, tear and reorder what was
/// not synced. It has no lock, and no files beside the store's own.
final class MemoryPlace: HistoryPlace {
    let storage = SimulatedDevice.Storage.memory
    let hasSystemCalls = false
    let exchanges = 0
    let socketFailures = 0

    func begin(_ player: ScenarioPlayer, control: MixedRun.Control?, mayLosePower: Bool) {
        if control == .lyingDisk {
            player.disk?.configure { $0.liesAboutSync = true }
        }
    }

    func play(_ step: HistoryStep, _ player: ScenarioPlayer) throws {
        _ = try player.play()
    }

    func play(
        _ step: HistoryStep, _ player: ScenarioPlayer, killedAt call: UInt64
    ) throws -> Bool {
        guard let disk = player.disk else {
            return false
        }
        let last = disk.counters.operations + call
        disk.powerOff(atOperation: last)
        _ = try player.play()
        let isHit = disk.counters.operations >= last
        if isHit {
            player.kill()
        }
        disk.powerOff(atOperation: nil)
        return isHit
    }

    func play(
        _ step: HistoryStep, _ player: ScenarioPlayer, failing kind: SystemFault.Kind,
        at call: UInt64
    ) throws -> Bool {
        _ = try player.play()
        return false
    }

    func withSocketFault(of step: HistoryStep, _ body: () throws -> Void) rethrows {
        try body()
    }

    func makeRoom(_ player: ScenarioPlayer) {
        player.setShortOfMemory(false)
    }

    func cutPower(_ player: ScenarioPlayer, seed: UInt64) throws {
        try player.cutPower(seed: seed)
    }

    func noteReplaced() {}

    func refusalOfRival(_ player: ScenarioPlayer) -> SceneStoreError.Code? {
        player.refusalOfRival()
    }

    func problem(afterRecovering damaged: [UInt8]) -> String? { nil }
}
