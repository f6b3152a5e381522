import SceneStore
import SceneStoreSQLite
import SceneStoreTestContainers
import SceneStoreTesting
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@MainActor
@Suite("A launch on a damaged store")
struct DamagedLaunchTests {
    private final class App: SceneApplicationDelegate {}

    private func launch(
        _ container: TestContainer, _ report: @escaping (Diagnostic) -> Void = { _ in }
    ) throws -> SceneApplication {
        let application = SceneApplication(
            store: try container.open(), delegate: App(), options: .desktop(.window("Note")))
        application.diagnosticHandler = report
        try application.launch()
        return application
    }

    private static let firstPages: [String: StatementText] = [
        "configuration": "SELECT rootpage FROM sqlite_schema WHERE name = 'configuration'",
        "configuration_role":
            "SELECT rootpage FROM sqlite_schema WHERE name = 'configuration_role'",
        "discard_generation":
            "SELECT rootpage FROM sqlite_schema WHERE name = 'discard_generation'",
        "event": "SELECT rootpage FROM sqlite_schema WHERE name = 'event'",
        "launch": "SELECT rootpage FROM sqlite_schema WHERE name = 'launch'",
        "save_context": "SELECT rootpage FROM sqlite_schema WHERE name = 'save_context'",
        "session": "SELECT rootpage FROM sqlite_schema WHERE name = 'session'",
        "session_closed": "SELECT rootpage FROM sqlite_schema WHERE name = 'session_closed'",
        "session_front": "SELECT rootpage FROM sqlite_schema WHERE name = 'session_front'",
        "session_identifier":
            "SELECT rootpage FROM sqlite_schema WHERE name = 'session_identifier'",
        "session_recency": "SELECT rootpage FROM sqlite_schema WHERE name = 'session_recency'",
        "state": "SELECT rootpage FROM sqlite_schema WHERE name = 'state'",
        "store": "SELECT rootpage FROM sqlite_schema WHERE name = 'store'",
    ]

