import SceneStoreExchange
import SceneStoreHosting
import SceneStoreStorage
import SceneStoreValues
import Testing

@testable import SceneStore
import SceneStoreTesting

/// What a store of many sessions costs: pages written and rows read, never time.
@Suite("Stores of many sessions")
struct ManySessionsTests {
    private let disk = FaultDisk(seed: 1)
    private let clock = VirtualClock()

    private static let count = 3_000

    /// A store on a disk that counts, with a cache far smaller than the store is.
    private func open() throws -> SceneSessionStore {
        var options = SceneSessionStore.Options.seeded()
        let clock = clock
        options.clock = { clock.now }
        options.vfs = disk.vfsName
        let store = try SceneSessionStore.open(at: .directory("/container"), options: options)
        _ = store.database.withLock { db in
            try? db.connection.pragma("PRAGMA cache_size = 40")
        }
        return store
    }

    /// Sessions that were used last in another order than that in which they were made.
    private func fill() throws {
        let store = try open()
        let configuration = SceneConfiguration(name: "Editor", role: .windowApplication)
        let keys = try (0..<Self.count).map { number in
            try store.insertSession(
                identifier: "session-\(number)-with-a-name-of-usual-length",
                configuration: configuration
            ).key
        }
        let marks = (0..<Self.count).map { number in
            // 1 789 has no factor in common with 3 000.
            MarkChange(key: keys[number * 1_789 % Self.count], becameActive: true)
        }
        try store.save(
            [], marks: marks, context: SaveContext(savedAt: clock.now),
            durability: .normal)
        try store.close()
    }

    private func launch(
        _ store: SceneSessionStore, isOneWindow: Bool = true
    ) throws -> SceneApplication {
        let clock = clock
        let application = SceneApplication(
            store: store, delegate: NotesApp(),
            options: SceneApplicationOptions(manifest: .notes),
            environment: SceneEnvironment(
                now: { clock.now }, makeIdentifier: { "new" }, bootIdentifier: "boot",
                processIdentifier: 1))
        application.options.environmentSupportsMultipleScenes = !isOneWindow
        try application.launch()
        return application
    }

    /// The pages of a store's file.
    private func pages(_ store: SceneSessionStore) throws -> UInt64 {
        try store.database.withLock { UInt64(try $0.connection.pragma("PRAGMA page_count") ?? 0) }
    }

    @Test("L-11 L-73 what a launch left behind connects one by one, and nothing comes forward")
    func oneByOne() throws {
        let device = try SimulatedDevice(options: .desktop(.window("Note")))
        let first = try device.launch { NotesApp() }
        for _ in 0..<4 {
            first.requestSceneSessionActivation(.init())
        }
        let all = first.openSessions.map(\.id)
        try device.quit()
        device.options.reconnection = .first(1)
        let application = try device.launch { NotesApp() }
        let front = try #require(application.connectedScenes.first)
        #expect(application.connectedScenes.count == 1)
        for id in all {
            var request = SceneSessionActivationRequest(session: id)
            request.staysInBackground = true
            application.requestSceneSessionActivation(request) { Issue.record($0) }
            #expect(front.activationState == .foregroundActive)
        }
        #expect(Set(application.connectedScenes.map(\.session.id)) == Set(all))
        #expect(application.connectedScenes.count { $0.activationState == .background } == 4)
    }

    @Test("L-12 S-23 parking and discarding many sessions writes no page more than once or twice")
    func surplus() throws {
        try fill()
        let store = try open()
        var application: SceneApplication?
        let parking = try disk.counting { application = try launch(store) }
        let running = try #require(application)
        #expect(try store.discards.parkedRecords().count == Self.count - 1)
        let written = try pages(store)
        #expect(parking.walFrames < 2 * written)
        let discarding = try disk.counting { try running.discardParked() }
        #expect(running.openSessions.count == 1)
        let all = try pages(store)
        #expect(discarding.walFrames < 2 * all)
        try running.quit()
        try store.close()
    }

    @Test("L-18 S-23 whether many sessions were parked too long is read page by page")
    func expiry() throws {
        try fill()
        for launch in 0..<6 {
            let store = try open()
            if launch == 4 {
                clock.now += 40 * 86_400_000
            }
            var running: SceneApplication?
            let cost = try disk.counting { running = try self.launch(store) }
            let all = try pages(store)
            if launch > 0 {
                #expect(cost.reads < 3 * all)
            }
            #expect(try store.openRecords().count == Self.count)
            try running?.quit()
        }
        // Two launches agree to the time that the clock shows.
        let store = try open()
        let cost = try disk.counting { _ = try launch(store) }
        #expect(try store.openRecords().count == 1)
        let all = try pages(store)
        #expect(cost.walFrames < 2 * all)
        try store.close()
    }

