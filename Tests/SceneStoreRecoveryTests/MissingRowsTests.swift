import SceneStore
import SceneStoreExchange
import SceneStoreSQLite
import SceneStoreTestContainers
import SceneStoreTesting
import Testing

@testable import SceneStoreRecovery
@testable import SceneStoreStorage

/// What salvage says of rows that are missing beside those of the open sessions.
@Suite("Rows that are missing")
struct MissingRowsTests {
    /// A store whose table of states takes several pages.
    private func filled() throws -> TestContainer {
        let container = TestContainer()
        let store = try container.open()
        for name in ["one", "two"] {
            let record = try store.add(name)
            for number in 0..<8 {
                container.clock.advance(86_400_000)
                try store.save(
                    record, activity(number, bytes: 1_500), at: container.clock.now)
            }
        }
        try store.close()
        return container
    }

    private func salvage(_ container: TestContainer) throws -> SalvageReport {
        try #require(Salvage(SalvageInput(SalvageInput.File(path: container.store)))).report
    }

    @Test("R-64 S-11 lost earlier states are told, by the session and the table")
    func earlierStates() throws {
        let container = try filled()
        let whole = try salvage(container)
        #expect(whole.isComplete && !whole.missesRows && whole.missingFrom.isEmpty)
        let image = PageImage(main: try RawFile(path: container.store), log: nil)
        let leaves = PageTree(image).leaves.filter { $0.value == "state" }.keys.sorted()
        try #require(leaves.count > 2)
        var named: Set<String> = []
        for leaf in leaves {
            var file = try DamagedFile(container.store)
            let sound = file.bytes
            file.overwrite(page: Int(leaf) - 1) { _ in 0 }
            try file.write()
            let report = try salvage(container)
            #expect(!report.isComplete && report.missesRows, "page \(leaf)")
            #expect(report.missingFrom == ["state"], "page \(leaf)")
            let told = report.entries.filter {
                [.fewerStates, .olderState, .withoutState].contains($0.outcome)
            }
            #expect(!told.isEmpty, "page \(leaf)")
            named.formUnion(
                told.filter { $0.outcome == .fewerStates }
                    .map(\.sessionIdentifier.rawValue))
            file.bytes = sound
            try file.write()
        }
        #expect(named == ["one", "two"])
    }

    @Test("R-64 S-11 a lost page of any table makes the salvage incomplete")
    func otherTables() throws {
        let container = TestContainer()
        let store = try container.open()
        try store.fill(container.clock)
        try store.close()
        let image = PageImage(main: try RawFile(path: container.store), log: nil)
        let sound = try DamagedFile(container.store)
        for (page, table) in PageTree(image).leaves
        where ["session_value", "scene_storage", "event", "launch"].contains(table) {
            var file = sound
            file.overwrite(page: Int(page) - 1) { _ in 0 }
            try file.write()
            let report = try salvage(container)
            #expect(!report.isComplete, "\(table)")
            #expect(report.missingFrom == [table])
            let target = container.parent.file("salvaged-\(page)")
            let told = try SceneSessionStore.salvage(
                from: container.store, to: target, options: container.options())
            #expect(told.missesRows)
        }
        try sound.write()
    }

    @Test("L-14 R-02 a salvage elsewhere counts the durable commits that went with the log")
    func owedCommits() throws {
        let container = TestContainer()
        var store = try container.open()
        let record = try store.add("only")
        try store.close()
        store = try container.open()
        for number in 0..<3 {
            try store.save(record, activity(number))
        }
        store.abandon()
        let folder = try ContainerFolder.open(container.path, access: .owner)
        func salvage(_ name: String) throws -> SalvageReport {
            try SceneSessionStore.salvage(
                from: container.store, to: container.parent.file(name),
                options: container.options())
        }
        let whole = try salvage("whole")
        #expect(whole.commitsLost == 0 && whole.isComplete)
        try folder.remove(ContainerName.log)
        let rest = try salvage("rest")
        #expect(rest.commitsLost >= 3 && !rest.isComplete)
    }

    @Test("S-11 S-40 a log whose database is gone is salvaged by its own name")
    func logAlone() throws {
        let container = TestContainer()
        let store = try container.open()
        let record = try store.add("only")
        for number in 0..<3 {
            try store.save(record, activity(number))
        }
        store.abandon()
        let folder = try ContainerFolder.open(container.path, access: .owner)
        try folder.remove(ContainerName.store)
        let report = try SceneSessionStore.salvage(
            from: container.store, to: container.parent.file("salvaged"),
            options: container.options())
        #expect(report.openSessions == 1)
    }
}