    /// The place of a table's first page in a closed store.
    static func firstPage(_ table: String, in store: String) throws -> Int {
        var settings = Connection.Options(.scratch)
        settings.applicationID = 0x5343_5345
        let connection = try Connection(path: store, options: settings)
        let page = try #require(
            try firstPages[table].flatMap {
                try connection.withStatement($0) { statement throws(SQLiteError) in
                    try statement.step() ? try statement.integer(at: 0) : nil
                }
            })
        try connection.close()
        return Int(page) - 1
    }

    /// Overwrites the first page of a table of a closed store.
    static func damage(_ table: String, of container: TestContainer) throws {
        try damage(table, in: container.store)
    }

    /// Puts an earlier version of the first page of a table or index into a closed store.
    static func putBack(
        _ table: String, of earlier: DamagedFile, into container: TestContainer
    ) throws {
        let page = try firstPage(table, in: container.store)
        var file = try DamagedFile(container.store)
        file.overwrite(page: page) { earlier.bytes[$0] }
        try file.write()
    }

    private static func damage(_ table: String, in store: String) throws {
        let page = try firstPage(table, in: store)
        var file = try DamagedFile(store)
        file.overwrite(page: page) { UInt8(truncatingIfNeeded: $0 &* 151 &+ 7) }
        try file.write()
    }

    @Test(
        "S-11 L-17 a launch that comes upon a damaged page salvages the store and is told so",
        arguments: ["configuration", "configuration_role", "save_context", "launch"])
    func wholeTable(_ table: String) throws {
        let container = TestContainer()
        let first = try launch(container)
        for _ in 0..<2 {
            first.requestSceneSessionActivation(.init(role: .windowApplication))
        }
        let windows = Set(first.connectedScenes.map(\.session.id))
        #expect(windows.count == 3)
        try first.quit()
        try Self.damage(table, of: container)
        var told: [String] = []
        let second = try launch(container) { told.append($0.code.rawValue) }
        #expect(Set(second.connectedScenes.map(\.session.id)) == windows)
        #expect(told.contains("storeSetAside") && !told.contains("corrupt"))
        #expect(container.quarantined().count > 1)
        try second.quit()
        // It was salvaged for good.
        let third = try launch(container) { told.append($0.code.rawValue) }
        #expect(Set(third.connectedScenes.map(\.session.id)) == windows)
        #expect(told.count { $0 == "storeSetAside" } == 1)
        try third.quit()
    }

    /// Saves a state of each of a hundred sessions, and damages an interior page of a table, which then
    /// looks for some rows elsewhere; answers the keys of the sessions, and those of such rows.
    private func misplaceRows(
        _ table: String, of container: TestContainer
    ) throws -> (all: [Int64], misplaced: [Int64]) {
        let first = try container.open()
        var keys: [Int64] = []
        for number in 0..<100 {
            let record = try first.add("session-\(number)")
            keys.append(record.key)
            var activity = try UserActivity(activityType: "com.example.edit")
            activity.title = "secret-\(record.key)."
            try first.save(record, activity)
        }
        try first.close()
        let page = try Self.firstPage(table, in: container.store)
        var bytes = try #require(container.folder.bytes())
        let begin = page * 4_096
        #expect(bytes[begin] == 5, "an interior page")
        let middle = begin + 12 + 2 * (Int(bytes[begin + 4]) / 2)
        let number = begin + Int(bytes[middle]) << 8 + Int(bytes[middle + 1]) + 4
        /// The number in the cell, whose last rows are looked for behind it when it gets smaller.
        func key() -> Int64 {
            var (key, place) = (Int64(0), number)
            repeat {
                key = key << 7 | Int64(bytes[place] & 0x7F)
                place += 1
            } while bytes[place - 1] & 0x80 != 0
            return table == "state" ? key >> 8 : key
        }
        let old = key()
        let digit = bytes[number] == 0x81 ? number + 1 : number
        bytes[digit] = bytes[digit] & 0x80 | (bytes[digit] & 0x7F) / 2
        let new = key()
        try container.folder.write(bytes)
        return (keys, keys.filter { $0 > new && $0 <= old })
    }

    private func countOfStates(_ store: SceneSessionStore) throws -> Int {
        try store.read { db throws(SceneStoreError) in
            try db.numbers(StateRow.description.numbers, binding()).count
        }
    }

    @Test("S-60 S-70 an erasure takes nothing from sessions that a damaged page finds no more")
    func erasureOnDamagedPage() throws {
        let container = TestContainer(.fail)
        let (keys, misplaced) = try misplaceRows("session", of: container)
        #expect(!misplaced.isEmpty && !misplaced.contains(keys[0]))
        let store = try container.open()
        #expect(try countOfStates(store) == 100)
        try store.marks.setPrivacy(.ephemeral, key: keys[0])
        #expect(try countOfStates(store) == 99)
        try store.close()
    }

    @Test("S-70 an erasure takes the content that a damaged page finds no more")
    func erasureOutOfReach() throws {
        let container = TestContainer(.fail)
        let key = try #require(try misplaceRows("state", of: container).misplaced.first)
        let store = try container.open()
        try store.marks.setPrivacy(.ephemeral, key: key)
        #expect(try countOfStates(store) == 99)
        try store.close()
        #expect(
            container.files.allSatisfy { $0.value.range(of: Data("secret-\(key).".utf8)) == nil })
    }

    @Test(
        "S-70 L-43 an erasure that was not finished also erases the file that is set aside",
        arguments: [true, false])
    func unfinishedErasure(isSalvaged: Bool) throws {
        let container = isSalvaged ? TestContainer() : TestContainer(.startEmpty)
        let first = try container.open()
        try first.launch()
        _ = try first.add("A")
        try first.write(.full) { transaction throws(SceneStoreError) in
            transaction.store.erasurePending = true
        }
        try first.close()
        try Self.damage("launch", of: container)
        let second = try container.open()
        #expect(!container.quarantined().isEmpty)
        while try second.upkeep.perform(budgetMilliseconds: 60_000) {}
        #expect(container.quarantined().isEmpty)
        try second.close()
    }

    @Test("S-60 L-17 a damaged page of states keeps no window from coming back")
    func states() throws {
        let container = TestContainer()
        let first = try launch(container)
        for _ in 0..<2 {
            first.requestSceneSessionActivation(.init(role: .windowApplication))
        }
        let windows = Set(first.connectedScenes.map(\.session.id))
        for window in windows {
            try first.setStateRestorationActivity(
                UserActivity(activityType: "com.example.edit"), for: window)
        }
        try first.quit()
        try Self.damage("state", of: container)
        var told: [String] = []
        let second = try launch(container) { told.append($0.code.rawValue) }
        #expect(Set(second.connectedScenes.map(\.session.id)) == windows)
        #expect(second.connectedScenes.allSatisfy { $0.session.restoration == .withheld })
        #expect(second.connectedScenes.allSatisfy { $0.session.withheldState == .lost })
        // No state is left that could be given back.
        #expect(try second.returnableWindows().isEmpty)
        // The store was salvaged for the windows that this launch connects.
        #expect(told.contains("storeSetAside") && !told.contains("corrupt"))
        second.store.abandon()
        told = []
        let third = try launch(container) { told.append($0.code.rawValue) }
        #expect(Set(third.connectedScenes.map(\.session.id)) == windows)
        #expect(!told.contains("storeSetAside"))
        try third.quit()
    }

    @Test(
        "R-26 L-52 a state that is damaged counts as lost: the one before it is withheld, and can be had",
        arguments: ["payload", "row"])
    func damagedState(_ place: String) throws {
        let container = TestContainer()
        let first = try launch(container)
        first.requestSceneSessionActivation(.init(role: .windowApplication))
        let windows = first.connectedScenes.map(\.session.id)
        for (number, window) in windows.enumerated() {
            for title in ["old \(number)", "new \(number)"] {
                var activity = UserActivity(checkedType: "com.example.edit")
                activity.title = title
                try first.setStateRestorationActivity(activity, for: window)
            }
        }
        try first.quit()
        let change =
            place == "row" ? "checksum = checksum + 1" : "payload = zeroblob(length(payload))"
        try alter(
            container,
            "UPDATE state SET \(change) WHERE id = "
                + "(SELECT state_id FROM session WHERE identifier = '\(windows[0])')")
        var told: [Diagnostic] = []
        let second = try launch(container) { told.append($0) }
        let sessions = windows.compactMap { second.scene(for: $0)?.session }
        #expect(sessions.map(\.withheldState) == [.lost, nil])
        #expect(sessions.map(\.stateRestorationActivity?.title) == [nil, "new 1"])
        #expect(told.filter { $0.code == .stateStale }.map(\.sessionIdentifier) == [windows[0]])
        #expect(second.launchLedger.counts[.withheld] == 1)
        try second.restoreWithheldState(for: windows[0])
        #expect(second.scene(for: windows[0])?.session.stateRestorationActivity?.title == "old 0")
        try second.quit()
        let third = try launch(container)
        let back = windows.compactMap { third.scene(for: $0)?.session }
        #expect(back.map(\.stateRestorationActivity?.title) == ["old 0", "new 1"])
        #expect(back.allSatisfy { $0.withheldState == nil })
        try third.quit()
    }

    @Test("S-11 where the sessions are damaged a launch has a window and tells what is lost")
    func sessions() throws {
        let container = TestContainer()
        let first = try launch(container)
        first.requestSceneSessionActivation(.init(role: .windowApplication))
        try first.quit()
        try Self.damage("session", of: container)
        var told: [String] = []
        let second = try launch(container) { told.append($0.code.rawValue) }
        #expect(!second.connectedScenes.isEmpty)
        #expect(told.contains("storeSetAside"))
        try second.quit()
    }

    /// Runs a script on a closed store.
    private func alter(_ container: TestContainer, _ sql: String) throws {
        var settings = Connection.Options(.scratch)
        settings.applicationID = 0x5343_5345
        let connection = try Connection(path: container.store, options: settings)
        try connection.execute(script: sql, named: "damage")
        try connection.close()
    }

    @Test("S-60 L-50 a damaged row of a configuration takes no window's state away")
    func configuration() throws {
        let container = TestContainer()
        let first = try launch(container)
        let window = try #require(first.connectedScenes.first?.session.id)
        try first.setStateRestorationActivity(
            UserActivity(activityType: "com.example.edit", title: "t"), for: window)
        try first.quit()
        try alter(container, "UPDATE configuration SET checksum = checksum + 1")
        // Where the row is only passed by, and where it was set aside.
        for _ in 0..<2 {
            var told: [String] = []
            let next = try launch(container) { told.append($0.code.rawValue) }
            let session = try #require(next.connectedScenes.first?.session)
            #expect(session.id == window)
            #expect(session.restoration == .available)
            #expect(session.stateRestorationActivity?.title == "t")
            #expect(session.configuration.name == "Note")
            while try next.performIdleWork(budgetMilliseconds: 1_000) {}
            #expect(!told.contains("staleConfiguration"))
            try next.quit()
        }
    }

    /// A launch of an app that has preferences beside its notes.
    private func launchWithPreferences(
        _ container: TestContainer, _ report: @escaping (Diagnostic) -> Void = { _ in }
    ) throws -> SceneApplication {
        let application = SceneApplication(
            store: try container.open(), delegate: App(),
            options: .desktop(
                .window("Note"), .window("Sketch"), .single("Settings", role: .preferences)))
        application.diagnosticHandler = report
        try application.launch()
        return application
    }

    /// Flips one bit of a text, where a page has it first.
    private func flip(
        _ text: String, in table: String, of container: TestContainer
    ) throws {
        let page = try Self.firstPage(table, in: container.store)
        var file = try DamagedFile(container.store)
        let (start, letters) = (page * 4_096, Array(text.utf8))
        let place = try #require(
            (start..<start + 4_096 - letters.count).first {
                file.bytes[$0..<$0 + letters.count].elementsEqual(letters)
            })
        file.bytes[place + 1] ^= 1
        try file.write()
    }

    @Test(
        "L-04 S-60 a flipped bit of a configuration changes no window's role or name",
        arguments: [SceneSessionRole.preferences.rawValue, "Settings", "Sketch"], [false, true])
    func flippedRole(_ text: String, isSalvaged: Bool) throws {
        let container = TestContainer()
        let first = try launchWithPreferences(container)
        first.requestSceneSessionActivation(.init(role: .preferences))
        var request = SceneSessionActivationRequest(role: .windowApplication)
        request.configurationName = "Sketch"
        first.requestSceneSessionActivation(request)
        let windows = Dictionary(
            uniqueKeysWithValues: first.connectedScenes.map {
                ($0.session.id, $0.session.configuration)
            })
        #expect(Set(windows.values.map(\.name)) == ["Note", "Sketch", "Settings"])
        try first.quit()
        try flip(text, in: "configuration", of: container)
        if isSalvaged {
            try Self.damage("launch", of: container)
        }
        // Where the row is only passed by, and where it was set aside.
        for _ in 0..<2 {
            let next = try launchWithPreferences(container)
            #expect(next.connectedScenes.count == 3)
            for session in next.connectedScenes.map(\.session) {
                #expect(session.configuration == windows[session.id])
                #expect(session.role == windows[session.id]?.role)
                #expect(session.restoration == .available)
            }
            while try next.performIdleWork(budgetMilliseconds: 1_000) {}
            try next.quit()
        }
    }

    @Test("S-60 L-70 a configuration that was set aside counts its open sessions")
    func countedAgain() throws {
        let container = TestContainer()
        try launchWithPreferences(container).quit()
        try alter(container, "UPDATE configuration SET delegate_class = 'x'")
        for _ in 0..<2 {
            let next = try launchWithPreferences(container)
            while try next.performIdleWork(budgetMilliseconds: 1_000) {}
            let count = try next.store.read { db throws(SceneStoreError) in
                try db.openCount(role: .windowApplication)
            }
            #expect(count == 1)
            try next.quit()
        }
    }

    @Test("L-04 a window whose role nothing knows any more is parked, and connected under no other")
    func unknownRole() throws {
        let container = TestContainer()
        let first = try launchWithPreferences(container)
        first.requestSceneSessionActivation(.init(role: .preferences))
        let windows = Set(first.connectedScenes.map(\.session.id))
        try first.quit()
        try Self.damage("configuration", of: container)
        try Self.damage("configuration_role", of: container)
        for _ in 0..<2 {
            let next = try launchWithPreferences(container)
            #expect(next.connectedScenes.allSatisfy { !windows.contains($0.session.id) })
            #expect(Set(next.openSessions.map(\.id)).isSuperset(of: windows))
            try next.quit()
        }
    }

    @Test("L-04 a window of an app with one role comes back where nothing else is known of it")
    func onlyRole() throws {
        let container = TestContainer()
        let first = try launch(container)
        let windows = Set(first.connectedScenes.map(\.session.id))
        try first.quit()
        try Self.damage("configuration", of: container)
        try Self.damage("configuration_role", of: container)
        for _ in 0..<2 {
            let next = try launch(container)
            #expect(Set(next.connectedScenes.map(\.session.id)) == windows)
            #expect(next.connectedScenes.map(\.session.configuration.name) == ["Note"])
            #expect(next.connectedScenes.map(\.session.role) == [.windowApplication])
            try next.quit()
        }
    }

    @Test(
        "S-11 R-26 a store's own row that went back is damage, not an older file, and needs no lock",
        arguments: [true, false])
    func olderRow(_ hasLock: Bool) throws {
        let container = TestContainer()
        try launch(container).quit()
        let old = try DamagedFile(container.store)
        let first = try launch(container)
        first.requestSceneSessionActivation(.init(role: .windowApplication))
        let windows = Set(first.connectedScenes.map(\.session.id))
        try first.quit()
        try Self.putBack("store", of: old, into: container)
        if !hasLock {
            try FileManager.default.removeItem(atPath: container.folder.file("owner.lock"))
        }
        var told: [String] = []
        let second = try launch(container) { told.append($0.code.rawValue) }
        #expect(Set(second.connectedScenes.map(\.session.id)) == windows)
        #expect(told.contains("storeSetAside") && !told.contains("rolledBack"))
        try second.quit()
    }

    @Test("S-13 L-17 idle work that meets a damaged index tells of it once")
    func idle() throws {
        let device = try SimulatedDevice(
            storage: .temporaryDirectory, options: .desktop(.window("Note")))
        _ = try device.launch { App() }
        try device.quit()
        try Self.damage("discard_generation", in: device.containerPath + "/scenes.sqlite")
        _ = try device.launch { App() }
        device.wait(milliseconds: 3_600_000)
        let told = device.diagnostics.map(\.code.rawValue)
        #expect(told.count { $0 == "corrupt" } <= 1)
        #expect(told.count { $0 == "pageDamage" } <= 1)
        #expect(told.contains("corrupt") || told.contains("pageDamage"))
    }

    @Test("S-11 an app that wants no salvage is told, and nothing is moved")
    func policy() throws {
        let container = TestContainer()
        try launch(container).quit()
        try Self.damage("configuration", of: container)
        var told: [String] = []
        let application = SceneApplication(
            store: try container.open { $0.corruption = .fail }, delegate: App(),
            options: .desktop(.window("Note")))
        application.diagnosticHandler = { told.append($0.code.rawValue) }
        try? application.launch()
        #expect(told.contains("corrupt"))
        #expect(container.quarantined().isEmpty)
    }
}