    @Test("L-70 S-23 a link reads the rows of the windows that it may go to, and no others")
    func conditions() throws {
        try fill()
        let store = try open()
        for record in try store.openRecords() {
            var conditions = ActivationConditions()
            conditions.prefersToActivate = .equals(record.identifier)
            conditions.canActivate = .never
            try store.values.setConditions(conditions, key: record.key)
        }
        let running = try launch(store, isOneWindow: false)
        func receive(_ number: Int) throws {
            var activity = try UserActivity(activityType: "com.example.edit")
            activity.targetContentIdentifier =
                "session-\(number)-with-a-name-of-usual-length"
            try running.receive(.activity(activity))
            #expect(
                running.connectedScenes.contains {
                    $0.identifier.rawValue == activity.targetContentIdentifier
                })
        }
        // The first one reads all the conditions.
        try receive(10)
        let cost = try disk.counting { try receive(2_000) }
        let all = try pages(store)
        #expect(cost.reads < all / 10, "\(cost.reads) of \(all) pages")
        try running.quit()
    }

    /// A store of which all sessions but one were discarded, after one piece of pruning.
    private func beginPruning() throws -> (SceneSessionStore, SceneApplication) {
        try fill()
        let store = try open()
        let running = try launch(store)
        try running.discardParked()
        #expect(try store.upkeep.perform(budgetMilliseconds: 0))
        return (store, running)
    }

    @Test("S-50 of many discarded sessions each piece of pruning reads its own alone")
    func pruning() throws {
        let (store, running) = try beginPruning()
        let before = try store.upkeep.pruningPlan().count
        #expect(before > Self.count / 2)
        let piece = try disk.counting { _ = try store.upkeep.perform(budgetMilliseconds: 0) }
        #expect(try store.upkeep.pruningPlan().count == before - 50)
        #expect(piece.reads < 50)
        try running.quit()
        try store.close()
    }

    @Test("S-50 a session that is pinned between two pieces of pruning stays")
    func pinnedMeanwhile() throws {
        let (store, running) = try beginPruning()
        let next = try #require(try store.upkeep.pruningPlan().first)
        try store.marks.setPinned(true, key: next.id)
        #expect(try store.upkeep.perform(budgetMilliseconds: 0))
        #expect(try store.record(key: next.id) != nil)
        try running.quit()
        try store.close()
    }
}

/// The rest of the windows comes back one at a time.
@Suite("Windows that come back in idle moments")
struct IdleReconnectionTests {
    private let device: SimulatedDevice
    /// Most recently used first.
    private let all: [SceneSession.ID]

    init() throws {
        device = try SimulatedDevice(options: .desktop(.window("Note")))
        let first = try device.launch { NotesApp() }
        for _ in 0..<4 {
            first.requestSceneSessionActivation(.init())
        }
        all = first.openSessions.map(\.id)
        try device.quit()
        device.options.reconnection = .first(1)
    }

    private func connected(_ application: SceneApplication) -> Set<SceneSession.ID> {
        Set(application.connectedScenes.map(\.session.id))
    }

    @Test("L-11 each idle moment brings back one window in the background, the last used first")
    func oneByOne() throws {
        let application = try device.launch { NotesApp() }
        let front = try #require(application.connectedScenes.first)
        for id in all.dropFirst() {
            let scene = try application.connectNextSession()
            #expect(scene?.session.id == id)
            #expect(scene?.activationState == .background)
            #expect(front.activationState == .foregroundActive)
        }
        #expect(try application.connectNextSession() == nil)
        #expect(application.connectedScenes.count == 5)
    }

    @Test("L-11 L-48 what a process that began with a window of its own left behind has no turn")
    func leftBehind() throws {
        device.options.launchBehavior = .fresh
        let new = try #require(try device.launch { NotesApp() }.connectedScenes.first).session.id
        try device.quit()
        device.options.launchBehavior = .restore
        let application = try device.launch { NotesApp() }
        #expect(connected(application) == [new])
        #expect(try application.connectNextSession() == nil)
        #expect(application.openSessions.count == 6)
    }

    @Test("L-11 a window that the user opens, closes or evicts isn't brought back in its turn")
    func touched() throws {
        let application = try device.launch { NotesApp() }
        application.requestSceneSessionActivation(.init(session: all[1]))
        try application.moveToBackground([all[1]])
        try application.evict(all[1])
        application.requestSceneSessionActivation(.init(session: all[2]))
        try application.closeWindow(of: all[2])
        try application.setHeld(true, for: all[3])
        #expect(try application.connectNextSession()?.session.id == all[4])
        #expect(try application.connectNextSession() == nil)
        #expect(connected(application) == [all[0], all[4]])
    }

