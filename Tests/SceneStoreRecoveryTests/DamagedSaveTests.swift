import SceneStore
import SceneStoreRecovery
import SceneStoreTestContainers
import SceneStoreTesting
import Testing

/// Damage that the first write of a process meets: its work must not wait for the next opening.
@MainActor
@Suite("A save on a damaged store")
struct DamagedSaveTests {
    private final class App: SceneApplicationDelegate {}

    private func launch(
        _ container: TestContainer, _ report: @escaping (Diagnostic) -> Void = { _ in }
    ) throws -> SceneApplication {
        let application = SceneApplication(
            store: try container.open(), delegate: App(), options: .desktop(.window("Note")),
            scheduler: .manual)
        application.diagnosticHandler = report
        try application.launch()
        return application
    }

    /// Gives each window a state with this title.
    private func save(_ title: String, _ application: SceneApplication) throws {
        for window in application.connectedScenes.map(\.session.id) {
            try application.setStateRestorationActivity(
                UserActivity(activityType: "com.example.edit", title: title), for: window)
        }
    }

    private func titles(_ application: SceneApplication) -> [String?] {
        application.connectedScenes.map(\.session.stateRestorationActivity?.title)
    }

    /// A closed store of three windows, each with a state.
    private func filled(_ container: TestContainer) throws {
        let first = try launch(container)
        for _ in 0..<2 {
            first.requestSceneSessionActivation(.init(role: .windowApplication))
        }
        try save("first", first)
        try first.quit()
    }

    /// The same, with one window closed.
    private func filledWithClosedWindow(
        _ container: TestContainer
    ) throws -> SceneSession.ID {
        try filled(container)
        let first = try launch(container)
        let closed = try #require(first.connectedScenes.first?.session.id)
        #expect(try first.closeWindow(of: closed) == .close)
        try first.quit()
        return closed
    }

    @Test("S-11 L-17 what an app saves after it met a damaged page is kept in a salvaged store")
    func saved() throws {
        let container = TestContainer()
        try filled(container)
        try DamagedLaunchTests.damage("state", of: container)
        var told: [String] = []
        let second = try launch(container) { told.append($0.code.rawValue) }
        let windows = second.connectedScenes.map(\.session.id)
        #expect(windows.count == 3)
        try save("second", second)
        #expect(second.storeRefusal == nil)
        #expect(told.contains("storeSetAside") && !told.contains("writeRefused"))
        #expect(container.quarantined().count > 1)
        // What comes later goes into the new store, too.
        second.requestSceneSessionActivation(.init(role: .windowApplication))
        try second.quit()
        told = []
        let third = try launch(container) { told.append($0.code.rawValue) }
        #expect(third.connectedScenes.count == 4)
        #expect(titles(third).count { $0 == "second" } == 3)
        #expect(!told.contains("storeSetAside") && !told.contains("corrupt"))
        #expect(try third.store.verify(.full).isSound)
        try third.quit()
    }

    @Test("S-11 S-60 one old page of states keeps no window from being saved")
    func olderStates() throws {
        let container = TestContainer()
        try filled(container)
        let old = try DamagedFile(container.store)
        let second = try launch(container)
        try save("second", second)
        try second.quit()
        try DamagedLaunchTests.putBack("state", of: old, into: container)
        let third = try launch(container)
        try save("third", third)
        try third.quit()
        let fourth = try launch(container)
        #expect(titles(fourth) == ["third", "third", "third"])
        try fourth.quit()
    }

