import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreLinks
import SceneStoreRecovery
import SceneStoreTesting
import Synchronization
import Testing

@testable import SceneStoreCommand

/// Every call of SQLite fails once.
extension CanaryTests {
    // MARK: - The sweep

    @Test(
        "R-61 every call that fails: no error and no finding of the library says the word",
        arguments: [7, 10, 11, 13, 26] as [Int32])
    func sweep(code: Int32) throws {
        let fixture = try EditedFixture()
        try Self.fill(fixture)
        let copy = fixture.file("copy")
        // Long enough to go past the last call: then nothing fails any more.
        var call = 0
        var failures = 0
        while true {
            try? FileManager.default.removeItem(atPath: copy)
            try FileManager.default.copyItem(atPath: fixture.path, toPath: copy)
            let (said, isOver) = Self.work(copy, failing: call, with: code)
            for text in said {
                #expect(!text.contains(Self.word), "call \(call): \(text)")
            }
            failures += said.isEmpty ? 0 : 1
            if isOver {
                break
            }
            call = call < 24 ? call + 1 : call + call / 8
        }
        #expect(failures > 20)
    }

    /// Opens a store, one call of SQLite failing, and does what apps and commands do; answers all
    /// that was said, and whether there were fewer calls.
    private static func work(
        _ path: String, failing call: Int, with code: Int32
    ) -> (said: [String], isOver: Bool) {
        let state = CallCounter()
        var options = SceneSessionStore.Options.seeded()
        options.corruption = .fail
        options.fault = { _ in state.next() == call ? code : nil }
        var said: [String] = []
        func note(_ body: () throws -> Void) {
            do {
                try body()
            } catch {
                let failure = CommandError(error)
                said.append("\(error) \(failure?.message ?? "") \(failure?.hint ?? "")")
            }
        }
        note {
            let store = try SceneSessionStore.open(at: .directory(path), options: options)
            note {
                _ = try store.launches.begin(
                    LaunchContext(bootIdentifier: "b", processIdentifier: 1))
            }
            let record = try store.record(identifier: "letter-session")
            let key = record?.key ?? 0
            note {
                try store.save(
                    [StateToSave(key: key, activity: try activity(4))],
                    context: SaveContext(savedAt: 1))
            }
            note { try store.values.setTitle("New \(word)", key: key) }
            note { try store.values.setStorage(["text": .string(word + word)], key: key) }
            note { _ = try store.restorationActivity(key: key) }
            note { _ = try store.inbox.pending() }
            note { try store.saveActivity(try activity(9)) }
            note { _ = try store.export() }
            note { said += try store.verify(.full).findings.map { "\($0)" } }
            note { try store.discard([key], cause: .user, deliveredNow: true) }
            note { try store.upkeep.performAll() }
            said += (store.openingDiagnostics + store.takeDiagnostics()).map { "\($0)" }
            note { try store.close() }
        }
        return (said, state.count <= call)
    }
}

/// Counts calls from wherever they come.
private final class CallCounter: Sendable {
    private let calls = Atomic<Int>(0)

    var count: Int { calls.load(ordering: .relaxed) }

    /// The number of this call, from 0.
    func next() -> Int {
        calls.add(1, ordering: .relaxed).oldValue
    }
}