    @Test(
        "L-11 L-52 who comes next is decided when it is its turn, also by what a callback changes")
    func changed() throws {
        let application = try device.launch { NotesApp() }
        try application.setHeld(true, for: all[2])
        #expect(try application.connectNextSession()?.session.id == all[1])
        #expect(try application.connectNextSession()?.session.id == all[3])
        var isReleased = false
        application.core.callbackHandler = { [all] in
            if case .connect = $0, !isReleased {
                isReleased = true
                #expect(throws: Never.self) { try application.setHeld(false, for: all[2]) }
            }
        }
        #expect(try application.connectNextSession()?.session.id == all[4])
        #expect(try application.connectNextSession()?.session.id == all[2])
        #expect(try application.connectNextSession() == nil)
    }

    @Test("L-11 L-49 a window that came with the one that it belongs to doesn't come again")
    func companions() throws {
        let first = try device.launch { NotesApp() }
        var place = ScenePlacement(width: 300, height: 200)
        place.parent = all[1]
        try first.setPlacement(place, for: all[2])
        try device.quit()
        let application = try device.launch { NotesApp() }
        #expect(try application.connectNextSession()?.session.id == all[1])
        #expect(connected(application) == [all[0], all[1], all[2]])
        #expect(try application.connectNextSession()?.session.id == all[3])
        #expect(try application.connectNextSession()?.session.id == all[4])
    }

    @Test("L-11 the sessions that wait are read once, and not with each that comes back")
    func readOnce() throws {
        let application = try device.launch { NotesApp() }
        try application.connectNextSession()
        let waiting = application.waiting.keys
        #expect(waiting.count == 3)
        try application.connectNextSession()
        #expect(application.waiting.keys == waiting.dropLast())
        #expect(application.waiting.generation == application.store.currentGeneration())
    }

    @Test("L-11 a process that ends in between loses no window, and changes no order")
    func endsBetween() throws {
        for end in [device.kill, { try? device.quit() }] {
            let application = try device.launch { NotesApp() }
            #expect(connected(application) == [all[0]])
            #expect(try application.connectNextSession()?.session.id == all[1])
            #expect(application.openSessions.map(\.id) == all)
            end()
        }
        device.options.reconnection = .all
        #expect(connected(try device.launch { NotesApp() }) == Set(all))
    }

    @Test(
        "L-11 L-16 a launch that brings no window back brings none back later",
        arguments: [SceneApplicationOptions.LaunchBehavior.fresh, .safe, .none])
    func noneComesBack(behavior: SceneApplicationOptions.LaunchBehavior) throws {
        device.options.launchBehavior = behavior
        let application = try device.launch { NotesApp() }
        #expect(try application.connectNextSession() == nil)
        #expect(connected(application).isDisjoint(with: all))
    }

    /// A toolkit's main loop that has something to do while windows wait.
    final class MainLoop {
        var idleWork: (() -> Bool)?

        func run() {
            while idleWork?() == true {}
        }
    }

    func launch(_ hosted: HostedSceneApplication<TextHost>, on loop: MainLoop) throws {
        hosted.application.options.reconnection = .first(1)
        try hosted.launch()
        loop.idleWork = { [application = hosted.application] in
            (try? application.connectNextSession()) != nil
        }
    }

    final class TextHost: SceneHost {
        final class Window {}

        var isBehind: [Bool] = []

        func makeWindow(for session: SceneSession) -> Window {
            isBehind.append(!isBehind.isEmpty)
            return Window()
        }
        func bringForward(_ window: Window) { isBehind[isBehind.count - 1] = false }
        func close(_ window: Window) {}
        func restore(_ activity: UserActivity, in window: Window) {}
        func stateRestorationActivity(of window: Window) -> UserActivity? { nil }
    }

    private func leaveFourWindows(in store: SceneSessionStore) throws {
        let hosted = HostedSceneApplication(store: store, host: TextHost(), scheduler: .manual)
        try hosted.launch()
        for _ in 0..<3 {
            hosted.requestWindow()
        }
        try hosted.quit()
    }

    @Test("L-11 a toolkit's idle moments bring back every window, and show none")
    func hosted() throws {
        let container = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(container) }
        try leaveFourWindows(in: SceneSessionStore.open(at: .directory(container)))
        let store = try SceneSessionStore.open(at: .directory(container))
        let host = TextHost()
        let hosted = HostedSceneApplication(store: store, host: host, scheduler: .manual)
        let loop = MainLoop()
        try launch(hosted, on: loop)
        #expect(hosted.application.connectedScenes.count == 1)
        loop.run()
        #expect(host.isBehind == [false, true, true, true])
    }

    @Test("L-11 L-73 within a callback no window is brought back")
    func withinCallback() throws {
        let application = try device.launch { NotesApp() }
        var refused: SceneStoreError.Code?
        application.decisionHandler = { [unowned application] _ in
            do throws(SceneStoreError) {
                try application.connectNextSession()
            } catch {
                refused = error.code
            }
        }
        application.requestSceneSessionActivation(.init(session: all[1]))
        #expect(refused == .invalidState)
    }
}