    @Test("S-11 S-60 after an owner that met a damaged page rows that went back are salvaged")
    func olderRowsOfSuspect() throws {
        var container = TestContainer(.fail)
        try filled(container)
        let old = try DamagedFile(container.store)
        let second = try launch(container)
        try save("second", second)
        try second.quit()
        let sound = try DamagedFile(container.store)
        try DamagedLaunchTests.damage("discard_generation", of: container)
        let third = try launch(container)
        #expect(
            failure { try third.closeWindow(of: third.connectedScenes[0].session.id) } == .corrupt)
        third.store.abandon()
        // The page is whole again, and one of states is as it was before.
        try sound.write()
        try DamagedLaunchTests.putBack("state", of: old, into: container)
        container.corruption = .salvage
        let store = try container.open()
        #expect(!container.quarantined().isEmpty)
        #expect(try store.verify(.full).isSound)
        try store.close()
    }

    @Test("S-21 L-41 a closing that a damaged page refuses leaves no discard behind")
    func refusedClosing() throws {
        var container = TestContainer(.fail)
        try filled(container)
        try DamagedLaunchTests.damage("discard_generation", of: container)
        let second = try launch(container)
        let windows = second.connectedScenes.map(\.session.id)
        #expect(failure { try second.closeWindow(of: windows[0]) } == .corrupt)
        #expect(second.connectedScenes.count == 3)
        try save("second", second)
        #expect(try second.store.journal.events().allSatisfy { $0.kind != .discard })
        try second.quit()
        container.corruption = .salvage
        var told: [String] = []
        let third = try launch(container) { told.append($0.code.rawValue) }
        #expect(Set(third.connectedScenes.map(\.session.id)) == Set(windows))
        #expect(titles(third) == ["second", "second", "second"])
        #expect(told == ["storeSetAside"])
        try third.quit()
    }

    @Test("S-11 R-24 that a closing was decided doesn't let a salvage take the window away")
    func decidedClosing() throws {
        let container = TestContainer()
        try filled(container)
        let second = try launch(container)
        let windows = second.connectedScenes.map(\.session.id)
        second.core.decide(.discard, session: windows[0], "user", "the user closed its window")
        second.store.abandon()
        let third = try launch(container)
        third.core.decide(.discard, session: windows[0], "user", "the user closed its window")
        try third.quit()
        try DamagedLaunchTests.damage("configuration_role", of: container)
        let fourth = try launch(container)
        #expect(Set(fourth.connectedScenes.map(\.session.id)) == Set(windows))
        try fourth.quit()
    }

    @Test("S-60 S-61 L-17 a window that a damaged index doesn't find is closed and activated")
    func unfoundWindow() throws {
        let container = TestContainer(.fail)
        try filled(container)
        let page = try DamagedLaunchTests.firstPage("session_identifier", in: container.store)
        var file = try DamagedFile(container.store)
        // The first byte of each identifier in the index.
        for place in page * 4_096..<(page + 1) * 4_096 - 36 {
            let text = file.bytes[place..<place + 36]
            if text.indices.filter({ text[$0] == UInt8(ascii: "-") }).map({ $0 - place })
                == [8, 13, 18, 23]
            {
                file.bytes[place] ^= 0x01
            }
        }
        try file.write()
        var told: [String] = []
        let second = try launch(container) { told.append($0.code.rawValue) }
        let windows = second.connectedScenes.map(\.session.id)
        #expect(windows.count == 3)
        second.requestSceneSessionActivation(.init(session: windows[1]))
        try second.setUserInfo(["page": 3], for: windows[1])
        #expect(try second.closeWindow(of: windows[0]) == .close)
        #expect(second.connectedScenes.count == 2)
        #expect(told.contains("pageDamage") && !told.contains("requestDenied"))
        second.store.abandon()
    }

    @Test("S-11 L-17 reading a damaged page while an app runs salvages the store at once")
    func readWhileRunning() throws {
        let container = TestContainer()
        let closed = try filledWithClosedWindow(container)
        try DamagedLaunchTests.damage("session_closed", of: container)
        var told: [String] = []
        let second = try launch(container) { told.append($0.code.rawValue) }
        #expect(second.connectedScenes.count == 2)
        #expect(try second.recentlyClosedGroups().flatMap(\.sessions).map(\.id) == [closed])
        #expect(container.quarantined().count > 1)
        try save("second", second)
        try second.reopen(closed)
        try second.quit()
        #expect(told.contains("storeSetAside") && !told.contains("corrupt"))
        told = []
        let third = try launch(container) { told.append($0.code.rawValue) }
        #expect(third.connectedScenes.count == 3)
        #expect(told.isEmpty)
        try third.quit()
    }

    @Test("R-22 S-50 a closed window that its index leaves out is listed, reported and reopened")
    func hiddenClosing() throws {
        let container = TestContainer()
        let closed = try filledWithClosedWindow(container)
        let page = try DamagedLaunchTests.firstPage("session_closed", in: container.store)
        var file = try DamagedFile(container.store)
        // How many entries the page has.
        file.bytes[page * 4_096 + 4] ^= 1
        try file.write()
        var told: [String] = []
        let second = try launch(container) { told.append($0.code.rawValue) }
        #expect(try second.recentlyClosedGroups().flatMap(\.sessions).map(\.id) == [closed])
        // SQLite misses the entry that it has to remove: the store is salvaged for it.
        try second.reopen(closed)
        #expect(second.openSessions.count == 3)
        try second.quit()
        #expect(told.contains("pageDamage") && told.contains("storeSetAside"))
        let third = try launch(container)
        #expect(third.connectedScenes.count == 3)
        try third.quit()
    }

    @Test("S-11 where no salvage is wanted a save is refused, and quitting throws")
    func policy() throws {
        let container = TestContainer(.fail)
        try filled(container)
        try DamagedLaunchTests.damage("state", of: container)
        let second = try launch(container)
        #expect(failure { try save("second", second) } == .corrupt)
        #expect(container.quarantined().isEmpty)
        second.store.abandon()
    }
}
