import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreTestContainers
import SceneStoreTesting
import Testing

/// Pages whose last write was lost: whole, and of an earlier moment.
@MainActor
@Suite("Pages of an earlier moment")
struct StalePageTests {
    private final class App: SceneApplicationDelegate {}

    private func launch(
        _ container: TestContainer, _ report: @escaping (Diagnostic) -> Void = { _ in }
    ) throws -> SceneApplication {
        var options = SceneApplicationOptions.desktop(.window("Note"))
        options.reconnection = .foreground
        let application = SceneApplication(
            store: try container.open(), delegate: App(), options: options, scheduler: .manual)
        application.diagnosticHandler = report
        try application.launch()
        return application
    }

    /// What changes between the earlier moment and the last one.
    enum Change: String, CaseIterable, Sendable {
        case opens, closes, leaves
    }

    /// A store whose index of the sessions in front is of an earlier moment, and who is in front.
    private func store(
        _ change: Change, _ container: TestContainer, index: String = "session_front"
    ) throws -> Set<SceneSession.ID> {
        let first = try launch(container)
        first.requestSceneSessionActivation(.init(role: .windowApplication))
        first.requestSceneSessionActivation(.init(role: .windowApplication))
        try first.quit()
        let old = try DamagedFile(container.store)
        let second = try launch(container)
        let windows = second.connectedScenes.map(\.session.id)
        switch change {
        case .opens: second.requestSceneSessionActivation(.init(role: .windowApplication))
        case .closes: second.requestSceneSessionDestruction(windows[0])
        case .leaves: try second.moveToBackground([windows[2]])
        }
        try second.quit()
        let reader = try container.open { $0.access = .reader }
        let front = Set(try reader.frontRecords().map(\.id))
        try reader.close()
        try DamagedLaunchTests.putBack(index, of: old, into: container)
        return front
    }

    @Test(
        "L-11 R-26 an old index brings back no old set of windows, in the very launch that meets it",
        arguments: Change.allCases)
    func front(_ change: Change) throws {
        let container = TestContainer()
        let front = try store(change, container)
        var told: [String] = []
        let third = try launch(container) { told.append($0.code.rawValue) }
        #expect(Set(third.connectedScenes.map(\.session.id)) == front)
        #expect(told.contains("storeSetAside"))
        try third.quit()
        #expect(try container.open().verify(.full).isSound)
    }

    @Test(
        "S-61 R-26 a verification without --full sees an old index, and a whole row is not called damaged",
        arguments: ["session_front", "session_recency"])
    func verification(_ index: String) throws {
        let container = TestContainer()
        _ = try store(.opens, container, index: index)
        let reader = try container.open { $0.access = .reader }
        let report = try reader.verify()
        #expect(report.findings.contains { $0.code == .pageDamage })
        #expect(!report.findings.contains { $0.code == .damagedRow })
        _ = try reader.frontRecords()
        _ = try reader.mostRecentRecord()
        #expect(!reader.takeDiagnostics().contains { $0.code == .damagedRow })
    }

    @Test("S-61 R-26 a repair of old sessions ends sound, and a second one changes no byte")
    func repair() throws {
        let container = TestContainer()
        let first = try launch(container)
        let window = try #require(first.connectedScenes.first?.session.id)
        func save(_ title: String, _ application: SceneApplication) throws {
            try application.setStateRestorationActivity(
                UserActivity(activityType: "com.example.edit", title: title), for: window)
        }
        try save("first", first)
        try first.quit()
        let old = try DamagedFile(container.store)
        let second = try launch(container)
        try save("second", second)
        try save("third", second)
        try second.quit()
        try DamagedLaunchTests.putBack("session", of: old, into: container)
        let report = try SceneSessionStore.repair(at: container.location)
        #expect(report.setAside != nil)
        #expect(report.remaining.isEmpty)
        let repaired = try DamagedFile(container.store).bytes
        #expect(try SceneSessionStore.repair(at: container.location).findings.isEmpty)
        #expect(try DamagedFile(container.store).bytes == repaired)
        let third = try launch(container)
        #expect(third.connectedScenes.first?.session.stateRestorationActivity?.title == "third")
        try third.quit()
    }

    @Test("R-26 S-40 an earlier state that salvage found is withheld, with its reason")
    func olderState() throws {
        let container = TestContainer()
        let first = try launch(container)
        let window = try #require(first.connectedScenes.first?.session.id)
        for title in ["first", "second"] {
            try first.setStateRestorationActivity(
                UserActivity(activityType: "com.example.edit", title: title), for: window)
        }
        try first.quit()
        // The newest state's own bytes, and then the schema, so that the store is salvaged.
        var file = try DamagedFile(container.store)
        for place in file.bytes.ranges(of: Array("second".utf8)) {
            file.bytes[place.lowerBound] ^= 1
        }
        for offset in 100..<4_096 {
            file.bytes[offset] = 0x5A
        }
        try file.write()
        let second = try launch(container)
        let session = try #require(second.connectedScenes.first?.session)
        #expect(session.id == window)
        #expect(session.restoration == .withheld)
        #expect(session.withheldState == .lost)
        #expect(try second.withheldStates(of: window).count == 1)
        try second.restoreWithheldState(for: window)
        #expect(try second.session(for: window)?.stateRestorationActivity?.title == "first")
        try second.quit()
    }
}
