import SceneStore
import SceneStoreEngine
import Testing

@testable import SceneStoreStorage
@testable import SceneStoreTesting

/// Windows that are closed and come back together (L-48, S-50).
@Suite("Groups of windows")
struct GroupTests {
    @Test("L-48 the list of recently closed shows groups, and each comes back as it was")
    func groups() throws {
        let device = try SimulatedDevice(manifest: .notes)
        let app = NotesApp()
        let running = try device.launch { app }
        for _ in 0..<4 {
            running.requestSceneSessionActivation(.init(role: .windowApplication))
        }
        let all = running.connectedScenes.map(\.session.id)
        try running.closeWindow(of: all[4])
        let before = running.store.counters.transactions
        try running.closeOtherWindows(than: all[1])
        // One discard for all, and that it was told.
        #expect(running.store.counters.transactions <= before + 3)
        let groups = try running.recentlyClosedGroups()
        #expect(groups.map { $0.sessions.map(\.id) } == [[all[0], all[2], all[3]], [all[4]]])
        #expect(groups[0].sessions.allSatisfy { $0.discardCause == .user })
        try running.reopen(sessions: groups[0].sessions.map(\.id))
        #expect(running.connectedScenes.map(\.session.id).first == all[0])
        #expect(running.connectedScenes.count == 4)
        #expect(try running.recentlyClosedGroups().map(\.sessions.count) == [1])
        // All of them or none.
        #expect(throws: SceneStoreError.self) {
            try running.reopen(sessions: [all[4], SceneSession.ID("unknown")])
        }
        #expect(running.connectedScenes.count == 4)
        try running.closeAllWindows()
        #expect(try running.recentlyClosedGroups().map(\.sessions.count) == [4, 1])
        #expect(try running.closeAllWindows() == .close)
    }

    @Test("L-48 a group that was reopened keeps its order over a kill")
    func orderOverKill() throws {
        let device = try SimulatedDevice(options: .desktop(.window("Note")))
        var running = try fourWindows(device)
        let all = running.connectedScenes.map(\.session.id)
        try running.closeAllWindows()
        let group = try #require(try running.recentlyClosedGroups().first)
        try running.reopen(sessions: group.sessions.map(\.id))
        #expect(running.connectedScenes.map(\.session.id) == all)
        device.kill()
        running = try device.relaunch()
        #expect(running.connectedScenes.map(\.session.id) == all)
    }

    @Test("L-48 what a process did not keep is its group")
    func notKept() throws {
        let device = try SimulatedDevice(manifest: .notes)
        let app = NotesApp()
        var running = try device.launch { app }
        running.requestSceneSessionActivation(.init(role: .windowApplication))
        let all = running.connectedScenes.map(\.session.id)
        try running.quit(keepingWindows: false)
        device.kill()
        running = try device.relaunch()
        let new = running.connectedScenes.map(\.session.id)
        #expect(new.count == 1 && !all.contains(new[0]))
        #expect(Set(try running.reopenLastSession()) == Set(all))
        #expect(Set(running.connectedScenes.map(\.session.id)) == Set(all + new))
        #expect(try running.reopenLastSession().isEmpty)
    }

    @Test("L-48 a window that a launch connected behind others and that went is not its last")
    func lastWindowsBehind() throws {
        let device = try SimulatedDevice(options: .desktop(.window("Note")))
        var running = try fourWindows(device)
        let all = running.connectedScenes.map(\.session.id)
        try running.moveToBackground(Array(all[0...2]))
        try device.quit()
        // One of those behind goes, one comes to the front and leaves it again.
        running = try device.relaunch()
        #expect(running.connectedScenes.count == 4)
        try running.evict(all[0])
        running.requestSceneSessionActivation(.init(session: all[1]))
        try running.moveToBackground([all[1]])
        for _ in 0..<2 {
            // A process without windows takes nothing away from what the last one left.
            device.kill()
            device.options.launchBehavior = .none
            running = try device.relaunch()
            #expect(running.connectedScenes.isEmpty)
        }
        #expect(Set(try running.reopenLastSession()) == Set(all[1...]))
        #expect(try running.reopenLastSession().isEmpty)
        // The one that went comes back when it is asked for.
        running.requestSceneSessionActivation(.init(session: all[0]))
        #expect(running.connectedScenes.count == 4)
    }

    private func fourWindows(_ device: SimulatedDevice) throws -> SceneApplication {
        let running = try device.launch { NotesApp() }
        for _ in 0..<3 {
            running.requestSceneSessionActivation(.init(role: .windowApplication))
        }
        return running
    }

    func store(_ count: Int, _ sessions: Int) throws -> SceneSessionStore {
        var options = SceneSessionStore.Options.seeded()
        options.closedCapacity = count
        options.closedSessionCapacity = sessions
        return try SceneSessionStore.open(at: .memory, options: options)
    }

    func insert(_ names: String, into store: SceneSessionStore) throws -> [Int64] {
        try names.map { name in
            try store.insertSession(
                identifier: String(name),
                configuration: SceneConfiguration(name: "E", role: .windowApplication),
                userInfo: [:], isFront: false, becameActive: false
            ).key
        }
    }

    @Test("S-50 a group counts as one closing, and goes as one")
    func pruning() throws {
        let store = try store(2, 1_000)
        let keys = try insert("ABCDEF", into: store)
        try store.discard(Array(keys[0...1]), cause: .user, deliveredNow: true)
        try store.discard([keys[2]], cause: .user, deliveredNow: true)
        #expect(try store.discards.recentlyClosed().map(\.record.identifier) == ["C", "A", "B"])
        try store.discard(Array(keys[3...5]), cause: .user, deliveredNow: true)
        #expect(
            try store.discards.recentlyClosed().map(\.record.identifier) == ["D", "E", "F", "C"])
    }

    @Test("S-50 of many sessions the last closing stays, however large it is")
    func large() throws {
        let store = try store(25, 3)
        let keys = try insert("ABCDEFG", into: store)
        try store.discard([keys[0]], cause: .user, deliveredNow: true)
        try store.discard(Array(keys[1...2]), cause: .user, deliveredNow: true)
        #expect(try store.discards.recentlyClosed().count == 3)
        try store.discard(Array(keys[3...6]), cause: .user, deliveredNow: true)
        #expect(
            try store.discards.recentlyClosed().map(\.record.identifier) == ["D", "E", "F", "G"])
    }

    @Test("L-49 families keep their order: parents first, tabs by their places, no loop")
    func families() {
        func order(
            _ windows: [Int64], _ children: [(Int64, Int64, Int?)]
        ) -> [Int64] {
            Families(
                windows.map { ($0, SceneSession.ID("\($0)")) },
                children.map { ($0.0, SceneSession.ID("\($0.1)"), $0.2) }
            ).order
        }
        #expect(order([1, 2, 3], []) == [1, 2, 3])
        #expect(order([3, 2, 1], [(3, 1, nil)]) == [2, 1, 3])
        #expect(order([1, 2, 3, 4], [(2, 1, 1), (3, 1, 0), (4, 3, nil)]) == [1, 3, 4, 2])
        #expect(order([1, 2], [(2, 9, nil), (1, 1, nil)]) == [1, 2])
        #expect(order([1, 2, 3], [(1, 2, nil), (2, 1, nil)]) == [3, 1, 2])
    }
}
